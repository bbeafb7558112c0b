// From an old store and records that came in to a new store: merged, appended, removed, or replaced and counted.
//
//     merge:   old  a b c     in  b′ d     new  a b′ c d      added 1, changed 1, same 2
//     remove:  old  a b c     in  b        new  a c           removed 1, same 2
//
// The old store is read once, record by record; the incoming ones wait in a spill file. So the work grows with both,
// and memory only with the number of keys that came in.

/// What `--mode` asks for.
package enum StoreMode: Sendable {
    case replace
    case append
    case merge
    case remove
}

/// What has become of the records, by their keys.
package struct StoreCounts: Equatable, Sendable {
    package var added = 0
    package var changed = 0
    package var same = 0
    package var removed = 0
}

/// Collects records and writes the new store.
package struct StoreUpdate: ~Copyable {
    private let mode: StoreMode
    private var key: RecordKey?
    private var conversion: RecordConversion
    private var flat: FlatWriter
    private var incoming: KeyedRecords
    private var keyText: [UInt8] = []
    package private(set) var counts = StoreCounts()

    package init(
        _ mode: StoreMode, key: JSONPath?, format: PropertyListFormat, rules: ValueRules, beside place: FilePlace?
    ) {
        self.mode = mode
        self.key = key.map { RecordKey($0) }
        conversion = RecordConversion(rules: rules, format: format)
        flat = FlatWriter(isForXML: format == .xml, replacesControls: rules.replacesControls)
        incoming = KeyedRecords(beside: place)
    }

    package var choices: LossyChoices {
        var choices = conversion.choices
        choices.controlsReplaced = flat.controlsReplaced
        return choices
    }

    /// Records that gave way to a later one of their key.
    package var replaced: Int { incoming.replaced }

    // MARK: Coming in

    /// Converts the record that a line is; `keep` takes it then.
    /// - Returns: false where it has no key.
    package mutating func convert(_ line: Span<UInt8>) throws(RecordFault) -> Bool {
        flat.removeAll()
        let before = conversion.choices
        try conversion.convert(line, into: &flat)
        var text: [UInt8] = []
        swap(&text, &keyText)
        text.removeAll(keepingCapacity: true)
        let hasKey = Self.appendKey(&key, of: flat, to: &text)
        swap(&text, &keyText)
        guard !hasKey else { return true }
        conversion.takeBack(to: before)
        return false
    }

    private static func appendKey(
        _ key: inout RecordKey?, of record: borrowing FlatWriter, to text: inout [UInt8]
    ) -> Bool {
        key?.appendText(in: record.bytes.span, to: &text) ?? true
    }

    /// Keeps the converted record by its key.
    package mutating func keep() throws(SystemError) { try incoming.insert(keyText, flat.bytes) }

    // MARK: Going out

    /// Writes the records of the old store that stay, and the members beside them, up to the incoming ones.
    /// - Returns: the members behind the records, for `StoreWriter.finish`.
    package mutating func writeOld(
        _ file: Descriptor?, layout: StoreLayout, to writer: inout StoreWriter
    ) throws(StoreWriteError) -> [UInt8] {
        guard let file else {
            try Self.begin(&writer, [])
            return []
        }
        var old = try Self.opened(file, layout)
        try Self.begin(&writer, old.membersBefore)
        var record: [UInt8] = []
        while try Self.advance(&old) {
            let number = findKey(of: old, isKeyed: layout.isKeyed)
            if let number {
                do throws(SystemError) { try incoming.read(number, into: &record) } catch { throw .system(error) }
            }
            guard count(number, isSame: number != nil && record.span.equals(old.record)), mode != .replace else {
                continue
            }
            if number == nil {
                try Self.put(old.record, old.key.span, &writer)
            } else {
                try Self.put(record.span, old.key.span, &writer)
            }
        }
        return old.membersBehind
    }

    /// Writes the incoming records that are new, or all where they replace the old ones.
    package mutating func writeNew(isKeyed: Bool, to writer: inout StoreWriter) throws(StoreWriteError) {
        guard mode != .remove else { return }
        var record: [UInt8] = []
        for number in 0..<incoming.count {
            let isNew = !incoming.isSeen(number)
            if isNew { counts.added += 1 }
            guard isNew || mode == .replace else { continue }
            do throws(SystemError) { try incoming.read(number, into: &record) } catch { throw .system(error) }
            keyText.removeAll(keepingCapacity: true)
            if isKeyed { _ = key?.appendText(in: record.span, to: &keyText) }
            try Self.put(record.span, keyText.span, &writer)
        }
    }

    /// Adds the converted record at once: in `append` nothing has to wait.
    package mutating func put(into writer: inout StoreWriter) throws(RecordFault) {
        let noKey: [UInt8] = []
        try writer.append(key: noKey.span, record: flat.bytes.span)
        counts.added += 1
    }

    /// Goes on as if there were no old store, since it can't be read.
    package mutating func forgetOld() {
        counts = StoreCounts()
        incoming.forgetSeen()
    }

    private mutating func findKey(of old: borrowing OldRecords, isKeyed: Bool) -> Int? {
        guard mode != .append, key != nil else { return nil }
        keyText.removeAll(keepingCapacity: true)
        if isKeyed {
            keyText = old.key
        } else if key?.appendText(in: old.record, to: &keyText) != true {
            return nil
        }
        return incoming.find(keyText)
    }

    /// Counts an old record, whose successor is that number.
    /// - Returns: whether a record stays in its place.
    private mutating func count(_ number: Int?, isSame: Bool) -> Bool {
        let isGone = mode == .remove ? number != nil : mode == .replace && number == nil
        if isGone {
            counts.removed += 1
        } else if number == nil || isSame {
            counts.same += 1
        } else {
            counts.changed += 1
        }
        return !isGone
    }

    private static func opened(
        _ file: Descriptor, _ layout: StoreLayout
    ) throws(StoreWriteError) -> OldRecords {
        do throws(StoreReadError) { return try .opened(file, layout: layout) } catch { throw .old(error) }
    }

    private static func begin(_ writer: inout StoreWriter, _ members: [UInt8]) throws(StoreWriteError) {
        do throws(RecordFault) { try writer.begin(members: members) } catch { throw .record(error) }
    }

    private static func advance(_ old: inout OldRecords) throws(StoreWriteError) -> Bool {
        do throws(StoreReadError) { return try old.advance() } catch { throw .old(error) }
    }

    private static func put(
        _ record: Span<UInt8>, _ key: Span<UInt8>, _ writer: inout StoreWriter
    ) throws(StoreWriteError) {
        do throws(SystemError) { try writer.endRecord(nextBytes: record.count) } catch { throw .system(error) }
        do throws(RecordFault) { try writer.append(key: key, record: record) } catch { throw .record(error) }
    }
}
