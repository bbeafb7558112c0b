// Numbers keys in the order they came, by their hashes.

/// A table from hashes to numbers, counted from 0.
struct HashIndex {
    /// Open addressing: the number plus 1, or 0 for a free slot. At most half of the slots are taken.
    private var table: [UInt32]
    private var hashes = SegmentedArray<WideHash>()

    /// - Parameter about: the expected number of keys; more make the table grow.
    init(about: Int = 32) {
        var size = 64
        while size < 2 * about { size *= 2 }
        table = [UInt32](repeating: 0, count: size)
    }

    /// - Returns: the number of the key, and whether it is new.
    mutating func insert(_ hash: WideHash) -> (number: Int, isNew: Bool) {
        let slot = slot(of: hash)
        if table[slot] > 0 { return (Int(table[slot]) - 1, false) }
        hashes.append(hash)
        // Four billion keys would take more memory than a machine has.
        table[slot] = UInt32(hashes.count)
        if hashes.count * 2 > table.count { grow() }
        return (hashes.count - 1, true)
    }

    /// The number of the key; nil if it is unknown.
    func find(_ hash: WideHash) -> Int? {
        let found = Int(table[slot(of: hash)])
        return found > 0 ? found - 1 : nil
    }

    private func slot(of hash: WideHash) -> Int {
        let mask = table.count - 1
        var slot = Int(truncatingIfNeeded: hash.spread) & mask
        while table[slot] > 0, hashes[Int(table[slot]) - 1] != hash { slot = (slot + 1) & mask }
        return slot
    }

    private mutating func grow() {
        let size = table.count * 2
        table = []
        table = [UInt32](repeating: 0, count: size)
        for number in hashes.indices { table[slot(of: hashes[number])] = UInt32(number + 1) }
    }
}
