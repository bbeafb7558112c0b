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
}

/// Collects records and writes the new store.
package struct StoreUpdate: ~Copyable {
    private let mode: StoreMode
    private let format: PropertyListFormat
    private let location: FileLocation?
    private var key: RecordKey?
    private let hash = PolynomialHash()
    private var conversion: RecordConversion
    private var flat: RecordEncoder
    private var incoming: KeyedRecords
    /// The last of the stored records that share a key with no incoming record.
    private var kept: KeyedRecords
    private var keyText: [UInt8] = []
    /// A stored record as the new format holds it.
    private var compared: RecordEncoder
    package private(set) var counts = StoreCounts()
    /// Stored records that a later one with the same key in the store replaced.
    package private(set) var collapsed = 0

    package init(
        _ mode: StoreMode, key: JSONPath?, format: PropertyListFormat, rules: ValueRules,
        beside location: FileLocation?
    ) {
        self.mode = mode
        self.format = format
        self.location = location
        self.key = key.map { RecordKey($0) }
        conversion = RecordConversion(rules: rules, format: format)
        flat = RecordEncoder(isForXML: format == .xml, replacesControls: rules.replacesControls)
        compared = RecordEncoder(isForXML: format == .xml, replacesControls: rules.replacesControls)
        incoming = KeyedRecords(beside: location)
        kept = KeyedRecords(beside: location)
    }

    package var choices: Substitutions {
        var choices = conversion.choices
        choices.add(flat.choices)
        return choices
    }

    /// Incoming records that a later one with the same key replaced.
    package var replaced: Int { incoming.replaced }

    // MARK: Input

    /// Converts a line's record, for `keep` or `put` to take.
    /// - Returns: false if it has no key.
    package mutating func convert(_ line: Span<UInt8>) throws(RecordError) -> Bool {
        flat.removeAll()
        let (mark, before) = (flat.checkpoint(), conversion.choices)
        try conversion.convert(line, into: &flat)
        var text: [UInt8] = []
        swap(&text, &keyText)
        text.removeAll(keepingCapacity: true)
        let hasKey = Self.appendKey(&key, of: flat, to: &text)
        swap(&text, &keyText)
        guard !hasKey else { return true }
        flat.rollBack(to: mark)
        conversion.takeBack(to: before)
        return false
    }

    private static func appendKey(
        _ key: inout RecordKey?, of record: borrowing RecordEncoder, to text: inout [UInt8]
    ) -> Bool {
        key?.appendText(in: record.bytes.span, to: &text) ?? true
    }

    /// Keeps the converted record by its key.
    package mutating func keep() throws(SystemError) {
        let key = hash.hash(keyText.span)
        try Self.keep(flat, key, in: &incoming)
    }

    private static func keep(
        _ record: borrowing RecordEncoder, _ key: WideHash, in records: inout KeyedRecords
    ) throws(SystemError) {
        try records.insert(key, record.bytes.span)
    }

    // MARK: Output

    /// Writes the records of the old store that stay, and the members before them.
    /// - Returns: the members after the records, for `StoreWriter.finish`.
    package mutating func writeOld(
        _ file: Descriptor?, layout: StoreLayout, to writer: inout StoreWriter
    ) throws(StoreWriteError) -> [UInt8] {
        guard let file else {
            try Self.begin(&writer, [])
            return []
        }
        var keys = StoredKeys(beside: location)
        let members = try pass(file, layout, &writer, &keys)
        let repeated: [WideHash: Int]
        do throws(SystemError) { repeated = try keys.repeated() } catch { throw .system(error) }
        guard !repeated.isEmpty else { return members }
        if mode == .replace {
            counts.removed -= repeated.values.reduce(0, +)
            return members
        }
        // This is rare. The store is read twice more: for the last record of each such key, and to write again.
        try keepLast(of: repeated, file, layout)
        do throws(SystemError) { try writer.restart() } catch { throw .system(error) }
        forgetOld()
        return try pass(file, layout, &writer, &keys)
    }

    /// Reads the old store once, and writes the records that stay.
    private mutating func pass(
        _ file: Descriptor, _ layout: StoreLayout, _ writer: inout StoreWriter, _ keys: inout StoredKeys
    ) throws(StoreWriteError) -> [UInt8] {
        var old = try Self.opened(file, layout)
        try Self.begin(&writer, old.membersBefore)
        var record: [UInt8] = []
        while try Self.advance(&old) {
            let key = findKey(of: old, isKeyed: layout.isKeyed)
            do throws(SystemError) {
                guard try take(key, old, &record, &keys) else { continue }
            } catch {
                throw .system(error)
            }
            if record.isEmpty {
                try Self.put(old.record, old.key.span, &writer)
            } else {
                try Self.put(record.span, old.key.span, &writer)
            }
        }
        return old.membersAfter
    }

    /// Counts an old record. Of several with the same key the first gives the position, and the last the value.
    /// - Parameter record: set to the record that replaces it; empty to keep the old record.
    /// - Returns: whether the new store has a record at this position.
    private mutating func take(
        _ key: WideHash?, _ old: borrowing ExistingRecords, _ record: inout [UInt8], _ keys: inout StoredKeys
    ) throws(SystemError) -> Bool {
        record.removeAll(keepingCapacity: true)
        if let key, let number = incoming.find(key) {
            try incoming.read(number, into: &record)
            let isFirst = incoming.see(number, isSame: isSame(record.span, old))
            if !isFirst, mode == .merge { collapsed += 1 }
            return isFirst && mode == .merge
        }
        if let key, let number = kept.find(key) {
            guard kept.see(number, isSame: true) else {
                collapsed += 1
                return false
            }
            try kept.read(number, into: &record)
        } else if let key {
            try keys.append(key)
        }
        if mode == .replace { counts.removed += 1 } else { counts.same += 1 }
        return mode != .replace
    }

    /// Whether the old record would be stored like the incoming one: XML drops some of what binary holds.
    private mutating func isSame(_ record: Span<UInt8>, _ old: borrowing ExistingRecords) -> Bool {
        if record.equals(old.record) { return true }
        guard format == .xml, old.format == .binary else { return false }
        compared.removeAll()
        var reader = RecordDecoder(old.record)
        do throws(PropertyListError.Reason) { try reader.replay(into: &compared) } catch { return false }
        return record.equals(compared.bytes.span)
    }

    private mutating func keepLast(
        of repeated: [WideHash: Int], _ file: Descriptor, _ layout: StoreLayout
    ) throws(StoreWriteError) {
        var old = try Self.opened(file, layout)
        while try Self.advance(&old) {
            guard let key = findKey(of: old, isKeyed: layout.isKeyed), repeated[key] != nil else { continue }
            do throws(SystemError) { try kept.insert(key, old.record) } catch { throw .system(error) }
        }
    }

    /// Writes the incoming records that are new, or all of them where they replace the old ones.
    package mutating func writeNew(isKeyed: Bool, to writer: inout StoreWriter) throws(StoreWriteError) {
        var record: [UInt8] = []
        for number in 0..<incoming.count {
            let isNew = !incoming.isSeen(number)
            count(number, isNew: isNew)
            guard mode != .remove, isNew || mode == .replace else { continue }
            do throws(SystemError) { try incoming.read(number, into: &record) } catch { throw .system(error) }
            keyText.removeAll(keepingCapacity: true)
            if isKeyed { _ = key?.appendText(in: record.span, to: &keyText) }
            try Self.put(record.span, keyText.span, &writer)
        }
    }

    /// Adds the converted record at once: `append` doesn't need to wait for anything.
    package mutating func put(into writer: inout StoreWriter) throws(RecordError) {
        let noKey: [UInt8] = []
        try writer.append(key: noKey.span, record: flat.bytes.span)
        counts.added += 1
    }

    /// Continues as if there were no old store, since it can't be read.
    package mutating func forgetOld() {
        counts = StoreCounts()
        collapsed = 0
        incoming.forgetSeen()
    }

    private mutating func findKey(of old: borrowing ExistingRecords, isKeyed: Bool) -> WideHash? {
        guard mode != .append, key != nil else { return nil }
        keyText.removeAll(keepingCapacity: true)
        if isKeyed {
            keyText = old.key
        } else if key?.appendText(in: old.record, to: &keyText) != true {
            return nil
        }
        return hash.hash(keyText.span)
    }

    /// Counts an incoming record.
    private mutating func count(_ number: Int, isNew: Bool) {
        if mode == .remove {
            if !isNew { counts.removed += 1 }
        } else if isNew {
            counts.added += 1
        } else if incoming.isSame(number) {
            counts.same += 1
        } else {
            counts.changed += 1
        }
    }

    private static func opened(
        _ file: Descriptor, _ layout: StoreLayout
    ) throws(StoreWriteError) -> ExistingRecords {
        do throws(StoreReadError) { return try .opened(file, layout: layout) } catch { throw .old(error) }
    }

    private static func begin(_ writer: inout StoreWriter, _ members: [UInt8]) throws(StoreWriteError) {
        do throws(SystemError) { try writer.endRecord(nextBytes: members.count) } catch { throw .system(error) }
        do throws(RecordError) { try writer.begin(members: members) } catch { throw .record(error) }
    }

    private static func advance(_ old: inout ExistingRecords) throws(StoreWriteError) -> Bool {
        do throws(StoreReadError) { return try old.advance() } catch { throw .old(error) }
    }

    private static func put(
        _ record: Span<UInt8>, _ key: Span<UInt8>, _ writer: inout StoreWriter
    ) throws(StoreWriteError) {
        do throws(SystemError) { try writer.endRecord(nextBytes: record.count) } catch { throw .system(error) }
        do throws(RecordError) { try writer.append(key: key, record: record) } catch { throw .record(error) }
    }
}
