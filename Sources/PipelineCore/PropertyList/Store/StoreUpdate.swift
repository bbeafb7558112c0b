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
