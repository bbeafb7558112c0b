// The keys of the deterministic automaton's rows, and a hash table with open addressing from a key back to its row.
//
//     pool:   [ key of row 1 | key of row 2 | … ]      buckets:  [ 0, 2, 0, 1, … ]      0 for none

struct StateSetCache: Sendable {
    private static let initialBuckets = 64

    private var pool: [Int32] = []
    /// The index in the pool where each row's key begins, then where the last one ends. Row 0 has none.
    private var bounds: [Int] = [0, 0]
    private var buckets = [Int32](repeating: 0, count: initialBuckets)

    var count: Int { bounds.count - 2 }

    /// The memory that the keys and the hash table take.
    var sizeBytes: Int { pool.count * 4 + bounds.count * 8 + buckets.count * 4 }

    mutating func removeAll() {
        pool.removeAll(keepingCapacity: true)
        bounds.removeLast(bounds.count - 2)
        buckets = [Int32](repeating: 0, count: Self.initialBuckets)
    }

    func key(of row: Int) -> ArraySlice<Int32> { pool[bounds[row]..<bounds[row + 1]] }

    /// The row of the key; nil if it has none.
    func row(of key: [Int32]) -> Int? {
        let row = buckets[bucket(of: key[...])]
        return row == 0 ? nil : Int(row)
    }

    /// Adds a key that has no row, and returns its row.
    mutating func insert(_ key: [Int32]) -> Int {
        let row = bounds.count - 1
        pool.append(contentsOf: key)
        bounds.append(pool.count)
        buckets[bucket(of: key[...])] = Int32(row)
        if count * 2 > buckets.count { grow() }
        return row
    }

    private mutating func grow() {
        buckets = [Int32](repeating: 0, count: buckets.count * 2)
        for row in 1...count { buckets[bucket(of: key(of: row))] = Int32(row) }
    }

    /// The bucket that holds the key's row, or the empty one for it.
    private func bucket(of key: ArraySlice<Int32>) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for state in key { hash = (hash ^ UInt64(UInt32(bitPattern: state))) &* 0x100_0000_01B3 }
        let mask = buckets.count - 1
        var position = Int(truncatingIfNeeded: hash ^ hash >> 29) & mask
        while buckets[position] != 0, self.key(of: Int(buckets[position])) != key {
            position = (position + 1) & mask
        }
        return position
    }
}
