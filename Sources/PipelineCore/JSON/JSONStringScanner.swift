// Finds the end of a JSON string and checks its escapes and UTF-8 sequences (RFC 8259, section 7).

/// Scans the bytes between the quotes of a string.
package enum JSONStringScanner {
    /// - Parameter start: the index after the opening quote.
    /// - Returns: the index of the closing quote, and whether there is an escape before it.
    static func end(
        of bytes: Span<UInt8>, from start: Int
    ) throws(JSONError) -> (end: Int, hasEscapes: Bool) {
        let special = bytes.firstSpecialInString(from: start)
        if special < bytes.count, bytes[special] == UInt8(ascii: "\"") { return (special, false) }
        return try end(of: bytes, to: bytes.count, fromSpecial: special)
    }

    /// The same, from the first byte on that isn't plain.
    /// - Parameter limit: where the text ends. Bytes past it may be read but don't count.
    static func end(
        of bytes: Span<UInt8>, to limit: Int, fromSpecial start: Int
    ) throws(JSONError) -> (end: Int, hasEscapes: Bool) {
        var index = start
        var hasEscapes = false
        while true {
            guard index < limit else { throw JSONError(.expectedQuote, at: limit) }
            switch bytes[index] {
            case UInt8(ascii: "\""): return (index, hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                index = try escapeEnd(in: bytes, to: limit, from: index)
            case 0x80...:
                let length = UTF8Sequence.length(in: bytes, at: index)
                guard length > 0, index &+ length <= limit else { throw JSONError(.invalidUTF8, at: index) }
                index &+= length
            default: throw JSONError(.controlCharacter, at: index)
            }
            // Such bytes come in runs: text in another script is one run.
            if index < limit, !StringDelimiters.isSpecial(bytes[index]) {
                index = bytes.firstSpecialInString(from: index)
            }
        }
    }

    private static func escapeEnd(
        in bytes: Span<UInt8>, to limit: Int, from backslash: Int
    ) throws(JSONError) -> Int {
        guard backslash + 1 < limit else { throw JSONError(.expectedEscape, at: backslash + 1) }
        switch bytes[backslash + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return backslash + 2
        case UInt8(ascii: "u"):
            for index in backslash + 2..<backslash + 6 {
                guard index < limit, hexValue(bytes[index]) != nil else {
                    throw JSONError(.expectedHexDigit, at: min(index, limit))
                }
            }
            return backslash + 6
        default: throw JSONError(.expectedEscape, at: backslash + 1)
        }
    }

    /// The value of a hexadecimal digit; nil for any other byte.
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
