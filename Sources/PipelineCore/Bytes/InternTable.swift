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

    private struct Entry {
        var hash: WideHash
        /// The object's number.
        var value: Int
    }

    /// For each set a byte of each of its hashes, the first place lowest; 0 for a free place. Nearly every text that
    /// isn't known is told by these alone.
    private var tags: [UInt64]
    /// Place by place; those of a set are eight in a row. One whose tag is 0 holds anything.
    private var entries: [Entry]
    /// For each set the place that is filled next.
    private var nexts: [UInt8]

    /// - Parameter sets: a power of two; each takes 201 bytes.
    init(sets: Int) {
        precondition(sets > 0 && sets & (sets - 1) == 0)
        tags = [UInt64](repeating: 0, count: sets)
        // Memory that no text needs is never touched.
        entries = unsafe [Entry](unsafeUninitializedCapacity: sets * Self.ways) { $1 = sets * Self.ways }
        nexts = [UInt8](repeating: 0, count: sets)
    }

    @inline(__always)
    private func set(of hash: WideHash) -> Int { Int(truncatingIfNeeded: hash.low) & (nexts.count &- 1) }

    @inline(__always)
    private static func tag(of hash: WideHash) -> UInt64 { hash.high &>> 56 | 1 }

    /// The place of a hash, nil where it isn't known.
    ///
    /// A tag that is right is a zero byte in `differences`, and a subtraction with borrow sets the top bit of those;
    /// of others above the lowest one too, which the entries tell apart.
    @inline(__always)
    private func place(of hash: WideHash) -> Int? {
        let set = set(of: hash)
        let differences = tags[set] ^ (Self.tag(of: hash) &* 0x0101_0101_0101_0101)
        var hits = (differences &- 0x0101_0101_0101_0101) & ~differences & 0x8080_8080_8080_8080
        while hits != 0 {
            let place = set &* Self.ways &+ hits.trailingZeroBitCount &>> 3
            if entries[place].hash == hash { return place }
            hits &= hits &- 1
        }
        return nil
    }

    /// The object's number, nil where it isn't known.
    @inline(__always)
    func find(_ hash: WideHash) -> Int? {
        guard let place = place(of: hash) else { return nil }
        return entries[place].value
    }

    @inline(__always)
    mutating func insert(_ hash: WideHash, _ number: Int) {
        let set = set(of: hash)
        let way = Int(nexts[set])
        nexts[set] = (nexts[set] &+ 1) & UInt8(Self.ways - 1)
        entries[set &* Self.ways &+ way] = Entry(hash: hash, value: number)
        setTag(Self.tag(of: hash), set, way)
    }

    mutating func remove(_ hash: WideHash) {
        guard let place = place(of: hash) else { return }
        setTag(0, place / Self.ways, place % Self.ways)
    }

    @inline(__always)
    private mutating func setTag(_ tag: UInt64, _ set: Int, _ way: Int) {
        let shift = UInt64(truncatingIfNeeded: way &* 8)
        tags[set] = tags[set] & ~(0xFF &<< shift) | tag &<< shift
    }
}
