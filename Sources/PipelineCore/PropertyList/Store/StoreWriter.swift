// An unfinished store: records are added and written as a property list, under the root of the layout.

/// The two formats of a property list.
package enum PropertyListFormat: String, Sendable {
    case xml
    case binary
}

/// Writes records into a file.
package struct StoreWriter: ~Copyable {
    /// Encoded records are written in blocks of this size, in bytes.
    private static let blockSize = 262_144
    /// The objects that no record includes: the root, its key and the container of the records.
    private static let outerObjects = 3

    package var file: AtomicFile
    package let format: PropertyListFormat
    private let location: FileLocation?
    private let layout: StoreLayout
    private let rules: ValueRules
    private let verifies: Bool
    private let firstReferenceSize: Int
    private var xml: XMLWriter
    private var binary: BinaryWriter
    private var conversion: RecordConversion
    /// Records stored so far.
    package private(set) var records = 0
    /// A digest of the input, if the file is to be verified.
    private var check: StoreCheck?

    /// - Parameters:
    ///   - location: where the file will be; nil for a stream.
    ///   - layout: if keyed, use `append(key:record:)`.
    ///   - verifies: keeps a digest of the input, for `readsBack`.
    ///   - referenceSize: the initial size in a binary file, in bytes.
    package init(
        _ file: consuming AtomicFile, at location: FileLocation?, format: PropertyListFormat, rules: ValueRules,
        layout: StoreLayout = StoreLayout(), verifies: Bool = false, referenceSize: Int = 3
    ) {
        self.file = file
        self.format = format
        self.location = location
        self.layout = layout
        self.rules = rules
        self.verifies = verifies
        firstReferenceSize = referenceSize
        xml = XMLWriter(replacesControls: rules.replacesControls)
        binary = BinaryWriter(beside: location, isUsed: format == .binary, referenceSize: referenceSize)
        if verifies { check = StoreCheck(format, rules) }
        conversion = RecordConversion(rules: rules, format: format)
        if format == .xml { xml.beginDocument() }
    }

    /// Starts the file again, without what was written.
    mutating func restart() throws(SystemError) {
        let another = try file.another()
        file.discard()
        self = StoreWriter(
            another, at: location, format: format, rules: rules, layout: layout, verifies: verifies,
            referenceSize: firstReferenceSize)
    }

    /// Counts of values that were changed.
    package var choices: Substitutions {
        var choices = conversion.choices
        choices.add(xml.choices)
        return choices
    }

    /// Whether `begin` was called.
    package private(set) var isBegun = false

    /// Writes what precedes the records. Call it once, first.
    /// - Parameter members: of the root dictionary, before the one that holds the records; encoded.
    package mutating func begin(members: [UInt8] = []) throws(RecordError) {
        isBegun = true
        if let root = layout.root {
            if format == .xml { xml.beginDictionary() } else { binary.beginDictionary() }
            try replay(members.span)
            check?.takeMembers(members.span)
            try writeKey(Array(root.utf8).span)
        }
        if format == .binary {
            binary.beginRecords(isKeyed: layout.isKeyed)
        } else if layout.isKeyed {
            xml.beginDictionary()
        } else {
            xml.beginArray()
        }
    }

    /// Adds a line's record. After an error the store is as it was.
    package mutating func append(_ line: Span<UInt8>) throws(RecordError) {
        if format == .xml {
            try conversion.convert(line, into: &xml)
        } else {
            try conversion.convert(line, into: &binary)
        }
        check?.take(line: line)
        records += 1
    }

    /// Adds an encoded record, under its key in a keyed store.
    mutating func append(key: Span<UInt8>, record: Span<UInt8>) throws(RecordError) {
        xml.refusesControlsInKeys = true
        defer { xml.refusesControlsInKeys = false }
        // What the writer notes since a checkpoint grows until the next one.
        if format == .binary { _ = binary.checkpoint() }
        let storedKey = layout.isKeyed ? key : Span()
        if layout.isKeyed { try writeKey(storedKey) }
        try replay(record)
        check?.take(key: storedKey, record: record)
        records += 1
    }

    private mutating func writeKey(_ text: Span<UInt8>) throws(RecordError) {
        do throws(PropertyListError.Reason) {
            if format == .xml { try xml.key(text) } else { binary.key(text) }
        } catch {
            throw .value(PropertyListError(reason: error, offset: 0))
        }
    }

    private mutating func replay(_ parts: Span<UInt8>) throws(RecordError) {
        var reader = RecordDecoder(parts)
        do throws(PropertyListError.Reason) {
            if format == .xml { try reader.replay(into: &xml) } else { try reader.replay(into: &binary) }
        } catch {
            throw .value(PropertyListError(reason: error, offset: 0))
        }
    }

    /// Writes the buffer if it holds a block.
    /// - Parameter nextBytes: of the next record. A JSON value takes at least a byte, so it has fewer objects.
    package mutating func endRecord(nextBytes: Int) throws(SystemError) {
        if format == .xml {
            if xml.bytes.count >= Self.blockSize { try xml.drain(into: &file) }
            return
        }
        if binary.bytes.count >= Self.blockSize {
            try binary.drain(into: &file)
            try binary.settle()
        }
        try binary.makeRoom(for: nextBytes + Self.outerObjects, &file, beside: location)
    }

    /// Ends the records.
    package mutating func endRecords() throws(SystemError) {
        if format == .binary {
            try binary.endRecords(into: &file)
        } else if layout.isKeyed {
            xml.endDictionary()
        } else {
            xml.endArray()
        }
    }

    /// Writes the end of the property list.
    /// - Parameter members: of the root dictionary, after the one that holds the records; encoded.
    package mutating func finish(members: [UInt8] = []) throws(StoreWriteError) {
        do throws(SystemError) { try endRecord(nextBytes: members.count) } catch { throw .system(error) }
        do throws(RecordError) {
            try replay(members.span)
        } catch {
            throw .record(error)
        }
        check?.takeMembers(members.span)
        do throws(SystemError) {
            if format == .xml {
                if layout.root != nil { xml.endDictionary() }
                xml.endDocument()
                try xml.drain(into: &file)
            } else {
                if layout.root != nil { binary.endDictionary() }
                try binary.endDocument(into: &file, beside: location)
            }
        } catch {
            throw .system(error)
        }
    }
}

extension StoreWriter {
    /// Reads the finished file before it gets its name, and compares it with the input, value by value.
    /// - Returns: whether the two are the same.
    package mutating func readsBack() throws(StoreReadError) -> Bool {
        let written: Descriptor?
        do throws(SystemError) { written = try file.readBack() } catch { throw .system(error) }
        guard let written, let isSame = try check?.agrees(with: written, layout) else {
            throw .unfit("a stream can't be read back", path: "$")
        }
        return isSame
    }
}

/// Why a store can't be written.
package enum StoreWriteError: Error, Equatable, Sendable {
    case system(SystemError)
    case old(StoreReadError)
    /// A record of the old store, or a member beside the records, that the new format can't hold.
    case record(RecordError)
}

// Where the records of an updated store go: to a writer, or nowhere, where two stores are only compared.

/// Takes the records of the new store, in its order.
protocol StoreOutput: ~Copyable {
    /// Writes what precedes the records. Called first.
    /// - Parameter members: of the root dictionary, before the one that holds the records; encoded.
    mutating func begin(members: [UInt8]) throws(RecordError)
    /// Writes what is buffered, if that is much.
    mutating func endRecord(nextBytes: Int) throws(SystemError)
    /// Adds an encoded record, under its key in a keyed store.
    mutating func append(key: Span<UInt8>, record: Span<UInt8>) throws(RecordError)
    /// Starts again, without what was written.
    mutating func restart() throws(SystemError)
}

extension StoreWriter: StoreOutput {}

/// Takes records and keeps none.
struct NoStore: StoreOutput {
    mutating func begin(members: [UInt8]) {}
    mutating func endRecord(nextBytes: Int) {}
    mutating func append(key: Span<UInt8>, record: Span<UInt8>) {}
    mutating func restart() {}
}

// Checks that a store that was just written holds its input, value by value: names, types, order and each bit.
//
//     line  ->  encoded record  ->  XML or binary  ->  file
//                  v                                    v
//                hash    ==  or status 74  ==          hash of the records read back, encoded
//
// The input is encoded separately, never by the writer of the file. What XML can't hold is left out of the file on
// purpose, so it is left out here too.

/// A digest of what was stored.
struct StoreCheck: ~Copyable {
    private let format: PropertyListFormat
    private let hash = PolynomialHash()
    private var came = Sum()
    private var conversion: RecordConversion
    private var flat: RecordEncoder

    /// A store as hashes: one of all its records, one of the members beside them.
    private struct Sum: Equatable {
        var records = WideHash()
        var members = WideHash()
    }

    init(_ format: PropertyListFormat, _ rules: ValueRules) {
        self.format = format
        conversion = RecordConversion(rules: rules, format: format)
        flat = RecordEncoder(isForXML: format == .xml, replacesControls: rules.replacesControls)
    }

    /// Takes a line that was stored.
    mutating func take(line: Span<UInt8>) {
        flat.removeAll()
        do throws(RecordError) {
            try conversion.convert(line, into: &flat)
        } catch {
            // It was stored and can't be encoded: the hashes will differ.
            flat.removeAll()
        }
        let noKey: [UInt8] = []
        hash.extend(&came.records, by: noKey.span)
        Self.extend(&came.records, by: flat, hash)
    }

    /// Takes a record that was stored.
    /// - Parameter key: empty unless the store is keyed.
    mutating func take(key: Span<UInt8>, record: Span<UInt8>) {
        hash.extend(&came.records, by: key)
        write(record)
        Self.extend(&came.records, by: flat, hash)
    }

    /// Takes members of the root: call it once for those before the records, once for those after them.
    mutating func takeMembers(_ members: Span<UInt8>) {
        write(members)
        Self.extend(&came.members, by: flat, hash)
    }

    /// Encodes values as the file's format holds them.
    private mutating func write(_ value: Span<UInt8>) {
        flat.removeAll()
        var reader = RecordDecoder(value)
        do throws(PropertyListError.Reason) { try reader.replay(into: &flat) } catch { flat.removeAll() }
    }

    private static func extend(_ sum: inout WideHash, by value: borrowing RecordEncoder, _ hash: PolynomialHash) {
        hash.extend(&sum, by: value.bytes.span)
    }

    /// Reads a store to its end.
    /// - Returns: whether it holds what was taken.
    func agrees(with file: Descriptor, _ layout: StoreLayout) throws(StoreReadError) -> Bool {
        if format == .binary, try !Self.isReadEverywhere(file) { return false }
        var stored = Sum()
        var records = try ExistingRecords.opened(file, layout: layout)
        if layout.root != nil { hash.extend(&stored.members, by: records.membersBefore.span) }
        while try records.advance() {
            hash.extend(&stored.records, by: records.key.span)
            hash.extend(&stored.records, by: records.record)
        }
        hash.extend(&stored.members, by: records.membersAfter.span)
        return stored == came
    }

    /// Whether a binary file has a trailer that all readers accept.
    private static func isReadEverywhere(_ file: Descriptor) throws(StoreReadError) -> Bool {
        var end = [UInt8](repeating: 0, count: BinaryTrailer.byteCount)
        do throws(SystemError) {
            let size = try file.status().bytes
            guard size >= end.count, try file.read(into: &end, at: size - end.count) == end.count else {
                return false
            }
            return BinaryTrailer(end[...], fileSize: size)?.isStrict(fileSize: size) ?? false
        } catch {
            throw .system(error)
        }
    }
}
