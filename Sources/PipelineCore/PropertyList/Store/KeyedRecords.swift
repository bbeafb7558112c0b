// The incoming records by key, for merging, removing and counting changes, and the keys that a store has repeatedly.
//
// The records themselves go to a spill file. Memory holds at most 45 bytes for each incoming key, whatever the size
// of the old store, which is only read through.

/// Incoming records, found by key. Of two with the same key the last is kept, at the position of the first.
struct KeyedRecords: ~Copyable {
    /// What the stored record with the same key means for an incoming one.
    enum Fate: UInt8 {
        case new
        case same
        /// It differs only where that doesn't count, as in the order of members, and stays.
        case equivalent
        case changed
    }

    private var spill: SpillFile
    private var offsets = SegmentedArray<Int>()
    /// By number.
    var fates = SegmentedArray<Fate>()
    private var index = HashIndex()
    private(set) var replaced = 0

    init(beside slot: FileLocation?) { spill = SpillFile(beside: slot) }

    var count: Int { offsets.count }

    /// - Parameter key: the text of the key; nil for a record without one.
    mutating func insert(_ hash: WideHash, key: [UInt8]?, _ record: borrowing RecordEncoder) throws(StoreFailure) {
        let offset = spill.count
        SpilledRecord.append(key: key, record.record, to: &spill)
        try StoreFailure.of(spill.settle())
        let (number, isNew) = index.insert(hash)
        if isNew {
            offsets.append(offset)
            fates.append(.new)
        } else {
            replaced += 1
            offsets[number] = offset
        }
    }

    func find(_ key: WideHash, guess: Int = 0) -> Int? { index.find(key, guess: guess) }

    mutating func keep(_ old: Span<UInt8>, for number: Int) throws(StoreFailure) {
        let offset = spill.count
        SpilledRecord.append(key: nil, old, replacedBy: offsets[number], to: &spill)
        offsets[number] = offset
        try StoreFailure.of(spill.settle())
    }

    func read(_ number: Int, into record: inout SpilledRecord) throws(StoreFailure) {
        try read(at: offsets[number], into: &record)
    }

    func read(_ number: Int, into record: inout SpilledRecord, old: inout SpilledRecord) throws(StoreFailure) {
        try StoreFailure.of(old.read(offsets[number], from: spill))
        if let replacement = old.replacement { try read(at: replacement, into: &record) }
    }

    private func read(at offset: Int, into record: inout SpilledRecord) throws(StoreFailure) {
        try StoreFailure.of(record.read(offset, from: spill))
        while let replacement = record.replacement { try StoreFailure.of(record.read(replacement, from: spill)) }
    }
}

/// A record read back from a spill file. Records that follow one another are read many at a time: with a read for each a
/// merge of a million spends a quarter of its time in reads.
///
///     0 3 9 31 D k 2 id …     the length of the key plus 1, or 0 for none; the length of the record; the key; the
///     70 0 9 D k 2 id …       encoded record; and before them, in a stored record, how far back its replacement is
struct SpilledRecord {
    /// The bytes read at once where records follow one another, and where they don't.
    private static let (aheadBytes, aloneBytes) = (1 << 16, 1 << 12)
    /// The most bytes of the three numbers.
    private static let headBytes = 30

    private var bytes: [UInt8] = []
    private var start = 0
    private var filled = 0
    private var keyRange = 0..<0
    private var content = 0..<0
    private(set) var hasKey = false
    /// Where the incoming record is that replaces this stored one.
    private(set) var replacement: Int?

    var record: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { bytes.span.extracting(content) }
    }

    /// Empty for a record without a key.
    var key: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { bytes.span.extracting(keyRange) }
    }

    static func append(
        key: [UInt8]?, _ record: Span<UInt8>, replacedBy replacement: Int? = nil, to spill: inout SpillFile
    ) {
        spill.append(number: replacement.map { UInt64(spill.count - $0) } ?? 0)
        spill.append(number: key.map { UInt64($0.count) + 1 } ?? 0)
        spill.append(number: UInt64(record.count))
        if let key { spill.append(key.span) }
        spill.append(record)
    }

    mutating func read(_ offset: Int, from spill: borrowing SpillFile) throws(SystemError) {
        try load(offset, min(Self.headBytes, spill.count - offset), from: spill)
        var head = RecordDecoder(bytes.span.extracting(offset - start..<filled))
        let (distance, keyNumber, recordCount) = (head.number(), head.number(), head.number())
        let (headCount, keyCount) = (head.position, max(keyNumber - 1, 0))
        try load(offset, headCount + keyCount + recordCount, from: spill)
        let keyStart = offset - start + headCount
        keyRange = keyStart..<keyStart + keyCount
        content = keyRange.upperBound..<keyRange.upperBound + recordCount
        hasKey = keyNumber > 0
        replacement = distance > 0 ? offset - distance : nil
    }

    private mutating func load(_ offset: Int, _ count: Int, from spill: borrowing SpillFile) throws(SystemError) {
        let end = start + filled
        if offset >= start, offset + count <= end { return }
        guard count <= spill.count - offset else { throw .shortRead("a spill file") }
        let size = max(count, (start...end).contains(offset) ? Self.aheadBytes : Self.aloneBytes)
        if bytes.count < size { bytes.append(contentsOf: repeatElement(0, count: size - bytes.count)) }
        filled = 0
        filled = try spill.read(into: &bytes, upTo: size, at: offset)
        start = offset
        guard filled >= count else { throw .shortRead("a spill file") }
    }
}

/// Numbers keys from 0 on in the order they came, by their hashes. It takes 25 bytes for each of a million keys; a
/// dictionary takes 2.6 times the memory and five times the time.
struct HashIndex: Sendable {
    /// Open addressing: the number plus 1, or 0 for a free slot. At most half of the slots are taken.
    private var table = [UInt32](repeating: 0, count: 64)
    private var hashes = SegmentedArray<WideHash>()

    mutating func insert(_ hash: WideHash) -> (number: Int, isNew: Bool) {
        let slot = slot(of: hash)
        if table[slot] > 0 { return (Int(table[slot]) - 1, false) }
        hashes.append(hash)
        // Four billion keys would take more memory than a machine has.
        table[slot] = UInt32(hashes.count)
        if hashes.count * 2 > table.count { grow() }
        return (hashes.count - 1, true)
    }

    /// - Parameter guess: the number that it probably has. A guess that is right saves a look far into the table.
    func find(_ hash: WideHash, guess: Int) -> Int? {
        if guess < hashes.count, hashes[guess] == hash { return guess }
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

/// Finds the keys that a store has more than once. Their hashes wait in a spill file, so that memory doesn't grow with
/// the store.
///
///     7 3 9 3 8  ->  3 3    7 8 9        many are divided by a bit of the hash, again and again, so equal ones meet
struct StoredKeys: ~Copyable {
    private static let keyBytes = 16
    /// The most keys that are looked at together.
    private static let mostTogether = 1 << 17

    private let location: FileLocation?
    private var spill: SpillFile

    init(beside location: FileLocation?) {
        self.location = location
        spill = SpillFile(beside: location)
    }

    mutating func append(_ key: WideHash) throws(SystemError) {
        spill.append(bigEndian: key.first)
        spill.append(bigEndian: key.second)
        try spill.settle()
    }

    /// - Parameter bit: the highest one in which the keys may differ.
    func repeated(bit: UInt64 = 63) throws(SystemError) -> Set<WideHash> {
        guard spill.count > Self.mostTogether * Self.keyBytes, bit > 0 else {
            var (seen, repeated): (Set<WideHash>, Set<WideHash>) = ([], [])
            try forEach { key in
                if !seen.insert(key).inserted { repeated.insert(key) }
            }
            return repeated
        }
        var low = StoredKeys(beside: location)
        var high = StoredKeys(beside: location)
        try forEach { (key) throws(SystemError) in
            if key.spread >> bit & 1 == 0 { try low.append(key) } else { try high.append(key) }
        }
        return try low.repeated(bit: bit - 1).union(high.repeated(bit: bit - 1))
    }

    private func forEach(_ body: (WideHash) throws(SystemError) -> Void) throws(SystemError) {
        try spill.forEachBlock { (block) throws(SystemError) in
            for index in stride(from: 0, to: block.count, by: Self.keyBytes) {
                let (first, second) = (block.word(at: index), block.word(at: index + 8))
                try body(WideHash(first: first.byteSwapped, second: second.byteSwapped))
            }
        }
    }
}
