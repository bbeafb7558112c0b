// Reads a stored property list of either format and any root, part by part.

/// How a store holds its records.
package struct StoreLayout: Equatable, Sendable {
    /// `--root`: they are in this member of a dictionary.
    package var root: String?
    /// `--keyed`: they are a dictionary by key instead of an array.
    package var isKeyed = false

    package init() {}
}

extension PropertyListFormat {
    /// The format of a stored file.
    package static func of(_ file: Descriptor) throws(StoreReadError) -> PropertyListFormat {
        try StoreReader.opened(file).format
    }
}

/// An open store, XML or binary.
struct StoreReader: ElementReader, ~Copyable {
    let format: PropertyListFormat
    private var xml: XMLReader
    private var binary: BinaryReader

    /// - Parameter file: must allow reads at any offset.
    static func opened(_ file: Descriptor) throws(StoreReadError) -> StoreReader {
        var head = [UInt8](repeating: 0, count: 8)
        let size: Int
        do throws(SystemError) {
            _ = try file.read(into: &head, at: 0)
            size = try file.status().bytes
        } catch {
            throw .system(error)
        }
        guard head.starts(with: Array("bplist0".utf8)) else {
            return StoreReader(.xml, XMLReader(file), BinaryReader.unused(file))
        }
        return StoreReader(.binary, XMLReader(file), try BinaryReader.opened(file, size: size))
    }

    private init(_ format: PropertyListFormat, _ xml: consuming XMLReader, _ binary: consuming BinaryReader) {
        self.format = format
        self.xml = xml
        self.binary = binary
    }

    mutating func next() throws(StoreReadError) -> StoredElement? {
        format == .xml ? try xml.next() : try binary.next()
    }

    /// The text of the key or string, or the content of the data, that was read last.
    var text: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { format == .xml ? xml.text : binary.text }
    }

    /// Copies a value whose first part was just read. A few bytes of binary can become a value of any size.
    /// - Parameters:
    ///   - levels: the maximum depth of containers in the value.
    ///   - limitBytes: what the sink may hold; it may be exceeded by one text.
    mutating func copy<Sink: HeldSink & ~Copyable>(
        _ first: StoredElement, to sink: inout Sink, levels: Int, limitBytes: Int
    ) throws(CopyError) {
        var depth = 0
        var element = first
        while true {
            depth += element.depthChange
            guard depth <= levels else { throw .value(.tooDeep) }
            do throws(PropertyListError.Reason) {
                // Without a text the reader still has that of an earlier part, which its window may have left.
                if element.hasText { try sink.put(element, text) } else { try sink.put(element, Span()) }
            } catch {
                throw .value(error)
            }
            guard sink.bytesHeld <= limitBytes else { throw .value(.tooLarge) }
            if depth == 0 { return }
            do throws(StoreReadError) {
                guard let next = try next() else { return }
                element = next
            } catch {
                throw .read(error)
            }
        }
    }

    /// Why a value couldn't be copied: it can't be read, or the sink can't take it.
    enum CopyError: Error {
        case read(StoreReadError)
        case value(PropertyListError.Reason)
    }

    /// Skips a value whose first part was just read.
    mutating func skip(_ first: StoredElement) throws(StoreReadError) {
        var depth = first.depthChange
        while depth > 0, let next = try next() { depth += next.depthChange }
    }
}

// Moves from record to record of a store, however it is laid out: the way of `--load` and of all that reads a store
// without changing it.

/// Reads the records of a property list, one after the other.
struct StoredRecordReader: ~Copyable {
    /// How the records lie at the root, or in the member that the layout names.
    enum Arrangement: Equatable, Sendable {
        case array
        /// A dictionary of records by key.
        case keyed
        /// A dictionary that is the only record.
        case single
    }

    private let layout: StoreLayout
    private var store: StoreReader
    private(set) var arrangement = Arrangement.array
    private var isAtEnd = false
    /// Records read so far.
    private(set) var count = 0
    /// The key of the record read last in a dictionary of records.
    private(set) var key: [UInt8] = []

    /// Opens a store and moves to the first record.
    /// - Parameter file: must allow reads at any offset, so not a pipe.
    /// - Throws: `unfit` for a root that isn't laid out as records.
    static func opened(_ file: Descriptor, layout: StoreLayout) throws(StoreReadError) -> StoredRecordReader {
        var reader = StoredRecordReader(try StoreReader.opened(file), layout)
        try reader.begin(file)
        return reader
    }

    private init(_ store: consuming StoreReader, _ layout: StoreLayout) {
        self.layout = layout
        self.store = store
    }

    /// The path of the records: `$`, or the member that holds them.
    var root: String { layout.root.map { "$." + $0 } ?? "$" }

    /// The path of the record read last.
    var path: String {
        switch arrangement {
        case .array: "\(root)[\(max(count - 1, 0))]"
        case .keyed: "\(root)['\(key.span.text)']"
        case .single: root
        }
    }

    private mutating func begin(_ file: Descriptor) throws(StoreReadError) {
        let first = try store.next()
        if let root = layout.root {
            guard first == .beginDictionary else { throw .unfit("expected a dictionary", path: "$") }
            return try begin(inMember: root)
        }
        switch first {
        case .beginArray where !layout.isKeyed: arrangement = .array
        case .beginDictionary where layout.isKeyed: arrangement = .keyed
        case .beginDictionary: arrangement = try Self.holdsRecords(file) ? .keyed : .single
        default: throw .unfit("expected \(layout.isKeyed ? "" : "an array or ")a dictionary", path: "$")
        }
    }

    /// Whether all members are dictionaries: then they are the records, and there are none where there are no members.
    /// This reads the file separately, since the last member may decide.
    private static func holdsRecords(_ file: Descriptor) throws(StoreReadError) -> Bool {
        var scout = try StoreReader.opened(file)
        guard try scout.next() == .beginDictionary else { return false }
        while try scout.next() == .key {
            guard let value = try scout.next(), value == .beginDictionary else { return false }
            try scout.skip(value)
        }
        return true
    }

    private mutating func begin(inMember root: String) throws(StoreReadError) {
        let name = Array(root.utf8)
        while try store.next() == .key {
            let isRoot = store.text.equals(name.span)
            guard let value = try store.next() else { break }
            guard isRoot else {
                try store.skip(value)
                continue
            }
            switch value {
            case .beginArray where !layout.isKeyed: arrangement = .array
            case .beginDictionary where layout.isKeyed: arrangement = .keyed
            case .beginDictionary:
                throw .unfit("expected an array; --keyed reads a dictionary of records", path: self.root)
            default: throw .unfit("expected \(layout.isKeyed ? "a dictionary" : "an array")", path: self.root)
            }
            return
        }
        throw .unfit("there is no such member", path: self.root)
    }

    /// Moves to the next record, which `copy` then reads.
    /// - Returns: false past the last one. Then the file has been read to its end.
    mutating func advance() throws(StoreReadError) -> Bool {
        guard !isAtEnd, try beginRecord() else {
            isAtEnd = true
            while try store.next() != nil {}
            return false
        }
        count += 1
        return true
    }

    private mutating func beginRecord() throws(StoreReadError) -> Bool {
        var first: StoredElement?
        switch arrangement {
        case .single: return count == 0
        case .array:
            first = try store.next()
            if first == .endArray { return false }
        case .keyed:
            guard try store.next() == .key else { return false }
            key = store.text.array
            first = try store.next()
        }
        guard let first else { return false }
        guard first == .beginDictionary else {
            count += 1
            throw .unfit("expected a dictionary, which a record is", path: path)
        }
        return true
    }

    /// Copies the record that `advance` has moved to; to be called once for each.
    /// - Parameters:
    ///   - levels: the maximum depth of containers in the record.
    ///   - limitBytes: what the sink may hold; it may be exceeded by one text.
    mutating func copy<Sink: HeldSink & ~Copyable>(
        to sink: inout Sink, levels: Int = JSONReader.depthLimit, limitBytes: Int
    ) throws(StoreReader.CopyError) {
        try store.copy(.beginDictionary, to: &sink, levels: levels, limitBytes: limitBytes)
    }
}

// The records of the old store, for runs that keep some of them, and the members beside them.

/// Reads an old store.
struct ExistingRecords: ~Copyable {
    private enum Stage {
        case array
        case keyed
        case end
    }

    private var store: StoreReader
    private let layout: StoreLayout
    private var stage = Stage.end
    private var isInMember = false
    /// The members of the root dictionary before and after the records, encoded.
    private(set) var membersBefore: [UInt8] = []
    private(set) var membersAfter: [UInt8] = []
    private var flat = RecordEncoder(isForXML: false, replacesControls: false)
    /// The key of the record read last in a keyed store.
    private(set) var key: [UInt8] = []

    /// Opens a store and moves to the first record.
    /// - Throws: `unfit` for a root of another layout.
    static func opened(_ file: Descriptor, layout: StoreLayout) throws(StoreReadError) -> ExistingRecords {
        var records = ExistingRecords(try StoreReader.opened(file), layout)
        try records.begin()
        return records
    }

    private init(_ store: consuming StoreReader, _ layout: StoreLayout) {
        self.store = store
        self.layout = layout
    }

    private mutating func begin() throws(StoreReadError) {
        let root = try store.next()
        guard let name = layout.root else { return try begin(root, "$") }
        guard root == .beginDictionary else {
            throw .otherLayout("expected a dictionary with the member \(name)", path: "$")
        }
        isInMember = true
        membersBefore = try readMembers(until: name)
    }

    private mutating func begin(_ first: StoredElement?, _ path: String) throws(StoreReadError) {
        if first == .beginArray, !layout.isKeyed {
            stage = .array
        } else if first == .beginDictionary, layout.isKeyed {
            stage = .keyed
        } else {
            throw .otherLayout(
                layout.isKeyed
                    ? "expected a dictionary of records"
                    : "expected an array; --root or --keyed say where records are",
                path: path)
        }
    }

    /// Encodes members up to the one that holds the records, or all of them.
    private mutating func readMembers(until name: String?) throws(StoreReadError) -> [UInt8] {
        var flat = RecordEncoder(isForXML: false, replacesControls: false)
        while try store.next() == .key {
            let isRoot = name.map { store.text.equals(Array($0.utf8).span) } ?? false
            if !isRoot { try put { () throws(PropertyListError.Reason) in try flat.key(store.text) } }
            guard let value = try store.next() else { break }
            if isRoot {
                try begin(value, location)
                break
            }
            do throws(StoreReader.CopyError) {
                try Self.copy(value, &store, &flat)
            } catch {
                throw fault(error)
            }
        }
        return flat.bytes.span.array
    }

    /// The path of the records.
    private var location: String { isInMember ? "$." + (layout.root ?? "") : "$" }

    private func put(_ body: () throws(PropertyListError.Reason) -> Void) throws(StoreReadError) {
        do throws(PropertyListError.Reason) {
            try body()
        } catch {
            throw .unfit(error.message, path: location)
        }
    }

    private static func copy(
        _ first: StoredElement, _ store: inout StoreReader, _ flat: inout RecordEncoder
    ) throws(StoreReader.CopyError) {
        try store.copy(first, to: &flat, levels: ReadLimits.depth, limitBytes: ReadLimits.recordBytes)
    }

    private func fault(_ error: StoreReader.CopyError) -> StoreReadError {
        switch error {
        case .read(let error): error
        case .value(let reason): .unfit(reason.message, path: location)
        }
    }

    /// Reads the next record.
    /// - Returns: false past the last one.
    mutating func advance() throws(StoreReadError) -> Bool {
        switch stage {
        case .end: return false
        case .array:
            guard let first = try store.next(), first != .endArray else { return try end() }
            return try take(first)
        case .keyed:
            guard try store.next() == .key else { return try end() }
            key = store.text.array
            guard let first = try store.next() else { return try end() }
            return try take(first)
        }
    }

    var format: PropertyListFormat { store.format }

    /// The record read last, encoded.
    var record: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { flat.bytes.span }
    }

    private mutating func take(_ first: StoredElement) throws(StoreReadError) -> Bool {
        guard first == .beginDictionary else {
            throw .unfit("expected a dictionary, which a record is", path: location)
        }
        flat.removeAll()
        do throws(StoreReader.CopyError) {
            try Self.copy(first, &store, &flat)
        } catch {
            throw fault(error)
        }
        return true
    }

    private mutating func end() throws(StoreReadError) -> Bool {
        stage = .end
        if isInMember { membersAfter = try readMembers(until: nil) }
        while try store.next() != nil {}
        return false
    }
}
