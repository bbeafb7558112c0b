// One query or several, and which of them a record has answered so far.

import PipelineCore

/// The queries of a run, over one record at a time.
struct QuerySet: ~Copyable {
    private var queries: [TextQuery]
    let requiresAll: Bool
    /// The queries found in this record; kept only where all are demanded.
    private var found: [Bool]
    /// Whether the record has what is asked for: one of the queries, or all.
    private(set) var isSatisfied = false

    /// - Parameter all: every query must be found, though not in one string.
    init(_ queries: [TextQuery], all: Bool) {
        self.queries = queries
        requiresAll = all && queries.count > 1
        found = [Bool](repeating: false, count: queries.count)
    }

    /// Begins a record.
    mutating func begin() {
        isSatisfied = false
        guard requiresAll else { return }
        for index in found.indices { found[index] = false }
    }

    /// Compares a text of the record.
    mutating func compare(_ text: Span<UInt8>) {
        for index in queries.indices where !isSatisfied && !found[index] {
            guard queries[index].matches(text) else { continue }
            guard requiresAll else {
                isSatisfied = true
                return
            }
            found[index] = true
            isSatisfied = found.allSatisfy { $0 }
        }
    }
}
