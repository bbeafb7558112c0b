// One code point out of bytes that are known to be UTF-8.

extension Span where Element == UInt8 {
    /// The code point at the place and the place behind it. Bytes that aren't UTF-8 give some code point, and the place
    /// always moves on.
    @inline(__always)
    func codePoint(at place: Int) -> (code: UInt32, next: Int) {
        let first = UInt32(self[place])
        if first < 0x80 { return (first, place + 1) }
        if first < 0xE0 {
            guard place + 1 < count else { return (0xFFFD, count) }
            return ((first & 0x1F) << 6 | tail(place + 1), place + 2)
        }
        if first < 0xF0 {
            guard place + 2 < count else { return (0xFFFD, count) }
            return ((first & 0x0F) << 12 | tail(place + 1) << 6 | tail(place + 2), place + 3)
        }
        guard place + 3 < count else { return (0xFFFD, count) }
        let code = (first & 0x07) << 18 | tail(place + 1) << 12 | tail(place + 2) << 6 | tail(place + 3)
        return (code, place + 4)
    }

    @inline(__always)
    private func tail(_ place: Int) -> UInt32 { UInt32(self[place]) & 0x3F }
}
