// Pages that were requested before the previous one was written.

import PipelineCore
import PipelineHTTP

/// The pages of one list that are under way or received, by position. At most as many as were requested ahead.
struct PrefetchedPages {
    private let requests: SourceRequests
    private let size: Int?
    private let jobs: Int
    /// Answers of any size are taken.
    private let isStreamed: Bool
    var tickets: [PagePosition: Ticket] = [:]

    init(_ requests: SourceRequests, size: Int?, jobs: Int, isStreamed: Bool) {
        self.requests = requests
        self.size = size
        self.jobs = jobs
        self.isStreamed = isStreamed
    }

    /// The ticket of a page. Requests the page if needed.
    mutating func take(_ position: PagePosition, _ pool: inout RequestPool) throws(ToolFailure) -> Ticket {
        if let ticket = tickets.removeValue(forKey: position) { return ticket }
        return try ask(position, &pool)
    }

    /// Requests those that weren't requested yet, and drops others: the list continues elsewhere.
    mutating func ask(
        _ positions: [(position: PagePosition, number: Int)], _ pool: inout RequestPool
    ) throws(ToolFailure) {
        let wanted = Set(positions.map(\.position))
        for (position, ticket) in tickets where !wanted.contains(position) {
            pool.drop(ticket)
            tickets[position] = nil
        }
        for next in positions where tickets[next.position] == nil && tickets.count < jobs {
            tickets[next.position] = try ask(next.position, &pool)
        }
    }

    /// Drops the remaining pages.
    mutating func drop(_ pool: inout RequestPool) {
        for ticket in tickets.values { pool.drop(ticket) }
        tickets.removeAll()
    }

    private func ask(_ position: PagePosition, _ pool: inout RequestPool) throws(ToolFailure) -> Ticket {
        var request = try ToolFailure.onHTTPFailure { () throws(HTTPFailure) in
            try requests.page(position, size: size)
        }
        request.isStreamed = isStreamed
        return pool.ask(request)
    }
}
