// The records that came in, by their keys: what merging, removing and counting changes ask for.
//
// The records themselves go to a spill file; memory holds 64 bytes or so for each key that came in, whatever the size
// of the old store, which is only read past them.

/// Records that came in, found by key. Of two with one key the last stays, in the place of the first.
struct KeyedRecords: ~Copyable {
    private struct Entry {
        var offset: Int
        var size: Int
        var isSeen = false
        var isSame = false
    }

    private var spill: SpillFile
    private var entries: [Entry] = []
    /// Open addressing: an entry's number and 1, 0 for a free place.
    private var table: [Int] = .init(repeating: 0, count: 64)
    private var hashes: [WideHash] = []
    /// Records that gave way to a later one of their key.
    private(set) var replaced = 0

    init(beside slot: FileLocation?) { spill = SpillFile(beside: slot) }

    var count: Int { entries.count }

    /// - Parameter key: its hash.
    mutating func insert(_ key: WideHash, _ record: Span<UInt8>) throws(SystemError) {
        let offset = spill.count
        spill.append(record)
        try spill.settle()
        let slot = slot(of: key)
        if table[slot] > 0 {
            replaced += 1
            entries[table[slot] - 1].offset = offset
            entries[table[slot] - 1].size = record.count
            return
        }
        entries.append(Entry(offset: offset, size: record.count))
        hashes.append(key)
        table[slot] = entries.count
        if entries.count * 2 > table.count { grow() }
    }

    private func slot(of hash: WideHash) -> Int {
        let mask = table.count - 1
        var slot = Int(truncatingIfNeeded: hash.spread) & mask
        while table[slot] > 0, hashes[table[slot] - 1] != hash { slot = (slot + 1) & mask }
        return slot
    }

    private mutating func grow() {
        table = .init(repeating: 0, count: table.count * 2)
        for index in hashes.indices { table[slot(of: hashes[index])] = index + 1 }
    }

    /// The number of the record with this key; nil where none came in.
    func find(_ key: WideHash) -> Int? {
        let found = table[slot(of: key)]
        return found > 0 ? found - 1 : nil
    }

    /// Notes a stored record with this key.
    /// - Parameter isSame: whether the one that came in equals it; of several the last counts.
    /// - Returns: whether it is the first one.
    mutating func see(_ number: Int, isSame: Bool) -> Bool {
        defer { entries[number].isSeen = true }
        entries[number].isSame = isSame
        return !entries[number].isSeen
    }

    /// Takes none of them for seen.
    mutating func forgetSeen() {
        for number in entries.indices { entries[number].isSeen = false }
    }

    func isSeen(_ number: Int) -> Bool { entries[number].isSeen }
    func isSame(_ number: Int) -> Bool { entries[number].isSame }

    /// Reads a record.
    func read(_ number: Int, into record: inout [UInt8]) throws(SystemError) {
        let entry = entries[number]
        record.removeAll(keepingCapacity: true)
        record.append(contentsOf: repeatElement(0, count: entry.size))
        guard try spill.read(into: &record, at: entry.offset) == entry.size else {
            throw .shortRead("a spill file")
        }
    }
}
