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
