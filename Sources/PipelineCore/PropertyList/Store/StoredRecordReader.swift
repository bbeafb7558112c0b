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
