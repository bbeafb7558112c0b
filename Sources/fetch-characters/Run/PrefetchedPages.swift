// Pages that were requested before the previous one was written.

import PipelineCore
import PipelineHTTP

/// The pages of one list that are under way or received, by position. At most as many as were requested ahead.
struct PrefetchedPages {
    private let requests: SourceRequests
    private let size: Int?
    private let jobs: Int
    private var isFromCache = false
    var tickets: [PagePosition: Ticket] = [:]

    init(_ requests: SourceRequests, size: Int?, jobs: Int) {
        self.requests = requests
        self.size = size
        self.jobs = jobs
    }

    /// The ticket of a page. Requests the page if needed.
    /// - Parameter fromCache: as an earlier run got it.
    mutating func take(
        _ position: PagePosition, _ pool: RequestPool, fromCache: Bool
    ) throws(HTTPFailure) -> Ticket {
        if let ticket = tickets.removeValue(forKey: position) { return ticket }
        isFromCache = fromCache
        return try ask(position, pool)
    }

    /// Requests those that weren't requested yet, and drops others: the list continues elsewhere.
    mutating func ask(
        _ positions: [(position: PagePosition, number: Int)], _ pool: RequestPool
    ) throws(ToolFailure) {
        let wanted = Set(positions.map(\.position))
        for (position, ticket) in tickets where !wanted.contains(position) {
            pool.drop(ticket)
            tickets[position] = nil
        }
        for next in positions where tickets[next.position] == nil && tickets.count < jobs {
            tickets[next.position] = try ToolFailure.onHTTPFailure { () throws(HTTPFailure) in
                try ask(next.position, pool)
            }
        }
    }

    /// Drops the remaining pages.
    mutating func drop(_ pool: RequestPool) {
        for ticket in tickets.values { pool.drop(ticket) }
        tickets.removeAll()
    }

    private func ask(_ position: PagePosition, _ pool: RequestPool) throws(HTTPFailure) -> Ticket {
        var request = try requests.listPage(position, size: size)
        if isFromCache { request.cacheUse = .stored }
        return pool.ask(request)
    }
}

extension SourceRequests {
    /// A page of a list, which is asked for anew even if the cache has it.
    func listPage(_ position: PagePosition, size: Int?) throws(HTTPFailure) -> HTTPRequest {
        var request = try page(position, size: size)
        if !hasOnePage { request.cacheUse = .revalidated }
        return request
    }
}
