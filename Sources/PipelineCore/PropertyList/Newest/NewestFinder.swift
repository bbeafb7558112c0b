// `--newest`: the greatest value of a member in a store.

/// Finds the greatest value that a path finds in the records of a property list. Memory holds one record.
package struct NewestFinder: ~Copyable {
    private var store: StoredRecordReader
    private var record = RecordEncoder(isForXML: false, replacesControls: false)
    private var search: NewestSearch
    package private(set) var records = 0
    /// The first records, as long as the path has found nothing.
    package private(set) var sample = RecordSample()

    /// - Parameter file: must allow reads at any offset, so not a pipe.
    package static func opened(
        _ file: Descriptor, layout: StoreLayout, path: JSONPath
    ) throws(StoreReadError) -> NewestFinder {
        NewestFinder(try StoredRecordReader.opened(file, layout: layout), NewestSearch(path))
    }

    private init(_ store: consuming StoredRecordReader, _ search: consuming NewestSearch) {
        self.store = store
        self.search = search
    }

    /// The value as `--load` writes it, without quotes: one line. Nil if no record has any.
    package var line: String? { search.newest.line }

    /// Whether the path has found any value, such as a boolean or an object.
    package var hasFound: Bool { search.hasFound }

    /// Reads all records.
    package mutating func run() throws(StoreReadError) {
        while try store.advance() {
            record.removeAll()
            do throws(StoreReader.CopyError) {
                try store.copy(to: &record, limitBytes: ReadLimits.recordBytes)
            } catch {
                switch error {
                case .read(let error): throw error
                case .value(let reason): throw .unfit(reason.message, path: store.path)
                }
            }
            records += 1
            do throws(NewestSearch.Failure) {
                try Self.search(record, by: &search)
            } catch {
                switch error {
                case .value(let reason): throw .unfit(reason.message, path: store.path)
                case .path(let error): throw .unfit("\(error)", path: store.path)
                }
            }
            if !search.hasFound, sample.hasRoom { Self.keep(record, in: &sample) }
        }
    }

    private static func search(
        _ record: borrowing RecordEncoder, by search: inout NewestSearch
    ) throws(NewestSearch.Failure) {
        try search.search(record.bytes.span)
    }

    private static func keep(_ record: borrowing RecordEncoder, in sample: inout RecordSample) {
        var json = JSONLineWriter(writesNonfiniteAsText: true)
        var decoder = RecordDecoder(record.bytes.span)
        do throws(PropertyListError.Reason) { try decoder.replay(into: &json) } catch { return }
        sample.add(json.bytes.span)
    }
}
