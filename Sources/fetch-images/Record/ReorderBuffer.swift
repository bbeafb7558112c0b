// The records that have been read and not yet written: they go out in the order in which they came in, however long a
// picture takes, so their number and their bytes have a limit, and beyond it no more input is read.
//
//     written │ settled  waiting  settled  settled  waiting │ not read
//              ^ first to be written                         ^ next to be added

/// Records between input and output.
struct ReorderBuffer {
    /// A record and what came of it.
    struct Entry {
        let record: ImageRecord
        /// The line's number in the input, from 1.
        let lineNumber: Int
        let url: String?
        var outcome: ImageOutcome?

        /// What it takes in memory.
        var byteCount: Int { record.byteCount + (url?.utf8.count ?? 0) }
    }

    /// Records at most.
    private let limit: Int
    /// Bytes of lines and URLs at most, unless a single line has more.
    private static let limitBytes = 16 << 20

    private let isOrdered: Bool
    /// A place for each record; nil where it is free.
    private var entries: [Entry?] = []
    private var free: [Int] = []
    /// Places in the order in which they are written: that of the input, or that of settling.
    private var queue: [Int] = []
    /// Those before it were taken.
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

    /// - Returns: the number by which the record is known here.
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
