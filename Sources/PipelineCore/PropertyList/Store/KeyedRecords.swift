// The incoming records by key, for merging, removing and counting changes.
//
// The records themselves go to a spill file. Memory holds about 64 bytes for each incoming key, whatever the size
// of the old store, which is only read through.

/// Incoming records, found by key. Of two with the same key the last is kept, at the position of the first.
struct KeyedRecords: ~Copyable {
    private struct Entry {
        var offset: Int
        var size: Int
        var isSeen = false
        var isSame = false
    }

    private var spill: SpillFile
    private var entries: [Entry] = []
    private var index = HashIndex()
    /// Incoming records that a later one with the same key replaced.
    private(set) var replaced = 0

    init(beside slot: FileLocation?) { spill = SpillFile(beside: slot) }

    var count: Int { entries.count }

    /// - Parameter key: the key's hash.
    mutating func insert(_ key: WideHash, _ record: Span<UInt8>) throws(SystemError) {
        let offset = spill.count
        spill.append(record)
        try spill.settle()
        let (number, isNew) = index.insert(key)
        if isNew {
            entries.append(Entry(offset: offset, size: record.count))
        } else {
            replaced += 1
            entries[number].offset = offset
            entries[number].size = record.count
        }
    }

    /// The number of the record with this key; nil if there is none.
    func find(_ key: WideHash) -> Int? { index.find(key) }

    /// Notes a stored record with this key.
    /// - Parameter isSame: whether the incoming record equals it; of several stored ones the last counts.
    /// - Returns: whether it is the first one.
    mutating func see(_ number: Int, isSame: Bool) -> Bool {
        defer { entries[number].isSeen = true }
        entries[number].isSame = isSame
        return !entries[number].isSeen
    }

    /// Marks all records as not seen.
    mutating func forgetSeen() {
        for number in entries.indices { entries[number].isSeen = false }
    }

    func isSeen(_ number: Int) -> Bool { entries[number].isSeen }
    func isSame(_ number: Int) -> Bool { entries[number].isSame }

    func read(_ number: Int, into record: inout [UInt8]) throws(SystemError) {
        let entry = entries[number]
        record.removeAll(keepingCapacity: true)
        record.append(contentsOf: repeatElement(0, count: entry.size))
        guard try spill.read(into: &record, at: entry.offset) == entry.size else {
            throw .shortRead("a spill file")
        }
    }
}
