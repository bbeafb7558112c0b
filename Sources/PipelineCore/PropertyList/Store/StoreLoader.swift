// `--load`: the records of a store as lines of JSON.

/// Writes the records of a property list.
package struct StoreLoader: ~Copyable {
    private let recordLimitBytes: Int
    private var store: StoredRecordReader
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
        let store = try StoredRecordReader.opened(file, layout: layout)
        return StoreLoader(store, writesNonfiniteAsText, recordLimitBytes)
    }

    private init(_ store: consuming StoredRecordReader, _ writesNonfiniteAsText: Bool, _ recordLimitBytes: Int) {
        self.recordLimitBytes = recordLimitBytes
        self.store = store
        writer = JSONLineWriter(writesNonfiniteAsText: writesNonfiniteAsText)
    }

    /// Reals that were written as text.
    package var nonfiniteAsText: Int { writer.nonfiniteAsText }

    /// Writes all records. After an error, what was written is whole records.
    package mutating func run(_ output: inout OutputBuffer) throws(StoreReadError) {
        while try store.advance() {
            do throws(StoreReader.CopyError) {
                try store.copy(to: &writer, limitBytes: recordLimitBytes)
            } catch {
                switch error {
                case .read(let error): throw error
                case .value(let reason):
                    throw .unfit(reason.message, path: store.path + writer.path.dropFirst())
                }
            }
            writer.endLine()
            records += 1
            do throws(SystemError) { try writer.drain(into: &output) } catch { throw .system(error) }
        }
    }
}
