// `--load`: the records of a store as lines of JSON.

/// Writes the records of a property list.
package struct StoreLoader: ~Copyable {
    private let file: Descriptor
    private let layout: StoreLayout
    private let recordLimitBytes: Int
    private var store: StoreReader
    private var writer: JSONLineWriter
    /// Records written so far.
    package private(set) var records = 0

    /// - Parameters:
    ///   - file: must allow reads at any offset, so not a pipe.
    ///   - recordLimitBytes: the limit of a record as JSON, which is held until it is complete.
    package static func opened(
        _ file: Descriptor, layout: StoreLayout, writesNonfiniteAsText: Bool,
        recordLimitBytes: Int = ReadLimits.recordBytes
    ) throws(StoreReadError) -> StoreLoader {
        let store = try StoreReader.opened(file)
        return StoreLoader(file, layout, store, writesNonfiniteAsText, recordLimitBytes)
    }

    private init(
        _ file: Descriptor, _ layout: StoreLayout, _ store: consuming StoreReader, _ writesNonfiniteAsText: Bool,
        _ recordLimitBytes: Int
    ) {
        self.recordLimitBytes = recordLimitBytes
        self.file = file
        self.layout = layout
        self.store = store
        writer = JSONLineWriter(writesNonfiniteAsText: writesNonfiniteAsText)
    }

    /// Reals that were written as text.
    package var nonfiniteAsText: Int { writer.nonfiniteAsText }

    /// Writes all records. After an error, what was written is whole records.
    package mutating func run(_ output: inout OutputBuffer) throws(StoreReadError) {
        switch try store.next() {
        case .beginArray where layout.root == nil && !layout.isKeyed: try array("$", &output)
        case .beginDictionary: try dictionary(&output)
        default:
            throw .unfit(
                "expected \(layout.root == nil && !layout.isKeyed ? "an array or " : "")a dictionary", path: "$")
        }
        while try store.next() != nil {}
    }

    private mutating func dictionary(_ output: inout OutputBuffer) throws(StoreReadError) {
        if let root = layout.root { return try member(root, &output) }
        var holdsRecords = layout.isKeyed
        if !holdsRecords { holdsRecords = try isKeyed() }
        if holdsRecords { return try keyed("$", &output) }
        try record(.beginDictionary, "$", &output)
    }

    /// Whether there are members and all are dictionaries: then they are the records. This reads the file
    /// separately, since the last member may decide.
    private func isKeyed() throws(StoreReadError) -> Bool {
        var scout = try StoreReader.opened(file)
        guard try scout.next() == .beginDictionary else { return false }
        var isEmpty = true
        while try scout.next() == .key {
            guard let value = try scout.next(), value == .beginDictionary else { return false }
            try scout.skip(value)
            isEmpty = false
        }
        return !isEmpty
    }

    private mutating func member(_ root: String, _ output: inout OutputBuffer) throws(StoreReadError) {
        let path = "$." + root
        var isFound = false
        while try store.next() == .key {
            let isRoot = store.text.equals(Array(root.utf8).span)
            guard let value = try store.next() else { break }
            if !isRoot || isFound {
                try store.skip(value)
                continue
            }
            isFound = true
            switch value {
            case .beginArray where !layout.isKeyed: try array(path, &output)
            case .beginDictionary where layout.isKeyed: try keyed(path, &output)
            case .beginDictionary:
                throw .unfit("expected an array; --keyed reads a dictionary of records", path: path)
            default: throw .unfit("expected \(layout.isKeyed ? "a dictionary" : "an array")", path: path)
            }
        }
        if !isFound { throw .unfit("there is no such member", path: path) }
    }

    private mutating func array(_ path: String, _ output: inout OutputBuffer) throws(StoreReadError) {
        var index = 0
        while let value = try store.next(), value != .endArray {
            try record(value, "\(path)[\(index)]", &output)
            index += 1
        }
    }

    private mutating func keyed(_ path: String, _ output: inout OutputBuffer) throws(StoreReadError) {
        while try store.next() == .key {
            let key = store.text.text
            guard let value = try store.next() else { return }
            try record(value, "\(path)['\(key)']", &output)
        }
    }

    private mutating func record(
        _ first: StoredElement, _ path: @autoclosure () -> String, _ output: inout OutputBuffer
    ) throws(StoreReadError) {
        guard first == .beginDictionary else {
            throw .unfit("expected a dictionary, which a record is", path: path())
        }
        do throws(StoreReader.CopyError) {
            try store.copy(first, to: &writer, levels: JSONReader.depthLimit, limitBytes: recordLimitBytes)
        } catch {
            switch error {
            case .read(let error): throw error
            case .value(let reason): throw .unfit(reason.message, path: path() + writer.path.dropFirst())
            }
        }
        writer.endLine()
        records += 1
        do throws(SystemError) {
            try writer.drain(into: &output)
        } catch {
            throw .system(error)
        }
    }
}
