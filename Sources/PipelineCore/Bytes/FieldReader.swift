// Reads short texts of words and numbers, which the tools write for themselves.
//
//     castline-cache 1 200 1732200000123 body 8211

package struct FieldReader: ~Escapable {
    /// A number with this many digits always fits.
    private static let digitLimit = 18

    package let bytes: Span<UInt8>
    package private(set) var position = 0

    @_lifetime(copy bytes)
    package init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    package var isAtEnd: Bool { position == bytes.count }

    /// Skips the text if it comes next.
    @_lifetime(self: copy self)
    package mutating func skip(_ text: StaticString) -> Bool {
        let end = position + text.utf8CodeUnitCount
        guard end <= bytes.count, bytes.extracting(position..<end).equals(text) else { return false }
        position = end
        return true
    }

    @_lifetime(self: copy self)
    package mutating func endLine() -> Bool {
        guard position < bytes.count, bytes[position] == 0x0A else { return false }
        position += 1
        return true
    }

    /// Skips the next line and returns it without its end; nil if it has none.
    @_lifetime(self: copy self)
    package mutating func line() -> Range<Int>? {
        guard let end = bytes.firstIndex(of: 0x0A, from: position) else { return nil }
        defer { position = end + 1 }
        return position..<end
    }

    /// The range of the word after the next space, or at the beginning; nil if there is none.
    @_lifetime(self: copy self)
    package mutating func word() -> Range<Int>? {
        guard position == 0 || position < bytes.count && bytes[position] == 0x20 else { return nil }
        let start = position == 0 ? 0 : position + 1
        var end = start
        while end < bytes.count, bytes[end] > 0x20 { end += 1 }
        guard end > start else { return nil }
        position = end
        return start..<end
    }

    /// The next word as a decimal number; nil if it isn't one.
    @_lifetime(self: copy self)
    package mutating func number() -> Int? {
        guard let word = word(), word.count <= Self.digitLimit else { return nil }
        var number = 0
        for index in word {
            guard (0x30...0x39).contains(bytes[index]) else { return nil }
            number = number * 10 + Int(bytes[index] - 0x30)
        }
        return number
    }
}

/// Numbers in as few bytes as they need: seven bits in each, the lowest first, the top bit set in all but the last.
extension ByteBuffer {
    @inline(__always)
    mutating func append(number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }
}
