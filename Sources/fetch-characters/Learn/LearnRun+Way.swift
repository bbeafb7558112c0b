// Decides whether what was proposed leads to further pages of the same list, by two of the four experiments:
//
//     Others?       the second page has records that the first one lacks
//     Continuity?   one record early, the first record is the last one of the page before; page 1 is the start

import PipelineCore
import PipelineHTTP

extension LearnRun {
    /// - Throws: status 76 where a page is the first one in another order: pages of such a list aren't parts of it.
    mutating func findWay() throws(ToolFailure) -> LearntWay? {
        if let way = try spend(proposals.all) { return way }
        if let place = changingPlace {
            // Where the records stay the same and those of another place change, the list is there.
            (otherPlaces, changingPlace, description.records) = ([], nil, place)
            try takeStart(start.response)
        } else if onePage == nil, typed?.selecting != nil, let given = typed?.given {
            // No experiment shows that the parameter selects a page, so it is a filter, and belongs to the list.
            (typed, description.request) = (nil, given.request)
            try takeStart(given.response)
        } else {
            return nil
        }
        return try spend(proposals.all)
    }

    /// The last record's id leads on in some lists that say nothing of it.
    mutating func wayByLastRecord() throws(ToolFailure) -> LearntWay? { try spend(proposals.lastRecord) }

    var proposals: ProposalInput {
        ProposalInput(
            request: description.request, start: start, place: place, id: id, typed: typed?.place,
            recorded: probe.recorded)
    }

    /// A parameter that selected a page in the request is the one that takes a number, or is set by a link, if any is.
    private mutating func spend(_ proposals: [Proposal]) throws(ToolFailure) -> LearntWay? {
        let selecting = typed?.selecting
        for proposal in proposals {
            guard probe.left > 1, onePage == nil else { return nil }
            if let selecting, !proposal.isLead, !proposal.places.contains(selecting) { continue }
            guard let way = try prove(proposal), selecting.map(way.places.contains) ?? true else { continue }
            return try fromStart(way, proposal)
        }
        return nil
    }

    /// What moves in the links of a way, or takes its cursor, may have selected a later page in the request.
    private mutating func fromStart(_ way: LearntWay, _ proposal: Proposal) throws(ToolFailure) -> LearntWay? {
        guard way.isChain else { return way }
        let moved = description.request.parameters.filter { own in
            // Names that services give to the first page.
            guard !["", "*", "-1"].contains(own.value), own.place != typed?.place else { return false }
            let values = way.linked.filter { $0.place == own.place }.map(\.value)
            let isMoved = values.nonEmpty.map { !$0.contains(own.value) } ?? false
            return isMoved || way.description.pagination.places.contains(own.place)
        }
        guard let first = moved.first else { return way }
        var bare = description
        bare.request = description.request.removing(moved.map(\.place))
        guard let page = try ask(bare, for: "the list without \(first.name)")?.page, !page.keys.isEmpty else {
            throw .unlearnt("\(first.name) in the request selects a page; use the request for the first one")
        }
        if page.keys.isSame(as: start.keys) { return way }
        description = bare
        try takeStart(page.response)
        return try prove(proposal)
    }

    private mutating func prove(_ proposal: Proposal) throws(ToolFailure) -> LearntWay? {
        if proposal.places.count > 1 { return try proveOne(of: proposal) }
        switch proposal.kind {
        case .page: return try prove(page: proposal.places[0])
        case .offset: return try prove(offset: proposal.places[0])
        case .number(let value): return try prove(number: proposal.places[0], value)
        case .lead(var pagination):
            if !proposal.places.isEmpty { pagination.places = proposal.places }
            return try prove(lead: pagination, proposal)
        }
    }

    // MARK: Several places at once, as services ignore what they don't know

    private mutating func proveOne(of proposal: Proposal) throws(ToolFailure) -> LearntWay? {
        guard let answer = try ask(several(proposal), for: "the next page by \(proposal.name)") else { return nil }
        if let keys = answer.page?.keys, !keys.isEmpty, keys.fresh(beside: start.keys) == 0 {
            return tried.inVain(proposal)
        }
        guard case .offset = proposal.kind, answer.page != nil else {
            // Services that refuse what they don't know are asked by the likeliest.
            for place in proposal.places.prefix(answer.page == nil ? 2 : .max) where probe.left > 1 {
                if let way = try prove(proposal.with([place])) { return way }
            }
            return nil
        }
        let counting = try counting(proposal)
        for place in counting ?? [] where probe.left > 1 {
            if let way = try prove(offset: place, isShown: true) { return way }
        }
        // Some count records only beside a size.
        guard description.request.size == nil, description.request.content == nil else { return nil }
        for place in counting?.nonEmpty ?? ProposalRow.withSizes(proposal.places) where probe.left > 2 {
            let size = Placement.query(ProposalRow.size(of: place) ?? "limit")
            if let way = try prove(offset: place, size: size, isShown: counting == []) { return way }
        }
        return nil
    }

    /// Of several offsets those that may count, the likeliest first: each is set to one record earlier than the one before
    /// it, and the first record shows which, as one that the first page has. None where the service rounds them down to a
    /// page, nil where nothing shows it.
    private mutating func counting(_ proposal: Proposal) throws(ToolFailure) -> [Placement]? {
        let early = try ask(several(proposal, isEarly: true), for: "what is before it")?.page
        guard let keys = early?.keys, let first = keys.first, let place = start.keys.firstIndex(of: first) else {
            return nil
        }
        if keys == start.keys { return [] }
        // Some count from 1.
        let index = start.count - 1 - place
        return [index, index - 1].filter(proposal.places.indices.contains).map { proposal.places[$0] }
    }

    private func several(_ proposal: Proposal, isEarly: Bool = false) -> LearntDescription {
        var described = description
        for (index, place) in proposal.places.enumerated() {
            let value =
                switch proposal.kind {
                case .page, .number: "2"
                // Services that round offsets down to a page do so here too.
                case .offset where isEarly: "\(max(start.count - 1 - index, 1))"
                case .offset: "\(start.count + index)"
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

    // MARK: Numbers

    private mutating func ask(
        _ place: Placement, _ number: Int, _ described: LearntDescription
    ) throws(ToolFailure) -> Answer? {
        let isPage = described.pagination.type == .page
        return try ask(described, isPage ? .number(number) : .offset(number), for: "\(place.name)=\(number)")
    }

    private func paged(_ type: Pagination.Word, _ place: Placement, from first: Int) -> LearntDescription {
        paged(LearntPagination(type: type, places: [place], first: first))
    }

    /// - Throws: status 76 where the records of a page come in another order each time.
    private func checkOrder(_ page: LearntPage) throws(ToolFailure) {
        guard page.keys.isSame(as: start.keys), page.keys != start.keys else { return }
        throw .unlearnt(
            "the first page has its records in another order each time, so pages miss some; ask for an order in the URL"
        )
    }

    private mutating func prove(page place: Placement) throws(ToolFailure) -> LearntWay? {
        let name = place.name
        guard var next = try ask(place, 2, paged(.page, place, from: 1)) else { return nil }
        for first in [1, 0] {
            let others = next.page?.keys.fresh(beside: start.keys) ?? 0
            guard others > 0 || next.isNothing else {
                guard next.page != nil else { return nil }
                if first == 1 { return tried.inVain(name) }
                return tried.inVain(name, because: "\(name)=1 isn't the page without it")
            }
            let described = paged(.page, place, from: first)
            guard let answer = try ask(place, first, described) else { return nil }
            guard let page = answer.page, page.keys.isSame(as: start.keys) else {
                next = answer
                continue
            }
            try checkOrder(page)
            guard others > 0, let second = next.page else {
                onePage = .likely
                return tried.inVain(name, because: "\(name)=\(first + 1) has no records")
            }
            let text = "the pages have numbers by \(name), from \(first)"
            return fresh(LearntWay(description: described, second: second, text: text, samples: [page]), name)
        }
        return tried.inVain(name, because: "neither \(name)=1 nor \(name)=0 is the page without it")
    }

    /// The way, if its second page has none of the first one's records.
    private mutating func fresh(_ way: LearntWay, _ name: String) -> LearntWay? {
        let repeated = way.second.keys.count - way.second.keys.fresh(beside: start.keys)
        if repeated == 0 { return way }
        let records = RecordStream.count(repeated)
        return tried.inVain(name, because: "the second page by \(name) repeats \(records) of the first one")
    }

    /// A number of the request that may be anything: a position leads from the list's start, and a filter doesn't.
    private mutating func prove(number place: Placement, _ value: Int) throws(ToolFailure) -> LearntWay? {
        let (given, page) = (description, start)
        description.request = given.request.removing([place])
        let asked = try ask(description, for: "the list without \(place.name)", without: [place])?.page
        guard let bare = asked, !bare.keys.isEmpty else {
            description = given
            return nil
        }
        var isStart = value <= 1 && bare.keys.isSame(as: page.keys)
        for first in [1, 0] where first != value {
            guard !isStart, probe.left > 2 else { break }
            let answer = try ask(place, first, paged(.page, place, from: first))
            isStart = answer?.page?.keys.isSame(as: bare.keys) ?? false
        }
        if isStart {
            try takeStart(bare.response)
            // A filter may have a default, but hardly as many records for each value.
            if let way = try prove(page: place), way.second.count == start.count || value < 2 { return way }
            if let way = try prove(offset: place) { return way }
        }
        description = given
        try takeStart(page.response)
        return tried.inVain(place.name)
    }

    /// - Parameters:
    ///   - size: a parameter that is to say how many records come.
    ///   - isShown: an earlier request has shown already that it counts records.
    private mutating func prove(
        offset place: Placement, size: Placement? = nil, from first: Int = 0, isShown: Bool = false
    ) throws(ToolFailure) -> LearntWay? {
        let (name, number) = (place.name, start.count + first)
        var described = paged(.offset, place, from: first)
        if let size {
            described.pagination.size = Pagination.Size(parameter: size, value: start.count, limit: nil)
        }
        guard let answer = try ask(place, number, described) else { return nil }
        guard let page = answer.page, !page.keys.isEmpty else {
            guard answer.isNothing else { return nil }
            if first == 0 { try proveOnePage(answer, place, described) }
            return tried.inVain(name, because: "\(name)=\(number) has no records")
        }
        let others = page.keys.fresh(beside: start.keys)
        guard others > 0 else { return tried.inVain(name) }
        let isOneEarly = others == page.keys.count - 1 && page.keys.first == start.keys.last
        if isOneEarly, first == 0 { return try prove(offset: place, size: size, from: 1, isShown: true) }
        let counts = ["the number of records before it", "the number of its first record from 1"][first]
        let way = LearntWay(description: described, second: page, text: "the next page is at \(name), \(counts)")
        guard others == page.keys.count, !isShown else { return fresh(way, name) }
        switch try ask(place, number - 1, described) {
        case .page(let early)?:
            // Some round it down to a whole page.
            guard early.keys.first == start.keys.last || early.keys.isSame(as: start.keys) else {
                let finding = "\(name)=\(number - 1) doesn't begin with the first page's last"
                return tried.inVain(name, because: "\(name) doesn't count records: \(finding)")
            }
            if start.count > 1 { try checkOrder(early) }
            return way
        // Some take none but multiples of the size.
        case .refused(400)?: return way
        case .refused?, .other?, nil: return nil
        }
    }

    /// A list of one page, where the offset before its end has its last record alone.
    private mutating func proveOnePage(
        _ behind: Answer, _ place: Placement, _ described: LearntDescription
    ) throws(ToolFailure) {
        onePage = .likely
        let (name, count) = (place.name, start.count)
        guard count > 1, let last = try ask(place, count - 1, described)?.page,
            last.keys == start.keys.suffix(1)
        else { return }
        var pagination = LearntPagination(type: .offset, places: [place])
        if case .refused = behind { pagination.ends = [.notFound] }
        onePage = .proved(pagination)
        listFindings.append(
            "the list has one page; proved: \(name)=\(count - 1) has its last record alone, and \(name)=\(count) none"
        )
    }

    // MARK: Links and cursors

    /// Some services have empty pages between others.
    private static let emptyPages = 3

    private mutating func prove(
        lead pagination: LearntPagination, _ proposal: Proposal
    ) throws(ToolFailure) -> LearntWay? {
        var described = paged(pagination)
        var found: LearntWay?
        guard let first = try LearntPage(start.response, described, id: id) else { return nil }
        if case .failure(let error) = try lead(of: first, described), let origin = error.origin {
            let finding = "the link to the next page leads to another origin, \(origin)"
            return tried.inVain(proposal.name, because: finding)
        }
        for keepsQuery in choicesOfQuery(first) where found == nil {
            described.pagination.keepsQuery = keepsQuery
            found = try follow(first, described, proposal.name)
        }
        guard let found else { return tried.inVain(proposal.name) }
        guard let way = fresh(found, proposal.name) else { return nil }
        if let earlier = proposal.earlier, let place = proposal.places.first {
            var described = description
            described.request = described.request.setting(place, to: earlier)
            let page = try ask(described, for: "the page after the record before")?.page
            guard start.count > 1, page?.keys.first == start.keys.last else { return tried.inVain(proposal.name) }
        }
        return way
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
            let text = "the next page is requested by \(name)"
            var way = LearntWay(description: described, second: page, text: text, position: wanted)
            if case .link(let link) = wanted { way.number = LinkNumber(link, next: position, size: start.count) }
            return way
        }
        return nil
    }

    /// Values of `keepQuery` in the order in which they are tried, where a link lacks parameters of the list: a service may
    /// have forgotten them, or have them in a token and take nothing beside it.
    private func choicesOfQuery(_ first: LearntPage) -> [Bool?] {
        guard case .link(let link)? = first.page.lead.next,
            let next = try? ListRequest(first.response.url.resolving(link))
        else { return [nil] }
        let places = Set(next.parameters.map(\.place))
        return places.isSuperset(of: description.request.parameters.map(\.place)) ? [nil] : [true, false]
    }

    /// The description with this paging, and the size of pages that the request asks for.
    func paged(_ pagination: LearntPagination) -> LearntDescription {
        var described = description
        described.pagination = pagination
        if !pagination.leads { described.request = description.request.removing(pagination.places) }
        guard let size = description.request.size, (1...size.value).contains(start.count) else { return described }
        // A service that is asked for too many gives as many as it likes.
        let limit = start.count < size.value ? start.count : nil
        described.pagination.size = Pagination.Size(parameter: size.place, value: start.count, limit: limit)
        return described
    }

    mutating func take(_ way: LearntWay) {
        description = way.description
        pages.append(way.second)
        listFindings += [
            way.text, "proved: the second page has \(RecordStream.count(way.second.keys.count)) of its own",
        ]
    }
}
