// The lists of --each that wait for their turn. The first page of each has been requested already.
//
//     stdin   ──► a ──► b ──► c ──► d ──► …
//                 │     └─────┴─────┴── waiting, at most `jobs`
//                 └── fetched and written

import PipelineCore
import PipelineHTTP

/// Lists in the order of their records.
struct PrefetchedLists {
    /// A list whose first page was requested.
    struct List {
        /// Of the record.
        let values: EachValues
        let requests: SourceRequests
        /// Its values can't be in a path: nothing is requested.
        var isRefused = false
        /// Of its first page. Nil for a list that an earlier run left off after its first page.
        let first: Ticket?
    }

    private(set) var lists: [List] = []
    /// Records with a value.
    var recordsRead = 0
    /// No more records are read.
    var isAtEnd = false
    /// Why reading ended, reported when the lists before it are done.
    var failure: ToolFailure?

    var count: Int { lists.count }

    mutating func append(_ list: List) { lists.append(list) }

    /// The next list, if one is waiting.
    mutating func takeFirst() -> List? { lists.isEmpty ? nil : lists.removeFirst() }

    /// Drops the remaining lists.
    mutating func drop(_ pool: RequestPool) {
        for list in lists { if let ticket = list.first { pool.drop(ticket) } }
        lists.removeAll()
    }
}
