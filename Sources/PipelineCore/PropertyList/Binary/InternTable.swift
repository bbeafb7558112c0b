// Finds the object of a value that was already written, in bounded memory: sets of eight slots, where the oldest
// entry is overwritten first. A forgotten value is written again; nothing else is lost.
//
// Numbers are compared whole, texts by a `PolynomialHash`. In a store of 10^9 texts, each compared with 8 others,
// that is less than 2^33 pairs. Each pair is mistaken for one text with a probability of n^2 in 2^118: in total
// less than 2^-64 for texts up to 10 kB (n = 1,430), and less than 2^-71 up to 800 bytes.
// The hash that chooses a set has no seed, so the same input always gives the same file. An attacker who aims texts
// at one set only gets them written twice: a lookup checks eight slots, whatever is in the table. A dictionary of
// as many values, emptied when full, makes the row `store-plist, to binary` of Benchmarks/ take 1.34 times as long
// and 4 MiB more.

import CLibrary

struct InternKey: Sendable {
    /// Identifies the value: the hash of a text; the bits of a number, and its kind.
    let value: WideHash
    /// Chooses its set, and nothing else.
    let slot: UInt64
}

struct InternTable: ~Copyable {
    private static let ways = 8
    /// From this size on a table gets pages of 2 MiB, where the system has them, since its slots are far apart.
    private static let largeBytes = 4 << 20
    private static let setBits: UInt64 = 16

    /// Twenty bytes: the halves of the value's two words, and its object's number.
    private struct Entry {
        let first, firstHigh, second, secondHigh, number: UInt32

        @inline(__always)
        init(_ value: WideHash, _ number: UInt32) {
            first = UInt32(truncatingIfNeeded: value.first)
            firstHigh = UInt32(truncatingIfNeeded: value.first &>> 32)
            second = UInt32(truncatingIfNeeded: value.second)
            secondHigh = UInt32(truncatingIfNeeded: value.second &>> 32)
            self.number = number
        }

        @inline(__always)
        func isOf(_ value: WideHash) -> Bool {
            UInt64(firstHigh) &<< 32 | UInt64(first) == value.first
                && UInt64(secondHigh) &<< 32 | UInt64(second) == value.second
        }
    }

    /// For each set, one byte of each of its hashes, the first slot lowest; 0 for a free slot. These alone reject
    /// nearly every unknown text.
    private var tags: [SIMD8<UInt8>]
    /// The slots; each set has eight in a row. A slot whose tag is 0 may hold anything.
    private var entries: [Entry]
    /// The bits that chose each slot's set, kept while the table can still grow.
    private var choices: [UInt16]
    private var nexts: [UInt8]
    private let setLimit: Int

    /// - Parameter setLimit: the maximum number of sets, a power of two up to 2^16; each takes 169 bytes.
    init(setLimit: Int) { self.init(sets: min(setLimit, 1 << 10), setLimit: setLimit) }

    private init(sets: Int, setLimit: Int) {
        precondition(sets > 0 && sets & (sets - 1) == 0 && sets <= setLimit && setLimit <= 1 << Self.setBits)
        let slots = sets * Self.ways
        tags = [SIMD8<UInt8>](repeating: .zero, count: sets)
        // Memory that no value needs is never touched.
        entries = unsafe [Entry](unsafeUninitializedCapacity: slots) { $1 = slots }
        choices = sets < setLimit ? [UInt16](repeating: 0, count: slots) : []
        nexts = [UInt8](repeating: 0, count: sets)
        self.setLimit = setLimit
        if slots * MemoryLayout<Entry>.stride >= Self.largeBytes {
            unsafe entries.withUnsafeMutableBytes(Self.widen)
        }
    }

    /// A hint: nothing depends on it.
    private static func widen(_ memory: UnsafeMutableRawBufferPointer) {
        #if canImport(Glibc)
        guard let base = memory.baseAddress else { return }
        // SAFETY: the advice covers only whole pages inside the memory.
        let start = unsafe base.alignedUp(toMultipleOf: 4096)
        unsafe madvise(start, (memory.count - (start - base)) & ~4095, MADV_HUGEPAGE)
        #endif
    }

    @inline(__always)
    private func set(of slot: UInt64) -> Int { Int(truncatingIfNeeded: slot) & (nexts.count &- 1) }

    @inline(__always)
    private static func tag(of slot: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: slot &>> 56) | 1 }

    @inline(__always)
    private func slot(of key: InternKey) -> Int? {
        let set = set(of: key.slot)
        let matches = tags[set] .== SIMD8<UInt8>(repeating: Self.tag(of: key.slot))
        // SAFETY: both are eight bytes without padding.
        var hits = unsafe unsafeBitCast(matches, to: UInt64.self).littleEndian & 0x8080_8080_8080_8080
        while hits != 0 {
            let slot = set &* Self.ways &+ hits.trailingZeroBitCount &>> 3
            if entries[slot].isOf(key.value) { return slot }
            hits &= hits &- 1
        }
        return nil
    }

    @inline(__always)
    func find(_ key: InternKey) -> Int? {
        guard let slot = slot(of: key) else { return nil }
        return Int(truncatingIfNeeded: entries[slot].number)
    }

    /// Remembers a value. It only overwrites another one when the table can't grow any more. Objects from number
    /// 2^32 on aren't remembered.
    @inline(__always)
    mutating func insert(_ key: InternKey, _ number: Int) {
        guard let number = UInt32(exactly: number) else { return }
        while nexts.count < setLimit, isFull(set(of: key.slot)) { grow() }
        insert(Entry(key.value, number), choice: key.slot, tag: Self.tag(of: key.slot))
    }

    @inline(__always)
    private func isFull(_ set: Int) -> Bool { tags[set][Int(nexts[set])] != 0 }

    @inline(__always)
    private mutating func insert(_ entry: Entry, choice: UInt64, tag: UInt8) {
        let set = set(of: choice)
        let way = Int(nexts[set])
        nexts[set] = (nexts[set] &+ 1) & UInt8(Self.ways - 1)
        let slot = set &* Self.ways &+ way
        entries[slot] = entry
        if !choices.isEmpty { choices[slot] = UInt16(truncatingIfNeeded: choice) }
        tags[set][way] = tag
    }

    /// Spreads the values over eight times as many sets, up to the limit.
    @inline(never)
    private mutating func grow() {
        var larger = InternTable(sets: min(nexts.count * 8, setLimit), setLimit: setLimit)
        for slot in entries.indices {
            let tag = tags[slot / Self.ways][slot % Self.ways]
            guard tag != 0 else { continue }
            larger.insert(entries[slot], choice: UInt64(choices[slot]), tag: tag)
        }
        self = larger
    }

    mutating func remove(_ key: InternKey) {
        guard let slot = slot(of: key) else { return }
        tags[slot / Self.ways][slot % Self.ways] = 0
    }
}
