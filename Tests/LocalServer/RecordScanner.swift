// Where the records of a catalogue lie: a JSON file is cut into the elements of its array, not a byte of them touched.
//
//     [ {"_id":1}, {"_id":2} ]              two ranges
//     {"info":{},"data":[ {"_id":1} ]}      one range

/// A walk over the structure of a JSON text. It trusts the text to be JSON where no structure depends on it, so that
/// a catalogue may hold bad records on purpose.
struct RecordScanner {
    struct Failure: Error {
        let offset: Int
        let expected: String
    }

    private let bytes: [UInt8]
    private var place = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    static func records(in bytes: [UInt8]) throws(Failure) -> [Range<Int>] {
        var scanner = RecordScanner(bytes)
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { scanner.place = 3 }
        scanner.skipSpace()
        if scanner.peek == UInt8(ascii: "{") { try scanner.enterData() }
        return try scanner.elements()
    }

    private var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || (0x09...0x0d).contains(byte) { place += 1 }
    }

    private mutating func take(_ byte: UInt8, _ expected: String) throws(Failure) {
        skipSpace()
        guard peek == byte else { throw Failure(offset: place, expected: expected) }
        place += 1
        skipSpace()
    }

    /// Goes to the value of the outermost member `data`.
    private mutating func enterData() throws(Failure) {
        try take(UInt8(ascii: "{"), "'{'")
        while true {
            let name = try value()
            try take(UInt8(ascii: ":"), "':'")
            if bytes[name].elementsEqual("\"data\"".utf8) { return }
            _ = try value()
            try take(UInt8(ascii: ","), "a member \"data\"")
        }
    }

    private mutating func elements() throws(Failure) -> [Range<Int>] {
        try take(UInt8(ascii: "["), "an array of records")
        var ranges: [Range<Int>] = []
        guard peek != UInt8(ascii: "]") else { return ranges }
        while true {
            ranges.append(try value())
            skipSpace()
            if peek == UInt8(ascii: "]") { return ranges }
            try take(UInt8(ascii: ","), "',' or ']' after a record")
        }
    }

    /// Passes over one value: to the bracket that closes its first, or to the end of the scalar.
    private mutating func value() throws(Failure) -> Range<Int> {
        let start = place
        var depth = 0
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""): try string()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                place += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09...0x0d:
                if depth == 0 { return try ended(start) }
                if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { depth -= 1 }
                place += 1
                if depth == 0, byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { return start..<place }
            default: place += 1
            }
        }
        throw Failure(offset: place, expected: "the end of a value")
    }

    private func ended(_ start: Int) throws(Failure) -> Range<Int> {
        guard place > start else { throw Failure(offset: place, expected: "a value") }
        return start..<place
    }

    private mutating func string() throws(Failure) {
        place += 1
        while let byte = peek {
            place += byte == UInt8(ascii: "\\") ? 2 : 1
            if byte == UInt8(ascii: "\"") { return }
        }
        throw Failure(offset: bytes.count, expected: "the end of a string")
    }
}
