// Numbers in as few bytes as they need: seven bits in each, the lowest first, the top bit set in all but the last.

extension ByteBuffer {
    /// Appends every second reference from `start` on, or every one, in `size` bytes each.
    mutating func append(references: [Int], from start: Int, step: Int, size: Int) {
        var index = start
        while index < references.count {
            append(bigEndian: UInt64(truncatingIfNeeded: references[index]), size: size)
            index += step
        }
    }

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
