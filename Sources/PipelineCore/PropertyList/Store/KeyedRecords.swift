// The incoming records by key, for merging, removing and counting changes.
//
// The records themselves go to a spill file. Memory holds at most 72 bytes for each incoming key, whatever the size
// of the old store, which is only read through.

/// Incoming records, found by key. Of two with the same key the last is kept, at the position of the first.
struct KeyedRecords: ~Copyable {
    /// Where a record is in the spill file. None has more than `ReadLimits.recordBytes` and one text.
    private struct Place {
        var offset = 0
        var size: UInt32 = 0

        var range: Range<Int> { offset..<offset + Int(size) }
    }

    private struct Entry {
        var record: Place
        /// The stored record that it replaces, if that was kept.
        var old = Place()
        var fate = Fate.new
    }

    /// What the stored record with the same key means for an incoming one.
    enum Fate: UInt8 {
        /// There is none.
        case new
        /// It is the same.
        case same
        /// It differs only where that doesn't count, and stays.
        case sameButForIgnored
        case changed
    }

    private var spill: SpillFile
    private var entries = SegmentedArray<Entry>()
    private var index = HashIndex()
    /// Incoming records that a later one with the same key replaced.
    private(set) var replaced = 0

    init(beside slot: FileLocation?) { spill = SpillFile(beside: slot) }

    var count: Int { entries.count }

    /// - Parameters:
    ///   - hash: of the key.
    ///   - key: its text; nil for a record without a key.
    mutating func insert(_ hash: WideHash, key: [UInt8]?, _ record: Span<UInt8>) throws(SystemError) {
        let place = try keep(key, record)
        let (number, isNew) = index.insert(hash)
        if isNew {
            entries.append(Entry(record: place))
        } else {
            replaced += 1
            entries[number].record = place
        }
    }

    private mutating func keep(_ key: [UInt8]?, _ record: Span<UInt8>) throws(SystemError) -> Place {
        let offset = spill.count
        SpilledRecord.append(key: key, record, to: &spill)
        let place = Place(offset: offset, size: UInt32(spill.count - offset))
        try spill.settle()
        return place
    }

    /// The number of the record with this key; nil if there is none.
    func find(_ key: WideHash) -> Int? { index.find(key) }

    /// Notes what the stored record with the same key means for this one.
    mutating func decide(_ number: Int, _ fate: Fate) { entries[number].fate = fate }

    /// Notes the same, and keeps the stored record.
    mutating func decide(_ number: Int, _ fate: Fate, keeping old: Span<UInt8>) throws(SystemError) {
        entries[number].fate = fate
        entries[number].old = try keep(nil, old)
    }

    /// Makes all records new again.
    mutating func forgetFates() {
        for number in entries.indices { entries[number].fate = .new }
    }

    func fate(_ number: Int) -> Fate { entries[number].fate }

    func read(_ number: Int, into record: inout SpilledRecord) throws(SystemError) {
        try record.read(entries[number].record.range, from: spill)
    }

    /// Reads the stored record that was kept.
    func readOld(_ number: Int, into record: inout SpilledRecord) throws(SystemError) {
        try record.read(entries[number].old.range, from: spill)
    }
}
