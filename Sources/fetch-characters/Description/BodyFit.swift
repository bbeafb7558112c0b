// Whether the paths of values fit the JSON body that a description has: what they set may be missing there, but nothing
// that the body has becomes something else.
//
//     {"requests": [{"page": 0}]}     $.requests[0].page     fits
//                                     $.requests[5].page     would need four elements that nobody described
//                                     $.requests.page        would turn an array into an object

import PipelineCore

struct BodyFit {
    private let findings: DescriptionFindings

    init(_ findings: DescriptionFindings) { self.findings = findings }

    /// - Parameters:
    ///   - content: nil for a request that has no body but what these values make.
    ///   - location: of that body.
    func check(_ uses: [PlacementCheck.Use], _ content: RequestContent?, of location: String) {
        var body: JSONTree
        switch content {
        case .json(let tree): body = tree
        case .form: return
        case nil: body = .object([])
        }
        var waiting = uses
        // One may make the element that another follows.
        while true {
            var rest: [PlacementCheck.Use] = []
            for use in waiting {
                guard case .body(let steps) = use.placement, misfit(of: steps[...], in: body, use) != nil else {
                    if case .body(let steps) = use.placement { body = body.setting(.integer(0), at: steps[...]) }
                    continue
                }
                rest.append(use)
            }
            if rest.count == waiting.count || rest.isEmpty {
                waiting = rest
                break
            }
            waiting = rest
        }
        for use in waiting {
            guard case .body(let steps) = use.placement, let misfit = misfit(of: steps[...], in: body, use) else {
                continue
            }
            let path = JSONLocation.path(of: steps, style: .rooted)
            findings.add(use.location, "'\(path)' doesn't fit \(location), which \(misfit)")
        }
    }

    /// What of the body is in the way of a value, in words. Nil if it fits.
    private func misfit(
        of steps: ArraySlice<JSONLocation.PathStep>, in tree: JSONTree?, _ use: PlacementCheck.Use
    ) -> String? {
        guard let step = steps.first else {
            // A cursor is what it was in the response, whatever that is.
            guard let tree, use.role != .cursor else { return nil }
            switch tree {
            case .object, .array: return "has \(tree.kind) there"
            case .string, .integer, .number, .boolean, .null: return nil
            }
        }
        if let file = tree?.file { return "has the text of \(file) there" }
        switch (step, tree) {
        case (.name, nil): return misfit(of: steps.dropFirst(), in: nil, use)
        case (.name(let name), .object): return misfit(of: steps.dropFirst(), in: tree?[name], use)
        case (.name(let name), let other?): return "has \(other.kind) where \(name) would be a member"
        case (.index(let index), nil):
            return index == 0 ? misfit(of: steps.dropFirst(), in: nil, use) : "has no array for the index \(index)"
        case (.index(let index), .array(let elements)):
            guard index <= elements.count else {
                return "has an array of \(elements.count) there, and none before the index \(index)"
            }
            let element = index < elements.count ? elements[index] : nil
            return misfit(of: steps.dropFirst(), in: element, use)
        case (.index(let index), let other?): return "has \(other.kind) for the index \(index)"
        }
    }
}
