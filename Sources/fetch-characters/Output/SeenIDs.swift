// The ids seen so far, hashed to 63 bits with a seed of the run, each with 32 bits of its record's content: 14 to 17 bytes.
// The chance that two of a million ids are equal is one in 18 million. All are remembered, as a list that changed is read
// again, and what the first reading wrote must not come twice.

import PipelineCore

struct SeenIDs {
    enum Novelty {
        case new, known
        /// It is known, and its record was another.
        case changed
    }

    private var table = IDTable()
    /// Those inserted since they were last taken.
    private var latest: [UInt64] = []

    func contains(_ hash: UInt64) -> Bool { table.content(of: hash) != nil }

    /// - Parameter content: of the record. Nil for an id that is only known to have come.
    mutating func insert(_ hash: UInt64, content: UInt64? = nil) -> Novelty {
        let part = content.map { UInt32(truncatingIfNeeded: $0) | 1 } ?? 0
        if let earlier = table.content(of: hash) {
            return earlier == part || earlier == 0 || part == 0 ? .known : .changed
        }
        table.insert(hash, part)
        latest.append(hash)
        return .new
    }

    mutating func restore(_ hashes: [UInt64]) {
        for hash in hashes where table.content(of: hash) == nil { table.insert(hash, 0) }
    }

    mutating func takeLatest() -> [UInt64] {
        defer { latest.removeAll(keepingCapacity: true) }
        return latest
    }
}

/// Open hash tables with linear probing, chosen by some bits of a number and indexed by others. Each grows by itself, so that
/// what grows never stands beside the whole.
private struct IDTable {
    private static let parts = 64

    private struct Part {
        /// 0 marks a free slot.
        var keys: [UInt64] = []
        var contents: [UInt32] = []
        var count = 0

        func slot(of key: UInt64) -> Int {
            // Half of the mixed bits, as a fraction, falls evenly on all slots.
            var slot = Int(truncatingIfNeeded: ((IDTable.mixed(key) & 0xFFFF_FFFF) &* UInt64(keys.count)) >> 32)
            while keys[slot] != 0, keys[slot] != key {
                slot += 1
                if slot == keys.count { slot = 0 }
            }
            return slot
        }

        mutating func insert(_ key: UInt64, _ content: UInt32) {
            if count >= keys.count / 8 * 7 { grow() }
            let slot = slot(of: key)
            keys[slot] = key
            contents[slot] = content
            count += 1
        }

        private mutating func grow() {
            var larger = Part()
            let size = max(16, keys.count + keys.count / 4)
            larger.keys = [UInt64](repeating: 0, count: size)
            larger.contents = [UInt32](repeating: 0, count: size)
            for index in keys.indices where keys[index] != 0 { larger.insert(keys[index], contents[index]) }
            self = larger
        }
    }

    private var parts = [Part](repeating: Part(), count: IDTable.parts)

    private static func key(_ number: UInt64) -> UInt64 { number | 1 << 63 }
    private static func part(_ key: UInt64) -> Int { Int(truncatingIfNeeded: mixed(key) >> 58) }

    /// The identities of equal records without ids are multiples of one number, and would gather in few slots.
    fileprivate static func mixed(_ key: UInt64) -> UInt64 {
        let folded = (key ^ key >> 29) &* 0xBF58_476D_1CE4_E5B9
        return folded ^ folded >> 32
    }

    /// Ignores the highest bit of the number.
    func content(of number: UInt64) -> UInt32? {
        let key = Self.key(number)
        let part = Self.part(key)
        guard parts[part].count > 0 else { return nil }
        let slot = parts[part].slot(of: key)
        return parts[part].keys[slot] == 0 ? nil : parts[part].contents[slot]
    }

    mutating func insert(_ number: UInt64, _ content: UInt32) {
        let key = Self.key(number)
        parts[Self.part(key)].insert(key, content)
    }
}

/// 64-bit numbers as base64: eight bytes each, big-endian.
enum PackedHashes {
    static func text(_ hashes: [UInt64]) -> String {
        let bytes = hashes.flatMap { hash in (1...8).map { UInt8(truncatingIfNeeded: hash >> (64 - 8 * $0)) } }
        return Base64.encoded(bytes.span).span.text
    }

    /// - Returns: nil for anything but base64 of complete numbers.
    static func hashes(_ text: String) -> [UInt64]? {
        guard let bytes = Base64.decoded(Array(text.utf8).span), bytes.count.isMultiple(of: 8) else { return nil }
        return stride(from: 0, to: bytes.count, by: 8).map { start in
            bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
        }
    }
}
