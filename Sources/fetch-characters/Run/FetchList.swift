// Fetches a list: its pages in order. Those known in advance are requested ahead.

import PipelineCore
import PipelineHTTP

struct FetchedPage {
    let page: SourcePage
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
    /// - Returns: false if it is one of many, and the service has none.
    @discardableResult
    func fetchList(
        _ requests: SourceRequests, first: Ticket? = nil, subject: String? = nil
    ) throws(ToolFailure) -> Bool {
        var list = ListReading(requests: requests, subject: subject, walk: state.walk.take() ?? newWalk)
        merge = RecordMerge(source, subject: list.prefix)
        if let first { list.ahead[list.walk.position] = first }
        if !list.walk.hasBegun, first == nil { try takeStored(&list) }
        defer { list.dropAhead(pool) }
        return try read(&list)
    }

    var newWalk: ListWalk {
        ListWalk(source, pageSize: settings.pageSize, readsTwice: settings.readsTwice, hash: writer.hash)
    }

    private func read(_ list: inout ListReading) throws(ToolFailure) -> Bool {
        while !writer.isAtLimit {
            try checkLastPage(list)
            let name = list.prefix + "page \(list.walk.number)" + (list.subject == nil ? progress : "")
            let fetched: FetchedPage
            do throws(HTTPFailure) { fetched = try page(&list) } catch {
                if let facts = list.walk.facts(status: error.httpStatus) {
                    if try enter(facts, &list) { return true }
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
            if !list.walk.hasBegun || fetched.page.listed == 1 && list.walk.reading.expectedFirst != nil {
                list.knownPages.insert(digest(of: fetched.response))
            }
            // The cache has pages at once.
            if list.run == nil, fetched.page.listed > 0 {
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

    /// - Returns: whether the list is complete.
    private func enter(_ facts: PageFacts, _ list: inout ListReading) throws(ToolFailure) -> Bool {
        // The cache has no more pages than the list.
        let (check, number) = (list.run == nil ? list.walk.check(after: facts) : nil, list.walk.number)
        let place = list.walk.position.count
        let verdict = list.walk.enter(facts)
        figures.expected = list.walk.expected
        show(
            most: source.pagination.count?.unit == .pages
                ? facts.count.map { $0 &* (list.walk.size ?? list.walk.reading.longest) } : nil)
        if verdict == .complete || verdict == .again {
            if facts.listed == 0 || check != nil { try checkEnd(&list, check, number, after: place) }
            _ = try writeWaiting(&list)
        }
        switch verdict {
        case .complete:
            warn(ofDoubtful: list)
            addProof(list.walk.proof)
            return true
        case .incomplete(let finding, let isPageAtFault, let cure):
            if !isPageAtFault, !settings.skipsFailedLists { try state.remove() }
            throw list.incomplete("\(finding); \(cure)")
        case .again:
            guard !settings.client.cache.isOffline || source.pagination.hasOnePage else {
                throw list.incomplete(
                    "the cached pages don't add up to a whole list; run it once without --offline")
            }
            list.run = nil
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
        if merge.isEmpty { try state.save(&list.unsaved, &writer) }
        return false
    }

    /// The page after one without new records shows whether the list really ends. It may have been requested ahead.
    /// - Parameters:
    ///   - position: that of the page to request otherwise; nil to request none.
    ///   - number: of the page without new records.
    ///   - place: of that page. Pages requested ahead for earlier places may repeat known records.
    private func checkEnd(
        _ list: inout ListReading, _ position: PagePosition?, _ number: Int, after place: Int
    ) throws(ToolFailure) {
        guard source.pagination.count == nil else { return }
        let ahead = list.ahead.filter { $0.key.count > place }.sorted { $0.key.count < $1.key.count }
        var tickets = ahead.map(\.value).filter(pool.hasSent)
        if tickets.isEmpty, let position {
            tickets.append(try ToolFailure.onHTTPFailure(list.ask(position, pool)))
        }
        for ticket in tickets {
            defer { pool.drop(ticket) }
            let found: FetchedPage
            do throws(HTTPFailure) { found = try usablePage(ticket, of: list) } catch {
                if position == nil || [400, 404, 410, 416, 422].contains(error.httpStatus) { continue }
                throw ToolFailure(
                    error, about: "\(list.prefix)the page after page \(number), which has no new records")
            }
            guard found.page.listed > 0,
                list.knownPages.isDisjoint(with: [digest(of: found.response), sequence(of: found)])
            else { continue }
            throw list.incomplete(
                "page \(number) has no new records, and one after it has \(found.page.listed); run it again, or "
                    + "report it to the service")
        }
    }

    private func digest(of response: HTTPResponse) -> UInt64 { writer.hash.digest(response.body.span) }

    /// As `PageFacts.sequence` of a page that is written.
    private func sequence(of fetched: FetchedPage) -> UInt64 {
        fetched.page.records.reduce(0) { sequence, record in
            PageFacts.sequence(sequence, writer.hash.digest(fetched.body.span.extracting(record.range)))
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
        if !settings.skipsFailedLists { try state.remove() }
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
        let counts = try write(
            fetched, list.requests, number: list.walk.number, expectedFirst: list.walk.reading.expectedFirst)
        try writer.checkIDs(counts, list.prefix)
        list.latestFirst = counts.facts.first
        figures.expected = list.walk.expected
        guard !writer.isAtLimit, !counts.isOlder else { return nil }
        var facts = counts.facts
        // Without ids equal records may be different ones, and only the whole page is known to be the same.
        if counts.hasUnnamed || fetched.page.records.isEmpty {
            facts.sequence = counts.hasUnnamed ? facts.content : nil
            facts.content = digest(of: fetched.response)
        }
        facts.add(
            fetched.page, leftOut: counts.older,
            next: try next(fetched.page.lead, fetched.url, list, name), at: fetched.url)
        return facts
    }

    /// How many pages after this one may be requested before it is written.
    private func pagesAhead(_ walk: ListWalk, _ page: SourcePage) -> Int {
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
        if let run = list.run, !isCached || !page.response.headers.runs.contains(run) { list.walk.noteChange() }
        pool.client.source.keep(page.completion)
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
        while true {
            let completion = try pool.next(of: [ticket])
            let response = try pool.response(of: completion)
            do throws(SourcePage.Fault) {
                var page = try reader.read(
                    response.body, response.headers, at: response.url, isList: list != nil,
                    mayLack: list.map { mayLack($0) } ?? false,
                    isLater: list?.walk.hasBegun ?? false)
                page.lead.sign = page.lead.sign.map { pool.withoutSecrets($0, of: ticket) }
                return FetchedPage(page: page, response: response, completion: completion)
            } catch {
                try pool.act(on: error, of: completion)
            }
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
        var counts = RecordWriter.PageCounts(expectedFirst: expectedFirst)
        if source.expand.isEmpty {
            try writer.write(fetched.body.span, fetched.page.outline, from: fetched.url, page: number, &counts)
        } else {
            try expand(fetched, requests, number, &counts)
        }
        try writer.flush()
        return counts
    }

    /// Writes the records of a page once their steps are done: each as soon as those before it are written, or all of
    /// them together if the state of the run is saved, so that none comes twice when the page is fetched again.
    private func expand(
        _ fetched: FetchedPage, _ requests: SourceRequests, _ number: Int?, _ counts: inout RecordWriter.PageCounts
    ) throws(ToolFailure) {
        var expansion = FollowUpRequests(requests, body: fetched.body, from: fetched.url, diagnostics)
        defer { expansion.stop(pool) }
        var begun = 0
        for record in fetched.page.records where !writer.isAtLimit {
            while begun < fetched.page.records.count, expansion.count < min(settings.jobs, writer.room) {
                try expansion.begin(fetched.page.records[begun].range, pool)
                begun += 1
            }
            let (response, steps) = try expansion.takeFirst(pool)
            let listed = fetched.body.span.extracting(record.range)
            if let response, let object = JSONDocument.object(in: response.body.span) {
                let record = response.body.span.extracting(object)
                try writer.check(record, is: listed)
                try writer.write(record, from: response.url, listed: listed, page: number, steps: steps, &counts)
            } else {
                try writer.write(listed, from: fetched.url, listed: listed, page: number, steps: steps, &counts)
            }
            if !state.isKept || writer.bytesWaiting >= RecordWriter.waitingLimitBytes { try writer.flush() }
        }
    }
}
