// The ids that have come, hashed to 64 bits with a seed of the run's own: of a million ids two are the same with a chance
// of one in 40 million.

/// A set of ids that keeps the order in which they came.
struct SeenIDs {
    /// The most that are kept, 32 MiB; then the oldest go.
    static let limit = 4_194_304

    private var set: Set<UInt64> = []
    private(set) var inOrder: [UInt64] = []

    init(_ hashes: [UInt64] = []) {
        inOrder = hashes
        set = Set(hashes)
    }

    /// - Returns: whether it hadn't come before.
    mutating func insert(_ hash: UInt64) -> Bool {
        guard set.insert(hash).inserted else { return false }
        inOrder.append(hash)
        if inOrder.count > Self.limit {
            let oldest = inOrder.prefix(Self.limit / 8)
            for hash in oldest { set.remove(hash) }
            inOrder.removeFirst(oldest.count)
        }
        return true
    }
}
