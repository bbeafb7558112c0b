// Numbers in as few bytes as they need: seven bits in each, the lowest first, the top bit set but in the last.

extension [UInt8] {
    @inline(__always)
    mutating func append(number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }

    /// Appends the lowest `size` bytes, the highest first.
    @inline(__always)
    mutating func append(bigEndian number: UInt64, size: Int) {
        var shift = size * 8
        while shift > 0 {
            shift -= 8
            append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
    }
}

extension WrittenBytes {
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

/// Reads numbers of a spilled list from its beginning to its end, block by block.
struct NumberReader {
    private static let blockSize = 65_536

    private var block = [UInt8](repeating: 0, count: blockSize)
    private var position = 0
    private var filled = 0
    private var offset = 0

    /// The next number, nil at the end.
    mutating func next(in list: borrowing SpillFile) throws(SystemError) -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            if position == filled {
                filled = try list.read(into: &block, at: offset)
                offset += filled
                position = 0
                if filled == 0 { return nil }
            }
            let byte = block[position]
            position += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
    }
}
