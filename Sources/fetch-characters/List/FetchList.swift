// Fetches a list: its pages in order. Those known in advance are requested ahead.

import PipelineCore
import PipelineHTTP

/// A received page.
struct FetchedPage {
    let page: SourcePage
    /// The text of its records.
    let body: [UInt8]
    /// Its URL after redirects.
    let url: HTTPURL
    /// Stored for later runs if the page is usable.
    let completion: HTTPClient.Completion

    /// The whole text of the response.
    var received: [UInt8] {
        if case .success(let response) = completion.result { response.body } else { body }
    }
}

/// What came of a request for a page.
private enum Arrival {
    case page(FetchedPage)
    /// It is larger than pages usually are, and comes in parts.
    case parts
    /// The list ended before it.
    case nothing
}

extension FetchRun {
    /// Fetches one list to its end, or up to a limit of the user's.
    /// - Parameters:
    ///   - requests: of the list.
    ///   - first: the ticket of its first page, if that was requested already.
    ///   - subject: the list's name in messages, if it is one of many.
    /// - Returns: false if it is one of many, and the service has none.
    @discardableResult
    mutating func fetchList(
        _ requests: SourceRequests, first: Ticket? = nil, subject: String? = nil
    ) throws(ToolFailure) -> Bool {
        let walk = state.takeWalk() ?? Paginator(source.pagination, size: settings.pageSize, hash: writer.hash)
        pool.revalidateAll(walk.isSecondReading)
        var ahead = PrefetchedPages(requests, size: walk.size, jobs: settings.jobs, isStreamed: isStreamed)
        if let first { ahead.tickets[walk.position] = first }
        // After a failure other lists may follow.
        defer { ahead.drop(&pool) }
        return try readPages(requests, walk, &ahead, subject)
    }

    private mutating func readPages(
        _ requests: SourceRequests, _ start: Paginator, _ ahead: inout PrefetchedPages, _ subject: String?
    ) throws(ToolFailure) -> Bool {
        var walk = start
        while state.pagesRead < settings.maxPages ?? .max, !writer.isAtLimit {
            try checkLastPage(walk, subject)
            let name = (subject.map { "\($0), " } ?? "") + "page \(walk.number)" + (subject == nil ? progress : "")
            let ticket = try ahead.take(walk.position, &pool)
            let arrival: Arrival
            do throws(HTTPFailure) { arrival = try page(ticket, of: walk) } catch {
                // Only the first page of a list can say that there is none.
                if state.pagesRead == 0, isAbsent(error) { break }
                if state.pagesRead == 0, subject != nil, [404, 410].contains(error.httpStatus) { return false }
                throw ToolFailure(error, about: name)
            }
            state.pagesRead += 1
            let summary: PageSummary?
            switch arrival {
            case .nothing: summary = .notFound
            case .parts: summary = try writtenInParts(ticket, requests, walk, name)
            case .page(let fetched):
                try ahead.ask(walk.ahead(of: fetched.page, limit: pagesAhead(walk, fetched.page)), &pool)
                summary = try written(fetched, requests, walk, name)
            }
            guard let entered = summary else { break }
            let verdict = walk.enter(entered)
            figures.expected = walk.expected
            show(
                most: source.pagination.count?.unit == .pages ? entered.count.map { $0 &* (walk.size ?? 0) } : nil)
            switch verdict {
            case .complete:
                warn(ofDoubtful: walk, subject)
                return true
            case .incomplete(let finding, let isPageAtFault):
                if !isPageAtFault, !settings.skipsFailedLists { try state.remove() }
                throw Self.incomplete(finding + "; run it again, or ask those who run the service", subject)
            case .again:
                guard !writer.hasUnnamed else {
                    throw Self.incomplete(
                        "the list changed while it was read, and without ids it can't be read again; run it again",
                        subject)
                }
                writer.idsOfReading = SeenIDs()
                ahead.drop(&pool)
                pool.revalidateAll(true)
                diagnostics.warning("the list changed while it was read; it is read again for what was missed")
            case .more: break
            }
            try state.save(entered, &writer)
        }
        return true
    }

    /// How far the run is, for messages; empty before the first record.
    private var progress: String {
        guard writer.recordsOut > 0 else { return "" }
        let total = figures.expected.map { " of \($0)" } ?? ""
        return
            ", after \(writer.recordsOut)\(total) \(writer.recordsOut == 1 && total.isEmpty ? "record" : "records")"
    }

    /// A list may have one page that is full, and a description may look for the next one in the wrong place.
    private func warn(ofDoubtful walk: Paginator, _ subject: String?) {
        guard walk.hasOneFullPage, let next = source.pagination.nextLocations.first else { return }
        diagnostics.warning(
            (subject.map { "\($0): " } ?? "")
                + "the only page is full and has no \(next.text); if there are more, check the description's next")
    }

    /// - Throws: status 76 if the list continues after the last page that the API gives.
    private func checkLastPage(_ walk: Paginator, _ subject: String?) throws(ToolFailure) {
        guard walk.isPastLastPage, let last = source.pagination.lastPage else { return }
        if !settings.skipsFailedLists { try state.remove() }
        let total = walk.expected.map { $0 > walk.seen ? " of \($0)" : "" } ?? ""
        throw Self.incomplete(
            "the service gives \(last) pages and no more, and the list goes on after them; got \(walk.seen)\(total); "
                + "ask for less, as with --search or --param, or take those pages alone with --max-pages \(last)",
            subject)
    }

    private static func incomplete(_ finding: String, _ subject: String?) -> ToolFailure {
        ToolFailure(.protocolError, (subject.map { "\($0): " } ?? "") + finding)
    }

    /// Writes the records of a page, and returns what the walk needs to know about it. Nil if no further page is wanted.
    private mutating func written(
        _ fetched: FetchedPage, _ requests: SourceRequests, _ walk: Paginator, _ name: String
    ) throws(ToolFailure) -> PageSummary? {
        let counts = try write(fetched, requests, number: walk.number)
        figures.expected = walk.expected
        guard !writer.isAtLimit, !counts.isOlder else { return nil }
        // Pages from which no record is wanted differ in what is left out.
        let isEmpty = fetched.page.records.isEmpty
        let earlier = state.takePartCount()
        return PageSummary(
            fetched.page, leftOut: counts.older, next: try next(fetched.page.lead, fetched.url, requests, name),
            unseen: counts.unseen + earlier, distinct: counts.distinct + earlier, repeats: counts.repeats,
            digest: counts.digest,
            content: isEmpty ? writer.hash.digest(fetched.received.span) : counts.content)
    }

    /// How many pages after this one may be requested before it is written.
    private func pagesAhead(_ walk: Paginator, _ page: SourcePage) -> Int {
        let pages = min(settings.jobs, (settings.maxPages ?? .max) - state.pagesRead)
        guard let size = walk.size, source.expand.isEmpty else {
            return source.expand.isEmpty ? pages : min(pages, 1)
        }
        let records = max(0, writer.room - page.records.count)
        return min(pages, records / size + (records % size == 0 ? 0 : 1))
    }

    /// Whether the service says so that it found nothing. A list that isn't a search's or a record's is never absent.
    private func isAbsent(_ failure: HTTPFailure) -> Bool {
        let maybeAbsent = !settings.each.isEmpty || settings.search?.isEmpty == false
        return maybeAbsent && source.isAbsent(failure)
    }

    private mutating func page(_ ticket: Ticket, of walk: Paginator) throws(HTTPFailure) -> Arrival {
        do throws(HTTPFailure) {
            guard let page = try usablePage(ticket, isList: true) else { return .parts }
            pool.keep(page.completion)
            pool.drop(ticket)
            return .page(page)
        } catch {
            let failure = pool.naming(error, of: ticket)
            pool.drop(ticket)
            if let status = error.httpStatus, walk.isEnd(status: status) { return .nothing }
            throw failure
        }
    }

    /// The response to a ticket. Requests it again if its JSON is cut short though the response is complete.
    /// - Returns: nil if it comes in parts, as only a page of a list does.
    mutating func usablePage(_ ticket: Ticket, isList: Bool) throws(HTTPFailure) -> FetchedPage? {
        while true {
            guard let completion = try pool.arrival(of: ticket) else { return nil }
            let response = try completion.result.get()
            do throws(SourcePage.Fault) {
                let page = try reader.read(
                    response.body, response.headers, isList: isList,
                    mayBeEmpty: state.pagesRead > 0 || settings.search?.isEmpty == false)
                guard let url = response.redirectChain.last else { preconditionFailure("an answer from nowhere") }
                return FetchedPage(
                    page: page, body: page.text ?? response.body, url: url, completion: completion)
            } catch {
                try pool.act(on: error, of: ticket, completion)
            }
        }
    }

    /// The next position, if the page contains it.
    func next(
        _ lead: PageLead, _ url: HTTPURL, _ requests: SourceRequests, _ name: String
    ) throws(ToolFailure) -> PagePosition? {
        switch lead.next {
        case .cursor(let values)?: return .cursor(values)
        case .link(let text)?: return .link(try link(text, url, requests, name))
        case nil: return nil
        }
    }

    private func link(
        _ text: String, _ url: HTTPURL, _ requests: SourceRequests, _ name: String
    ) throws(ToolFailure) -> HTTPURL {
        do throws(SourceRequests.LinkError) {
            return try requests.link(text, from: url)
        } catch {
            switch error {
            case .elsewhere(let origin):
                throw ToolFailure(
                    .refused,
                    "\(name): its link to the next page leads to \(origin), another origin than the API's own, and "
                        + "is not followed; ask those who run the service")
            case .noURL:
                throw ToolFailure(
                    .protocolError, "\(name): its link to the next page is no URL; ask those who run the service")
            }
        }
    }

    // MARK: Records

    /// Writes the records of a page that are new and wanted.
    mutating func write(
        _ fetched: FetchedPage, _ requests: SourceRequests, number: Int?
    ) throws(ToolFailure) -> RecordWriter.PageCounts {
        guard source.expand.isEmpty else { return try expand(fetched, requests, number) }
        let start = JSONDocument.start(of: fetched.body.span)
        let novelty = try writer.write(
            fetched.body.span.extracting(start...), reader.outline, from: fetched.url, page: number)
        try writer.flush()
        return novelty
    }

    /// Writes the records of a page once their steps are done: each as soon as those before it are written, unless
    /// the state of the run is saved. All of a page are then written together, so that none is written twice when
    /// the page is fetched again.
    private mutating func expand(
        _ fetched: FetchedPage, _ requests: SourceRequests, _ number: Int?
    ) throws(ToolFailure) -> RecordWriter.PageCounts {
        var expansion = FollowUpRequests(source, requests, body: fetched.body, from: fetched.url, diagnostics)
        var novelty = RecordWriter.PageCounts()
        var begun = 0
        for record in fetched.page.records where !writer.isAtLimit {
            while begun < fetched.page.records.count, expansion.count < min(settings.jobs, writer.room) {
                try expansion.begin(fetched.page.records[begun].range, &pool)
                begun += 1
            }
            let (response, steps) = try expansion.takeFirst(&pool)
            let listed = fetched.body.span.extracting(record.range)
            if let response, let object = JSONDocument.object(in: response.body.span) {
                let record = response.body.span.extracting(object)
                try writer.check(record, is: listed)
                try writer.write(
                    record, from: response.url, listed: listed, page: number, steps: steps, &novelty)
            } else {
                try writer.write(
                    listed, from: fetched.url, listed: listed, page: number, steps: steps, &novelty)
            }
            if !state.isKept || writer.bytesWaiting >= RecordWriter.waitingLimitBytes { try writer.flush() }
        }
        try writer.flush()
        expansion.stop(&pool)
        return novelty
    }
}
