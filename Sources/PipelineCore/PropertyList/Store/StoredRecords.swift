// Reads the records of a store, of any format and layout.

/// How a store holds its records.
package struct StoreLayout: Equatable, Sendable {
    /// `--root`: they are in this member of a dictionary.
    package var root: String?
    /// `--keyed`: they are a dictionary by key instead of an array.
    package var isKeyed = false

    package init() {}
}

package struct StoredRecords: ~Copyable {
    /// How the records lie at the root, or in the member that the layout names.
    package enum Arrangement: Equatable, Sendable {
        case none
        case array
        case keyed
        /// A dictionary that is the only record.
        case single
    }

    private let layout: StoreLayout
    /// Whether they are read to be stored again: then the layout must fit, and the members beside them are kept.
    private let isUpdate: Bool
    var store: any StoreDecoder & ~Copyable
    package private(set) var arrangement = Arrangement.none
    private var isAtEnd = false
    /// The first part of the current record: the beginning of a dictionary, or a line.
    private var first = StoredElement.beginDictionary
    package private(set) var count = 0
    /// The key of the record read last in a dictionary of records.
    package private(set) var key: [UInt8] = []
    /// The members of the root dictionary before and after the records, encoded.
    private(set) var membersBefore: [UInt8] = []
    private(set) var membersAfter: [UInt8] = []

    /// Opens a store and moves to the first record.
    /// - Parameter format: nil for what the file shows.
    /// - Throws: `otherLayout` for a root that isn't laid out as asked for.
    package static func opened(
        _ file: Descriptor, as format: StoreFormat? = nil, layout: StoreLayout, forUpdate isUpdate: Bool = false
    ) throws(StoreFailure) -> StoredRecords {
        let store = try StoreFormat.decoder(of: file, as: format)
        var records = StoredRecords(layout: layout, isUpdate: isUpdate, store: store)
        try records.begin(file)
        return records
    }

    package var format: StoreFormat {
        // Swift 6.3 opens a value of `any StoreDecoder & ~Copyable` only where it may change.
        mutating get { store.format }
    }

    private var root: String { layout.root.map { "$." + $0 } ?? "$" }

    package var path: String {
        switch arrangement {
        case .array: "\(root)[\(max(count - 1, 0))]"
        case .keyed: "\(root)['\(key.span.text)']"
        case .single, .none: root
        }
    }

    private mutating func begin(_ file: Descriptor) throws(StoreFailure) {
        let first = try store.next()
        guard let name = layout.root else { return try begin(first, file) }
        guard first == .beginDictionary else {
            throw .otherLayout("expected a dictionary with the member \(name)", path: "$")
        }
        membersBefore = try readMembers(until: name, file)
        // A new store gets the member.
        guard isUpdate || arrangement != .none else { throw .otherLayout("there is no such member", path: root) }
    }

    private mutating func begin(_ first: StoredElement?, _ file: Descriptor) throws(StoreFailure) {
        switch first {
        case .beginArray where !layout.isKeyed: arrangement = .array
        case .beginDictionary where layout.isKeyed: arrangement = .keyed
        case .beginDictionary where layout.root == nil && !isUpdate:
            arrangement = try Self.holdsRecords(file) ? .keyed : .single
        default:
            let cure = first == .beginDictionary ? "--root or --keyed say where records are" : nil
            throw .otherLayout(Message("expected \(expectation)", cure: cure), path: root)
        }
    }

    private var expectation: String {
        if layout.isKeyed { return "a dictionary of records" }
        return layout.root == nil && !isUpdate ? "an array or a dictionary" : "an array"
    }

    /// Whether all members are dictionaries: then they are the records, and there are none where there are no members.
    /// This reads the file separately, since the last member may decide.
    private static func holdsRecords(_ file: Descriptor) throws(StoreFailure) -> Bool {
        var scout = try StoreFormat.decoder(of: file)
        guard try scout.next() == .beginDictionary else { return false }
        while try scout.next() == .key {
            guard let value = try scout.next(), value == .beginDictionary else { return false }
            try scout.skip(value)
        }
        return true
    }

    /// Reads the members of the root up to the one that holds the records, or all of them.
    /// - Returns: those that are kept, encoded.
    private mutating func readMembers(until name: String?, _ file: Descriptor? = nil) throws(StoreFailure)
        -> [UInt8]
    {
        let name = name.map { Array($0.utf8) }
        var members = RecordEncoder(for: .lossless)
        while try store.next() == .key {
            let isRoot = name.map { store.text.equals($0.span) } ?? false
            if isRoot, let file {
                try begin(try store.next(), file)
                break
            }
            if isUpdate { try store.copy(.key, to: &members) }
            guard let value = try store.next() else { break }
            if isUpdate { try store.copy(value, to: &members) } else { try store.skip(value) }
        }
        return members.record.array
    }

    /// - Returns: false past the last one. Then the file has been read to its end.
    package mutating func next<Sink: HeldSink & ~Copyable>(into sink: inout Sink) throws(StoreFailure) -> Bool {
        guard try advance() else { return false }
        sink.beginValue()
        do throws(StoreFailure) { try store.copy(first, to: &sink) } catch { throw error.inside(path) }
        return true
    }

    /// Reads to the end without building records.
    package mutating func skipRest() throws(StoreFailure) -> Int {
        while try advance() {
            do throws(StoreFailure) { try store.skip(first) } catch { throw error.inside(path) }
        }
        return count
    }

    /// The text `source` of the first record, which is read; nil if it has none.
    package mutating func firstSource() throws(StoreFailure) -> String? {
        var record = RecordEncoder(for: .lossless)
        guard try next(into: &record) else { return nil }
        let encoded = record.record
        if let line = RecordDecoder.line(of: encoded) {
            // The line was checked as it was read.
            do throws(JSONError) { return try JSONTree.read(encoded.extracting(line))["source"]?.string } catch {
                return nil
            }
        }
        var reader = RecordDecoder(encoded)
        _ = reader.next()
        return RecordKey.member(Array("source".utf8), &reader) == .string ? reader.text.text : nil
    }

    private mutating func advance() throws(StoreFailure) -> Bool {
        if isAtEnd { return false }
        if try beginRecord() { return true }
        isAtEnd = true
        if layout.root != nil, arrangement != .none { membersAfter = try readMembers(until: nil) }
        while try store.next() != nil {}
        return false
    }

    private mutating func beginRecord() throws(StoreFailure) -> Bool {
        var next: StoredElement?
        switch arrangement {
        case .none: return false
        case .single:
            guard count == 0 else { return false }
            next = .beginDictionary
        case .array:
            next = try store.next()
            if next == .endArray { return false }
        case .keyed:
            guard try store.next() == .key else { return false }
            key = store.text.array
            next = try store.next()
        }
        guard let next else { return false }
        count += 1
        first = next
        guard first == .beginDictionary || first == .line else {
            throw .unfit("expected a dictionary, as records are", path: path)
        }
        return true
    }
}

extension StoredRecords {
    /// Whether two stores of one format hold the same values in the same order, whatever the order of members, and however
    /// their writers spell them. They are read to the first difference.
    package static func areSame(
        _ old: Descriptor, _ new: Descriptor, _ layout: StoreLayout
    ) throws(StoreFailure) -> Bool {
        var stored = try opened(old, layout: layout, forUpdate: true)
        var written = try opened(new, layout: layout, forUpdate: true)
        var comparison = RecordComparison(written.store.format, ValueRules(), ignoring: [])
        var mine = RecordEncoder(for: .lossless)
        var theirs = RecordEncoder(for: .lossless)
        guard stored.arrangement == written.arrangement else { return false }
        while try stored.next(into: &mine) {
            guard try written.next(into: &theirs), stored.key == written.key,
                comparison.fate(mine.record, theirs.record) != .changed
            else { return false }
        }
        guard try !written.next(into: &theirs) else { return false }
        return stored.membersBefore == written.membersBefore && stored.membersAfter == written.membersAfter
    }
}
