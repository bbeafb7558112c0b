// Maps code points to positions in the tables, and decodes them from bytes.

enum CodePoints {
    /// A code point's position in the tables; nil for those beyond plane 1 that are ordinary letters. The tags and
    /// selectors of plane 14 and the compatibility ideographs of plane 2 follow plane 1.
    @inline(__always)
    static func position(of code: UInt32) -> UInt32? {
        if code < 0x20000 { return code }
        if code >> 12 == 0xE0 { return code - 0xC0000 }
        if code >> 10 == 0xBE { return code - 0x2F800 + 0x21000 }
        return nil
    }

    /// The code point at a position in the tables.
    static func code(at position: UInt32) -> UInt32 {
        if position < 0x20000 { return position }
        return position < 0x21000 ? position + 0xC0000 : position - 0x21000 + 0x2F800
    }
}

extension Span where Element == UInt8 {
    /// The code point at the position, and the position after it. Bytes that aren't UTF-8 yield some code point,
    /// and the position always advances.
    @inline(__always)
    func codePoint(at position: Int) -> (code: UInt32, next: Int) {
        let first = UInt32(self[position])
        if first < 0x80 { return (first, position + 1) }
        if first < 0xE0 {
            guard position + 1 < count else { return (0xFFFD, count) }
            return ((first & 0x1F) << 6 | tail(position + 1), position + 2)
        }
        if first < 0xF0 {
            guard position + 2 < count else { return (0xFFFD, count) }
            return ((first & 0x0F) << 12 | tail(position + 1) << 6 | tail(position + 2), position + 3)
        }
        guard position + 3 < count else { return (0xFFFD, count) }
        let code = (first & 0x07) << 18 | tail(position + 1) << 12 | tail(position + 2) << 6 | tail(position + 3)
        return (code, position + 4)
    }

    @inline(__always)
    private func tail(_ position: Int) -> UInt32 { UInt32(self[position]) & 0x3F }
}
