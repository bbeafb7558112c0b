// What writes and reads a format of a store: a `StoreEncoder` and a `StoreDecoder` for each case of `StoreFormat`.

/// Writes values in one format of a store.
protocol StoreEncoder: RecordSink, ~Copyable {
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

extension StoreEncoder where Self: ~Copyable {
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

/// Reads a stored file of one format, part by part.
package protocol StoreDecoder: ~Copyable {
    var format: StoreFormat { get }
    /// Whether other readers accept the file too.
    var isReadEverywhere: Bool { get }
    /// The text of the key or string, or the content of the data, read last. Valid until the next part is read.
    var text: Span<UInt8> { @_lifetime(borrow self) borrowing get }
    /// The next part; nil past the end of the root.
    mutating func next() throws(StoreFailure) -> StoredElement?
    /// Skips a value whose first part was just read.
    mutating func skip(_ first: StoredElement) throws(StoreFailure)
    /// Whether the file may have dates or data, which is found out faster than they are read. Nothing has been read yet.
    mutating func mayHoldDatesOrData() throws(StoreFailure) -> Bool
}

extension StoreDecoder where Self: ~Copyable {
    /// Copies a value whose first part was just read.
    /// - Throws: `unfit` with the path in the value where the sink can't take it.
    @inline(__always)
    package mutating func copy<Sink: HeldSink & ~Copyable>(
        _ first: StoredElement, to sink: inout Sink
    ) throws(StoreFailure) {
        let (limitLevels, limitBytes) = (sink.limitLevels, sink.limitBytes)
        var depth = 0
        var element = first
        while true {
            depth += element.depthChange
            do throws(BadRecord) {
                guard depth <= limitLevels else { throw BadRecord(.tooDeep(limitLevels)) }
                // Without a text the decoder still has that of an earlier part, which its window may have left.
                if element.hasText { try sink.put(element, text) } else { try sink.put(element, Span()) }
                guard sink.bytesHeld <= limitBytes else { throw BadRecord(.tooLarge) }
            } catch {
                throw .unfit(error.reason.message, path: sink.path)
            }
            guard depth > 0, let next = try next() else { return }
            element = next
        }
    }
}

extension StoreFormat {
    /// - Parameter location: the store's. What is written out of order goes to a file beside it first, as a binary one does.
    func encoder(_ rules: ValueRules, beside location: FileLocation?) -> any StoreEncoder & ~Copyable {
        switch self {
        case .xml: XMLWriter(replacesControls: rules.isLossy)
        case .binary: BinaryWriter(beside: location)
        case .jsonl: LinesWriter()
        }
    }

    /// - Parameters:
    ///   - file: must allow reads at any offset, so not a pipe.
    ///   - format: nil for what the file shows.
    package static func decoder(
        of file: Descriptor, as format: StoreFormat? = nil
    ) throws(StoreFailure) -> any StoreDecoder & ~Copyable {
        let shown = format == nil ? try of(file) : format
        switch shown ?? .default {
        case .xml: return XMLReader(file)
        case .binary: return try BinaryReader.opened(file, size: StoreFailure.of(file.status().bytes))
        case .jsonl: return LinesReader(file)
        }
    }

    /// That of the file at a path; nil where it isn't there, can't be read, or holds nothing of the kind.
    package static func held(by path: String) -> StoreFormat? {
        do throws(StoreFailure) {
            let file = try StoreFailure.of(Descriptor.reading(path))
            defer { file.closeUnchecked() }
            return try of(file)
        } catch {
            return nil
        }
    }

    /// White space of any length may precede a record. A file with nothing else shows its format by its name alone.
    package static func of(_ file: Descriptor) throws(StoreFailure) -> StoreFormat? {
        var start = try StoreFailure.of(file.bytes(startBytes))
        var offset = 0
        while !start.isEmpty {
            guard start.allSatisfy(\.isJSONSpace) else { return of(start: start) }
            offset += start.count
            start = try StoreFailure.of(file.bytes(startBytes, at: offset))
        }
        return named(by: file.name).flatMap { $0.keepsLines ? $0 : nil }
    }
}
