// Fetches a list: its pages in order. Those known in advance are requested ahead.

import PipelineCore
import PipelineHTTP

struct FetchedPage {
    var page: Page
    let response: HTTPResponse
    /// Stored for later runs if the page is usable.
    let completion: HTTPClient.Completion

    var url: HTTPURL { response.url }

    var body: [UInt8] { page.text ?? response.body }
}

extension FetchRun {
    /// - Parameters:
    ///   - first: the ticket of its first page, if that was requested already.
    ///   - subject: the list's name in messages, if it is one of many.
    ///   - origin: of its first reading.
    /// - Returns: false if it is one of many, and the service has none.
    @discardableResult
    func fetchList(
        _ requests: SourceRequests, first: Ticket? = nil, subject: String? = nil,
        _ origin: ReadingOrigin = .asked()
    ) throws(ToolFailure) -> Bool {
        if let page = settings.page { return try fetchPage(page, requests, subject: subject) }
        let begun = state.walk.take()
        let saved = begun == nil ? nil : state.origin
        var list = ListReading(
            requests: requests, subject: subject, origin: saved ?? origin, walk: begun ?? newWalk)
        merge = RecordMerge(source, subject: list.prefix)
        if let first { list.ahead[list.walk.position] = first }
        if begun != nil {
            try resume(list)
        } else if first == nil {
            try takeStored(&list)
        }
        state.origin = list.origin
        defer {
            list.dropAhead(pool)
            valued = list.walk.valued ?? valued
        }
        return try read(&list)
    }

    var newWalk: ListWalk {
        ListWalk(
            source, pageSize: settings.pageSize, readsTwice: settings.readsTwice, hash: writer.hash, valued: valued)
    }

    private func read(_ list: inout ListReading) throws(ToolFailure) -> Bool {
        while !writer.isAtLimit {
            try checkLastPage(list)
            let name = list.prefix + "page \(list.walk.number)" + (list.subject == nil ? progress : "")
            let fetched: FetchedPage
            do throws(HTTPFailure) { fetched = try page(&list) } catch {
                if let facts = list.walk.facts(status: error.httpStatus) {
                    if try enter(facts, &list, isRefusal: true) { return true }
                    continue
                }
                // Only the first page of a list can say that there is none.
                if !list.walk.hasBegun {
                    // A list that isn't a search's or a record's is never absent.
                    let maybeAbsent = !settings.each.isEmpty || settings.search?.isEmpty == false
                    if maybeAbsent, source.isAbsent(error) { break }
                    if list.subject != nil, [404, 410].contains(error.httpStatus) { return false }
                    if takeStored(&list, standingInFor: error) { continue }
                }
                guard case .tooLarge(let limit) = error.reason else { throw ToolFailure(error, about: name) }
                throw ToolFailure(
                    error.exitStatus,
                    "\(name): the response has more than \(limit >> 20) MiB; ask for less of it, or read it with "
                        + "curl … | fetch-characters --input -")
            }
            let isOverlapAlone = fetched.page.listed == 1 && list.walk.reading.expectedFirst != nil
            if !list.walk.hasBegun || isOverlapAlone {
                list.knownPages.insert(digest(of: fetched.response))
            }
            // The cache has pages at once.
            if !list.origin.isCache, fetched.page.listed > 0 {
                let positions = list.walk.ahead(of: fetched.page, limit: pagesAhead(list.walk, fetched.page))
                try list.askAhead(positions, limit: settings.jobs, pool)
            }
            let isEnd =
                fetched.page.listed > 0
                && list.walk.isEnd(content: digest(of: fetched.response), sequence: sequence(of: fetched))
            if isEnd { list.knownPages.formUnion([digest(of: fetched.response), sequence(of: fetched)]) }
            guard let facts = isEnd ? .notFound : try written(fetched, &list, name) else { break }
            if try enter(facts, &list) { return true }
        }
        addProof(list.walk.partProof(first: list.latestFirst))
        return true
    }

    /// - Parameter isRefusal: the service answered the page's request with the status of a failure.
    /// - Returns: whether the list is complete.
    private func enter(
        _ facts: PageFacts, _ list: inout ListReading, isRefusal: Bool = false
    ) throws(ToolFailure) -> Bool {
        // The cache has no more pages than the list.
        let (check, number) = (list.origin.isCache ? nil : list.walk.check(after: facts), list.walk.number)
        let verdict = list.walk.enter(facts)
        figures.expected = list.walk.expected
        show(
            most: source.pagination.count?.unit == .pages
                ? facts.count.map { $0 &* (list.walk.size ?? list.walk.reading.longest) } : nil)
        if verdict == .complete || verdict == .again {
            if let check { try checkEnd(&list, check, number, isRefusal: isRefusal) }
            _ = try writeWaiting(&list)
        }
        switch verdict {
        case .complete:
            warn(ofDoubtful: list)
            addProof(list.walk.proof)
            return true
        case .incomplete(let finding, let isPageAtFault, let cure):
            if !isPageAtFault, !settings.skipsFailures { try state.remove() }
            throw list.incomplete("\(finding); \(cure)")
        case .again:
            // What was written may have been gone for long.
            guard !list.origin.isCache else { throw list.incomplete(brokenCache) }
            list.origin = .asked()
            state.origin = list.origin
            writer.idsOfReading = SeenIDs()
            list.dropAhead(pool)
            if !settings.readsTwice {
                diagnostics.warning(
                    "\(list.prefix)the list changed during the run; reading it a \(list.walk.readings == 2 ? "second" : "third") "
                        + "time for missed records")
            }
        case .more: break
        }
        list.unsaved.append(facts)
        if merge.isEmpty { try save(&list.unsaved) }
        return false
    }

    /// The page after one without new records shows whether the list really ends. What was asked for ahead behind it doesn't
    /// count: a run with fewer jobs wouldn't know of it.
    /// - Parameters:
    ///   - number: of the page without new records.
    ///   - isRefusal: the service has no such page. Then it has none after it, not even an empty one.
    private func checkEnd(
        _ list: inout ListReading, _ position: PagePosition, _ number: Int, isRefusal: Bool
    ) throws(ToolFailure) {
        let asked = list.ahead.removeValue(forKey: position)
        let ticket: Ticket
        if let asked { ticket = asked } else { ticket = try ToolFailure.onHTTPFailure(list.ask(position, pool)) }
        defer { pool.drop(ticket) }
        let found: FetchedPage
        do throws(HTTPFailure) { found = try usablePage(ticket, of: list) } catch {
            if [400, 404, 410, 416, 422].contains(error.httpStatus) { return }
            throw ToolFailure(error, about: "\(list.prefix)the page after page \(number), which has no new records")
        }
        if isRefusal, found.page.listed == 0 {
            throw list.incomplete(
                "the service has no page \(number), and an empty one after it, so page \(number) may have failed; run it again, or "
                    + "report it to the service")
        }
        guard found.page.listed > 0,
            list.knownPages.isDisjoint(with: [digest(of: found.response), sequence(of: found)])
        else { return }
        throw list.incomplete(
            "page \(number) has no new records, and one after it has \(found.page.listed); run it again, or "
                + "report it to the service")
    }

    func digest(of response: HTTPResponse) -> UInt64 { writer.hash.digest(response.body.span) }

    /// As `PageFacts.sequence` of a page that is written.
    func sequence(of fetched: FetchedPage) -> UInt64 { sequence(of: fetched.page, fetched.body) }

    func sequence(of page: Page, _ body: [UInt8]) -> UInt64 {
        page.records.reduce(0) { sequence, record in
            PageFacts.sequence(sequence, writer.hash.digest(body.span.extracting(record.range)))
        }
    }

    private func addProof(_ proof: SealClaim.Proof) { state.proof = state.proof?.combined(with: proof) ?? proof }

    /// How far the run is, for messages; empty before the first record.
    private var progress: String {
        guard writer.recordsOut > 0 else { return "" }
        let total = figures.expected.map { " of \($0)" } ?? ""
        return
            ", after \(writer.recordsOut)\(total) \(writer.recordsOut == 1 && total.isEmpty ? "record" : "records")"
    }

    /// A list may have one page that is full, and a description may look for the next one in the wrong place.
    private func warn(ofDoubtful list: ListReading) {
        if let expected = list.walk.expected, list.walk.seen < expected {
            diagnostics.warning(
                "\(list.prefix)\(expected - list.walk.seen) of \(expected) records came twice on one page; \(list.walk.seen) are written"
            )
        }
        guard list.walk.hasOneFullPage, let next = source.pagination.nextLocations.first else { return }
        diagnostics.warning(
            "\(list.prefix)the only page is full and has no \(next.text); if there are more, check the description's next"
        )
    }

    /// - Throws: status 76 if the list continues after the last page that the API gives.
    private func checkLastPage(_ list: ListReading) throws(ToolFailure) {
        guard list.walk.isPastLastPage, let last = source.pagination.lastPage else { return }
        if !settings.skipsFailures { try state.remove() }
        let seen = list.walk.seen
        let total = list.walk.expected.map { $0 > seen ? " of \($0)" : "" } ?? ""
        throw list.incomplete(
            "the service sends only \(last) pages, and the list is longer; got \(seen)\(total); "
                + "ask for less, as with --search or --param, or take those alone with --limit \(seen)")
    }

    /// Writes the records of a page, and returns what the walk needs to know about it. Nil if no further page is wanted.
    private func written(
        _ fetched: FetchedPage, _ list: inout ListReading, _ name: String
    ) throws(ToolFailure) -> PageFacts? {
        if source.merge != nil { return try writeParts(fetched, &list, name) }
        var counts = try write(
            fetched, list.requests, number: list.walk.number, expectedFirst: list.walk.reading.expectedFirst)
        try compareValues(&counts, fetched, after: list.latest)
        list.latest = fetched.body.count <= Self.comparedBytes ? fetched : nil
        try writer.checkIDs(counts, list.prefix)
        if list.walk.readings == 1 { nulls += fetched.page.nulls }
        try checkMembersEarly()
        list.latestFirst = counts.facts.first
        figures.expected = list.walk.expected
        guard !writer.isAtLimit, !counts.isOlder else { return nil }
        let next = try next(fetched.page.lead, fetched.url, list, name)
        return facts(counts, fetched.page, fetched.response, next, known: list.walk.valued)
    }

    /// What the walk needs to know about a page whose records were looked at.
    /// - Parameter known: the paths beside the records that had a value on earlier pages.
    func facts(
        _ counts: RecordWriter.PageCounts, _ page: Page, _ response: HTTPResponse, _ next: PagePosition?,
        known: Set<String>?
    ) -> PageFacts {
        var facts = counts.facts
        // Without ids equal records may be different ones, and only the whole page is known to be the same.
        if counts.hasUnnamed || page.records.isEmpty {
            facts.sequence = counts.hasUnnamed ? facts.content : nil
            facts.content = digest(of: response)
        }
        facts.add(
            page, leftOut: counts.older, next: next, at: response.url, known: known ?? [], shape: source.beside)
        return facts
    }

    /// How many pages after this one may be requested before it is written.
    private func pagesAhead(_ walk: ListWalk, _ page: Page) -> Int {
        guard source.expand.isEmpty else { return 1 }
        let size = walk.size ?? max(1, page.listed)
        let records = max(0, writer.room - page.records.count)
        return min(settings.jobs, records / size + (records % size == 0 ? 0 : 1))
    }

    private func page(_ list: inout ListReading) throws(HTTPFailure) -> FetchedPage {
        let asked = list.ahead.removeValue(forKey: list.walk.position)
        let ticket = if let asked { asked } else { try list.ask(list.walk.position, pool) }
        defer { pool.drop(ticket) }
        let page = try usablePage(ticket, of: list)
        let isCached = page.completion.provenance == .cached
        // Without the other options only --stale-if-error reads a list from the cache.
        if isCached, list.isStandIn || list.origin.isCache && !mayTakeStored { pool.noteStale(page.completion) }
        if case .cache(let name) = list.origin, !isCached || !page.response.headers.readings.contains(name) {
            list.walk.noteChange()
        }
        pool.keep(page.completion)
        return page
    }

    private func mayLack(_ list: ListReading) -> Bool {
        let isPart = list.walk.hasBegun || settings.search?.isEmpty == false
        // After the count a page is asked for only to see that there is none.
        return isPart ? reader.finder.isOpen || list.walk.reading.hasExactlyTheCount : !settings.each.isEmpty
    }

    /// Requests a response again if its JSON is cut short though it is complete.
    /// - Parameter list: nil for a single record.
    func usablePage(_ ticket: Ticket, of list: ListReading?) throws(HTTPFailure) -> FetchedPage {
        try usablePage(
            ticket, isList: list != nil, mayLack: list.map { mayLack($0) } ?? false,
            isLater: list?.walk.hasBegun ?? false)
    }

    func usablePage(
        _ ticket: Ticket, isList: Bool, mayLack: Bool, isLater: Bool
    ) throws(HTTPFailure) -> FetchedPage {
        while true {
            let completion = try pool.next(of: [ticket])
            let response = try pool.response(of: completion)
            let page: Page
            do throws(Page.Fault) {
                page = try reader.read(
                    response.body, response.headers, at: response.url, isList: isList, mayLack: mayLack,
                    isLater: isLater)
            } catch {
                // A part of a response that wasn't asked for in parts is no JSON, as a rule.
                guard !response.isUnaskedPart else { throw pool.failure(.status(206), of: completion) }
                try pool.act(on: error, of: completion)
                continue
            }
            guard !response.isUnaskedPart || leadsOn(page) else {
                throw pool.failure(.status(206), of: completion)
            }
            var fetched = FetchedPage(page: page, response: response, completion: completion)
            fetched.page.lead.sign = page.lead.sign.map { pool.withoutSecrets($0, of: ticket) }
            return fetched
        }
    }

    /// Whether the rest of the list is requested by other pages, or would be missed.
    private func leadsOn(_ page: Page) -> Bool {
        switch source.pagination.first {
        case .number, .offset: page.listed > 0
        case .start, .link, .cursor: page.lead.next != nil || page.lead.hasMore == true
        }
    }

    func next(
        _ lead: PageLead, _ url: HTTPURL, _ list: ListReading, _ name: String
    ) throws(ToolFailure) -> PagePosition? {
        do throws(SourceRequests.LinkError) {
            return try list.requests.next(lead, from: url, size: list.walk.size)
        } catch {
            let finding =
                error.origin.map { "leads to \($0), another origin than the API's own, and is not followed" }
                ?? "isn't a URL"
            throw ToolFailure(
                error.origin == nil ? .protocolError : .refused,
                "\(name): its link to the next page \(finding); report it to the service")
        }
    }

    /// Writes the records of a page that are new and wanted.
    /// - Parameter expectedFirst: the id of the record that the page was asked for from.
    func write(
        _ fetched: FetchedPage, _ requests: SourceRequests, number: Int?, expectedFirst: UInt64? = nil
    ) throws(ToolFailure) -> RecordWriter.PageCounts {
        try state.begin(&writer)
        var counts = RecordWriter.PageCounts(expectedFirst: expectedFirst)
        if source.expand.isEmpty {
            try writer.write(fetched.body.span, fetched.page.outline, from: fetched.url, page: number, &counts)
        } else {
            try expand(fetched, requests, number, &counts)
        }
        try writer.flush()
        return counts
    }
}
