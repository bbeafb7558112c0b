// The best of the records that match, with memory for as many as are wanted: a heap whose root is the worst.

import PipelineCore

/// Up to N records in the order of their ranks; of two with the same rank the earlier one is better.
struct BestRecords: Sendable {
    struct Entry: Sendable {
        let rank: MatchRank
        /// Its place among the records of the input.
        var order: Int
        /// As it is written, with its line end.
        let output: [UInt8]
        let explanation: MatchExplanation?

        fileprivate func isBetter(than other: Entry) -> Bool {
            rank == other.rank ? order < other.order : rank < other.rank
        }
    }

    private let limit: Int
    /// Each entry is better than the one at half its index: a heap, counted from 1.
    private var heap: [Entry] = []

    /// - Parameter limit: at least 1.
    init(limit: Int) { self.limit = limit }

    var count: Int { heap.count }

    /// Whether a record that comes after all others is among the best so far.
    func admits(_ rank: MatchRank) -> Bool { heap.count < limit || rank < heap[0].rank }

    mutating func insert(_ entry: Entry) {
        if heap.count < limit {
            heap.append(entry)
            rise(from: heap.count - 1)
        } else if entry.isBetter(than: heap[0]) {
            heap[0] = entry
            sink()
        }
    }

    private mutating func rise(from start: Int) {
        var index = start
        while index > 0, heap[(index - 1) / 2].isBetter(than: heap[index]) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func sink() {
        var index = 0
        while true {
            let children = (2 * index + 1..<2 * index + 3).filter { $0 < heap.count }
            guard let worst = children.max(by: { heap[$0].isBetter(than: heap[$1]) }),
                heap[index].isBetter(than: heap[worst])
            else { return }
            heap.swapAt(index, worst)
            index = worst
        }
    }

    /// Returns the records, the best first, and forgets them.
    mutating func take() -> [Entry] {
        defer { heap = [] }
        return heap.sorted { $0.isBetter(than: $1) }
    }
}
