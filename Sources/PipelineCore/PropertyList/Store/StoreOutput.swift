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
