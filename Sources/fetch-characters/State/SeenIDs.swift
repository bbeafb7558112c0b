// The ids seen so far, hashed to 63 bits with a seed of the run. The chance that two of a million ids are equal is
// one in 18 million.
//
//     younger   ▓▓▓▓▓░░░   new ones
//     older     ▓▓▓▓▓▓▓▓   those that filled it before, until it is full again
//
// This bounds the memory, and repeated ids come soon after: a list shifts by a few records while it is read.

import PipelineCore

/// A set of ids that forgets the oldest once there are very many.
struct SeenIDs {
    /// The number of ids that are certain to be remembered. At most twice as many are, in 16 MiB.
    static let limit = HashSet64.largest

    /// False where every one has to be remembered: 8 to 16 bytes each.
    var forgetsOldest = true
    private var younger = HashSet64()
    private var older = HashSet64()
    /// Those inserted since they were last taken.
    private var latest: [UInt64] = []

    /// Whether it was inserted and hasn't been forgotten.
    func contains(_ hash: UInt64) -> Bool { older.contains(hash) || younger.contains(hash) }

    /// - Returns: whether it is new.
    mutating func insert(_ hash: UInt64) -> Bool {
        guard !older.contains(hash) else { return false }
        if younger.isFull, forgetsOldest {
            guard !younger.contains(hash) else { return false }
            swap(&younger, &older)
            younger.removeAll()
        }
        guard younger.insert(hash) else { return false }
        latest.append(hash)
        return true
    }

    /// The ids inserted since the last call.
    mutating func takeLatest() -> [UInt64] {
        defer { latest.removeAll(keepingCapacity: true) }
        return latest
    }
}

/// A set of evenly distributed numbers: an open hash table with linear probing, indexed by the low bits.
private struct HashSet64 {
    /// The largest table: 8 MiB.
    private static let largestTable = 1 << 20
    /// The maximum number of elements.
    static let largest = largestTable / 4 * 3

    /// Its size is a power of two. 0 marks a free slot.
    private var table = [UInt64](repeating: 0, count: 1024)
    private var count = 0

    var isFull: Bool { count >= Self.largest }

    func contains(_ number: UInt64) -> Bool {
        count > 0 && table[Self.slot(of: number | 1 << 63, in: table)] != 0
    }

    /// Inserts a number. Ignores the highest bit.
    /// - Returns: whether it is new.
    mutating func insert(_ number: UInt64) -> Bool {
        if count >= table.count / 4 * 3 { grow() }
        let number = number | 1 << 63
        let slot = Self.slot(of: number, in: table)
        guard table[slot] == 0 else { return false }
        table[slot] = number
        count += 1
        return true
    }

    mutating func removeAll() {
        for slot in table.indices { table[slot] = 0 }
        count = 0
    }

    private mutating func grow() {
        var larger = [UInt64](repeating: 0, count: 2 * table.count)
        for number in table where number != 0 { larger[Self.slot(of: number, in: larger)] = number }
        table = larger
    }

    /// The slot of the number, or the free one for it.
    private static func slot(of number: UInt64, in table: [UInt64]) -> Int {
        let mask = table.count &- 1
        var slot = Int(truncatingIfNeeded: number) & mask
        while table[slot] != 0, table[slot] != number { slot = (slot &+ 1) & mask }
        return slot
    }
}
