// A record that waits in a spill file, with its key before it.
//
//     3 31 D k 2 id …       the length of the key plus 1, or 0 for none; the key; the encoded record

/// A record read back from a spill file. Its memory is used again for the next one.
struct SpilledRecord {
    private var bytes: [UInt8] = []
    /// Nil for a record without a key.
    private(set) var key: [UInt8]?
    private var start = 0

    /// The encoded record.
    var record: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { bytes.span.extracting(start...) }
    }

    static func append(key: [UInt8]?, _ record: Span<UInt8>, to spill: inout SpillFile) {
        spill.append(number: key.map { UInt64($0.count) + 1 } ?? 0)
        if let key { spill.append(key.span) }
        spill.append(record)
    }

    mutating func read(_ place: Range<Int>, from spill: borrowing SpillFile) throws(SystemError) {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: repeatElement(0, count: place.count))
        guard try spill.read(into: &bytes, at: place.lowerBound) == place.count else {
            throw .shortRead("a spill file")
        }
        (key, start) = Self.head(of: bytes.span)
    }

    private static func head(of bytes: Span<UInt8>) -> (key: [UInt8]?, end: Int) {
        var reader = RecordDecoder(bytes)
        let count = reader.number() - 1
        let start = reader.position
        guard count >= 0 else { return (nil, start) }
        return (bytes.extracting(start..<start + count).array, start + count)
    }
}
