// Which keys stand more than once in a store, told in memory that doesn't grow with it: the hashes of the keys wait in a
// spill file, and are looked at part by part.
//
//     7 3 9 3 8  ->  part 1: 3 3    part 2: 7 8 9        a key's hash chooses its part, so equal ones meet

/// Collects keys.
struct StoredKeys: ~Copyable {
    /// Keys that are looked at at a time; 4 MiB.
    private static let partSize = 1 << 18
    private static let keyBytes = 16
    private static let blockSize = 65_536

    private var spill: SpillFile

    init(beside place: FilePlace?) { spill = SpillFile(beside: place) }

    mutating func append(_ key: WideHash) throws(SystemError) {
        spill.append(bigEndian: key.first)
        spill.append(bigEndian: key.second)
        try spill.settle()
    }

    /// The keys that were appended more than once, and how often beyond that.
    func repeated() throws(SystemError) -> [WideHash: Int] {
        let parts = spill.count / Self.keyBytes / Self.partSize + 1
        var repeated: [WideHash: Int] = [:]
        for part in 0..<parts {
            var keys = try keys(of: UInt64(part), of: UInt64(parts))
            keys.sort { $0.first != $1.first ? $0.first < $1.first : $0.second < $1.second }
            for index in keys.indices.dropFirst() where keys[index] == keys[index - 1] {
                repeated[keys[index], default: 0] += 1
            }
        }
        return repeated
    }

    private func keys(of part: UInt64, of parts: UInt64) throws(SystemError) -> [WideHash] {
        var keys: [WideHash] = []
        var block = [UInt8](repeating: 0, count: Self.blockSize)
        var offset = 0
        while offset < spill.count {
            let count = try spill.read(into: &block, at: offset)
            guard count > 0, count % Self.keyBytes == 0 else { throw .shortRead("a spill file") }
            offset += count
            for index in stride(from: 0, to: count, by: Self.keyBytes) {
                let key = WideHash(
                    first: block.span.word(at: index).byteSwapped,
                    second: block.span.word(at: index + 8).byteSwapped)
                if key.spread.multipliedFullWidth(by: parts).high == part { keys.append(key) }
            }
        }
        return keys
    }
}
