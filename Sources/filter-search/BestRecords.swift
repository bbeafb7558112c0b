// The best of the records that match, with memory for twice as many as are wanted: once so many have come, half goes.

import PipelineCore

/// Up to N records in the order of their ranks; of two with the same rank the earlier one is better.
struct BestRecords: Sendable {
    /// The output is as it is written, with its line end.
    typealias Entry = (rank: MatchRank, order: Int, output: [UInt8], explanation: String?)

    private let limit: Int
    private var entries: [Entry] = []
    /// The last of the best when the others went; nil before that.
    private var worst: MatchRank?

    /// - Parameter limit: at least 1.
    init(limit: Int) { self.limit = limit }

    /// Whether a record that comes after all others may be among the best.
    func admits(_ rank: MatchRank) -> Bool { worst.map { rank < $0 } ?? true }

    mutating func insert(_ entry: Entry) {
        entries.append(entry)
        guard entries.count / 2 >= limit else { return }
        entries = best
        worst = entries.last?.rank
    }

    private var best: [Entry] {
        Array(entries.sorted { ($0.rank, $0.order) < ($1.rank, $1.order) }.prefix(limit))
    }

    mutating func take() -> [Entry] {
        defer { (entries, worst) = ([], nil) }
        return best
    }
}
