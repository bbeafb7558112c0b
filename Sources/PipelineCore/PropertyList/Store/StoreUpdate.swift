// Makes a new store from an old one and incoming records: merged, appended, removed, or replaced and counted.
//
//     merge:   old  a b c     in  b′ d     new  a b′ c d      added 1, changed 1, same 2
//     remove:  old  a b c     in  b        new  a c           removed 1, same 2
//
// The old store is read once, record by record; the incoming records wait in a spill file. Time grows with both,
// memory only with the number of incoming keys.

package enum StoreMode: Sendable { case replace, append, merge, remove }

package struct StoreCounts: Equatable, Sendable {
    package var added = 0
    package var changed = 0
    package var same = 0
    package var removed = 0
}

package struct StoreUpdate: ~Copyable {
    private let mode: StoreMode
    private let layout: StoreLayout
    private let location: FileLocation?
    private let hash = PolynomialHash()
    private var conversion: RecordConversion
    private var encoder: RecordEncoder
    private var incoming: KeyedRecords
    private var key: RecordKey
    private var keyText: [UInt8] = []
    /// The incoming record that a stored one was compared with last.
    private var spilled = SpilledRecord()
    private var last: KeyedRecords
    private var comparison: RecordComparison
    private var changes: ChangeLog?
    package private(set) var shape: ShapeCheck?
    /// False if only a part of a list comes in: then a record that is missing wasn't removed.
    package var tellsRemoved = true
    package private(set) var counts = StoreCounts()
    /// Records of the old store, as far as it was read.
    package private(set) var oldRecords = 0
    /// Whether the old store has a place for records.
    package private(set) var hasOldRoot = false
    /// The first place where a stored date or data has become a text: its path, and the option that was left out.
    package private(set) var untyped: (path: String, option: String)?
    /// Stored records that a later one with the same key in the store replaced.
    package private(set) var collapsed = 0

    package init(
        _ mode: StoreMode, keys: [JSONPath], format: StoreFormat, layout: StoreLayout, rules: ValueRules,
        ignoring: [JSONPath] = [], changes: consuming ChangeLog? = nil, shape: ShapeCheck? = nil,
        beside location: FileLocation?
    ) {
        self.mode = mode
        self.layout = layout
        self.location = location
        self.changes = changes
        self.shape = shape
        key = RecordKey(keys)
        conversion = RecordConversion(rules: rules, format: format)
        encoder = RecordEncoder(for: format, replacesControls: rules.isLossy)
        incoming = KeyedRecords(beside: location)
        last = KeyedRecords(beside: location)
        comparison = RecordComparison(format, rules, ignoring: ignoring)
    }

    package var choices: Substitutions { conversion.choices + encoder.choices }

    /// Incoming records that a later one with the same key replaced.
    package var replaced: Int { incoming.replaced }

    /// Keeps a line's record by its key.
    /// - Returns: why it isn't kept.
    package mutating func keep(_ line: Span<UInt8>) throws(StoreFailure) -> BadRecord? {
        do throws(BadRecord) { try convert(line) } catch { return error }
        try incoming.insert(hash.hash(keyText.span), key: keyText, encoder)
        return nil
    }

    /// Writes a line's record at once: `append` doesn't need to wait for anything.
    /// - Returns: why it isn't written.
    package mutating func put(_ line: Span<UInt8>, into writer: inout StoreWriter) throws(StoreFailure)
        -> BadRecord?
    {
        do throws(BadRecord) { try convert(line) } catch { return error }
        try writer.append(key: Span(), record: encoder.record)
        counts.added += 1
        guard changes != nil else { return nil }
        let key = json(ofKey: keyText.span)
        try changes?.add(key.span, encoder)
        return nil
    }

    private mutating func convert(_ line: Span<UInt8>) throws(BadRecord) {
        encoder.beginValue()
        let (mark, before) = (encoder.checkpoint(), conversion.choices)
        try conversion.convert(line, into: &encoder)
        keyText.removeAll(keepingCapacity: true)
        guard key.appendText(in: encoder, to: &keyText) else {
            encoder.rollBack(to: mark)
            conversion.choices = before
            throw BadRecord(.noKey(path: key.missing))
        }
        shape?.takeNew(encoder)
    }

    /// Keeps the records of another store, to be compared.
    /// - Returns: how many there are, and how many of them have no key, so that they match no other.
    package mutating func keep(_ file: Descriptor) throws(StoreFailure) -> (records: Int, withoutKey: Int) {
        var store = try StoredRecords.opened(file, layout: layout, forUpdate: true)
        var encoded = RecordEncoder(for: .lossless)
        var withoutKey = 0
        while try store.next(into: &encoded) {
            if findKey(of: encoded, store.key) {
                try incoming.insert(hash.hash(keyText.span), key: keyText, encoded)
            } else {
                withoutKey += 1
                let own = WideHash(first: .random(in: 0...UInt64.max), second: .random(in: 0...UInt64.max))
                try incoming.insert(own, key: nil, encoded)
            }
        }
        return (store.count, withoutKey)
    }

    /// Notes what has changed from the old store to the records that were kept.
    /// - Parameter file: nil for a store without records.
    package mutating func compare(_ file: Descriptor?) throws(StoreFailure) {
        var nothing = NoStore()
        _ = try writeOld(file, to: &nothing)
        try writeNew(to: &nothing)
    }

    package mutating func endChanges() throws(SystemError) -> ChangeLog? {
        try changes?.endRecords()
        return changes.take()
    }

    /// Continues as if there were no old store, since it can't be read.
    package mutating func forgetOld() {
        counts = StoreCounts()
        (oldRecords, collapsed) = (0, 0)
        for number in incoming.fates.indices { incoming.fates[number] = .new }
        shape?.forgetOld()
    }

    // MARK: The old store

    /// Writes the records of the old store that stay, and the members before them.
    /// - Returns: the members after the records, for `StoreWriter.finish`.
    package mutating func writeOld(
        _ file: Descriptor?, to output: inout some (StoreOutput & ~Copyable)
    ) throws(StoreFailure) -> [UInt8] {
        guard let file else {
            try output.begin(members: [])
            return []
        }
        let (members, repeated) = try pass(file, &output)
        guard !repeated.isEmpty else { return members }
        // This is rare. The store is read twice more: for the last record of each such key, and to write again.
        try keepLast(of: repeated, file)
        try output.restart()
        try changes?.restart()
        forgetOld()
        return try pass(file, &output).members
    }

    /// Reads the old store once, and writes the records that stay.
    /// - Returns: the members after the records, and the keys that came more than once. A key that an incoming record
    ///   has comes again if that record's fate is known; only of others the keys have to be kept.
    private mutating func pass(
        _ file: Descriptor, _ output: inout some (StoreOutput & ~Copyable)
    ) throws(StoreFailure) -> (members: [UInt8], repeated: Set<WideHash>) {
        var unmatched = StoredKeys(beside: location)
        var repeated: Set<WideHash> = []
        var guess = 0
        var old = try StoredRecords.opened(file, layout: layout, forUpdate: true)
        comparison.begin(old.store.format)
        hasOldRoot = old.arrangement != .none
        try output.begin(members: old.membersBefore)
        var encoded = RecordEncoder(for: .lossless)
        while try old.next(into: &encoded) {
            oldRecords += 1
            shape?.takeOld(encoded)
            guard mode != .append, findKey(of: encoded, old.key) else {
                try take(nil, nil, encoded.record, old.key, &output)
                continue
            }
            let key = hash.hash(keyText.span)
            if let number = last.find(key) {
                try takeLast(number, key, old.key, &output)
                continue
            }
            let number = incoming.find(key, guess: guess)
            if let number {
                if incoming.fates[number] != .new { repeated.insert(key) }
                guess = number + 1
            } else {
                try StoreFailure.of(unmatched.append(key))
            }
            try take(number, keyText, encoded.record, old.key, &output)
        }
        return (old.membersAfter, try StoreFailure.of(unmatched.repeated()).union(repeated))
    }

    /// Of several stored records with one key the first gives the position, and the last the value.
    private mutating func takeLast(
        _ number: Int, _ key: WideHash, _ storedKey: [UInt8], _ output: inout some (StoreOutput & ~Copyable)
    ) throws(StoreFailure) {
        let replacement = incoming.find(key)
        guard last.fates[number] == .new else {
            if mode == .merge || mode == .remove && replacement == nil { collapsed += 1 }
            return
        }
        last.fates[number] = .same
        var spilled = SpilledRecord()
        try last.read(number, into: &spilled)
        try take(replacement, keyText, spilled.record, storedKey, &output)
    }

    /// - Parameter number: of the incoming record with its key.
    private mutating func take(
        _ number: Int?, _ key: [UInt8]?, _ record: Span<UInt8>, _ storedKey: [UInt8],
        _ output: inout some (StoreOutput & ~Copyable)
    ) throws(StoreFailure) {
        if mode == .remove ? number != nil : mode == .replace && number == nil {
            if let number { incoming.fates[number] = .changed }
            guard tellsRemoved else { return }
            counts.removed += 1
            guard changes != nil else { return }
            let changeKey = key.map { json(ofKey: $0.span) } ?? Self.null
            try changes?.remove(changeKey.span, was: record)
        } else if let number, mode != .remove {
            try match(number, record, storedKey, &output)
        } else {
            counts.same += 1
            try output.append(key: storedKey.span, record: record)
        }
    }

    private mutating func match(
        _ number: Int, _ record: Span<UInt8>, _ storedKey: [UInt8], _ output: inout some (StoreOutput & ~Copyable)
    ) throws(StoreFailure) {
        var new = SpilledRecord()
        // What it has read ahead is for the next one.
        swap(&new, &spilled)
        defer { swap(&new, &spilled) }
        try incoming.read(number, into: &new)
        let fate = comparison.fate(record, new.record)
        if fate == .changed { counts.changed += 1 } else { counts.same += 1 }
        incoming.fates[number] = fate
        if mode == .merge {
            guard fate == .changed else { return try output.append(key: storedKey.span, record: record) }
            try note(new, was: record)
            try output.append(key: storedKey.span, record: new.record)
        } else if fate == .equivalent || fate == .changed && changes != nil {
            // The new store has the order of the input, so the old record waits for its turn.
            try incoming.keep(record, for: number)
        }
    }

    private mutating func keepLast(of repeated: Set<WideHash>, _ file: Descriptor) throws(StoreFailure) {
        var old = try StoredRecords.opened(file, layout: layout, forUpdate: true)
        var encoded = RecordEncoder(for: .lossless)
        while try old.next(into: &encoded) {
            guard findKey(of: encoded, old.key) else { continue }
            let key = hash.hash(keyText.span)
            if repeated.contains(key) { try last.insert(key, key: keyText, encoded) }
        }
    }

    /// Finds the key of a stored record, `keyText`.
    /// - Returns: false if it has none.
    private mutating func findKey(of record: borrowing RecordEncoder, _ storedKey: [UInt8]) -> Bool {
        keyText.removeAll(keepingCapacity: true)
        guard layout.isKeyed else { return !key.isEmpty && key.appendText(in: record, to: &keyText) }
        keyText = storedKey
        return true
    }

    // MARK: The incoming records

    /// Writes the incoming records that are new, or all of them where they replace the old ones.
    package mutating func writeNew(to output: inout some (StoreOutput & ~Copyable)) throws(StoreFailure) {
        var (new, old) = (SpilledRecord(), SpilledRecord())
        for number in 0..<incoming.count {
            let fate = incoming.fates[number]
            guard mode == .replace || mode == .merge && fate == .new else { continue }
            if fate == .equivalent || fate == .changed && changes != nil {
                try incoming.read(number, into: &new, old: &old)
                if fate == .changed { try note(new, was: old.record) }
            } else {
                try incoming.read(number, into: &new)
            }
            if fate == .new {
                counts.added += 1
                if changes != nil {
                    let key = json(ofKey: new)
                    try changes?.add(key.span, new.record)
                }
            }
            if fate == .equivalent {
                try output.append(key: new.key, record: old.record)
            } else {
                try output.append(key: new.key, record: new.record)
            }
        }
    }

    private mutating func note(_ new: SpilledRecord, was old: Span<UInt8>) throws(StoreFailure) {
        guard changes != nil else { return }
        let (key, difference) = (json(ofKey: new), comparison.difference(old, new.record))
        if untyped == nil, let found = difference.untyped {
            untyped = (found.path.span.text, found.old == .data ? "--data" : "--date")
        }
        try changes?.change(key.span, difference, new.record, was: old)
    }

    private static let null = Array("null".utf8)

    private func json(ofKey record: SpilledRecord) -> [UInt8] {
        record.hasKey ? json(ofKey: record.key) : Self.null
    }

    private func json(ofKey text: Span<UInt8>) -> [UInt8] {
        if key.isCompound, Self.isArray(text) { return text.array }
        var json: [UInt8] = []
        JSONWriter.appendString(text, to: &json)
        return json
    }

    /// Whether a key is a JSON array. Somebody else's keyed store may have any keys.
    private static func isArray(_ text: Span<UInt8>) -> Bool {
        guard !text.isEmpty, text[0] == UInt8(ascii: "[") else { return false }
        var reader = JSONReader(text)
        return (try? reader.skipToEnd()) != nil
    }
}
