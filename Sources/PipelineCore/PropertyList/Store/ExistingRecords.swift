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
