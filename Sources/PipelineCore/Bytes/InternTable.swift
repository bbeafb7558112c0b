// Where texts that were written already stand, in bounded memory: sets of eight places, of which the one that was not
// asked for longest gives way. A text that was forgotten is written once more; nothing else is lost.
//
// Of a text only a seeded hash of 128 bits is kept. That two texts of one run have the same is less likely than that
// the memory errs.

/// A hash of 128 bits.
struct WideHash: Equatable, Sendable {
    var high: UInt64
    var low: UInt64
}

/// Object numbers by hash.
struct InternTable: ~Copyable {
    private struct Entry {
        var hash = WideHash(high: 0, low: 0)
        /// The object's number and 1; 0 for a free place.
        var value = 0
    }

    private static let ways = 8

    private var entries: [Entry]
    private let mask: Int

    /// - Parameter sets: a power of two; each takes 192 bytes.
    init(sets: Int) {
        precondition(sets & (sets - 1) == 0)
        entries = [Entry](repeating: Entry(), count: sets * Self.ways)
        mask = sets - 1
    }

    /// The first place of the hash's set.
    @inline(__always)
    private func start(_ hash: WideHash) -> Int { (Int(truncatingIfNeeded: hash.low) & mask) &* Self.ways }

    /// The object's number, nil where it isn't known.
    @inline(__always)
    mutating func find(_ hash: WideHash) -> Int? {
        let start = start(hash)
        for way in 0..<Self.ways where entries[start &+ way].hash == hash && entries[start &+ way].value != 0 {
            let value = entries[start &+ way].value
            if way > 0 { entries.swapAt(start &+ way, start &+ way &- 1) }
            return value &- 1
        }
        return nil
    }

    mutating func insert(_ hash: WideHash, _ number: Int) {
        let start = start(hash)
        for way in (1..<Self.ways).reversed() { entries[start + way] = entries[start + way - 1] }
        entries[start] = Entry(hash: hash, value: number + 1)
    }

    mutating func remove(_ hash: WideHash) {
        let start = start(hash)
        for way in 0..<Self.ways where entries[start + way].hash == hash { entries[start + way].value = 0 }
    }
}
