// The ways that may lead from one page of a list to the next. A way asks for what would prove it, as far as requests reach.
//
//     page        page=2 has others ──► page=1 is the start ──► proved, from 1
//                 page=2 is empty   ──► page=1 has others   ──► page=0 is the start ──► proved, from 0
//     offset      offset=20 has none of the start's ──► offset=0 is the start ──► offset=19 begins with its last ──► proved
//     next        the start again ──► what it leads to has others ──► proved

import PipelineCore
import PipelineHTTP

/// What proves how a list is paged: a page that has other records than the first.
struct LearnProof {
    let description: LearntDescription
    let second: LearntPage
    let text: String
    /// The position of the second page, where the first leads to it, and the one after it, where that leads on.
    var position: PagePosition?
    var following: PagePosition?

    var link: HTTPURL? { if case .link(let url)? = position { try? HTTPURL(url) } else { nil } }

    var leadsToItself: Bool { following != nil && following == position }

    /// The parameter of the link that has the number of the page, by which other pages can be requested.
    var number: PageParameter? { link.flatMap { ListRequest($0).number } }
}

enum PagingWay {
    case next(NextPlace)
    /// `from` is the number that the start was asked for with. A name that no service is known by has to be proved by
    /// the records alone.
    case number(PageParameter, from: Int = 0, isKnown: Bool = true)
    /// Several parameters at once: offsets that differ, so that the response shows which one counts, or pages.
    case several([PageParameter])

    var needs: Int { if case .several = self { 4 } else { 2 } }

    /// Its parameters one by one, for a service that refuses what it doesn't know.
    var single: [PagingWay] {
        if case .several(let parameters) = self { parameters.map { .number($0) } } else { [self] }
    }
}

extension [PagingWay] {
    /// With several parameters one by one: the first of each way, then the second of each, and so on.
    var single: [PagingWay] {
        let several = filter { $0.single.count > 1 }.map(\.single)
        let inTurn = (0..<(several.map(\.count).max() ?? 0)).flatMap { index in
            several.filter { $0.count > index }.map { $0[index] }
        }
        let index = firstIndex { $0.single.count > 1 } ?? count
        return self[..<index] + inTurn + self[index...].filter { $0.single.count == 1 }
    }
}

extension LearnRun {
    /// The ways that the response and the request show, then the usual ones.
    func likelyWays() -> [PagingWay] {
        let request = description.request
        let envelope = start.envelope(description)
        let nexts = envelope.nexts(of: request, typed: typedPosition, recorded: probe.recorded)
        let shown = ([typedPosition].compactMap(\.self) + envelope.parameters(of: request)).withoutRepeats.prefix(8)
            .filter { $0.kind != .cursor }
        let size = max(start.count, 1)
        let counting = { (areMultiples: Bool) -> [PagingWay] in
            for parameter in request.parameters where parameter.place != request.size?.place {
                guard let number = Int(parameter.value), number >= 0, number.isMultiple(of: size) == areMultiples,
                    !WellKnownNames.isFilter(parameter.name), !parameter.name.lowercased().hasSuffix("limit"),
                    !shown.contains(where: { $0.place == parameter.place })
                else { continue }
                return [.number(PageParameter(parameter.place, .offset), from: number, isKnown: false)]
            }
            return []
        }
        let usual = { (kind: Pagination.Word, names: [String]) in
            request.places(names).filter { place in !shown.prefix(3).contains { $0.place == place } }
                .map { PageParameter($0, kind) }
        }
        // json-server's parameters begin with a line.
        let page = request.size?.place.name == "_limit" ? "_page" : "page"
        let pages = usual(.page, [page]).map { PagingWay.number($0) }
        // OData, Socrata and ArcGIS, Elasticsearch and CKAN.
        let mates = [
            "$top": "$skip", "$limit": "$offset", "resultRecordCount": "resultOffset", "hits.hits": "from",
            "result.results": "start",
        ]
        let mate =
            mates[request.size?.place.name ?? ""] ?? mates[place.names.joined(separator: ".")]
            ?? (start.response.headers["X-SODA2-Fields"] != nil || request.list.path.contains("/resource/")
                ? "$offset" : nil)
        let offsets = usual(.offset, [mate ?? "offset"]).map { PagingWay.number($0) }
        // Whoever speaks of a limit counts records.
        let names = envelope.values.map(\.plain) + [WellKnownNames.plain(request.size?.place.name ?? "")]
        let isLimited =
            (mate != nil || names.contains("limit")) && !names.contains(where: WellKnownNames[.page].contains)
        var ways = nexts.filter { !$0.isNumber }.map { PagingWay.next($0) }
        ways += shown.prefix(3).map { PagingWay.number($0) }
        ways += nexts.filter(\.isNumber).prefix(1).map { PagingWay.next($0) }
        let (known, guessed) = lastRecordWays(envelope)
        // Stripe's lists say what they are, `"object":"list"`, and refuse parameters that they don't know.
        let isNamed = envelope.values.contains { $0.plain == "object" && $0.value.text == "list" }
        ways = known + ways + (isNamed ? guessed : [])
        ways += counting(true) + (isLimited ? offsets : []) + pages + counting(false)
        guard request.content == nil else { return ways + (isLimited ? [] : offsets) + guessed }
        let others = usual(
            .offset,
            ["offset", "skip", "start", "from", "startIndex", "page[offset]", "resultOffset", "$skip", "$offset"])
        // JSON:API's records have attributes.
        let own = start.page.records.first.map { record in
            JSONDocument.memberNames(of: start.text.span.extracting(record.range), limit: 10)
        }
        let likely = own?.contains("attributes") ?? false ? ["page[number]"] : []
        let pageNames = likely + ["pageNumber", "p", "page_number", "page[number]", "pageNo", "currentPage"]
        let numbers = usual(.page, pageNames.withoutRepeats)
        return ways + [
            .several(isLimited ? others.filter { $0.name != mate ?? "offset" } : others), .several(numbers),
        ] + guessed
    }

    /// The id of the last record, which requests the page after it as long as a flag says that there is one.
    /// - Returns: the ways by a parameter that had an id, as the list's request or a recording shows, and the usual ones.
    private func lastRecordWays(_ envelope: Envelope) -> (known: [PagingWay], guessed: [PagingWay]) {
        let more = envelope.moreFlag?.path
        let mayGoOn = more != nil || ListEnd.isUsualPageSize(start.count) && !ListEnd(envelope).saysEnd
        guard let id, let path = place.lastRecord, mayGoOn else { return ([], []) }
        let ids = start.page.records.compactMap { record in
            AnswerValue.scalar(at: id, in: start.text.span.extracting(record.range))
        }
        guard let value = ids.last else { return ([], []) }
        let way = { (place: Placement) in
            let next = path + JSONLocation.path(of: id, style: .rooted).dropFirst()
            var pagination = LearntPagination(type: .cursor, places: [place], next: .string(next))
            pagination.more = more
            return PagingWay.next(NextPlace(pagination: pagination, text: "\(place.name), from \(next)"))
        }
        let typed = typedPosition.flatMap { $0.kind == .cursor ? $0.place : nil }
        let known = [typed].compactMap(\.self) + probe.recorded.places(of: value)
        // Discord's lists have no flag, and begin with the latest record, which has the highest number.
        let orders = [("after", ids), ("before", ids.reversed())].filter { _, ids in
            zip(ids, ids.dropFirst()).allSatisfy { ($0.count, $0) < ($1.count, $1) }
        }
        let usual = description.request.places(more == nil ? orders.map(\.0) : ["starting_after", "after"])
        return (known.withoutRepeats.map(way), usual.filter { !known.contains($0) }.map(way))
    }

    /// - Returns: nil if the way leads to no second page, or to other ways, or if too few requests are left.
    mutating func follow(_ way: PagingWay) throws(ToolFailure) -> LearnProof? {
        switch way {
        case .next(let next): try follow(next)
        case .number(let parameter, _, _) where parameter.kind == .page: try follow(page: parameter.place)
        case .number(let parameter, let from, let isKnown): try follow(offset: parameter.place, from, isKnown)
        case .several(let parameters): try follow(parameters)
        }
    }

    private mutating func ask(
        _ place: Placement, _ number: Int, _ described: LearntDescription
    ) throws(ToolFailure) -> Answer? {
        let position = described.pagination.type == .page ? PagePosition.number(number) : .offset(number)
        return try ask(described, position, for: "\(place.name)=\(number)")
    }

    private mutating func follow(page place: Placement) throws(ToolFailure) -> LearnProof? {
        let name = place.name
        let described = paged(LearntPagination(type: .page, places: [place], first: 1))
        guard var next = try ask(place, 2, described) else { return nil }
        var others = next.page?.keys.fresh(beside: start.keys) ?? 0
        guard others > 0 || next.isNothing else {
            return next.page == nil ? nil : tried.changesNothing([name])
        }
        for first in [1, 0] where others > 0 || next.isNothing {
            let described = paged(LearntPagination(type: .page, places: [place], first: first))
            guard let answer = try ask(place, first, described) else { return nil }
            guard answer.page?.keys == start.keys else {
                next = answer
                others = answer.page?.keys.fresh(beside: start.keys) ?? 0
                continue
            }
            if others > 0, let second = next.page {
                return LearnProof(
                    description: described, second: second, text: "the pages have numbers by \(name), from \(first)"
                )
            }
            onePage = OnePage(pagination: described.pagination, next: next.page, leads: onePage?.leads ?? [])
            let isMissing = first == 1 && next.page == nil
            return tried.inVain("\(name)=\(first + 1) \(isMissing ? "isn't there" : "is empty")")
        }
        try startAgain(description)
        return tried.inVain("neither \(name)=1 nor \(name)=0 is the page without it")
    }

    // MARK: Numbers of records

    private mutating func follow(
        offset place: Placement, _ from: Int, _ isKnown: Bool
    ) throws(ToolFailure) -> LearnProof? {
        let (name, count) = (place.name, start.count)
        let described = paged(LearntPagination(type: .offset, places: [place]))
        let answer = try ask(place, from + count, described)
        if !isKnown, let answer, answer.isNothing { selecting = name }
        let isNothing = answer?.isNothing ?? false
        guard isNothing || answer?.page != nil, count > 1 || isKnown else { return nil }
        let others = answer?.page?.keys.fresh(beside: start.keys) ?? 0
        guard let page = answer?.page, others > 0 else {
            if isNothing, isKnown, from == 0, try startAgain(described) != nil,
                try count == 1 ? true : ask(place, count - 1, described)?.page?.keys == [start.keys[count - 1]]
            {
                // A count that is another one there is that of the page.
                let next = try answer?.page != nil ? answer?.page : ask(place, count - 1, described)?.page
                onePage = OnePage(pagination: described.pagination, next: next, leads: onePage?.leads ?? [])
            }
            return isNothing
                ? tried.inVain("\(name)=\(from + count) is empty") : tried.changesNothing([name])
        }
        guard others == Set(page.keys).count else {
            let overlap = page.keys.overlap(after: start.keys, most: 1)
            return try isKnown && from == 0 && overlap == 1 ? follow(offsetFromOne: place) : repeated(place)
        }
        if from == 0, try startAgain(described) == nil { return nil }
        if count > 1 {
            guard let last = try ask(place, from + count - 1, described), last.page != nil || isKnown else {
                return nil
            }
            // A service may round it down to a whole page.
            if let keys = last.page?.keys, keys != start.keys || !isKnown,
                keys.overlap(after: start.keys, most: 1) != 1
            {
                return tried.inVain(
                    "\(name) doesn't count records: \(name)=\(from + count - 1) doesn't begin with the first page's last"
                )
            }
        }
        if from > 0 {
            // The URL names a place within the list.
            let offset = PageParameter(place, .offset)
            try takeStart(try bareStart([offset]).response)
            ways = [.number(offset)]
            return nil
        }
        return LearnProof(
            description: described, second: page,
            text: "the next page is at \(name), the number of records before it")
    }

    /// Where the offset of the first page's count begins with its last record, records may be counted from 1.
    private mutating func follow(offsetFromOne place: Placement) throws(ToolFailure) -> LearnProof? {
        let described = paged(LearntPagination(type: .offset, places: [place], first: 1))
        guard let second = try ask(place, start.count + 1, described) else { return nil }
        guard let page = second.page, page.keys.fresh(beside: start.keys) == page.keys.count, page.count > 0
        else { return try repeated(place) }
        // A record that is new at the front would look the same, but for the start.
        guard try startAgain(description) != nil else { return nil }
        return LearnProof(
            description: described, second: page,
            text: "the next page is at \(place.name), the number of its first record from 1")
    }

    private mutating func repeated(_ place: Placement) throws(ToolFailure) -> LearnProof? {
        try startAgain(description)
        return tried.inVain("\(place.name)=\(start.count) repeats records of the first page")
    }

    private mutating func follow(_ parameters: [PageParameter]) throws(ToolFailure) -> LearnProof? {
        let areOffsets = parameters.first?.kind == .offset
        var described = description
        let sizes = description.request.size == nil ? ["limit", "per_page", "pageSize"] : []
        for name in sizes { described.request = described.request.setting(.query(name), to: "\(start.count)") }
        for (index, parameter) in parameters.enumerated() {
            let number = areOffsets ? max(start.count - index, 1) : 2
            described.request = described.request.setting(parameter.place, to: "\(number)")
        }
        let purpose = "the usual \(areOffsets ? "offsets" : "numbers of pages") at once"
        guard let answer = try ask(described, for: purpose) else { return nil }
        var single = PagingWay.several(parameters).single
        if let page = answer.page {
            guard page.keys.fresh(beside: start.keys) > 0 || page.keys.isEmpty else {
                return tried.changesNothing(parameters.map(\.name))
            }
            if areOffsets {
                // Each was set to one less than the one before. One that counts from 1 repeats one more.
                let overlap = page.keys.overlap(after: start.keys, most: parameters.count)
                single = [overlap, overlap - 1].filter(single.indices.contains).map { single[$0] }
            }
        }
        ways = single + ways
        return nil
    }

    // MARK: Links and cursors

    /// Some services have empty pages between others.
    private static let emptyPages = 3

    private mutating func follow(_ next: NextPlace) throws(ToolFailure) -> LearnProof? {
        var described = paged(next.pagination)
        guard let again = try startAgain(described) else { return nil }
        var found: LearnProof?
        for keepsQuery in Self.choicesOfQuery(again, described) where found == nil || keepsQuery != false {
            described.pagination.keepsQuery = keepsQuery
            let lead = try lead(of: again, described)
            if case .failure(let error) = lead, let origin = error.origin {
                return tried.inVain("the link to the next page leads to another origin, \(origin)")
            }
            var position = try? lead.get()
            for number in 1...Self.emptyPages {
                guard let wanted = position else { break }
                guard let answer = try ask(described, wanted, for: "the next page") else { return nil }
                guard let page = answer.page else { break }
                position = try self.position(after: page, described)
                guard !page.keys.isEmpty else {
                    // Some services lead on from empty pages for ever.
                    if position == nil || number == Self.emptyPages {
                        if onePage?.leads.isEmpty ?? true {
                            var pagination = described.pagination
                            if position != nil { pagination.ends = [.emptyPage] }
                            onePage = OnePage(pagination: pagination, next: page)
                        }
                        onePage?.leads.append(next.pagination.next?.string ?? "")
                    }
                    continue
                }
                // More than came at first are those of another size, which the link has lost.
                if page.count <= start.count, found?.second.keys != page.keys {
                    let isCursor = next.pagination.type == .cursor
                    found = LearnProof(
                        description: described, second: page,
                        text: "the next page is \(isCursor ? "requested by " : "")\(next.text)", position: wanted,
                        following: position)
                }
                break
            }
        }
        guard let found, found.second.keys.fresh(beside: start.keys) > 0 else {
            return onePage?.leads.isEmpty == false
                ? tried.inVain("\(next.text) leads to an empty page")
                : tried.leadsNowhere(
                    next.pagination.type == .cursor ? next.pagination.places.map(\.name) : [next.text])
        }
        return found
    }

    /// Values of `keepQuery` in the order in which they are tried. A service forgets the parameters that a link with a number
    /// lacks; a link without one may have them in a token, and some services take nothing beside it.
    private static func choicesOfQuery(_ page: LearntPage, _ description: LearntDescription) -> [Bool?] {
        guard case .link(let link)? = page.page.lead.next,
            let next = try? ListRequest(page.response.url.resolving(link))
        else { return [nil] }
        let places = next.parameters.map(\.place)
        let isLacking = description.request.parameters.contains { !places.contains($0.place) }
        return !isLacking ? [nil] : next.number == nil ? [nil, true, false] : [true]
    }

    /// The description with this paging, and the size of pages that the request asks for.
    private func paged(_ pagination: LearntPagination) -> LearntDescription {
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
}
