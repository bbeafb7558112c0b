// The ways that may lead from one page of a list to the next. A way is a value: told the answers that came so far, it says
// what to ask next, or what they prove or refute. LearnRun spends the requests.
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
    /// The parameters that request the next page.
    var parameters: [Placement] = []
    /// The position after the second page, where that leads on.
    var following: PagePosition?

    /// Records of the second page that the first doesn't have.
    var others: Int { second.keys.fresh(beside: start.keys) }
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

    enum Step {
        case ask(Probe)
        /// The first page, as this description requests it.
        case again(LearntDescription)
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

    /// - Parameters:
    ///   - description: without a pagination.
    ///   - answers: to what it has asked for.
    func step(
        _ description: LearntDescription, _ start: LearntPage, _ answers: [Answer], _ probe: borrowing ListProbe
    ) throws(ToolFailure) -> Step {
        switch kind {
        case .next(let next): try step(next, description, start, answers, probe)
        case .page(let place):
            step(
                page: place, description.paged(.page(place, first: 1), start, without: place), start, answers)
        case .offset(let place, let from, let isKnown):
            step(
                offset: place, from, isKnown,
                description.paged(.offset(place, first: 0), start, without: place), start, answers)
        case .several(let places, let kind): step(places, kind, description, start, answers)
        }
    }

    // MARK: Numbers of pages

    private func step(
        page place: Placement, _ described: LearntDescription, _ start: LearntPage, _ answers: [Answer]
    ) -> Step {
        let ask = { (number: Int) in
            Step.ask(
                Probe(description: described, position: .number(number), purpose: "\(place.name)=\(number)"))
        }
        guard let second = answers.first else { return ask(2) }
        let others = second.page?.keys.fresh(beside: start.keys) ?? 0
        guard others > 0 || second.isNothing else {
            return .refuted(second.page.map { _ in "\(place.name)=2 changes nothing" })
        }
        guard answers.count > 1 else { return ask(1) }
        guard let one = answers[1].page else { return .refuted(nil) }
        if one.keys == start.keys {
            guard let page = second.page, others > 0 else {
                if case .refused = second { return .refuted("\(place.name)=2 isn't there") }
                return .ends("\(place.name)=2 is empty")
            }
            return .proved(proof(described, one, page, place, 1))
        }
        let text = "neither \(place.name)=1 nor \(place.name)=0 is the page without it"
        guard one.keys.fresh(beside: start.keys) > 0 else { return .refuted(text, isStartDoubtful: true) }
        guard answers.count > 2 else { return ask(0) }
        guard let zero = answers[2].page, zero.keys == start.keys else {
            return .refuted(text, isStartDoubtful: true)
        }
        var zeroed = described
        zeroed.pagination.kind = .page(place, first: 0)
        return .proved(proof(zeroed, zero, one, place, 0))
    }

    private func proof(
        _ description: LearntDescription, _ start: LearntPage, _ second: LearntPage, _ place: Placement,
        _ first: Int
    ) -> LearnProof {
        LearnProof(
            description: description, start: start, second: second,
            text: "the pages have numbers by \(place.name), from \(first)", parameters: [place])
    }

    // MARK: Numbers of records

    private func step(
        offset place: Placement, _ from: Int, _ isKnown: Bool, _ described: LearntDescription, _ start: LearntPage,
        _ answers: [Answer]
    ) -> Step {
        let name = place.name
        let count = start.count
        let ask = { (number: Int) in
            Step.ask(Probe(description: described, position: .offset(number), purpose: "\(name)=\(number)"))
        }
        guard let second = answers.first else { return ask(from + count) }
        guard let page = second.page, count > 1 || isKnown else { return .refuted(nil) }
        guard page.keys.fresh(beside: start.keys) > 0 else {
            return .refuted("\(name)=\(from + count) changes nothing")
        }
        let text = "the next page is at \(name), the number of records before it"
        guard page.keys.fresh(beside: start.keys) == page.keys.distinct else {
            return stepFromOne(place, described, start, answers, isKnown && from == 0)
        }
        if from == 0, answers.count < 2 { return .again(described) }
        let first = from == 0 ? answers[1].page : start
        guard let first else { return .refuted(nil) }
        if count > 1 {
            let index = from == 0 ? 2 : 1
            guard answers.count > index else { return ask(from + count - 1) }
            // A service may round it down to a whole page.
            if let before = answers[index].page {
                guard before.keys == start.keys && isKnown || before.keys.overlap(after: start.keys, most: 1) == 1
                else {
                    return .refuted(
                        "\(name) doesn't count records: \(name)=\(from + count - 1) doesn't begin with the first page's last"
                    )
                }
            } else if !isKnown {
                return .refuted(nil)
            }
        }
        if from > 0 { return .isWithin(PageParameter(place, .offset)) }
        return .proved(
            LearnProof(description: described, start: first, second: page, text: text, parameters: [place]))
    }

    /// Where the offset of the first page's count begins with its last record, records may be counted from 1.
    private func stepFromOne(
        _ place: Placement, _ described: LearntDescription, _ start: LearntPage, _ answers: [Answer],
        _ isPossible: Bool
    ) -> Step {
        let count = start.count
        var described = described
        described.pagination.kind = .offset(place, first: 1)
        let doubt = "\(place.name)=\(count) repeats records of the first page"
        guard isPossible, answers[0].page?.keys.overlap(after: start.keys, most: 1) == 1 else {
            return .refuted(doubt, isStartDoubtful: true)
        }
        guard answers.count > 1 else {
            return .ask(
                Probe(
                    description: described, position: .offset(count + 1), purpose: "\(place.name)=\(count + 1)"))
        }
        guard let page = answers[1].page, page.keys.fresh(beside: start.keys) == page.keys.count, page.count > 0
        else { return .refuted(doubt, isStartDoubtful: true) }
        guard answers.count > 2 else { return .again(described) }
        guard let first = answers[2].page else { return .refuted(doubt) }
        return .proved(
            LearnProof(
                description: described, start: first, second: page,
                text: "the next page is at \(place.name), the number of its first record from 1",
                parameters: [place]))
    }

    // MARK: Several parameters at once

    private func step(
        _ places: [Placement], _ kind: PageParameter.Kind, _ description: LearntDescription, _ start: LearntPage,
        _ answers: [Answer]
    ) -> Step {
        let count = start.count
        let places = kind == .offset ? Array(places.prefix(count)) : places
        let names = places.map(\.name).joined(separator: ", ")
        guard let answer = answers.first else {
            var described = description
            if description.request.size == nil {
                for name in ["limit", "per_page", "pageSize"] {
                    described.request = described.request.setting(.query(name), to: "\(count)")
                }
            }
            for (index, place) in places.enumerated() {
                described.request = described.request.setting(place, to: kind == .page ? "2" : "\(count - index)")
            }
            let what = kind == .page ? "numbers of pages" : "offsets"
            return .ask(Probe(description: described, position: nil, purpose: "the usual \(what) at once"))
        }
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

    private func step(
        _ next: NextPlace, _ description: LearntDescription, _ start: LearntPage, _ answers: [Answer],
        _ probe: borrowing ListProbe
    ) throws(ToolFailure) -> Step {
        var described = description.paged(next.kind, start)
        guard let first = answers.first else { return .again(described) }
        guard let again = first.page else { return .refuted(nil) }
        var rest = answers.dropFirst()
        var found: (second: LearntPage, first: PagePosition?, following: PagePosition?, keepsQuery: Bool)?
        for keepsQuery in Self.choicesOfQuery(again, described) {
            described.pagination.keepsQuery = keepsQuery
            let lead = try probe.lead(of: again, described)
            if case .elsewhere(let origin) = lead {
                return .refuted("the link to the next page leads to another origin, \(origin)")
            }
            var position = lead.position
            for _ in 0..<Self.emptyPages {
                guard let wanted = position else { break }
                guard let answer = rest.popFirst() else {
                    return .ask(Probe(description: described, position: wanted, purpose: "the next page"))
                }
                guard let page = answer.page else { break }
                position = try probe.lead(of: page, described).position
                guard !page.keys.isEmpty else { continue }
                // More than came at first are those of another size, which the link has lost.
                if page.count <= start.count, found?.second.keys != page.keys {
                    found = (page, lead.position, position, keepsQuery)
                }
                break
            }
        }
        guard let found, found.second.keys.fresh(beside: start.keys) > 0 else {
            return .refuted("\(next.text) leads to no other records")
        }
        described.pagination.keepsQuery = found.keepsQuery
        var proof = LearnProof(description: described, start: again, second: found.second, text: next.sentence)
        proof.following = found.following
        proof.jump = Self.jump(to: found.first)
        proof.parameters = described.pagination.places
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
