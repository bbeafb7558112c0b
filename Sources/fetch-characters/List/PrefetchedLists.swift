// The lists of --each that wait for their turn, the first page of each asked for already.
//
//     stdin   ──► a ──► b ──► c ──► d ──► …
//                 │     └─────┴─────┴── waiting, at most `jobs`
//                 └── fetched and written

import PipelineCore
import PipelineHTTP

/// Lists in the order of the records that ask for them.
struct PrefetchedLists {
    /// A list, its first page asked for.
    struct List {
        /// What the record gave.
        let value: String
        let requests: SourceRequests
        /// Of its first page; nil where the list was left off after that.
        let first: Ticket?
    }

    private(set) var lists: [List] = []
    /// Records that gave a value.
    var recordsRead = 0
    /// Nothing more is read.
    var isAtEnd = false
    /// Why nothing more is read, which is told when the lists before it are done.
    var failure: ToolFailure?

    var count: Int { lists.count }

    mutating func append(_ list: List) { lists.append(list) }

    /// The next list, nil where none waits.
    mutating func takeFirst() -> List? { lists.isEmpty ? nil : lists.removeFirst() }

    /// Gives up those that nobody wants any more.
    mutating func drop(_ pool: inout RequestPool) {
        for list in lists { if let ticket = list.first { pool.drop(ticket) } }
        lists.removeAll()
    }
}
