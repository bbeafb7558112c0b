// Two of the four experiments, which ask the same of whatever proposed a way:
//
//     Others?       the second page has records that the first one lacks
//     Continuity?   one record early, the first record is the last one of the page before; page 1 is the start

import PipelineCore
import PipelineHTTP

/// A way to other pages that experiments showed.
struct LearntWay {
    var description: LearntDescription
    let second: LearntPage
    let text: String
    /// Further responses with records that others follow, as the first page by its number.
    var samples: [LearntPage] = []
    /// The position of the second page, where the first leads to it, and the one after it, where that leads on.
    var position: PagePosition?
    var following: PagePosition?
    /// The number in its links, by which other pages can be requested.
    var number: LinkNumber?

    var isChain: Bool { description.pagination.leads }
}

/// What was tried to get to a second page, and didn't lead there.
struct LearnAttempts {
    /// What was requested when records came that aren't on the first page: then one page isn't the whole list.
    var others: String?
    private(set) var names: [String] = []
    private(set) var findings: [String] = []

    /// - Returns: nil, for a way that leads to no proof.
    mutating func inVain(_ name: String, _ finding: String? = nil) -> LearntWay? {
        if let finding { findings.append(finding) } else { names.append(name) }
        return nil
    }

    mutating func inVain(all names: [String]) -> LearntWay? {
        self.names += names
        return nil
    }

    mutating func refused(_ purpose: String, _ status: Int?) {
        let answer = status.map { "is answered with \($0)" } ?? "gets a response without the list"
        if findings.count < 3 { findings.append("\(purpose) \(answer)") }
    }

    /// For a message.
    var text: String? {
        let shown = names.withoutRepeats
        let rest = shown.count - 5
        let list = shown.prefix(5).joined(separator: ", ") + (rest > 0 ? " and \(rest) others" : "")
        let all = (shown.isEmpty ? [] : ["\(list) led to no other records"]) + findings.withoutRepeats.prefix(3)
        return all.isEmpty ? nil : all.joined(separator: "; ")
    }
}

extension LearnRun {
    /// - Throws: status 76 where a page is the first one in another order: pages of such a list aren't parts of it.
    mutating func findWay() throws(ToolFailure) -> LearntWay? {
        if let way = try spend() { return way }
        // Where the records stay the same and those of another place change, the list is there.
        if let place = changingPlace {
            (otherPlaces, changingPlace) = ([], nil)
            description.records = place
            try takeStart(start.response)
            return try spend()
        }
        guard onePage == nil, let given = typed?.given, typed?.value.isEmpty == false else { return nil }
        // No experiment shows that the parameter selects a page, so it is a filter, and belongs to the list.
        (typed, description.request, isOnePage) = (nil, given.request, false)
        try takeStart(given.response)
        return try spend()
    }

    var proposals: ProposalInput {
        ProposalInput(
            request: description.request, start: start, place: place, id: id, typed: typed?.place,
            recorded: probe.recorded)
    }

    private mutating func spend() throws(ToolFailure) -> LearntWay? { try spend(proposals.all) }

    /// The last record's id leads on in some lists that say nothing of it.
    mutating func wayByLastRecord() throws(ToolFailure) -> LearntWay? { try spend(proposals.lastRecord) }

    private mutating func spend(_ proposals: [Proposal]) throws(ToolFailure) -> LearntWay? {
        for proposal in proposals where probe.left > 1 && !isOnePage && mayLeadFromStart(proposal) {
            guard let way = try prove(proposal), leadsFromStart(way) else { continue }
            return try fromStart(way, proposal)
        }
        return nil
    }

    /// A parameter that selected a page in the request is the one that takes a number, if any does.
    private func mayLeadFromStart(_ proposal: Proposal) -> Bool {
        guard let typed, !typed.value.isEmpty else { return true }
        return switch proposal.kind {
        case .lead: true
        case .page, .offset, .number: proposal.places.contains(typed.place)
        }
    }

    /// Whether the parameter that selected a page in the request is what leads to the next one.
    private func leadsFromStart(_ way: LearntWay) -> Bool {
        guard let typed, !typed.value.isEmpty else { return true }
        let link: HTTPURL? = if case .link(let text)? = way.position { try? HTTPURL(text) } else { nil }
        let places =
            way.description.pagination.places + (link.map { ListRequest($0).parameters.map(\.place) } ?? [])
        return places.contains(typed.place)
    }

    /// What moves in the links of a way, or takes its cursor, may have selected a later page in the request.
    private mutating func fromStart(_ way: LearntWay, _ proposal: Proposal) throws(ToolFailure) -> LearntWay? {
        guard way.isChain else { return way }
        let link: HTTPURL? = if case .link(let text)? = way.position { try? HTTPURL(text) } else { nil }
        let linked = link.map { ListRequest($0).parameters } ?? []
        let moved = description.request.parameters.filter { own in
            let others = linked.filter { $0.place == own.place }
            // Names that services give to the first page.
            return !["", "*", "-1"].contains(own.value) && own.place != typed?.place
                && (way.description.pagination.places.contains(own.place)
                    || !others.isEmpty && others.allSatisfy { $0.value != own.value })
        }
        guard let first = moved.first else { return way }
        let given = description.request
        description.request = given.removing(moved.map(\.place))
        let bare = try ask(description, for: "the list without \(first.name)")?.page
        if let bare, !bare.keys.isEmpty, bare.keys.isSame(as: start.keys) {
            description.request = given
            return way
        }
        guard let bare, !bare.keys.isEmpty else {
            throw .unlearnt("\(first.name) in the request selects a page; use the request for the first one")
        }
        try takeStart(bare.response)
        return try prove(proposal)
    }

    mutating func prove(_ proposal: Proposal) throws(ToolFailure) -> LearntWay? {
        if proposal.places.count > 1 { return try proveOne(of: proposal) }
        switch proposal.kind {
        case .page: return try prove(page: proposal.places[0])
        case .offset: return try prove(offset: proposal.places[0], paged(.offset, proposal.places[0]))
        case .number(let value): return try prove(number: proposal.places[0], value)
        case .lead(var pagination):
            if !proposal.places.isEmpty { pagination.places = proposal.places }
            return try prove(lead: pagination, proposal)
        }
    }

    /// Asks with all of the places set at once, and then with each, as services ignore what they don't know.
    private mutating func proveOne(of proposal: Proposal) throws(ToolFailure) -> LearntWay? {
        guard let answer = try ask(several(proposal), for: "the next page by \(proposal.name)") else { return nil }
        var places = proposal.places[...]
        if let page = answer.page {
            guard page.keys.fresh(beside: start.keys) > 0 || page.keys.isEmpty else {
                return tried.inVain(all: proposal.places.map(\.name))
            }
        } else {
            // Services that refuse what they don't know are asked by the likeliest.
            places = places.prefix(2)
        }
        if case .offset = proposal.kind, places.count > 2 {
            switch try counting(proposal) {
            case .places(let counting):
                for place in counting where probe.left > 1 {
                    if let way = try prove(offset: place, paged(.offset, place), hasOverlap: true) { return way }
                }
                places = counting[...]
            case .rounded:
                for place in ProposalRow.withSizes(places) where probe.left > 1 {
                    if let way = try prove(sizedOffset: place, hasOverlap: true) { return way }
                }
                return nil
            case .unknown: places = places.prefix(3)
            }
        } else {
            for place in places where probe.left > 1 {
                if let way = try prove(proposal.with(place)) { return way }
            }
        }
        guard case .offset = proposal.kind, answer.page != nil else { return nil }
        for place in places where probe.left > 2 {
            if let way = try prove(sizedOffset: place) { return way }
        }
        return nil
    }

    private enum Counting {
        /// The likeliest first, as some count from 1.
        case places([Placement])
        /// The service rounds them down to a page.
        case rounded
        case unknown
    }

    /// Of several offsets the one that counts: each is set to one record earlier than the one before it, and the first
    /// record shows which, as one that the first page has.
    private mutating func counting(_ proposal: Proposal) throws(ToolFailure) -> Counting {
        let places = proposal.places
        let early = try ask(several(proposal, isEarly: true), for: "what is before it")?.page
        guard let early, let first = early.keys.first, let place = start.keys.firstIndex(of: first) else {
            return .unknown
        }
        if early.keys == start.keys { return .rounded }
        let index = start.count - 1 - place
        return .places([index, index - 1].filter(places.indices.contains).map { places[$0] })
    }

    private func several(_ proposal: Proposal, isEarly: Bool = false) -> LearntDescription {
        var described = description
        for (index, place) in proposal.places.enumerated() {
            let value =
                switch proposal.kind {
                case .page, .number: "2"
                // Services that round offsets down to a page do so here too.
                case .offset: "\(isEarly ? max(start.count - 1 - index, 1) : start.count + index)"
                case .lead: proposal.value
                }
            described.request = described.request.setting(place, to: value)
        }
        guard case .offset = proposal.kind, description.request.size == nil else { return described }
        for name in ProposalRow.sizes.prefix(3) where description.request.content == nil {
            described.request = described.request.setting(.query(name), to: "\(start.count)")
        }
        return described
    }

    private mutating func ask(
        _ place: Placement, _ number: Int, _ described: LearntDescription
    ) throws(ToolFailure) -> Answer? {
        let position = described.pagination.type == .page ? PagePosition.number(number) : .offset(number)
        return try ask(described, position, for: "\(place.name)=\(number)")
    }

    /// - Throws: status 76 where the records of a page come in another order each time.
    private func checkOrder(_ page: LearntPage) throws(ToolFailure) {
        guard page.keys.isSame(as: start.keys), page.keys != start.keys else { return }
        throw .unlearnt(
            "the first page has its records in another order each time, so pages miss some; ask for an order in the URL"
        )
    }

    // MARK: Page numbers

    private mutating func prove(page place: Placement) throws(ToolFailure) -> LearntWay? {
        let name = place.name
        let described = paged(LearntPagination(type: .page, places: [place], first: 1))
        guard var next = try ask(place, 2, described) else { return nil }
        for first in [1, 0] {
            let others = next.page?.keys.fresh(beside: start.keys) ?? 0
            guard others > 0 || next.isNothing else {
                let finding = first == 0 ? "\(name)=1 isn't the page without it" : nil
                return next.page == nil ? nil : tried.inVain(name, finding)
            }
            let described = paged(LearntPagination(type: .page, places: [place], first: first))
            guard let answer = try ask(place, first, described) else { return nil }
            guard let page = answer.page, page.keys.isSame(as: start.keys) else {
                next = answer
                continue
            }
            try checkOrder(page)
            guard others > 0, let second = next.page else {
                isOnePage = true
                return tried.inVain(name, "\(name)=\(first + 1) has no records")
            }
            guard others == second.keys.count else { return repeats(second, name) }
            return LearntWay(
                description: described, second: second, text: "the pages have numbers by \(name), from \(first)",
                samples: [page])
        }
        return tried.inVain(name, "neither \(name)=1 nor \(name)=0 is the page without it")
    }

    private mutating func repeats(_ page: LearntPage, _ name: String) -> LearntWay? {
        let repeated = page.keys.count - page.keys.fresh(beside: start.keys)
        return tried.inVain(
            name, "the second page by \(name) repeats \(RecordStream.count(repeated)) of the first one")
    }

    /// A number of the request that may be anything: a position leads from the list's start, and a filter doesn't.
    private mutating func prove(number place: Placement, _ value: Int) throws(ToolFailure) -> LearntWay? {
        let (given, page) = (description, start)
        description.request = given.request.removing([place])
        guard let bare = try ask(description, for: "the list without \(place.name)", without: [place])?.page,
            !bare.keys.isEmpty
        else {
            description = given
            return nil
        }
        var isStart = value <= 1 && bare.keys.isSame(as: page.keys)
        for first in [1, 0] where !isStart && first != value && probe.left > 2 {
            let described = paged(LearntPagination(type: .page, places: [place], first: first))
            isStart = try ask(place, first, described)?.page?.keys.isSame(as: bare.keys) ?? false
        }
        if isStart {
            try takeStart(bare.response)
            // A filter may have a default, but hardly as many records for each value.
            if let way = try prove(page: place), way.second.count == start.count || value < 2 { return way }
            if let way = try prove(offset: place, paged(.offset, place)) { return way }
        }
        description = given
        try takeStart(page.response)
        return tried.inVain(place.name)
    }

    // MARK: Numbers of records

    /// Some count records only beside a size.
    private mutating func prove(
        sizedOffset place: Placement, hasOverlap: Bool = false
    ) throws(ToolFailure) -> LearntWay? {
        guard description.request.size == nil, description.request.content == nil else { return nil }
        let size = Placement.query(ProposalRow.size(of: place) ?? "limit")
        var sized = paged(.offset, place)
        sized.pagination.size = Pagination.Size(parameter: size, value: start.count, limit: nil)
        return try prove(offset: place, sized, hasOverlap: hasOverlap)
    }

    private func paged(_ type: Pagination.Word, _ place: Placement) -> LearntDescription {
        paged(LearntPagination(type: type, places: [place], first: type == .page ? 1 : 0))
    }

    /// - Parameter hasOverlap: a request that is earlier has shown already that it counts records.
    private mutating func prove(
        offset place: Placement, _ described: LearntDescription, hasOverlap: Bool = false
    ) throws(ToolFailure) -> LearntWay? {
        let (name, count) = (place.name, start.count)
        guard let answer = try ask(place, count, described) else { return nil }
        guard let page = answer.page, !page.keys.isEmpty else {
            guard answer.isNothing else { return nil }
            isOnePage = true
            let last = count > 1 ? try ask(place, count - 1, described)?.page : nil
            if let last, last.keys == start.keys.suffix(1) {
                onePage = LearntPagination(type: .offset, places: [place], first: described.pagination.first)
                if case .refused = answer { onePage?.ends = [.notFound] }
                listFindings.append(
                    "the list has one page; proved: \(name)=\(count - 1) has its last record alone, and \(name)=\(count) none"
                )
            }
            return tried.inVain(name, "\(name)=\(count) has no records")
        }
        let others = page.keys.fresh(beside: start.keys)
        guard others > 0 else { return tried.inVain(name) }
        // It may be the number of the first record, from 1.
        if others == page.keys.count - 1, page.keys.first == start.keys.last {
            return try prove(offsetFromOne: place, described)
        }
        guard others == page.keys.count else { return repeats(page, name) }
        let early = hasOverlap ? nil : try ask(place, count - 1, described)
        if hasOverlap {
            // Nothing more is to be shown.
        } else if let keys = early?.page?.keys {
            let isOverlap = keys.first == start.keys.last
            // Some round it down to a whole page.
            guard isOverlap || keys.isSame(as: start.keys) else {
                return tried.inVain(
                    name,
                    "\(name) doesn't count records: \(name)=\(count - 1) doesn't begin with the first page's last")
            }
            if count > 1, let page = early?.page { try checkOrder(page) }
        } else if case .refused(400)? = early {
            // Some take none but multiples of the size.
        } else {
            return nil
        }
        return LearntWay(
            description: described, second: page,
            text: "the next page is at \(name), the number of records before it")
    }

    private mutating func prove(
        offsetFromOne place: Placement, _ described: LearntDescription
    ) throws(ToolFailure) -> LearntWay? {
        var described = described
        described.pagination.first = 1
        guard let page = try ask(place, start.count + 1, described)?.page, !page.keys.isEmpty else { return nil }
        guard page.keys.fresh(beside: start.keys) == page.keys.count else { return repeats(page, place.name) }
        return LearntWay(
            description: described, second: page,
            text: "the next page is at \(place.name), the number of its first record from 1")
    }

    // MARK: Links and cursors

    /// Some services have empty pages between others.
    private static let emptyPages = 3

    private mutating func prove(lead pagination: LearntPagination, _ proposal: Proposal) throws(ToolFailure)
        -> LearntWay?
    {
        var described = paged(pagination)
        var found: LearntWay?
        for keepsQuery in try choicesOfQuery(described) where found == nil || keepsQuery != false {
            described.pagination.keepsQuery = keepsQuery
            guard let first = try LearntPage(start.response, described, id: id) else { return nil }
            let lead = try lead(of: first, described)
            if case .failure(let error) = lead, let origin = error.origin {
                return tried.inVain(proposal.name, "the link to the next page leads to another origin, \(origin)")
            }
            guard let way = try follow(first, described, proposal.name) else { continue }
            if found?.second.keys != way.second.keys { found = way }
        }
        guard let found else { return tried.inVain(proposal.name) }
        guard found.second.keys.fresh(beside: start.keys) == found.second.keys.count else {
            return repeats(found.second, proposal.name)
        }
        if let earlier = proposal.earlier, let place = proposal.places.first {
            var described = description
            described.request = described.request.setting(place, to: earlier)
            let page = try ask(described, for: "the page after the record before")?.page
            guard start.count > 1, page?.keys.first == start.keys.last else { return tried.inVain(proposal.name) }
        }
        return found
    }

    private mutating func follow(
        _ first: LearntPage, _ described: LearntDescription, _ name: String
    ) throws(ToolFailure) -> LearntWay? {
        var position = try position(after: first, described)
        for _ in 1...Self.emptyPages {
            guard let wanted = position, let page = try ask(described, wanted, for: "the next page")?.page else {
                return nil
            }
            position = try self.position(after: page, described)
            if page.keys.isEmpty { continue }
            // More than came at first are those of another size, which the link has lost.
            guard page.count <= start.count, page.keys.fresh(beside: start.keys) > 0 else { return nil }
            var way = LearntWay(
                description: described, second: page, text: "the next page is requested by \(name)",
                position: wanted,
                following: position)
            if case .link(let link) = wanted, let link = try? HTTPURL(link) {
                let next: HTTPURL? = if case .link(let next)? = position { try? HTTPURL(next) } else { nil }
                way.number = LinkNumber(link, next: next, size: start.count)
            }
            return way
        }
        return nil
    }

    /// Values of `keepQuery` in the order in which they are tried. A service forgets the parameters that a link with a number
    /// lacks; a link without one may have them in a token, and some services take nothing beside it.
    private func choicesOfQuery(_ described: LearntDescription) throws(ToolFailure) -> [Bool?] {
        guard let first = try LearntPage(start.response, described, id: id),
            case .link(let link)? = first.page.lead.next,
            let next = try? ListRequest(first.response.url.resolving(link))
        else { return [nil] }
        let places = next.parameters.map(\.place)
        let isLacking = description.request.parameters.contains { !places.contains($0.place) }
        guard isLacking else { return [nil] }
        let hasNumber = next.parameters.contains { parameter in
            Int(parameter.value) != nil && [.page, .offset].contains { UsualNames.is(parameter.name, $0) }
        }
        return hasNumber ? [true] : [nil, true, false]
    }

    /// The description with this paging, and the size of pages that the request asks for.
    func paged(_ pagination: LearntPagination) -> LearntDescription {
        var described = description
        described.pagination = pagination
        if !pagination.leads { described.request = description.request.removing(pagination.places) }
        guard let size = description.request.size, start.count > 0, start.count <= size.value else {
            return described
        }
        // A service that is asked for too many gives as many as it likes.
        let limit = start.count < size.value ? start.count : nil
        described.pagination.size = Pagination.Size(parameter: size.place, value: start.count, limit: limit)
        return described
    }

    /// - Throws: status 76 where what moves in the links of a way shows that the request is for a later page.
    mutating func take(_ way: LearntWay) throws(ToolFailure) {
        description = way.description
        pages.append(way.second)
        listFindings += [
            way.text, "proved: the second page has \(RecordStream.count(way.second.keys.count)) of its own",
        ]
    }
}
