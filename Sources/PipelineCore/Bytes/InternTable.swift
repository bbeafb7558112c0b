// Where texts that were written already stand, in bounded memory: sets of eight places, of which the one that was filled
// first gives way. A text that was forgotten is written once more; nothing else is lost.
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
    private static let ways = 8

    /// The halves of the hashes, place by place; those of a set are eight in a row.
    private var highs: [UInt64]
    private var lows: [UInt64]
    /// The objects' numbers and 1; 0 for a free place.
    private var values: [Int]
    /// For each set the place that is filled next.
    private var nexts: [UInt8]

    /// - Parameter sets: a power of two; each takes 193 bytes.
    init(sets: Int) {
        precondition(sets > 0 && sets & (sets - 1) == 0)
        highs = [UInt64](repeating: 0, count: sets * Self.ways)
        lows = highs
        values = [Int](repeating: 0, count: sets * Self.ways)
        nexts = [UInt8](repeating: 0, count: sets)
    }

    @inline(__always)
    private func set(of hash: WideHash) -> Int { Int(truncatingIfNeeded: hash.low) & (nexts.count &- 1) }

    /// The place of a hash, nil where it isn't known.
    @inline(__always)
    private func place(of hash: WideHash) -> Int? {
        var place = set(of: hash) &* Self.ways
        let end = place &+ Self.ways
        while place < end {
            if highs[place] == hash.high, lows[place] == hash.low, values[place] != 0 { return place }
            place &+= 1
        }
        return nil
    }

    /// The object's number, nil where it isn't known.
    @inline(__always)
    func find(_ hash: WideHash) -> Int? {
        guard let place = place(of: hash) else { return nil }
        return values[place] &- 1
    }

    mutating func insert(_ hash: WideHash, _ number: Int) {
        let set = set(of: hash)
        let place = set &* Self.ways &+ Int(nexts[set])
        nexts[set] = (nexts[set] &+ 1) & UInt8(Self.ways - 1)
        highs[place] = hash.high
        lows[place] = hash.low
        values[place] = number &+ 1
    }

    mutating func remove(_ hash: WideHash) {
        if let place = place(of: hash) { values[place] = 0 }
    }
}
