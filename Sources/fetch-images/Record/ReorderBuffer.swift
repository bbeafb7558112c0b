// The records that were read and not yet written. They are written in input order, however long a picture takes. So
// their number and their bytes are limited, and no more input is read past the limit.
//
//     written │ settled  waiting  settled  settled  waiting │ not read
//              ^ first to be written                         ^ next to be added

/// Records between input and output.
struct ReorderBuffer {
    /// A record and its outcome.
    struct Entry {
        let record: ImageRecord
        /// The line's number in the input, from 1.
        let lineNumber: Int
        let url: String?
        var outcome: ImageOutcome?

        /// Its size in memory.
        var byteCount: Int { record.byteCount + (url?.utf8.count ?? 0) }
    }

    /// The maximum number of records.
    private let limit: Int
    /// The most bytes of lines and URLs, unless a single line has more.
    private static let limitBytes = 16 << 20

    private let isOrdered: Bool
    /// A slot for each record; nil if it is free.
    private var entries: [Entry?] = []
    private var free: [Int] = []
    /// Slots in the order of writing: that of the input, or that of settling.
    private var queue: [Int] = []
    /// The index of the first one not yet taken.
    private var next = 0
    private var byteCount = 0

    init(limit: Int, isOrdered: Bool) {
        self.limit = limit
        self.isOrdered = isOrdered
        entries.reserveCapacity(limit)
        queue.reserveCapacity(2 * limit)
    }

    private var count: Int { entries.count - free.count }
    var isEmpty: Bool { count == 0 }
    var hasRoom: Bool { count < limit && byteCount < Self.limitBytes }

    /// - Returns: the record's slot.
    mutating func add(_ entry: consuming Entry) -> Int {
        byteCount += entry.byteCount
        let isQueued = isOrdered || entry.outcome != nil
        let slot: Int
        if let freed = free.popLast() {
            entries[freed] = consume entry
            slot = freed
        } else {
            slot = entries.count
            entries.append(consume entry)
        }
        if isQueued { queue.append(slot) }
        return slot
    }

    mutating func settle(_ slot: Int, _ outcome: ImageOutcome) {
        entries[slot]?.outcome = outcome
        if !isOrdered { queue.append(slot) }
    }

    /// The next record that can be written, with its outcome.
    mutating func takeSettled() -> (Entry, ImageOutcome)? {
        guard next < queue.count, let outcome = entries[queue[next]]?.outcome,
            let entry = entries[queue[next]].take()
        else { return nil }
        free.append(queue[next])
        byteCount -= entry.byteCount
        next += 1
        if next == queue.count || next >= limit {
            queue.removeFirst(next)
            next = 0
        }
        return (entry, outcome)
    }
}
