// Makes a new store from an old one and incoming records: merged, appended, removed, or replaced and counted.
//
//     merge:   old  a b c     in  b′ d     new  a b′ c d      added 1, changed 1, same 2
//     remove:  old  a b c     in  b        new  a c           removed 1, same 2
//
// The old store is read once, record by record; the incoming records wait in a spill file. Time grows with both,
// memory only with the number of incoming keys.

/// `--mode`.
package enum StoreMode: Sendable {
    case replace
    case append
    case merge
    case remove
}

/// What happened to the records, by their keys.
package struct StoreCounts: Equatable, Sendable {
    package var added = 0
    package var changed = 0
    package var same = 0
    package var removed = 0

    package init() {}
}

/// Collects records, writes the new store, and notes what has changed.
package struct StoreUpdate: ~Copyable {
    let mode: StoreMode
    let format: PropertyListFormat
    let rules: ValueRules
    let ignoring: [JSONPath]
    let location: FileLocation?
    let hash = PolynomialHash()
    var incoming: IncomingRecords
    /// Finds the keys of stored records.
    var key: RecordKey
    var keyText: [UInt8] = []
    /// The last of the stored records that share a key.
    var last: KeyedRecords
    var comparison: RecordComparison
    /// `--changes`
    var changes: ChangeLog?
    /// `--same-shape`
    package internal(set) var shape: ShapeCheck?
    /// False if only a part of a list comes in: then a record that is missing wasn't removed.
    package var tellsRemoved = true
    package internal(set) var counts = StoreCounts()
    /// The first place where a stored date or data has become a text: its path, and the option that was left out.
    package private(set) var untyped: (path: String, option: String)?
    /// Stored records that a later one with the same key in the store replaced.
    package internal(set) var collapsed = 0

    /// - Parameters:
    ///   - keys: the paths of the key; none if records have no keys.
    ///   - format: of the new store.
    ///   - ignoring: where a difference doesn't count.
    ///   - changes: takes what has changed, if that is asked for.
    ///   - shape: counts the members of the records, old and new, if that is asked for.
    ///   - location: of the store; nil for none.
    package init(
        _ mode: StoreMode, keys: [JSONPath], format: PropertyListFormat, rules: ValueRules,
        ignoring: [JSONPath] = [], changes: consuming ChangeLog? = nil, shape: ShapeCheck? = nil,
        beside location: FileLocation?
    ) {
        self.mode = mode
        self.format = format
        self.rules = rules
        self.ignoring = ignoring
        self.location = location
        self.changes = changes
        self.shape = shape
        key = RecordKey(keys)
        incoming = IncomingRecords(keys: keys, format: format, rules: rules, hash: hash, beside: location)
        last = KeyedRecords(beside: location)
        comparison = RecordComparison(format, oldFormat: format, rules, ignoring: ignoring)
    }

    package var choices: Substitutions { incoming.choices }

    /// Incoming records that a later one with the same key replaced.
    package var replaced: Int { incoming.records.replaced }

    // MARK: Input

    /// Keeps a line's record by its key.
    /// - Returns: the path of a key that it doesn't have; then it isn't kept.
    package mutating func keep(_ line: Span<UInt8>) throws(StoreWriteError) -> String? {
        guard try convert(line) else { return incoming.missingKey }
        do throws(SystemError) { try incoming.keep() } catch { throw .system(error) }
        shape?.takeNew(incoming.record)
        return nil
    }

    /// Writes a line's record at once: `append` doesn't need to wait for anything.
    /// - Returns: the path of a key that it doesn't have; then it isn't written.
    package mutating func put(_ line: Span<UInt8>, into writer: inout StoreWriter) throws(StoreWriteError)
        -> String?
    {
        guard try convert(line) else { return incoming.missingKey }
        let noKey: [UInt8] = []
        try Self.put(incoming.record, noKey.span, &writer)
        counts.added += 1
        let key = changeKey(incoming.keyText)
        try changes?.add(key, incoming.record)
        shape?.takeNew(incoming.record)
        return nil
    }

    private mutating func convert(_ line: Span<UInt8>) throws(StoreWriteError) -> Bool {
        do throws(RecordError) { return try incoming.convert(line) } catch { throw .record(error) }
    }

    /// Keeps the records of another store, to be compared.
    /// - Returns: how many there are, and how many of them have no key.
    package mutating func keep(
        _ file: Descriptor, layout: StoreLayout
    ) throws(StoreWriteError) -> (records: Int, withoutKey: Int) {
        var store = try Self.opened(file, layout)
        var (records, withoutKey) = (0, 0)
        while try Self.advance(&store) {
            let hasKey = findKey(of: store, isKeyed: layout.isKeyed)
            records += 1
            if !hasKey { withoutKey += 1 }
            do throws(SystemError) {
                try incoming.keep(store.record, key: hasKey ? keyText : nil)
            } catch {
                throw .system(error)
            }
        }
        return (records, withoutKey)
    }

    // MARK: Output

    /// Writes the records of the old store that stay, and the members before them.
    /// - Returns: the members after the records, for `StoreWriter.finish`.
    package mutating func writeOld(
        _ file: Descriptor?, layout: StoreLayout, to writer: inout StoreWriter
    ) throws(StoreWriteError) -> [UInt8] {
        try readOld(file, layout, &writer)
    }

    /// Writes the incoming records that are new, or all of them where they replace the old ones.
    package mutating func writeNew(to writer: inout StoreWriter) throws(StoreWriteError) {
        try putNew(&writer)
    }

    /// Notes what has changed from the old store to the records that were kept.
    /// - Parameter file: nil for a store without records.
    package mutating func compare(_ file: Descriptor?, layout: StoreLayout) throws(StoreWriteError) {
        var nothing = NoStore()
        _ = try readOld(file, layout, &nothing)
        try putNew(&nothing)
    }

    /// The finished changes, to be committed.
    package mutating func endChanges() throws(SystemError) -> ChangeLog? {
        try changes?.endRecords()
        return changes.take()
    }

    /// Continues as if there were no old store, since it can't be read.
    package mutating func forgetOld() {
        counts = StoreCounts()
        collapsed = 0
        incoming.records.forgetFates()
        shape?.forgetOld()
    }

    // MARK: The incoming records

    private mutating func putNew<Output: StoreOutput & ~Copyable>(
        _ output: inout Output
    ) throws(StoreWriteError) {
        var (came, old) = (SpilledRecord(), SpilledRecord())
        for number in 0..<incoming.records.count {
            let fate = incoming.records.fate(number)
            guard mode == .replace || mode == .merge && fate == .new else { continue }
            do throws(SystemError) {
                try incoming.records.read(number, into: &came)
                if fate == .sameButForIgnored || fate == .changed && changes != nil {
                    try incoming.records.readOld(number, into: &old)
                }
            } catch {
                throw .system(error)
            }
            switch fate {
            case .new:
                counts.added += 1
                let key = changeKey(came.key)
                try changes?.add(key, came.record)
            case .changed: try note(came, was: old.record)
            case .same, .sameButForIgnored: break
            }
            let key = came.key ?? []
            if fate == .sameButForIgnored {
                try Self.put(old.record, key.span, &output)
            } else {
                try Self.put(came.record, key.span, &output)
            }
        }
    }

    mutating func note(_ came: SpilledRecord, was old: Span<UInt8>) throws(StoreWriteError) {
        guard changes != nil else { return }
        let (key, difference) = (changeKey(came.key), comparison.difference(old, came.record))
        if untyped == nil, let found = difference.untyped {
            untyped = (found.path.span.text, found.old == .data ? "--data" : "--date")
        }
        try changes?.change(key, difference, came.record, was: old)
    }

    func changeKey(_ text: [UInt8]?) -> ChangeKey {
        guard let text else { return .none }
        return key.isCompound && Self.isArray(text) ? .json(text) : .text(text)
    }

    /// Whether a key is a JSON array. Somebody else's keyed store may have any keys.
    private static func isArray(_ text: [UInt8]) -> Bool {
        guard text.first == UInt8(ascii: "[") else { return false }
        var reader = JSONReader(text.span)
        do throws(JSONError) { try reader.skipToEnd() } catch { return false }
        return true
    }

    // MARK: Steps

    static func opened(
        _ file: Descriptor, _ layout: StoreLayout
    ) throws(StoreWriteError) -> ExistingRecords {
        do throws(StoreReadError) { return try .opened(file, layout: layout) } catch { throw .old(error) }
    }

    static func begin<Output: StoreOutput & ~Copyable>(
        _ output: inout Output, _ members: [UInt8]
    ) throws(StoreWriteError) {
        do throws(SystemError) { try output.endRecord(nextBytes: members.count) } catch { throw .system(error) }
        do throws(RecordError) { try output.begin(members: members) } catch { throw .record(error) }
    }

    static func advance(_ old: inout ExistingRecords) throws(StoreWriteError) -> Bool {
        do throws(StoreReadError) { return try old.advance() } catch { throw .old(error) }
    }

    static func put<Output: StoreOutput & ~Copyable>(
        _ record: Span<UInt8>, _ key: Span<UInt8>, _ output: inout Output
    ) throws(StoreWriteError) {
        do throws(SystemError) { try output.endRecord(nextBytes: record.count) } catch { throw .system(error) }
        do throws(RecordError) { try output.append(key: key, record: record) } catch { throw .record(error) }
    }
}

// The way through the old store: what becomes of each of its records.

extension StoreUpdate {
    mutating func readOld<Output: StoreOutput & ~Copyable>(
        _ file: Descriptor?, _ layout: StoreLayout, _ output: inout Output
    ) throws(StoreWriteError) -> [UInt8] {
        guard let file else {
            try Self.begin(&output, [])
            return []
        }
        var keys = StoredKeys(beside: location)
        let members = try pass(file, layout, &output, &keys)
        let repeated: [WideHash: Int]
        do throws(SystemError) { repeated = try keys.repeated() } catch { throw .system(error) }
        guard !repeated.isEmpty else { return members }
        // This is rare. The store is read twice more: for the last record of each such key, and to write again.
        try keepLast(of: repeated, file, layout)
        do throws(SystemError) {
            try output.restart()
            try changes?.restart()
        } catch {
            throw .system(error)
        }
        forgetOld()
        return try pass(file, layout, &output, &keys)
    }

    /// Reads the old store once, and writes the records that stay.
    private mutating func pass<Output: StoreOutput & ~Copyable>(
        _ file: Descriptor, _ layout: StoreLayout, _ output: inout Output, _ keys: inout StoredKeys
    ) throws(StoreWriteError) -> [UInt8] {
        var old = try Self.opened(file, layout)
        comparison = RecordComparison(format, oldFormat: old.format, rules, ignoring: ignoring)
        try Self.begin(&output, old.membersBefore)
        while try Self.advance(&old) {
            shape?.takeOld(old.record)
            let hasKey = mode != .append && findKey(of: old, isKeyed: layout.isKeyed)
            guard hasKey else {
                try take(nil, old.record, old.key, &output)
                continue
            }
            let key = hash.hash(keyText.span)
            if let number = last.find(key) {
                try takeLast(number, key, old.key, &output)
            } else {
                do throws(SystemError) { try keys.append(key) } catch { throw .system(error) }
                try take(key, old.record, old.key, &output)
            }
        }
        return old.membersAfter
    }

    /// Of several stored records with one key the first gives the position, and the last the value.
    private mutating func takeLast<Output: StoreOutput & ~Copyable>(
        _ number: Int, _ key: WideHash, _ storedKey: [UInt8], _ output: inout Output
    ) throws(StoreWriteError) {
        guard last.fate(number) == .new else {
            if mode == .merge || mode == .remove && incoming.records.find(key) == nil { collapsed += 1 }
            return
        }
        last.decide(number, .same)
        var spilled = SpilledRecord()
        do throws(SystemError) { try last.read(number, into: &spilled) } catch { throw .system(error) }
        try take(key, spilled.record, storedKey, &output)
    }

    /// Decides on a stored record.
    /// - Parameter storedKey: its key in a keyed store.
    private mutating func take<Output: StoreOutput & ~Copyable>(
        _ key: WideHash?, _ record: Span<UInt8>, _ storedKey: [UInt8], _ output: inout Output
    ) throws(StoreWriteError) {
        let number = key.flatMap { incoming.records.find($0) }
        if mode == .remove ? number != nil : mode == .replace && number == nil {
            guard tellsRemoved else { return }
            counts.removed += 1
            let key = changeKey(key == nil ? nil : keyText)
            try changes?.remove(key, was: record)
        } else if let number, mode != .remove {
            try match(number, record, storedKey, &output)
        } else {
            counts.same += 1
            try Self.put(record, storedKey.span, &output)
        }
    }

    /// Compares a stored record with the incoming one of its key.
    private mutating func match<Output: StoreOutput & ~Copyable>(
        _ number: Int, _ record: Span<UInt8>, _ storedKey: [UInt8], _ output: inout Output
    ) throws(StoreWriteError) {
        var came = SpilledRecord()
        do throws(SystemError) { try incoming.records.read(number, into: &came) } catch { throw .system(error) }
        let fate = comparison.fate(record, came.record)
        if fate == .changed { counts.changed += 1 } else { counts.same += 1 }
        if mode == .merge {
            incoming.records.decide(number, fate)
            guard fate == .changed else { return try Self.put(record, storedKey.span, &output) }
            try note(came, was: record)
            return try Self.put(came.record, storedKey.span, &output)
        }
        // The new store has the order of the input, so the old record waits for its turn.
        let isNeeded = fate == .sameButForIgnored || fate == .changed && changes != nil
        do throws(SystemError) {
            if isNeeded {
                try incoming.records.decide(number, fate, keeping: record)
            } else {
                incoming.records.decide(number, fate)
            }
        } catch {
            throw .system(error)
        }
    }

    private mutating func keepLast(
        of repeated: [WideHash: Int], _ file: Descriptor, _ layout: StoreLayout
    ) throws(StoreWriteError) {
        var old = try Self.opened(file, layout)
        while try Self.advance(&old) {
            guard findKey(of: old, isKeyed: layout.isKeyed) else { continue }
            let key = hash.hash(keyText.span)
            guard repeated[key] != nil else { continue }
            do throws(SystemError) {
                try last.insert(key, key: keyText, old.record)
            } catch {
                throw .system(error)
            }
        }
    }

    /// Finds the key of a stored record, `keyText`.
    /// - Returns: false if it has none.
    mutating func findKey(of old: borrowing ExistingRecords, isKeyed: Bool) -> Bool {
        keyText.removeAll(keepingCapacity: true)
        guard isKeyed else { return !key.isEmpty && key.appendText(in: old.record, to: &keyText) }
        keyText = old.key
        return true
    }
}

// The records that come in: converted, and kept by their keys until the old store has been read.

/// Converts and keeps records.
struct IncomingRecords: ~Copyable {
    private var key: RecordKey
    private let hash: PolynomialHash
    private var conversion: RecordConversion
    private var encoder: RecordEncoder
    /// By their keys, in the order in which they came.
    var records: KeyedRecords
    /// The key of the record converted last.
    private(set) var keyText: [UInt8] = []

    /// - Parameters:
    ///   - keys: the paths of the key; none if records have no keys.
    ///   - hash: by which stored records are found too.
    init(
        keys: [JSONPath], format: PropertyListFormat, rules: ValueRules, hash: PolynomialHash,
        beside location: FileLocation?
    ) {
        key = RecordKey(keys)
        self.hash = hash
        conversion = RecordConversion(rules: rules, format: format)
        encoder = RecordEncoder(isForXML: format == .xml, replacesControls: rules.replacesControls)
        records = KeyedRecords(beside: location)
    }

    var choices: Substitutions {
        var choices = conversion.choices
        choices.add(encoder.choices)
        return choices
    }

    /// The path of the key that the record converted last doesn't have.
    var missingKey: String { key.missing }

    /// The record converted last, encoded.
    var record: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { encoder.bytes.span }
    }

    /// Converts a line's record.
    /// - Returns: false if it has no key.
    mutating func convert(_ line: Span<UInt8>) throws(RecordError) -> Bool {
        encoder.removeAll()
        let (mark, before) = (encoder.checkpoint(), conversion.choices)
        try conversion.convert(line, into: &encoder)
        var text: [UInt8] = []
        swap(&text, &keyText)
        text.removeAll(keepingCapacity: true)
        let hasKey = Self.appendKey(&key, of: encoder, to: &text)
        swap(&text, &keyText)
        guard !hasKey else { return true }
        encoder.rollBack(to: mark)
        conversion.takeBack(to: before)
        return false
    }

    private static func appendKey(
        _ key: inout RecordKey, of record: borrowing RecordEncoder, to text: inout [UInt8]
    ) -> Bool {
        key.appendText(in: record.bytes.span, to: &text)
    }

    /// Keeps the converted record by its key.
    mutating func keep() throws(SystemError) {
        try Self.keep(encoder, keyText, hash, in: &records)
    }

    private static func keep(
        _ record: borrowing RecordEncoder, _ key: [UInt8], _ hash: PolynomialHash, in records: inout KeyedRecords
    ) throws(SystemError) {
        try records.insert(hash.hash(key.span), key: key, record.bytes.span)
    }

    /// Keeps a record of another store.
    /// - Parameter key: nil for a record without a key, which matches no other.
    mutating func keep(_ record: Span<UInt8>, key: [UInt8]?) throws(SystemError) {
        let own = WideHash(first: .random(in: 0...UInt64.max), second: .random(in: 0...UInt64.max))
        try records.insert(key.map { hash.hash($0.span) } ?? own, key: key, record)
    }
}
