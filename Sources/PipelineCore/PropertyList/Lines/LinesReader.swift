// Reads a store in JSON Lines: its records are lines, and to its readers they are the elements of one array.
//
//     {"id":1}⏎  {"id":2}⏎  {"$seal":…}⏎        beginArray  line  line  endArray
//
// Each line is checked as it is read. A seal isn't a record, and blank lines and a byte order mark aren't either.

struct LinesReader: StoreDecoder, ~Copyable {
    private enum Place { case start, records, end }

    let format = StoreFormat.jsonl
    private let file: Descriptor
    private var buffer = PieceBuffer(limitBytes: ReadLimits.recordBytes)
    private var place = Place.start
    private var lineNumber = 0
    /// The record in the buffer's text that was read last.
    private var record = 0..<0
    /// The bytes of the buffer's text up to the end of the last line.
    private var used = 0
    private var isAtEnd = false

    init(_ file: Descriptor) { self.file = file }

    var isReadEverywhere: Bool { true }

    var text: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { buffer.text.extracting(record) }
    }

    /// - Throws: `badLine` for a line that is neither blank nor a JSON object.
    mutating func next() throws(StoreFailure) -> StoredElement? {
        switch place {
        case .start:
            place = .records
            return .beginArray
        case .records:
            if try nextRecord() { return .line }
            place = .end
            return .endArray
        case .end: return nil
        }
    }

    /// A record is one part.
    mutating func skip(_ first: StoredElement) throws(StoreFailure) {
        if first == .beginArray { while try next() != .endArray {} }
    }

    func mayHoldDatesOrData() -> Bool { false }

    private mutating func nextRecord() throws(StoreFailure) -> Bool {
        while try nextLine() {
            if text.isBlank || SealClaim(text) != nil { continue }
            do throws(JSONError) { try Self.check(text) } catch {
                // A byte order mark isn't a part of the record, but of its line.
                throw .badLine("\(error)", line: lineNumber, column: record.lowerBound + error.offset + 1)
            }
            return true
        }
        return false
    }

    private static func check(_ line: Span<UInt8>) throws(JSONError) {
        var reader = JSONReader(line)
        try reader.beginRecord()
        try reader.skipToEnd()
    }

    /// Makes `record` the next line, without its line feed.
    private mutating func nextLine() throws(StoreFailure) -> Bool {
        buffer.drop(used)
        (record, used) = (0..<0, 0)
        var searched = 0
        while true {
            if let end = buffer.text.firstIndex(of: 0x0A, from: searched) {
                lend(upTo: end)
                used = end + 1
                return true
            }
            searched = buffer.text.count
            if isAtEnd {
                lend(upTo: searched)
                used = searched
                return searched > 0
            }
            guard searched <= ReadLimits.recordBytes else {
                throw .badLine(BadRecord.Reason.tooLarge.message, line: lineNumber + 1, column: 1)
            }
            isAtEnd = try StoreFailure.of(buffer.read(file, at: buffer.bytesRead)) == 0
        }
    }

    private mutating func lend(upTo end: Int) {
        lineNumber += 1
        let mark = lineNumber == 1 ? buffer.text.extracting(..<end).byteOrderMarkSize : 0
        record = mark..<end
    }
}
