// A gzip stream of stored blocks (RFC 1951, 3.2.4): the form is whole, nothing is smaller.

/// The encoder.
enum Gzip {
    static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            stream.append(rest.isEmpty ? 1 : 0)
            let count = UInt16(block.count)
            stream += littleEndian(count) + littleEndian(~count)
            stream += block
        } while !rest.isEmpty
        return stream + littleEndian(Checksum.crc32(bytes)) + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
    }

    private static func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        (0..<(number.bitWidth / 8)).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
