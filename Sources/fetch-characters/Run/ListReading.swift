// A list on its way: where the walk is, the pages requested ahead, and the run of the cache that it is read from, if it is.
//
// The pages of a list are of one age. Either the service is asked about each, or all are those that one earlier run got: a
// page from yesterday among others from today would hide a record, or have it twice.

import PipelineCore
import PipelineHTTP

struct ListReading {
    let requests: SourceRequests
    let subject: String?
    var walk: ListWalk
    /// The pages that are under way or received, at most as many as were requested ahead.
    var ahead: [PagePosition: Ticket] = [:]
    var latestFirst: UInt64?
    /// Digests of the first page, of those with one record and of one that came again, which some services send for any
    /// number that they don't have.
    var knownPages: Set<UInt64> = []
    /// The run whose cached pages are read. Nil where the service is asked.
    var run: String?
    /// The last page of those whose records wait for further parts, and what another run has to know about all of them.
    var lastPart: FetchedPage?
    var unsaved: [PageFacts] = []

    var prefix: String { subject.map { "\($0): " } ?? "" }

    func incomplete(_ finding: Message) -> ToolFailure { ToolFailure(.protocolError, "\(prefix)\(finding)") }

    /// Requests the pages at these positions ahead, and drops requests for any others.
    mutating func askAhead(_ positions: [PagePosition], limit: Int, _ pool: RequestPool) throws(ToolFailure) {
        for (position, ticket) in ahead where !positions.contains(position) {
            pool.drop(ticket)
            ahead[position] = nil
        }
        for position in positions where ahead[position] == nil && ahead.count < limit {
            ahead[position] = try ToolFailure.onHTTPFailure(ask(position, pool))
        }
    }

    mutating func dropAhead(_ pool: RequestPool) {
        for ticket in ahead.values { pool.drop(ticket) }
        ahead.removeAll()
    }

    func ask(_ position: PagePosition, _ pool: RequestPool) throws(HTTPFailure) -> Ticket {
        var request = try requests.page(position, size: walk.size)
        if run != nil { request.cacheUse = .stored }
        return pool.ask(request)
    }
}

extension FetchRun {
    /// Reads the list from the cache, if the user wants that and an earlier run has all of it.
    /// - Throws: status 69 if nothing may be sent, and there is no such run.
    func takeStored(_ list: inout ListReading) throws(ToolFailure) {
        guard mayTakeStored else { return }
        list.run = storedRun(list, standingInFor: nil)
        guard list.run == nil, settings.client.cache.isOffline else { return }
        throw ToolFailure(
            .unavailable,
            "\(list.prefix)no run has left all pages of this list in the cache; run it once without --offline")
    }

    /// Whether the user wants lists from the cache, if one run has all their pages.
    var mayTakeStored: Bool {
        let cache = settings.client.cache
        return !source.pagination.hasOnePage && (cache.isOffline || cache.maxAgeSeconds != nil)
    }

    /// - Returns: whether the list is read from the cache in place of the service.
    func takeStored(_ list: inout ListReading, standingInFor failure: HTTPFailure) -> Bool {
        guard !source.pagination.hasOnePage, list.run == nil, settings.client.cache.staleIfErrorSeconds != nil
        else { return false }
        list.run = storedRun(list, standingInFor: failure.reason)
        return list.run != nil
    }

    /// The earlier run that has all pages of the list in the cache, nil if none has.
    private func storedRun(_ list: ListReading, standingInFor failure: HTTPFailure.Reason?) -> String? {
        var walk = newWalk
        var reader = PageReader(source)
        var runs: [String]?
        var records = 0
        while settings.search != nil || source.merge != nil || records < writer.room {
            guard let request = try? list.requests.page(walk.position, size: walk.size),
                let page = pool.client.source.page(request, standingInFor: failure)
            else { return nil }
            runs = page.runs.filter { runs?.contains($0) != false }
            if runs?.isEmpty != false { return nil }
            let response = page.response
            guard let read = try? reader.read(response.body, response.headers, isList: true, mayLack: true) else {
                return nil
            }
            let next: PagePosition?
            do throws(ToolFailure) { next = try self.next(read.lead, response.url, list, "") } catch { return nil }
            // As if all its records were new, and where they are expected.
            var facts = PageFacts(
                unseen: read.records.count, distinct: read.records.count, first: 1, last: 1,
                content: writer.hash.digest(response.body.span))
            facts.add(read, next: next, at: response.url)
            records += read.records.count
            switch walk.enter(facts) {
            case .more: break
            case .complete, .again: return runs?.last
            case .incomplete: return nil
            }
        }
        return runs?.last
    }
}

/// The lists of --each that wait for their turn, at most `jobs`. The first page of each has been requested already.
struct PrefetchedLists {
    /// With the ticket of the first page. Nil for a list that an earlier run left off after its first page.
    var waiting: [(list: EachList, first: Ticket?)] = []
    var isAtEnd = false
    /// Why reading ended, reported when the lists before it are done.
    var failure: ToolFailure?
}
