// Whether a store that was just written reads back: all of it, and as many records as went in.

/// Reads a store to its end.
package enum StoreCheck {
    /// The number of records in the store.
    package static func count(_ file: Descriptor, layout: StoreLayout) throws(StoreReadError) -> Int {
        var records = try OldRecords.opened(file, layout: layout)
        var count = 0
        while try records.advance() { count += 1 }
        return count
    }
}
