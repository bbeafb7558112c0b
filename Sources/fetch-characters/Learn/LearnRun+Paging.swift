// How a list is paged: what the answer shows is tried first, then the usual parameters.

import PipelineCore
import PipelineHTTP

extension LearnRun {
    /// What is tried of each kind. Each try takes a request or two.
    private static let nextPlaces = 3
    private static let shownParameters = 2
    /// Some services have empty pages between others.
    private static let emptyPages = 3

    /// The proof of the first way to other records that there is. Nil without any.
    mutating func proof(_ start: inout LearntPage) throws(ToolFailure) -> LearnProof? {
        if let proof = try proof(start) { return try checked(proof) }
        // Where the records stay the same and those of another place change, the list is there.
        guard let changing = probe.changingPlace else { return nil }
        probe.otherPlaces = [place]
        description.records = changing
        start = try takeStart(start.response)
        return try proof(start).map { (proof) throws(ToolFailure) in try checked(proof) }
    }

    /// - Throws: status 76 if the pages overlap, or if what the URL says of a page isn't what leads to the next one.
    private func checked(_ proof: LearnProof) throws(ToolFailure) -> LearnProof {
        let repeated = proof.second.keys.count - proof.others
        guard repeated == 0 else {
            throw ToolFailure(
                .protocolError,
                "the second page repeats \(repeated) records of the first one, or of its own; run it again if the list changed "
                    + "meanwhile, and else describe the source by hand")
        }
        guard let typedPosition, !proof.parameters.contains(typedPosition.name) else { return proof }
        throw ToolFailure(
            .protocolError,
            "\(typedPosition.name) in the URL may say which page is meant, and isn't what leads to the next one; use a URL without it"
        )
    }

    private mutating func proof(_ start: LearntPage) throws(ToolFailure) -> LearnProof? {
        let headers = start.response.headers
        let places = NextPlace.all(in: envelope, beside: place, headers, typed: typedPosition)
        for next in places.prefix(Self.nextPlaces) {
            if let proof = try proof(start, by: next) { return proof }
        }
        var parameters = [typedPosition].compactMap { $0 }
        for shown in PageParameter.shown(by: envelope, beside: place, headers) where !parameters.contains(shown) {
            parameters.append(shown)
        }
        parameters.removeAll { $0.kind == .cursor }
        for parameter in parameters.prefix(Self.shownParameters) {
            if let proof = try proof(start, by: parameter, isShown: true) { return proof }
        }
        return try guess(start, besides: parameters)
    }

    /// A description with this paging, and the size of pages that the URL asks for.
    func described(_ kind: LearntPagination.Kind, _ start: LearntPage) -> LearntDescription {
        var described = description
        described.pagination = LearntPagination(kind)
        let count = start.page.listed
        guard let size = described.address.size, count > 0, count <= size.value else { return described }
        // A service that is asked for too many gives as many as it likes.
        described.pagination.size = (size.name, count, count < size.value ? count : nil)
        return described
    }

    // MARK: Links and cursors

    private mutating func proof(_ start: LearntPage, by next: NextPlace) throws(ToolFailure) -> LearnProof? {
        var described = described(next.kind, start)
        guard probe.left > 1, let again = try probe.startAgain(described, start) else { return nil }
        let lost = lostQuery(again, described)
        described.pagination.keepsQuery = lost == .numbered
        var found = try followed(again, described)
        if lost == .unknown, let page = found {
            // A link without a number may have the list's parameters in a token, or lack them.
            described.pagination.keepsQuery = true
            let kept = try followed(again, described)
            if kept == nil || kept?.second.keys == page.second.keys {
                described.pagination.keepsQuery = false
            } else {
                found = kept
            }
        }
        guard let found, found.second.keys.fresh(beside: start.keys) > 0 else {
            findings.hasDeadEnd = true
            findings.tried("\(next.text) leads to no other records")
            return nil
        }
        var proof = LearnProof(
            description: described, start: again, second: found.second, text: next.sentence,
            jump: jump(to: found.first), following: found.position)
        proof.parameters = parameters(of: next, found.first)
        return proof
    }

    /// The second page, the position that led to it, and the one after it.
    private mutating func followed(
        _ start: LearntPage, _ described: LearntDescription
    ) throws(ToolFailure) -> (second: LearntPage, first: PagePosition?, position: PagePosition?)? {
        let first = try lead(of: start, described)
        var position = first
        var second: LearntPage?
        for _ in 0..<Self.emptyPages where second?.keys.isEmpty ?? true {
            guard let wanted = position else { break }
            second = try probe.page(described, wanted, for: "the next page")
            position = nil
            if let second { position = try lead(of: second, described) }
        }
        return second.map { ($0, first, position) }
    }

    /// The parameters that request the next page.
    private func parameters(of next: NextPlace, _ position: PagePosition?) -> [String] {
        if case .link(let url)? = position { return ListAddress(url).parameters.map(\.name) }
        switch next.kind {
        case .cursor(let parameter, _): return [parameter]
        case .cursors(let cursors): return cursors.map(\.parameter)
        case .none, .linkHeader, .nextURL, .page, .offset: return []
        }
    }

    /// The position after a page, nil if it leads to none that may be requested.
    mutating func lead(of page: LearntPage, _ description: LearntDescription) throws(ToolFailure) -> PagePosition? {
        let lead = try probe.lead(of: page, description)
        if case .elsewhere(let origin) = lead {
            findings.tried("the link to the next page leads to another origin, \(origin)")
        }
        return lead.position
    }

    /// What of the list's parameters the link to the second page lacks.
    private enum LostQuery {
        case nothing
        /// The link has a number, so that the service forgets them.
        case numbered
        case unknown
    }

    private func lostQuery(_ page: LearntPage, _ description: LearntDescription) -> LostQuery {
        guard case .link(let link)? = page.page.lead.next else { return .nothing }
        do throws(HTTPFailure) {
            let parameters = ListAddress(try page.url.resolving(link)).parameters
            let names = Set(parameters.map(\.name))
            guard description.address.parameters.contains(where: { !names.contains($0.name) }) else {
                return .nothing
            }
            let hasNumber = parameters.contains { parameter in
                PageParameter(named: parameter.name, parameter.value).map { $0.kind != .cursor } ?? false
            }
            return hasNumber ? .numbered : .unknown
        } catch {
            return .nothing
        }
    }

    /// How the pages after the second can be requested at once, where the link to it has its number.
    private func jump(to second: PagePosition?) -> LearnProof.Jump {
        guard case .link(let url)? = second else { return .none }
        let parameters = ListAddress(url).parameters.compactMap { PageParameter(named: $0.name, $0.value) }
        guard let parameter = parameters.first(where: { $0.kind != .cursor }) else { return .none }
        return .link(url, parameter)
    }
}

/// Pages that a parameter requests by their number, or by the number of records before them.
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
