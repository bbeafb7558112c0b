// Well-formed UTF-8 (Unicode standard, table 3-7): no overlong forms, no surrogates, nothing above U+10FFFF.

/// One encoded scalar.
package enum UTF8Sequence {
    /// The length in bytes of the sequence that begins at `index`; 0 if it isn't well-formed.
    @inline(__always)
    package static func length(in bytes: Span<UInt8>, at index: Int) -> Int {
        let first = bytes[index]
        if first < 0x80 { return 1 }
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard first >= 0xC2, first <= 0xF4, index + length <= bytes.count else { return 0 }
        let second = bytes[index + 1]
        let least: UInt8 = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80
        let most: UInt8 = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF
        guard second >= least, second <= most else { return 0 }
        for offset in 2..<max(length, 2) where bytes[index + offset] & 0xC0 != 0x80 { return 0 }
        return length
    }

    /// The index of the first byte that doesn't begin a well-formed sequence; nil if all is UTF-8.
    package static func firstFault(in bytes: Span<UInt8>) -> Int? {
        var index = 0
        while index < bytes.count {
            let length = length(in: bytes, at: index)
            guard length > 0 else { return index }
            index += length
        }
        return nil
    }

    /// Appends the scalar's bytes; U+FFFD for a surrogate.
    @inline(__always)
    package static func append(_ value: UInt32, to bytes: inout [UInt8]) {
        bytes.append(
            contentsOf: UTF8.encode(Unicode.Scalar(value) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter)
    }

    /// The scalar of a well-formed sequence, and its length.
    @inline(__always)
    package static func scalar(in bytes: Span<UInt8>, at index: Int) -> (value: UInt32, length: Int) {
        let first = UInt32(bytes[index])
        if first < 0x80 { return (first, 1) }
        let second = UInt32(bytes[index + 1] & 0x3F)
        if first < 0xE0 { return ((first & 0x1F) << 6 | second, 2) }
        let third = UInt32(bytes[index + 2] & 0x3F)
        if first < 0xF0 { return ((first & 0x0F) << 12 | second << 6 | third, 3) }
        return ((first & 0x07) << 18 | second << 12 | third << 6 | UInt32(bytes[index + 3] & 0x3F), 4)
    }
}
