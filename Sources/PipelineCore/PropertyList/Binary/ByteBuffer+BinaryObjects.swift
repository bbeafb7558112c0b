// Encodes single objects of a binary property list: a marker, whose low half is a count or a size, then content.

extension ByteBuffer {
    /// Appends a marker with its count; a count of 15 or more follows as an integer object.
    mutating func append(marker: UInt8, count: Int) {
        if count < 15 { return append(marker | UInt8(count)) }
        append(marker | 0x0F)
        append(binaryInteger: PropertyListInteger(isNegative: false, magnitude: UInt64(count)))
    }

    /// Appends an integer object: 1, 2 or 4 bytes unsigned, 8 signed, 16 above 2^63−1.
    mutating func append(binaryInteger value: PropertyListInteger) {
        let magnitude = value.magnitude
        if value.isNegative {
            append(0x13)
            append(bigEndian: 0 &- magnitude, size: 8)
        } else if magnitude <= 0xFF {
            append(0x10)
            append(UInt8(magnitude))
        } else if magnitude <= 0xFFFF {
            append(0x11)
            append(bigEndian: magnitude, size: 2)
        } else if magnitude <= 0xFFFF_FFFF {
            append(0x12)
            append(bigEndian: magnitude, size: 4)
        } else if magnitude <= UInt64(Int64.max) {
            append(0x13)
            append(bigEndian: magnitude, size: 8)
        } else {
            append(0x14)
            append(bigEndian: 0, size: 8)
            append(bigEndian: magnitude, size: 8)
        }
    }

    /// Appends a string object: ASCII, or UTF-16 with its count in code units.
    mutating func append(binaryText text: Span<UInt8>) {
        if text.isASCII {
            append(marker: 0x50, count: text.count)
            append(text)
            return
        }
        var units = 0
        for index in text.indices {
            let byte = text[index]
            if byte & 0xC0 != 0x80 { units += byte >= 0xF0 ? 2 : 1 }
        }
        append(marker: 0x60, count: units)
        var index = 0
        while index < text.count {
            let (scalar, length) = UTF8Sequence.scalar(in: text, at: index)
            index += length
            if scalar < 0x10000 {
                append(bigEndian: UInt64(scalar), size: 2)
            } else {
                append(bigEndian: UInt64(0xD800 + (scalar - 0x10000) >> 10), size: 2)
                append(bigEndian: UInt64(0xDC00 + (scalar - 0x10000) & 0x3FF), size: 2)
            }
        }
    }
}
