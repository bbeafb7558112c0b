// A list that is read from the cache in place of the service: with --offline, with --max-age, or where the service fails.
//
// The pages of a list are of one age. Either the service is asked about each, or all are those of one earlier reading: a page
// from yesterday among others from today would hide a record, or have it twice. Before the first record is written the whole
// reading is gone through, as if it were one of the service, so that a list that changed meanwhile isn't taken for a whole one.

import PipelineCore
import PipelineHTTP

extension FetchRun {
    /// Reads the list from the cache, if the user wants that and an earlier reading has all of it.
    /// - Throws: status 69 if nothing may be sent, and there is no such reading.
    func takeStored(_ list: inout ListReading) throws(ToolFailure) {
        guard mayTakeStored else { return }
        if let name = storedReadings(list, standingInFor: nil).last { list.origin = .cache(name) }
        guard !list.origin.isCache, settings.client.cache.isOffline else { return }
        throw ToolFailure(
            .unavailable,
            "\(list.prefix)no run has left all pages of this list in the cache; run it once without --offline")
    }

    /// Checks that the rest of a list that another run began can be had from where its beginning came.
    /// - Throws: status 65 if the pages of the cache are gone, 69 if nothing may be sent.
    func resume(_ list: ListReading) throws(ToolFailure) {
        guard !source.pagination.hasOnePage else { return }
        switch list.origin {
        case .service:
            guard settings.client.cache.isOffline else { return }
            throw ToolFailure(
                .unavailable, "\(list.prefix)the rest of the list is at the service; run it without --offline")
        case .cache(let name):
            guard !storedReadings(list, standingInFor: nil).contains(name) else { return }
            throw ToolFailure(
                .badData,
                "\(list.prefix)the cached list that the interrupted run was reading can't be used any more; remove the file of "
                    + "--state to start over")
        }
    }

    /// Whether the user wants lists from the cache, if one reading has all their pages.
    var mayTakeStored: Bool {
        let cache = settings.client.cache
        return !source.pagination.hasOnePage && (cache.isOffline || cache.maxAgeSeconds != nil)
    }

    /// - Returns: whether the list is read from the cache in place of the service.
    func takeStored(_ list: inout ListReading, standingInFor failure: HTTPFailure) -> Bool {
        guard !source.pagination.hasOnePage, !list.origin.isCache,
            settings.client.cache.staleIfErrorSeconds != nil,
            let name = storedReadings(list, standingInFor: failure.reason).last
        else { return false }
        list.origin = .cache(name)
        state.origin = list.origin
        list.isStandIn = true
        return true
    }

    /// Why a cached list that was found whole isn't any more.
    var brokenCache: Message {
        let cache = settings.client.cache
        var option = "--stale-if-error"
        if cache.maxAgeSeconds != nil { option = "--max-age" }
        if cache.isOffline { option = "--offline" }
        return "the cached pages don't add up to a whole list; run it once without \(option)"
    }

    /// The earlier readings that have all pages of the list in the cache, and found it unchanged from the first to the last.
    private func storedReadings(
        _ list: ListReading, standingInFor failure: HTTPFailure.Reason?
    ) -> [String] {
        var walk = newWalk
        var reader = PageReader(source)
        // Looks at the records as the writer will, and writes none.
        var scratch = RecordWriter(settings, source, hash: writer.hash)
        scratch.recordsOut = list.walk.hasBegun ? 0 : writer.recordsOut
        var readings: [String]?
        while !scratch.isAtLimit {
            guard let request = try? list.requests.page(walk.position, size: walk.size),
                let stored = pool.client.source.page(request, standingInFor: failure)
            else { return [] }
            let names = stored.readings.filter { readings?.contains($0) != false }
            guard !names.isEmpty else { return [] }
            readings = names
            let response = stored.response
            guard let page = try? reader.read(response.body, response.headers, isList: true, mayLack: true),
                let verdict = try? verdict(on: page, response, list, &walk, &scratch)
            else { return [] }
            switch verdict {
            case .more: break
            case .complete: return names
            case .again, .incomplete: return []
            }
        }
        return readings ?? []
    }

    private func verdict(
        on page: Page, _ response: HTTPResponse, _ list: ListReading, _ walk: inout ListWalk,
        _ scratch: inout RecordWriter
    ) throws(ToolFailure) -> ListWalk.Verdict {
        let body = page.text ?? response.body
        let (content, sequence) = (digest(of: response), sequence(of: page, body))
        if page.listed > 0, walk.isEnd(content: content, sequence: sequence) { return walk.enter(.notFound) }
        let next = try self.next(page.lead, response.url, list, "")
        guard source.merge == nil else {
            // Parts are joined when the list is read. Here each counts as a record that is expected.
            var facts = PageFacts(
                unseen: page.records.count, distinct: page.records.count, first: 1, last: 1, content: content)
            facts.add(page, next: next, at: response.url)
            return walk.enter(facts)
        }
        var counts = RecordWriter.PageCounts(expectedFirst: walk.reading.expectedFirst)
        try scratch.write(body.span, page.outline, from: response.url, page: nil, &counts)
        scratch.dropLines()
        if counts.isOlder || scratch.isAtLimit { return .complete }
        return walk.enter(facts(counts, page, response, next, known: walk.valued))
    }
}
