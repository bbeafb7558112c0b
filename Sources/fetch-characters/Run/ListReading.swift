// A list on its way: where the walk is, where its pages come from, and which were requested ahead.

import PipelineCore
import PipelineHTTP

struct ListReading {
    let requests: SourceRequests
    let subject: String?
    var origin: ReadingOrigin
    var walk: ListWalk
    /// The pages that are under way or received, at most as many as were requested ahead.
    var ahead: [PagePosition: Ticket] = [:]
    var latestFirst: UInt64?
    /// The page before, if it isn't too large to compare its records with those of the next one.
    var latest: FetchedPage?
    /// Digests of the first page, of those with one record and of one that came again, which some services send for any
    /// number that they don't have.
    var knownPages: Set<UInt64> = []
    /// The cached pages that are read stand in for a service that failed.
    var isStandIn = false
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
        // The cache has no more pages than the list, and the service isn't to be asked for the next one.
        guard !origin.isCache else { return }
        for position in positions where ahead[position] == nil && ahead.count < limit {
            ahead[position] = try ToolFailure.onHTTPFailure(ask(position, pool))
        }
    }

    mutating func dropAhead(_ pool: RequestPool) {
        for ticket in ahead.values { pool.drop(ticket) }
        ahead.removeAll()
    }

    func ask(_ position: PagePosition, _ pool: RequestPool) throws(HTTPFailure) -> Ticket {
        pool.ask(origin.marked(try requests.page(position, size: walk.size)))
    }
}

extension ReadingOrigin {
    /// A request for a page as part of this reading. The only page of a list needs no others of its age.
    func marked(_ request: HTTPRequest) -> HTTPRequest {
        guard request.cacheUse != .policy else { return request }
        var request = request
        switch self {
        case .service(let name): request.reading = name
        case .cache: request.cacheUse = .stored
        }
        return request
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
