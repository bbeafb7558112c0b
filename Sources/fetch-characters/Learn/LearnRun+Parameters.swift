// Pages that a parameter requests by their number, or by the number of records before them.

import PipelineCore
import PipelineHTTP

extension LearnRun {
    /// The proof that a parameter leads to other records.
    /// - Parameter isShown: the URL or an answer has the parameter.
    mutating func proof(
        _ start: LearntPage, by parameter: PageParameter, isShown: Bool = false
    ) throws(ToolFailure) -> LearnProof? {
        switch parameter.kind {
        case .page: try proof(start, byPage: parameter.name, isShown: isShown)
        case .offset: try proof(start, byOffset: parameter.name)
        case .cursor: nil
        }
    }

    // MARK: Numbers of pages

    /// Page 2 has to have others, and page 1 or 0 to be the one that comes without a number.
    private mutating func proof(
        _ start: LearntPage, byPage name: String, isShown: Bool
    ) throws(ToolFailure) -> LearnProof? {
        var described = described(.page(parameter: name, first: 1), start)
        described.address = described.address.removing([name])
        guard probe.left > 1 else { return nil }
        let second = try probe.page(described, .number(2), for: "\(name)=2")
        let others = second?.keys.fresh(beside: start.keys) ?? 0
        // From 0, page 2 may be beyond the end.
        guard others > 0 || isShown && second?.keys.isEmpty ?? true else {
            findings.tried("\(name)=2 changes nothing")
            return nil
        }
        guard let one = try probe.page(described, .number(1), for: "\(name)=1") else { return nil }
        if one.keys == start.keys {
            guard let second, others > 0 else { return nil }
            return pageProof(described, start: one, second: second, name, 1)
        }
        described.pagination.kind = .page(parameter: name, first: 0)
        if one.keys.fresh(beside: start.keys) > 0,
            let zero = try probe.page(described, .number(0), for: "\(name)=0"), zero.keys == start.keys
        {
            return pageProof(described, start: zero, second: one, name, 0)
        }
        findings.tried("neither \(name)=1 nor \(name)=0 is the page that comes without it")
        _ = try probe.startAgain(description, start)
        return nil
    }

    private func pageProof(
        _ description: LearntDescription, start: LearntPage, second: LearntPage, _ name: String, _ first: Int
    ) -> LearnProof {
        LearnProof(
            description: description, start: start, second: second,
            text: "the pages have numbers by \(name), from \(first)", jump: .position, parameters: [name],
            following: nil)
    }

    // MARK: Numbers of records

    /// The page at the offset of the first page's count has to have others and none of the first one's, and that at one
    /// less has to begin with the first one's last.
    private mutating func proof(
        _ start: LearntPage, byOffset name: String
    ) throws(ToolFailure) -> LearnProof? {
        var described = described(.offset(parameter: name), start)
        described.address = described.address.removing([name])
        let count = start.page.listed
        guard probe.left > 1, let second = try probe.page(described, .offset(count), for: "\(name)=\(count)") else {
            return nil
        }
        guard second.keys.fresh(beside: start.keys) > 0 else {
            findings.tried("\(name)=\(count) changes nothing")
            return nil
        }
        guard second.keys.fresh(beside: start.keys) == second.keys.distinct else {
            findings.tried("\(name)=\(count) repeats records of the first page, as if it counted from 1")
            _ = try probe.startAgain(description, start)
            return nil
        }
        guard let first = try probe.startAgain(described, start) else { return nil }
        if count > 1, let before = try probe.page(described, .offset(count - 1), for: "\(name)=\(count - 1)") {
            // A service may round it down to a whole page.
            guard before.keys == start.keys || before.keys.overlap(after: start.keys, most: 1) == 1 else {
                findings.tried(
                    "\(name) doesn't count records: \(name)=\(count - 1) doesn't begin with the first page's last")
                return nil
            }
        }
        return LearnProof(
            description: described, start: first, second: second,
            text: "the next page is at \(name), the number of records before it", jump: .position,
            parameters: [name],
            following: nil)
    }

    // MARK: Guesses

    /// Tries the usual parameters, several in one request where the answer tells them apart.
    mutating func guess(
        _ start: LearntPage, besides tried: [PageParameter]
    ) throws(ToolFailure) -> LearnProof? {
        if !tried.contains(.usual), let proof = try proof(start, by: .usual) { return proof }
        if let name = try offsetName(start, tried), let proof = try proof(start, byOffset: name) { return proof }
        guard probe.left > 4, try changes(start) else { return nil }
        for name in PageParameter.pages where probe.left > 1 {
            if let proof = try proof(start, by: PageParameter(name, .page)) { return proof }
        }
        return nil
    }

    /// The parameter that counts, of several that are set to offsets one less each: by how many of the first page's
    /// records come again.
    private mutating func offsetName(
        _ start: LearntPage, _ tried: [PageParameter]
    ) throws(ToolFailure) -> String? {
        let names = PageParameter.offsets.filter { name in !tried.contains { $0.name == name } }
        let count = start.page.listed
        let usable = Array(names.prefix(count))
        guard probe.left > 3, !usable.isEmpty else { return nil }
        var described = withSizes(start)
        for (index, name) in usable.enumerated() {
            described.address = described.address.setting(name, to: "\(count - index)")
        }
        guard let answer = try probe.page(described, nil, for: "the usual offsets at once"),
            answer.keys.fresh(beside: start.keys) > 0
        else {
            findings.tried("\(usable.joined(separator: ", ")) change nothing")
            return nil
        }
        // Each was set to one less than the one before.
        let overlap = answer.keys.overlap(after: start.keys, most: usable.count)
        return usable.indices.contains(overlap) ? usable[overlap] : nil
    }

    /// Whether the usual numbers of pages, set all at once, give other records.
    private mutating func changes(_ start: LearntPage) throws(ToolFailure) -> Bool {
        var described = withSizes(start)
        for name in PageParameter.pages + [PageParameter.usual.name] {
            described.address = described.address.setting(name, to: "2")
        }
        let answer = try probe.page(described, nil, for: "the usual numbers of pages at once")
        let isChanged = answer.map { $0.keys.fresh(beside: start.keys) > 0 } ?? false
        if !isChanged { findings.tried("\(PageParameter.pages.joined(separator: ", ")) change nothing") }
        return isChanged
    }

    /// The description with sizes of pages, unless its URL has one.
    private func withSizes(_ start: LearntPage) -> LearntDescription {
        var described = description
        guard described.address.size == nil else { return described }
        for name in PageParameter.sizesBeside {
            described.address = described.address.setting(name, to: "\(start.page.listed)")
        }
        return described
    }
}
