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
        var waiting: [(use: PlacementCheck.Use, steps: [JSONLocation.PathStep])] = []
        for (index, use) in uses.enumerated() {
            guard case .body(let steps) = use.placement, Placement.isBodyPlace(steps) else { continue }
            // That two have one place is told as such.
            let isTaken = uses[..<index].contains { $0.placement.clashes(with: use.placement) }
            if !isTaken { waiting.append((use, steps)) }
        }
        // One may make the element that another follows, so those that don't fit are tried again after those that do.
        var count = waiting.count + 1
        while waiting.count < count {
            count = waiting.count
            waiting.removeAll { use, steps in
                guard misfit(of: steps[...], in: body, use) == nil else { return false }
                body = body.setting(.integer(0), at: steps[...])
                return true
            }
        }
        for (use, steps) in waiting {
            guard let misfit = misfit(of: steps[...], in: body, use) else { continue }
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
        // Null is what a body has where something may be.
        case (.name, nil), (.name, .null): return misfit(of: steps.dropFirst(), in: nil, use)
        case (.name(let name), .object): return misfit(of: steps.dropFirst(), in: tree?[name], use)
        case (.name(let name), let other?): return "has \(other.kind) where \(name) would be a member"
        case (.index(let index), nil), (.index(let index), .null):
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
