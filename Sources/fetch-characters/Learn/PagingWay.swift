// The ways that may lead from one page of a list to the next. A way asks for what would prove it, as far as requests reach.
//
//     page        page=2 has others ──► page=1 is the start ──► proved, from 1
//                 page=2 is empty   ──► page=1 has others   ──► page=0 is the start ──► proved, from 0
//     offset      offset=20 has none of the start's ──► offset=0 is the start ──► offset=19 begins with its last ──► proved
//     next        the start again ──► what it leads to has others ──► proved

import PipelineCore
import PipelineHTTP

/// What proves how a list is paged: its first page, and one that has others.
struct LearnProof {
    /// How a page can be requested without those before it.
    enum Jump {
        case none
        /// By the pagination's own parameter.
        case position
        /// By the number in the link to the second page.
        case link(HTTPURL, PageParameter)

        var isPosition: Bool { if case .position = self { true } else { false } }
    }

    /// The description with that paging.
    var description: LearntDescription
    let start: LearntPage
    let second: LearntPage
    /// How the next page is got, in words.
    let text: String
    var jump = Jump.position
    var parameters: [Placement] = []
    /// The position after the second page, where that leads on.
    var following: PagePosition?

    /// Records of the second page that the first doesn't have.
    var others: Int { second.keys.fresh(beside: start.keys) }
}

extension LearnProof {
    fileprivate init(
        _ description: LearntDescription, _ start: LearntPage, _ second: LearntPage, _ place: Placement,
        _ text: String
    ) {
        self.init(description: description, start: start, second: second, text: text, parameters: [place])
    }
}

extension ListProbe {
    /// Asks for the page that the parameter's number requests.
    fileprivate mutating func ask(
        _ place: Placement, _ number: Int, _ description: LearntDescription
    ) throws(ToolFailure) -> Answer? {
        let isPage = if case .page = description.pagination.kind { true } else { false }
        let position = isPage ? PagePosition.number(number) : .offset(number)
        return try ask(description, position, for: "\(place.name)=\(number)")
    }
}

/// A way that may lead to the second page.
struct PagingWay {
    enum Kind {
        case next(NextPlace)
        case page(Placement)
        /// `from` is the number that the start was asked for with. A name that no service is known by has to be proved by
        /// the records alone.
        case offset(Placement, from: Int, isKnown: Bool)
        /// Several parameters at once: offsets that differ, so that the answer shows which one counts, or pages.
        case several([Placement], PageParameter.Kind)
    }

    enum Outcome {
        case proved(LearnProof)
        /// The URL names a place within the list, by this parameter.
        case isWithin(PageParameter)
        /// The list has one page: the second is empty.
        case ends(String)
        /// Why it doesn't lead on, nil if nothing is known of that, and what to try in its place.
        case refuted(String?, [PagingWay] = [], isStartDoubtful: Bool = false)
    }

    let kind: Kind

    /// Some services have empty pages between others.
    private static let emptyPages = 3

    /// The requests that have to be left when it begins.
    var needs: Int {
        switch kind {
        case .next, .page, .offset: 2
        case .several: 4
        }
    }

    /// - Parameter description: without a pagination.
    /// - Returns: nil if no request was left.
    func follow(
        _ description: LearntDescription, _ start: LearntPage, _ probe: inout ListProbe
    ) throws(ToolFailure) -> Outcome? {
        switch kind {
        case .next(let next): return try follow(next, description, start, &probe)
        case .page(let place):
            let described = description.paged(.page(place, first: 1), start, without: place)
            return try follow(page: place, described, start, &probe)
        case .offset(let place, let from, let isKnown):
            let described = description.paged(.offset(place, first: 0), start, without: place)
            return try follow(offset: place, from, isKnown, described, start, &probe)
        case .several(let places, let kind): return try follow(places, kind, description, start, &probe)
        }
    }

    // MARK: Numbers of pages

    private func follow(
        page place: Placement, _ described: LearntDescription, _ start: LearntPage, _ probe: inout ListProbe
    ) throws(ToolFailure) -> Outcome? {
        guard let second = try probe.ask(place, 2, described) else { return nil }
        let others = second.page?.keys.fresh(beside: start.keys) ?? 0
        guard others > 0 || second.isNothing else {
            return .refuted(second.page.map { _ in "\(place.name)=2 changes nothing" })
        }
        guard let first = try probe.ask(place, 1, described) else { return nil }
        guard let one = first.page else { return .refuted(nil) }
        if one.keys == start.keys {
            guard let page = second.page, others > 0 else {
                if case .refused = second { return .refuted("\(place.name)=2 isn't there") }
                return .ends("\(place.name)=2 is empty")
            }
            return .proved(
                LearnProof(described, one, page, place, "the pages have numbers by \(place.name), from 1"))
        }
        let text = "neither \(place.name)=1 nor \(place.name)=0 is the page without it"
        guard one.keys.fresh(beside: start.keys) > 0 else { return .refuted(text, isStartDoubtful: true) }
        guard let before = try probe.ask(place, 0, described) else { return nil }
        guard let zero = before.page, zero.keys == start.keys else {
            return .refuted(text, isStartDoubtful: true)
        }
        var zeroed = described
        zeroed.pagination.kind = .page(place, first: 0)
        return .proved(LearnProof(zeroed, zero, one, place, "the pages have numbers by \(place.name), from 0"))
    }

    // MARK: Numbers of records

    private func follow(
        offset place: Placement, _ from: Int, _ isKnown: Bool, _ described: LearntDescription, _ start: LearntPage,
        _ probe: inout ListProbe
    ) throws(ToolFailure) -> Outcome? {
        let name = place.name
        let count = start.count
        guard let second = try probe.ask(place, from + count, described) else { return nil }
        guard let page = second.page, count > 1 || isKnown else { return .refuted(nil) }
        guard page.keys.fresh(beside: start.keys) > 0 else {
            return .refuted("\(name)=\(from + count) changes nothing")
        }
        guard page.keys.fresh(beside: start.keys) == page.keys.distinct else {
            let doubt = Outcome.refuted("\(name)=\(count) repeats records of the first page", isStartDoubtful: true)
            guard isKnown, from == 0, page.keys.overlap(after: start.keys, most: 1) == 1 else { return doubt }
            return try followFromOne(place, described, start, &probe, doubt)
        }
        var first = start
        if from == 0 {
            guard let again = try probe.startAgain(described, start) else { return nil }
            first = again
        }
        if count > 1 {
            guard let last = try probe.ask(place, from + count - 1, described) else { return nil }
            guard last.page != nil || isKnown else { return .refuted(nil) }
            // A service may round it down to a whole page.
            if let keys = last.page?.keys, keys != start.keys || !isKnown,
                keys.overlap(after: start.keys, most: 1) != 1
            {
                return .refuted(
                    "\(name) doesn't count records: \(name)=\(from + count - 1) doesn't begin with the first page's last"
                )
            }
        }
        if from > 0 { return .isWithin(PageParameter(place, .offset)) }
        let text = "the next page is at \(name), the number of records before it"
        return .proved(LearnProof(described, first, page, place, text))
    }

    /// Where the offset of the first page's count begins with its last record, records may be counted from 1.
    private func followFromOne(
        _ place: Placement, _ described: LearntDescription, _ start: LearntPage, _ probe: inout ListProbe,
        _ doubt: Outcome
    ) throws(ToolFailure) -> Outcome? {
        var described = described
        described.pagination.kind = .offset(place, first: 1)
        guard let second = try probe.ask(place, start.count + 1, described) else { return nil }
        guard let page = second.page, page.keys.fresh(beside: start.keys) == page.keys.count, page.count > 0
        else { return doubt }
        guard let first = try probe.startAgain(described, start) else { return nil }
        let text = "the next page is at \(place.name), the number of its first record from 1"
        return .proved(LearnProof(described, first, page, place, text))
    }

    // MARK: Several parameters at once

    private func follow(
        _ places: [Placement], _ kind: PageParameter.Kind, _ description: LearntDescription, _ start: LearntPage,
        _ probe: inout ListProbe
    ) throws(ToolFailure) -> Outcome? {
        let count = start.count
        let places = kind == .offset ? Array(places.prefix(count)) : places
        let names = places.map(\.name).joined(separator: ", ")
        var described = description
        if description.request.size == nil {
            for name in ["limit", "per_page", "pageSize"] {
                described.request = described.request.setting(.query(name), to: "\(count)")
            }
        }
        for (index, place) in places.enumerated() {
            described.request = described.request.setting(place, to: kind == .page ? "2" : "\(count - index)")
        }
        let purpose = "the usual \(kind == .page ? "numbers of pages" : "offsets") at once"
        guard let answer = try probe.ask(described, for: purpose) else { return nil }
        let single = places.map { PagingWay($0, kind) }
        guard let page = answer.page else { return .refuted(nil, single) }
        guard page.keys.fresh(beside: start.keys) > 0 || page.keys.isEmpty && kind == .page else {
            return .refuted("\(names) change nothing")
        }
        guard kind == .offset else { return .refuted(nil, single) }
        // Each was set to one less than the one before.
        let overlap = page.keys.overlap(after: start.keys, most: places.count)
        // One that counts from 1 repeats one more.
        return .refuted(nil, [overlap, overlap - 1].filter(places.indices.contains).map { single[$0] })
    }

    init(_ kind: Kind) { self.kind = kind }

    init(_ place: Placement, _ kind: PageParameter.Kind) {
        self.kind = kind == .page ? .page(place) : .offset(place, from: 0, isKnown: true)
    }

    // MARK: Links and cursors

    private func follow(
        _ next: NextPlace, _ description: LearntDescription, _ start: LearntPage, _ probe: inout ListProbe
    ) throws(ToolFailure) -> Outcome? {
        var described = description.paged(next.kind, start)
        guard let again = try probe.startAgain(described, start) else { return nil }
        var found: (second: LearntPage, first: PagePosition?, following: PagePosition?, keepsQuery: Bool)?
        for keepsQuery in Self.choicesOfQuery(again, described) {
            described.pagination.keepsQuery = keepsQuery
            let lead = try probe.lead(of: again, described)
            if case .failure(.elsewhere(let origin)) = lead {
                return .refuted("the link to the next page leads to another origin, \(origin)")
            }
            let first = try? lead.get()
            var position = first
            for _ in 0..<Self.emptyPages {
                guard let wanted = position else { break }
                guard let answer = try probe.ask(described, wanted, for: "the next page") else { return nil }
                guard let page = answer.page else { break }
                position = try probe.position(after: page, described)
                guard !page.keys.isEmpty else { continue }
                // More than came at first are those of another size, which the link has lost.
                if page.count <= start.count, found?.second.keys != page.keys {
                    found = (page, first, position, keepsQuery)
                }
                break
            }
        }
        guard let found, found.second.keys.fresh(beside: start.keys) > 0 else {
            return .refuted("\(next.text) leads to no other records")
        }
        described.pagination.keepsQuery = found.keepsQuery
        var proof = LearnProof(
            description: described, start: again, second: found.second, text: next.sentence,
            jump: Self.jump(to: found.first), parameters: described.pagination.places, following: found.following)
        if case .link(let url)? = found.first { proof.parameters = ListRequest(url).parameters.map(\.place) }
        return .proved(proof)
    }

    /// Whether links keep the list's own parameters by the description, in the order in which that is tried. A service
    /// forgets those that a link with a number lacks; a link without a number may have them in a token.
    private static func choicesOfQuery(_ page: LearntPage, _ description: LearntDescription) -> [Bool] {
        guard case .link(let link)? = page.page.lead.next, let url = try? page.url.resolving(link) else {
            return [false]
        }
        let places = Set(ListRequest(url).parameters.map(\.place))
        guard description.request.parameters.contains(where: { !places.contains($0.place) }) else {
            return [false]
        }
        return number(in: url) == nil ? [false, true] : [true]
    }

    /// The parameter of a link that has the number of its page.
    private static func number(in url: HTTPURL) -> PageParameter? {
        ListRequest(url).parameters.lazy.compactMap { PageParameter(at: $0.place, $0.value) }
            .first { $0.kind != .cursor }
    }

    /// How the pages after the second can be requested at once, where the link to it has its number.
    private static func jump(to second: PagePosition?) -> LearnProof.Jump {
        guard case .link(let url)? = second, let parameter = number(in: url) else { return .none }
        return .link(url, parameter)
    }
}

extension LearntDescription {
    /// The description with this paging, and the size of pages that the request asks for.
    func paged(
        _ kind: LearntPagination.Kind, _ start: LearntPage, without place: Placement? = nil
    ) -> LearntDescription {
        var described = self
        described.pagination = LearntPagination(kind)
        if let place { described.request = request.removing([place]) }
        guard let size = request.size, start.count > 0, start.count <= size.value else { return described }
        // A service that is asked for too many gives as many as it likes.
        described.pagination.size = (size.place, start.count, start.count < size.value ? start.count : nil)
        return described
    }
}
