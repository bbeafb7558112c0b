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
        if let proof = try proof(start) { return proof }
        // Where the records stay the same and those of another place change, the list is there.
        guard let changing = probe.changingPlace else { return nil }
        probe.otherPlaces = [place]
        description.records = changing
        start = try takeStart(start.response)
        return try proof(start)
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
        described.pagination.keepsQuery = losesQuery(again, described)
        let first = try lead(of: again, described)
        var position = first
        var second: LearntPage?
        for _ in 0..<Self.emptyPages where second?.keys.isEmpty ?? true {
            guard let wanted = position else { break }
            second = try probe.page(described, wanted, for: "the next page")
            position = nil
            if let second { position = try lead(of: second, described) }
        }
        guard let second, second.keys.fresh(beside: start.keys) > 0 else {
            findings.hasDeadEnd = true
            findings.tried("\(next.text) leads to no other records")
            return nil
        }
        return LearnProof(
            description: described, start: again, second: second, text: "the next page is \(next.text)",
            jump: jump(to: first), following: position)
    }

    /// The position after a page, nil if it leads to none that may be requested.
    mutating func lead(of page: LearntPage, _ description: LearntDescription) throws(ToolFailure) -> PagePosition? {
        let lead = try probe.lead(of: page, description)
        if case .elsewhere(let origin) = lead {
            findings.tried("the link to the next page leads to another origin, \(origin)")
        }
        return lead.position
    }

    /// Whether the link to the second page has a number and lacks parameters of the list, which the service then forgets.
    /// A link without a number may have them all in a token.
    private func losesQuery(_ page: LearntPage, _ description: LearntDescription) -> Bool {
        guard case .link(let link)? = page.page.lead.next else { return false }
        do throws(HTTPFailure) {
            let query = ListAddress(try page.url.resolving(link)).query
            let names = Set(query.map(\.name))
            let hasNumber = query.contains { parameter in
                PageParameter(named: parameter.name, parameter.value).map { $0.kind != .cursor } ?? false
            }
            return hasNumber && description.address.query.contains { !names.contains($0.name) }
        } catch {
            return false
        }
    }

    /// How the pages after the second can be requested at once, where the link to it has its number.
    private func jump(to second: PagePosition?) -> LearnProof.Jump {
        guard case .link(let url)? = second else { return .none }
        let parameters = ListAddress(url).query.compactMap { PageParameter(named: $0.name, $0.value) }
        guard let parameter = parameters.first(where: { $0.kind != .cursor }) else { return .none }
        return .link(url, parameter)
    }
}
