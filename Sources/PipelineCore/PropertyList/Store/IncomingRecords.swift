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
