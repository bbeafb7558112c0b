// Where texts that were written already stand, in bounded memory: sets of eight places, of which the one that was filled
// first gives way. A text that was forgotten is written once more; nothing else is lost.
//
// Of a text only 88 bits are kept. Its set is told by 16 bits of a hash without a seed, so that the same input is always
// forgotten in the same way and gives the same file; the other 72 are of a hash that is seeded afresh, so that nobody can
// choose texts which are taken for each other. That two are is less likely than that the memory errs. Who chooses texts
// of one set gains no more than that those are written twice: eight places are looked at, whatever is in the table.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A hash of 128 bits.
struct WideHash: Equatable, Sendable {
    var high: UInt64
    var low: UInt64

    /// The hash in the set of an `InternTable` that another hash chooses.
    @inline(__always)
    func placed(by hash: UInt64) -> WideHash {
        WideHash(high: high & ~InternTable.setMask | hash & InternTable.setMask, low: low)
    }
}

/// Object numbers by hash.
struct InternTable: ~Copyable {
    private static let ways = 8
    /// From this size on a table gets pages of 2 MiB, where the system has them: its places lie far apart.
    private static let largeBytes = 4 << 20
    private static let valueBits: UInt64 = 40
    /// The most sets there may be are two to this power.
    fileprivate static let setBits: UInt64 = 16
    fileprivate static let setMask: UInt64 = 0xFFFF

    /// Sixteen bytes, so that no place is parted by a cache line.
    private struct Entry {
        var high: UInt64
        /// The low half's upper 24 bits, and the object's number.
        var rest: UInt64

        init(_ hash: WideHash, _ value: UInt64) {
            high = hash.high
            rest = (hash.low &>> InternTable.valueBits) &<< InternTable.valueBits | value
        }

        @inline(__always)
        func isOf(_ hash: WideHash) -> Bool {
            high == hash.high && (rest ^ hash.low) &>> InternTable.valueBits == 0
        }

        var value: UInt64 { rest & ((1 &<< InternTable.valueBits) &- 1) }
    }

    /// For each set a byte of each of its hashes, the first place lowest; 0 for a free place. Nearly every text that
    /// isn't known is told by these alone.
    private var tags: [UInt64]
    /// Place by place; those of a set are eight in a row. One whose tag is 0 holds anything.
    private var entries: [Entry]
    /// For each set the place that is filled next.
    private var nexts: [UInt8]
    private let setLimit: Int

    /// - Parameter setLimit: a power of two up to 2^16; so large the table grows, and each set takes 137 bytes.
    init(setLimit: Int) { self.init(sets: min(setLimit, 1 << 10), setLimit: setLimit) }

    private init(sets: Int, setLimit: Int) {
        precondition(sets > 0 && sets & (sets - 1) == 0 && sets <= setLimit && setLimit <= 1 << Self.setBits)
        let places = sets * Self.ways
        tags = [UInt64](repeating: 0, count: sets)
        // Memory that no text needs is never touched.
        entries = unsafe [Entry](unsafeUninitializedCapacity: places) { $1 = places }
        nexts = [UInt8](repeating: 0, count: sets)
        self.setLimit = setLimit
        if places * MemoryLayout<Entry>.stride >= Self.largeBytes {
            unsafe entries.withUnsafeMutableBytes(Self.widen)
        }
    }

    /// A hint: nothing depends on it.
    private static func widen(_ memory: UnsafeMutableRawBufferPointer) {
        #if canImport(Glibc)
        guard let base = memory.baseAddress else { return }
        // SAFETY: the advice is about whole pages inside the memory.
        let start = unsafe base.alignedUp(toMultipleOf: 4096)
        unsafe madvise(start, (memory.count - (start - base)) & ~4095, MADV_HUGEPAGE)
        #endif
    }

    @inline(__always)
    private func set(of high: UInt64) -> Int { Int(truncatingIfNeeded: high) & (nexts.count &- 1) }

    @inline(__always)
    private static func tag(of high: UInt64) -> UInt64 { high &>> 56 | 1 }

    /// The place of a hash, nil where it isn't known.
    ///
    /// A tag that is right is a zero byte in `differences`, and a subtraction with borrow sets the top bit of those;
    /// of others above the lowest one too, which the entries tell apart.
    @inline(__always)
    private func place(of hash: WideHash) -> Int? {
        let set = set(of: hash.high)
        let differences = tags[set] ^ (Self.tag(of: hash.high) &* 0x0101_0101_0101_0101)
        var hits = (differences &- 0x0101_0101_0101_0101) & ~differences & 0x8080_8080_8080_8080
        while hits != 0 {
            let way = hits.trailingZeroBitCount &>> 3
            let place = set &* Self.ways &+ way
            // A free place may have been taken for one by the borrow.
            let isTaken = tags[set] &>> UInt64(truncatingIfNeeded: 8 &* way) & 0xFF != 0
            if isTaken, entries[place].isOf(hash) { return place }
            hits &= hits &- 1
        }
        return nil
    }

    /// The object's number, nil where it isn't known.
    @inline(__always)
    func find(_ hash: WideHash) -> Int? {
        guard let place = place(of: hash) else { return nil }
        return Int(truncatingIfNeeded: entries[place].value)
    }

    /// Remembers a text; what it takes the place of is forgotten only when the table can't grow any more.
    /// - Parameter number: below 2^40.
    @inline(__always)
    mutating func insert(_ hash: WideHash, _ number: Int) {
        while nexts.count < setLimit, isFull(set(of: hash.high)) { grow() }
        insert(Entry(hash, UInt64(truncatingIfNeeded: number)))
    }

    /// Whether the place that is filled next is taken.
    @inline(__always)
    private func isFull(_ set: Int) -> Bool {
        tags[set] &>> UInt64(truncatingIfNeeded: Int(nexts[set]) &* 8) & 0xFF != 0
    }

    @inline(__always)
    private mutating func insert(_ entry: Entry) {
        let set = set(of: entry.high)
        let way = Int(nexts[set])
        nexts[set] = (nexts[set] &+ 1) & UInt8(Self.ways - 1)
        entries[set &* Self.ways &+ way] = entry
        setTag(Self.tag(of: entry.high), set, way)
    }

    /// The texts of a set come into eight others, so that none of those is full.
    @inline(never)
    private mutating func grow() {
        var larger = InternTable(sets: min(nexts.count * 8, setLimit), setLimit: setLimit)
        for place in entries.indices where tags[place / Self.ways] &>> UInt64(place % Self.ways * 8) & 0xFF != 0 {
            larger.insert(entries[place])
        }
        self = larger
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
