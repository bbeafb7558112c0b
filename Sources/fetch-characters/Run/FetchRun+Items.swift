// Fetches single records, those that --id names, and the lists of --each, one for each record of stdin.

import PipelineCore
import PipelineHTTP

extension FetchRun {
    /// Fetches the records that `--id` names, some of them ahead.
    /// - Returns: `.noMatch` if one of them doesn't exist.
    func fetchItems() throws(ToolFailure) -> ExitStatus {
        var tickets: [Ticket] = []
        var asked = state.itemsDone
        while state.itemsDone < settings.ids.count, !writer.isAtLimit {
            while asked < settings.ids.count, asked - state.itemsDone < settings.jobs {
                tickets.append(pool.ask(try ToolFailure.onHTTPFailure(requests.item(settings.ids[asked]))))
                asked += 1
            }
            let id = settings.ids[state.itemsDone]
            let fetched = try item(tickets.removeFirst(), id)
            var isMissing = fetched?.page.records.isEmpty ?? true
            if let fetched, !isMissing { isMissing = try !writeItem(fetched, id) }
            if isMissing {
                if let fetched { pool.keep(fetched.completion) }
                let cure = id.contains(",") ? "repeat --id for each" : "find the right one with --search"
                diagnostics.error(Message("no record has the id \(id)", cure: cure))
            }
            try saveItem(isMissing: isMissing)
        }
        return try itemStatus()
    }

    /// - Returns: false if a step says that the record isn't there.
    /// - Throws: status 76 if other records were received than the requested one.
    private func writeItem(_ fetched: FetchedPage, _ id: String) throws(ToolFailure) -> Bool {
        let missing = tally.missingCount
        let hasIDs = source.members.contains { $0.name == .id }
        writer.begin(asked: hasIDs ? RequestedRecord(id) : nil)
        _ = try write(fetched, requests, number: nil)
        let responses = pool.client.source
        guard let asked = writer.asked, !asked.hasCome else {
            pool.keep(fetched.completion)
            return true
        }
        if tally.missingCount > missing { return false }
        responses.forget(fetched.completion)
        throw ToolFailure(
            .protocolError,
            "id \(id): the service sent \(asked.others) in its place; check the description's item, or ask those who "
                + "run the service")
    }

    private func item(_ ticket: Ticket, _ id: String) throws(ToolFailure) -> FetchedPage? {
        defer { pool.drop(ticket) }
        do throws(HTTPFailure) { return try usablePage(ticket, of: nil) } catch {
            // Some services respond to an unknown id with 400 Bad Request.
            if let status = error.httpStatus, [400, 404, 410].contains(status) || source.isAbsent(error) {
                return nil
            }
            throw ToolFailure(error, about: "id \(id)")
        }
    }

    /// Fetches a list for each record of stdin. Requests the first pages of some of them ahead.
    func fetchEach(_ selection: EachSelection) throws(ToolFailure) -> ExitStatus {
        var input = try EachInput(settings.input, selection, requests, newWalk, diagnostics)
        var ahead = PrefetchedLists()
        let listsDone = state.itemsDone
        while !writer.isAtLimit {
            try readAhead(&ahead, &input, passing: listsDone)
            guard !ahead.waiting.isEmpty else { break }
            let (list, first) = ahead.waiting.removeFirst()
            try fetch(list, first)
        }
        for ticket in ahead.waiting.compactMap(\.first) { pool.drop(ticket) }
        // The signal may have ended the source of the input, too.
        if Signals.isRequested { throw ToolFailure(HTTPFailure(.interrupted)) }
        if ahead.failure == nil, !writer.isAtLimit { try state.checkInputEnd() }
        input.records.tellBadLines()
        if let failure = ahead.failure, !writer.isAtLimit { throw failure }
        if reader.promise.isUnkept, listsDone == 0 {
            throw ToolFailure(
                .protocolError,
                "no response had the list '\(source.records.path.text)'; check the description's records")
        }
        report.badLines = input.records.badLineCount
        // The last list's count says nothing about all lists.
        figures.expected = nil
        // Records that a limit leaves unread don't matter, though some may have been read ahead.
        let doubt = writer.isAtLimit ? nil : input.doubt
        parents = input.claim
        try input.records.close()
        let status = try itemStatus()
        if let doubt {
            diagnostics.error("\(Descriptor.standardInput.name): \(doubt)")
            return .badData
        }
        guard input.records.badLineCount == 0 || writer.isAtLimit else { return .badData }
        return status
    }

    private func fetch(_ list: EachList, _ first: Ticket?) throws(ToolFailure) {
        state.enter(value: list.values.key)
        if settings.form.addsEach { writer.mapper.each = list.values.json }
        guard list.first != nil else {
            diagnostics.error(list.values.refusal)
            return try saveItem(isMissing: true)
        }
        let key = list.values.key
        if first == nil, state.walk == nil, let known = writtenLists[key] { return try write(known, again: list) }
        if state.walk == nil { writer.keepLines(most: WrittenLists.limitBytes) }
        let (recordsIn, recordsOut, presence) = (writer.recordsIn, writer.recordsOut, writer.mapper.presence)
        defer { _ = writer.takeLines() }
        do throws(ToolFailure) {
            let isThere = try fetchList(
                list.requests, first: first, subject: list.values.subject, list.origin)
            if !isThere { tellMissing(list) }
            if let lines = writer.takeLines(), !writer.isAtLimit {
                let written = WrittenLists.List(
                    lines: lines, recordsIn: writer.recordsIn - recordsIn,
                    recordsOut: writer.recordsOut - recordsOut,
                    presence: writer.mapper.presence.since(presence), isThere: isThere)
                writtenLists.keep(written, key)
            }
            try saveItem(isMissing: !isThere)
        } catch {
            guard settings.skipsFailures, error.status.isOfService, !Signals.isRequested else { throw error }
            diagnostics.error(error.message)
            try saveItem(failure: error.status)
        }
    }

    private func tellMissing(_ list: EachList) {
        diagnostics.error("\(list.values.subject): the service has no list for it; check the value")
    }

    /// Writes a list whose values have come before, without another request.
    private func write(_ known: WrittenLists.List, again list: EachList) throws(ToolFailure) {
        if !known.isThere { tellMissing(list) }
        try state.begin(&writer)
        writer.recordsIn += known.recordsIn
        writer.mapper.presence.add(known.presence)
        let lines = known.lines(most: writer.room)
        try writer.repeatLines(lines.span, records: min(known.recordsOut, writer.room))
        try saveItem(isMissing: !known.isThere)
    }

    /// Reads records and requests their lists, as long as that doesn't wait or there is nothing else to do.
    private func readAhead(
        _ ahead: inout PrefetchedLists, _ input: inout EachInput, passing listsDone: Int
    ) throws(ToolFailure) {
        while !ahead.isAtEnd, ahead.waiting.count < min(settings.jobs, writer.room) {
            do throws(ToolFailure) {
                switch try input.next(waiting: ahead.waiting.isEmpty) {
                case .later: return
                case .end: ahead.isAtEnd = true
                case .list(let list):
                    try state.check(value: list.values.key)
                    guard state.readTrail.count > listsDone else {
                        state.enter(value: list.values.key)
                        continue
                    }
                    let key = list.values.key
                    let isBegun = state.walk != nil && ahead.waiting.isEmpty
                    // Once the list before it has come, this one is known.
                    let isKnown = writtenLists[key] != nil || ahead.waiting.contains { $0.list.values.key == key }
                    let request = isBegun || isKnown || mayTakeStored || settings.page != nil ? nil : list.first
                    ahead.waiting.append((list, request.map { pool.ask($0) }))
                }
            } catch {
                ahead.isAtEnd = true
                ahead.failure = error
            }
        }
    }
}

/// Lists whose records come in parts on several pages. A page in the middle writes nothing. The page that completes its
/// records has them written, or the first one with others, in the order in which they first came.
extension FetchRun {
    /// - Returns: nil if no further page is wanted.
    func writeParts(
        _ fetched: FetchedPage, _ list: inout ListReading, _ name: String
    ) throws(ToolFailure) -> PageFacts? {
        let ids = try fetched.page.records.map { record throws(ToolFailure) in
            try merge.id(of: fetched.body.span.extracting(record.range))
        }
        if source.merge?.complete == nil, !ids.contains(where: { merge.contains($0) }) {
            guard try writeWaiting(&list) else { return nil }
            try save(&list.unsaved)
        }
        var facts = PageFacts()
        var added = 0
        facts.content = writer.hash.digest(fetched.response.body.span)
        for (record, id) in zip(fetched.page.records, ids) {
            try writer.deadline.check(record.range.count)
            switch try merge.add(fetched.body.span.extracting(record.range), id: id) {
            case .added: added += 1
            case .known: facts.repeats += 1
            case .first:
                let hash = id.hash(writer.hash)
                guard !(writer.idsOfReading ?? writer.ids).contains(hash) else {
                    throw list.incomplete(
                        "id \(id.text.span.text) was repeated after its record was complete; check merge and members.id, or run it "
                            + "again if the list has changed")
                }
                facts.distinct += 1
                facts.unseen += writer.ids.contains(hash) ? 0 : 1
            }
        }
        if list.walk.readings == 1 { nulls += fetched.page.nulls }
        list.lastPart = fetched
        if fetched.page.lead.completesRecords { guard try writeWaiting(&list) else { return nil } }
        facts.add(
            fetched.page, leftOut: added, next: try next(fetched.page.lead, fetched.url, list, name),
            at: fetched.url, known: list.walk.valued ?? [], shape: source.beside)
        return facts
    }

    /// - Returns: whether further pages are wanted.
    func writeWaiting(_ list: inout ListReading) throws(ToolFailure) -> Bool {
        guard let last = list.lastPart.take() else { return true }
        let (text, outline) = merge.take()
        let whole = FetchedPage(
            page: Page(outline: outline, text: text, listed: outline.records.count),
            response: last.response, completion: last.completion)
        let counts = try write(whole, list.requests, number: list.walk.number)
        guard counts.partedID.isEmpty else {
            throw list.incomplete(
                "id \(counts.partedID.span.text) came with other parts when the list was read again, so its record lacks "
                    + "some; run it again")
        }
        return !writer.isAtLimit && !counts.isOlder
    }
}
