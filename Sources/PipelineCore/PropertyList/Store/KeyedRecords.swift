// The incoming records by key, for merging, removing and counting changes, and the keys that a store has repeatedly.
//
// The records themselves go to a spill file. Memory holds at most 72 bytes for each incoming key, whatever the size
// of the old store, which is only read through.

/// Incoming records, found by key. Of two with the same key the last is kept, at the position of the first.
struct KeyedRecords: ~Copyable {
    /// Where a record is in the spill file. None has more than `ReadLimits.recordBytes` and one text.
    private struct Place {
        var offset = 0
        var size: UInt32 = 0
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

    /// - Parameter key: the text of the key; nil for a record without one.
    mutating func insert(_ hash: WideHash, key: [UInt8]?, _ record: Span<UInt8>) throws(StoreFailure) {
        let place = try keep(key, record)
        let (number, isNew) = index.insert(hash)
        if isNew {
            entries.append(Entry(record: place))
        } else {
            replaced += 1
            entries[number].record = place
        }
    }

    private mutating func keep(_ key: [UInt8]?, _ record: Span<UInt8>) throws(StoreFailure) -> Place {
        let offset = spill.count
        SpilledRecord.append(key: key, record, to: &spill)
        let place = Place(offset: offset, size: UInt32(spill.count - offset))
        try StoreFailure.of(spill.settle())
        return place
    }

    func find(_ key: WideHash) -> Int? { index.find(key) }

    /// Notes what the stored record with the same key means for this one.
    mutating func decide(_ number: Int, _ fate: Fate) { entries[number].fate = fate }

    /// Keeps the stored record with the same key.
    mutating func keep(_ old: Span<UInt8>, for number: Int) throws(StoreFailure) {
        entries[number].old = try keep(nil, old)
    }

    /// Makes all records new again.
    mutating func forgetFates() {
        for number in entries.indices { entries[number].fate = .new }
    }

    func fate(_ number: Int) -> Fate { entries[number].fate }

    func read(_ number: Int, into record: inout SpilledRecord) throws(StoreFailure) {
        try read(entries[number].record, into: &record)
    }

    /// Reads the stored record that was kept.
    func readOld(_ number: Int, into record: inout SpilledRecord) throws(StoreFailure) {
        try read(entries[number].old, into: &record)
    }

    private func read(_ place: Place, into record: inout SpilledRecord) throws(StoreFailure) {
        try StoreFailure.of(record.read(place.offset, Int(place.size), from: spill))
    }
}

/// A record read back from a spill file, with its key before it. Its memory is used again for the next one.
///
///     3 31 D k 2 id …       the length of the key plus 1, or 0 for none; the key; the encoded record
struct SpilledRecord {
    private var bytes: [UInt8] = []
    /// Nil for a record without a key.
    private(set) var key: [UInt8]?
    private var start = 0

    var record: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { bytes.span.extracting(start...) }
    }

    static func append(key: [UInt8]?, _ record: Span<UInt8>, to spill: inout SpillFile) {
        spill.append(number: key.map { UInt64($0.count) + 1 } ?? 0)
        if let key { spill.append(key.span) }
        spill.append(record)
    }

    mutating func read(_ offset: Int, _ count: Int, from spill: borrowing SpillFile) throws(SystemError) {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: repeatElement(0, count: count))
        guard try spill.read(into: &bytes, at: offset) == count else { throw .shortRead("a spill file") }
        (key, start) = Self.head(of: bytes.span)
    }

    private static func head(of bytes: Span<UInt8>) -> (key: [UInt8]?, end: Int) {
        var reader = RecordDecoder(bytes)
        let count = reader.number() - 1
        let start = reader.position
        guard count >= 0 else { return (nil, start) }
        return (bytes.extracting(start..<start + count).array, start + count)
    }
}

/// Numbers keys from 0 on in the order they came, by their hashes. It takes 25 bytes for each of a million keys; a
/// dictionary takes 2.6 times the memory and five times the time.
struct HashIndex {
    /// Open addressing: the number plus 1, or 0 for a free slot. At most half of the slots are taken.
    private var table = [UInt32](repeating: 0, count: 64)
    private var hashes = SegmentedArray<WideHash>()

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

/// Finds the keys that a store has more than once, in memory that doesn't grow with the store: the hashes of the keys
/// wait in a spill file, and are checked part by part.
///
///     7 3 9 3 8  ->  part 1: 3 3    part 2: 7 8 9        a key's hash chooses its part, so equal ones meet
struct StoredKeys: ~Copyable {
    /// The number of keys checked at a time.
    private static let partSize = 1 << 16
    private static let keyBytes = 16

    private var spill: SpillFile

    init(beside slot: FileLocation?) { spill = SpillFile(beside: slot) }

    mutating func append(_ key: WideHash) throws(StoreFailure) {
        spill.append(bigEndian: key.first)
        spill.append(bigEndian: key.second)
        try StoreFailure.of(spill.settle())
    }

    /// The keys that were appended more than once.
    func repeated() throws(StoreFailure) -> Set<WideHash> {
        let parts = spill.count / Self.keyBytes / Self.partSize + 1
        var repeated: Set<WideHash> = []
        for part in 0..<parts {
            var seen = Set<WideHash>(minimumCapacity: min(spill.count / Self.keyBytes, Self.partSize))
            try forEach { key in
                guard key.spread.multipliedFullWidth(by: UInt64(parts)).high == UInt64(part) else { return }
                if !seen.insert(key).inserted { repeated.insert(key) }
            }
        }
        return repeated
    }

    private func forEach(_ body: (WideHash) -> Void) throws(StoreFailure) {
        try StoreFailure.of(
            spill.forEachBlock { block in
                for index in stride(from: 0, to: block.count, by: Self.keyBytes) {
                    let (first, second) = (block.word(at: index), block.word(at: index + 8))
                    body(WideHash(first: first.byteSwapped, second: second.byteSwapped))
                }
            })
    }
}
