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
    }

    private let hash = ByteHash()
    private var spill: SpillFile
    private var entries: [Entry] = []
    /// Open addressing: an entry's number and 1, 0 for a free place.
    private var table: [Int] = .init(repeating: 0, count: 64)
    private var hashes: [WideHash] = []
    /// Records that gave way to a later one of their key.
    private(set) var replaced = 0

    init(beside place: FilePlace?) { spill = SpillFile(beside: place) }

    var count: Int { entries.count }

    mutating func insert(_ key: [UInt8], _ record: borrowing WrittenBytes) throws(SystemError) {
        let hash = hash.wideHash(key.span, kind: 0)
        let offset = spill.count
        spill.append(record.span)
        try spill.settle()
        let place = place(of: hash)
        if table[place] > 0 {
            replaced += 1
            entries[table[place] - 1].offset = offset
            entries[table[place] - 1].size = record.count
            return
        }
        entries.append(Entry(offset: offset, size: record.count))
        hashes.append(hash)
        table[place] = entries.count
        if entries.count * 2 > table.count { grow() }
    }

    private func place(of hash: WideHash) -> Int {
        let mask = table.count - 1
        var place = Int(truncatingIfNeeded: hash.low) & mask
        while table[place] > 0, hashes[table[place] - 1] != hash { place = (place + 1) & mask }
        return place
    }

    private mutating func grow() {
        table = .init(repeating: 0, count: table.count * 2)
        for index in hashes.indices { table[place(of: hashes[index])] = index + 1 }
    }

    /// The number of the record with this key, which counts as seen from now on; nil where none came in.
    mutating func find(_ key: [UInt8]) -> Int? {
        let found = table[place(of: hash.wideHash(key.span, kind: 0))]
        guard found > 0 else { return nil }
        entries[found - 1].isSeen = true
        return found - 1
    }

    /// Takes none of them for seen.
    mutating func forgetSeen() {
        for number in entries.indices { entries[number].isSeen = false }
    }

    func isSeen(_ number: Int) -> Bool { entries[number].isSeen }

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
