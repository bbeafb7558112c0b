// Numbers and marks at a position in a picture's bytes; every read is checked against the end.

import PipelineCore

extension Span where Element == UInt8 {
    /// The big-endian number in `size` bytes at `position`; nil if they aren't all there.
    @inline(__always)
    func bigEndianNumber(_ size: Int, at position: Int) -> Int? {
        guard position >= 0, position <= count - size else { return nil }
        var number = 0
        for index in position..<position + size { number = number << 8 | Int(self[index]) }
        return number
    }

    /// The little-endian number in `size` bytes at `position`; nil if they aren't all there.
    @inline(__always)
    func littleEndianNumber(_ size: Int, at position: Int) -> Int? {
        guard position >= 0, position <= count - size else { return nil }
        var number = 0
        for index in (position..<position + size).reversed() { number = number << 8 | Int(self[index]) }
        return number
    }

    /// Whether the mark is at `position`. Each of its characters is one byte, so none is above U+00FF.
    func holds(_ mark: String, at position: Int) -> Bool {
        var index = position
        for character in mark.unicodeScalars {
            guard index < count, UInt32(self[index]) == character.value else { return false }
            index += 1
        }
        return true
    }

    func begins(with mark: String) -> Bool { holds(mark, at: 0) }
}

extension UInt8 {
    /// XML 1.0, production 3.
    var isXMLSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
