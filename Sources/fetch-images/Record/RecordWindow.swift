// The records that have been read and not yet written: they go out in the order in which they came in, however long a
// picture takes, so their number and their bytes have a limit, and beyond it no more input is read.
//
//     written │ settled  waiting  settled  settled  waiting │ not read
//              ^ first to be written                         ^ next to be added

/// Records between input and output.
struct RecordWindow {
    /// A record and what came of it.
    struct Entry {
        let record: ImageRecord
        /// The line's number in the input, from 1.
        let lineNumber: Int
        let url: String?
        var outcome: ImageOutcome?
    }

    /// Records at most.
    private let limit: Int
    /// Bytes of lines at most, unless a single line has more.
    private static let limitBytes = 16 << 20

    private let isOrdered: Bool
    private var entries: [Int: Entry] = [:]
    /// Settled records in the order of settling; used where the order of the input doesn't matter.
    private var settled: [Int] = []
    private var first = 0
    private var next = 0
    private var byteCount = 0

    init(limit: Int, isOrdered: Bool) {
        self.limit = limit
        self.isOrdered = isOrdered
        entries.reserveCapacity(limit)
    }

    var isEmpty: Bool { entries.isEmpty }
    var hasRoom: Bool { entries.count < limit && byteCount < Self.limitBytes }

    /// - Returns: the number by which the record is known here.
    mutating func add(_ entry: Entry) -> Int {
        defer { next += 1 }
        entries[next] = entry
        byteCount += entry.record.line.count
        if entry.outcome != nil, !isOrdered { settled.append(next) }
        return next
    }

    mutating func settle(_ number: Int, _ outcome: ImageOutcome) {
        entries[number]?.outcome = outcome
        if !isOrdered { settled.append(number) }
    }

    /// The next record that can be written, with its outcome.
    mutating func takeSettled() -> (Entry, ImageOutcome)? {
        let number: Int
        if isOrdered {
            number = first
        } else {
            guard !settled.isEmpty else { return nil }
            number = settled.removeFirst()
        }
        guard let entry = entries[number], let outcome = entry.outcome else { return nil }
        entries[number] = nil
        if isOrdered { first += 1 }
        byteCount -= entry.record.line.count
        return (entry, outcome)
    }
}
