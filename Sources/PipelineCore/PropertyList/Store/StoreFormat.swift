// What a format of a store has to do.

/// Writes values in one format of a store. Another format is another type of this kind, and a case of
/// `PropertyListFormat`.
protocol StoreFormat: RecordSink, ~Copyable {
    var choices: Substitutions { get }
    /// Set for names from a store, which are never changed: two of them could silently become one.
    var refusesControlsInKeys: Bool { get set }
    mutating func beginRecords(isKeyed: Bool)
    mutating func endRecords(into file: inout AtomicFile) throws(SystemError)
    /// Writes the buffer if it holds a block, and makes room for a value.
    /// - Parameter bytes: at least as many as the value has objects.
    mutating func prepare(for bytes: Int, _ file: inout AtomicFile) throws(SystemError)
    mutating func endDocument(into file: inout AtomicFile) throws(SystemError)
    // These have one implementation. As requirements they are compiled for each format: a store knows its format only
    // when it runs.
    mutating func append(_ line: Span<UInt8>, by conversion: inout RecordConversion) throws(BadRecord)
    mutating func append(encoded parts: Span<UInt8>) throws(BadRecord)
}

extension StoreFormat where Self: ~Copyable {
    static var blockSize: Int { 262_144 }

    mutating func append(_ line: Span<UInt8>, by conversion: inout RecordConversion) throws(BadRecord) {
        try conversion.convert(line, into: &self)
    }

    mutating func append(encoded parts: Span<UInt8>) throws(BadRecord) {
        // What a sink notes since a checkpoint grows until the next one.
        _ = checkpoint()
        var reader = RecordDecoder(parts)
        try reader.replay(into: &self)
    }
}

extension PropertyListFormat {
    func writer(_ rules: ValueRules, beside location: FileLocation?) -> any StoreFormat & ~Copyable {
        switch self {
        case .xml: XMLWriter(replacesControls: rules.replacesControls)
        case .binary: BinaryWriter(beside: location)
        }
    }
}
