// An unfinished store: records are added and written in one of the formats, under the root of the layout.

package protocol StoreOutput: ~Copyable {
    /// Writes what precedes the records. Called first.
    /// - Parameter members: of the root dictionary, before the one that holds the records; encoded.
    mutating func begin(members: [UInt8]) throws(StoreFailure)
    mutating func append(key: Span<UInt8>, record: Span<UInt8>) throws(StoreFailure)
    mutating func restart() throws(StoreFailure)
}

/// Takes records and keeps none, where two stores are only compared.
struct NoStore: StoreOutput {
    func begin(members: [UInt8]) {}
    func append(key: Span<UInt8>, record: Span<UInt8>) {}
    func restart() {}
}

package struct StoreWriter: StoreOutput, ~Copyable {
    /// The objects that no record includes: the root, its key and the container of the records.
    private static let outerObjects = 3

    package var file: AtomicFile
    package let format: StoreFormat
    private let location: FileLocation?
    private let layout: StoreLayout
    private let rules: ValueRules
    private var output: any StoreEncoder & ~Copyable
    private var conversion: RecordConversion
    package private(set) var records = 0
    package private(set) var isBegun = false
    private var check: StoreCheck?

    package init(
        _ file: consuming AtomicFile, at location: FileLocation?, format: StoreFormat, rules: ValueRules,
        layout: StoreLayout = StoreLayout(), verifies: Bool = false
    ) {
        self.file = file
        self.format = format
        self.location = location
        self.layout = layout
        self.rules = rules
        output = format.encoder(rules, beside: location)
        conversion = RecordConversion(rules: rules, format: format)
        if verifies { check = StoreCheck(format, rules) }
    }

    package mutating func restart() throws(StoreFailure) {
        try StoreFailure.of(file.restart())
        output = format.encoder(rules, beside: location)
        (records, isBegun) = (0, false)
        if check != nil { check = StoreCheck(format, rules) }
    }

    package var choices: Substitutions {
        // Swift 6.3 opens a value of `any StoreEncoder & ~Copyable` only where it may change.
        mutating get { conversion.choices + output.choices }
    }

    package mutating func begin(members: [UInt8] = []) throws(StoreFailure) {
        try prepare(for: members.count)
        isBegun = true
        if let root = layout.root {
            try StoreFailure.ofStored(output.put(.beginDictionary))
            check?.takeMembers(members.span)
            try StoreFailure.ofStored(output.append(encoded: members.span))
            try StoreFailure.ofStored(output.put(.key, Array(root.utf8).span))
        }
        output.beginRecords(isKeyed: layout.isKeyed)
    }

    /// - Returns: what is wrong with it. Then the store is as it was.
    package mutating func append(_ line: Span<UInt8>) throws(StoreFailure) -> BadRecord? {
        // A JSON value takes at least a byte, so a line has no more bytes than objects.
        try prepare(for: line.count)
        do throws(BadRecord) { try output.append(line, by: &conversion) } catch { return error }
        check?.take(line: line)
        records += 1
        return nil
    }

    package mutating func append(key: Span<UInt8>, record: Span<UInt8>) throws(StoreFailure) {
        try prepare(for: record.count)
        output.refusesControlsInKeys = true
        defer { output.refusesControlsInKeys = false }
        // A line that becomes part of a property list is converted as if it came in.
        if !format.keepsLines, let line = RecordDecoder.line(of: record) {
            let line = record.extracting(line)
            try StoreFailure.ofStored(output.append(line, by: &conversion))
            check?.take(line: line)
            records += 1
            return
        }
        if layout.isKeyed { try StoreFailure.ofStored(output.put(.key, key)) }
        try StoreFailure.ofStored(output.append(encoded: record))
        check?.take(key: layout.isKeyed ? key : Span(), record: record)
        records += 1
    }

    private mutating func prepare(for bytes: Int) throws(StoreFailure) {
        try StoreFailure.of(output.prepare(for: bytes + Self.outerObjects, &file))
    }

    /// - Parameter members: of the root dictionary, after the one that holds the records; encoded.
    package mutating func finish(members: [UInt8] = []) throws(StoreFailure) {
        try StoreFailure.of(output.endRecords(into: &file))
        try prepare(for: members.count)
        check?.takeMembers(members.span)
        try StoreFailure.ofStored(output.append(encoded: members.span))
        if layout.root != nil { try StoreFailure.ofStored(output.put(.endDictionary)) }
        try StoreFailure.of(output.endDocument(into: &file))
    }

    /// Reads the finished file before it gets its name, and compares it with the input, value by value.
    package mutating func readsBack() throws(StoreFailure) -> Bool {
        guard let written = try StoreFailure.of(file.readBack()) else { return false }
        return try check?.agrees(with: written, layout) ?? false
    }
}

/// Checks that a store that was just written holds its input, value by value: names, types, order and each bit.
///
///     line  ->  encoded record  ->  XML or binary  ->  file
///                  v                                    v
///                hash    ==  or status 74  ==          hash of the records read back, encoded
///
/// The input is encoded separately, never by the writer of the file. What XML can't hold is left out of the file on
/// purpose, so it is left out here too.
struct StoreCheck: ~Copyable {
    private let hash = PolynomialHash()
    private var taken = Sum()
    private let format: StoreFormat
    private var conversion: RecordConversion
    private var encoder: RecordEncoder
    private var json = JSONLineWriter(writesNonfiniteAsText: false)

    /// A store as hashes: one of all its records, one of the members beside them.
    private struct Sum: Equatable {
        var records = WideHash()
        var members = WideHash()
    }

    init(_ format: StoreFormat, _ rules: ValueRules) {
        self.format = format
        conversion = RecordConversion(rules: rules, format: format)
        encoder = RecordEncoder(for: format, replacesControls: rules.isLossy)
    }

    mutating func take(line: Span<UInt8>) {
        encoder.beginValue()
        // If it was stored and can't be encoded, the hashes will differ.
        do throws(BadRecord) { try conversion.convert(line, into: &encoder) } catch { encoder.beginValue() }
        hash.extend(&taken.records, by: Span())
        Self.extend(&taken.records, by: encoder, hash)
    }

    /// - Parameter key: empty unless the store is keyed.
    mutating func take(key: Span<UInt8>, record: Span<UInt8>) {
        encode(record)
        hash.extend(&taken.records, by: key)
        Self.extend(&taken.records, by: encoder, hash)
    }

    /// Takes members of the root: call it once for those before the records, once for those after them.
    mutating func takeMembers(_ members: Span<UInt8>) {
        encode(members)
        Self.extend(&taken.members, by: encoder, hash)
    }

    private mutating func encode(_ value: Span<UInt8>) {
        let isHeld =
            if format.keepsLines, !value.isEmpty, RecordDecoder.line(of: value) == nil {
                json.hold(value) && Self.hold(json, in: &encoder)
            } else {
                encoder.hold(value)
            }
        if !isHeld { encoder.beginValue() }
    }

    /// Makes a record of a property list the line that a store of lines has of it.
    private static func hold(_ json: borrowing JSONLineWriter, in encoder: inout RecordEncoder) -> Bool {
        encoder.beginValue()
        do throws(BadRecord) { try encoder.put(.line, json.line) } catch { return false }
        return true
    }

    private static func extend(_ sum: inout WideHash, by value: borrowing RecordEncoder, _ hash: PolynomialHash) {
        hash.extend(&sum, by: value.record)
    }

    /// - Returns: whether a store holds what was taken, and other readers accept it.
    func agrees(with file: Descriptor, _ layout: StoreLayout) throws(StoreFailure) -> Bool {
        var stored = Sum()
        // A property list has to show what it is; a store of lines has nothing to show where it has no records.
        let known = format.keepsLines ? format : nil
        var records = try StoredRecords.opened(file, as: known, layout: layout, forUpdate: true)
        guard records.store.isReadEverywhere else { return false }
        if layout.root != nil { hash.extend(&stored.members, by: records.membersBefore.span) }
        var encoded = RecordEncoder(for: .lossless)
        while try records.next(into: &encoded) {
            hash.extend(&stored.records, by: records.key.span)
            hash.extend(&stored.records, by: encoded.record)
        }
        hash.extend(&stored.members, by: records.membersAfter.span)
        return stored == taken
    }
}
