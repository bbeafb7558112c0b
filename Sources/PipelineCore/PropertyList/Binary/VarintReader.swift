// Reads varints, seven bits a byte, from a list that may be in a temporary file.

/// Reads the numbers of a spilled list from beginning to end, block by block.
struct VarintReader {
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
