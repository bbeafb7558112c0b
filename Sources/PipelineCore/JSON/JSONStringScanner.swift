// The end of a JSON string: checks every escape and every UTF-8 sequence on the way (RFC 8259, section 7).

/// Scans what stands between the quotes of a string.
package enum JSONStringScanner {
    /// - Parameter start: the index after the opening quote.
    /// - Returns: the index of the closing quote, and whether an escape stands before it.
    static func end(
        of bytes: Span<UInt8>, from start: Int
    ) throws(JSONError) -> (end: Int, hasEscapes: Bool) {
        var index = start
        var hasEscapes = false
        while true {
            index = bytes.firstSpecialInString(from: index)
            guard index < bytes.count else { throw JSONError(.expectedQuote, at: index) }
            switch bytes[index] {
            case UInt8(ascii: "\""): return (index, hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                index = try escapeEnd(in: bytes, from: index)
            case 0x80...:
                let length = UTF8Sequence.length(in: bytes, at: index)
                guard length > 0 else { throw JSONError(.invalidUTF8, at: index) }
                index += length
            default: throw JSONError(.controlCharacter, at: index)
            }
        }
    }

    private static func escapeEnd(in bytes: Span<UInt8>, from backslash: Int) throws(JSONError) -> Int {
        guard backslash + 1 < bytes.count else { throw JSONError(.expectedEscape, at: backslash + 1) }
        switch bytes[backslash + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return backslash + 2
        case UInt8(ascii: "u"):
            for index in backslash + 2..<backslash + 6 {
                guard index < bytes.count, hexValue(bytes[index]) != nil else {
                    throw JSONError(.expectedHexDigit, at: min(index, bytes.count))
                }
            }
            return backslash + 6
        default: throw JSONError(.expectedEscape, at: backslash + 1)
        }
    }

    /// The value of a hexadecimal digit, nil for any other byte.
    @inline(__always)
    package static func hexValue(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
