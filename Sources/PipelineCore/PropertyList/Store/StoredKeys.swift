// Finds the keys that a store has more than once, in memory that doesn't grow with the store: the hashes of the
// keys wait in a spill file, and are checked part by part.
//
//     7 3 9 3 8  ->  part 1: 3 3    part 2: 7 8 9        a key's hash chooses its part, so equal ones meet

/// Collects keys.
struct StoredKeys: ~Copyable {
    /// The number of keys checked at a time.
    private static let partSize = 1 << 16
    private static let keyBytes = 16
    private static let blockSize = 65_536

    private var spill: SpillFile

    init(beside slot: FileLocation?) { spill = SpillFile(beside: slot) }

    mutating func append(_ key: WideHash) throws(SystemError) {
        spill.append(bigEndian: key.first)
        spill.append(bigEndian: key.second)
        try spill.settle()
    }

    /// The keys that were appended more than once, and how often beyond the first.
    func repeated() throws(SystemError) -> [WideHash: Int] {
        let parts = spill.count / Self.keyBytes / Self.partSize + 1
        var repeated: [WideHash: Int] = [:]
        for part in 0..<parts {
            var seen = HashIndex(about: min(spill.count / Self.keyBytes, Self.partSize))
            try forEach { key in
                guard key.spread.multipliedFullWidth(by: UInt64(parts)).high == UInt64(part) else { return }
                if !seen.insert(key).isNew { repeated[key, default: 0] += 1 }
            }
        }
        return repeated
    }

    private func forEach(_ body: (WideHash) -> Void) throws(SystemError) {
        var block = [UInt8](repeating: 0, count: Self.blockSize)
        var offset = 0
        while offset < spill.count {
            let count = try spill.read(into: &block, at: offset)
            guard count > 0, count % Self.keyBytes == 0 else { throw .shortRead("a spill file") }
            offset += count
            for index in stride(from: 0, to: count, by: Self.keyBytes) {
                body(
                    WideHash(
                        first: block.span.word(at: index).byteSwapped,
                        second: block.span.word(at: index + 8).byteSwapped))
            }
        }
    }
}
