// The bytes that end a run of plain characters in a JSON string: a quote, a backslash, a control character, or any
// byte that isn't ASCII. Checks sixteen at a time.

enum StringDelimiters {
    typealias Block = SIMD16<Int8>

    // Constants of a named type: otherwise the compiler picks generic comparisons, which take one lane at a time.
    private static var quotes: Block { Block(repeating: 0x22) }
    private static var backslashes: Block { Block(repeating: 0x5C) }
    private static var spaces: Block { Block(repeating: 0x20) }

    /// Eight times the index of the first such byte; 128 if there is none.
    @inline(__always)
    static func zerosBefore(_ block: Block) -> Int {
        // As signed numbers, control characters and bytes that aren't ASCII are all less than a space.
        let marks = (block .== quotes) .| (block .== backslashes) .| (block .< spaces)
        // SAFETY: both are sixteen bytes without padding.
        let words = unsafe unsafeBitCast(marks, to: SIMD2<UInt64>.self)
        let (low, high) = (words[0].littleEndian, words[1].littleEndian)
        guard low | high != 0 else { return 128 }
        // Which half it is can't be predicted, so don't branch.
        return low == 0 ? 64 &+ (high.trailingZeroBitCount & ~7) : low.trailingZeroBitCount & ~7
    }

    @inline(__always)
    static func isSpecial(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 || byte >= 0x80
    }
}

extension Span where Element == UInt8 {
    /// The index of the first byte from `start` on that isn't plain in a JSON string: a quote, a backslash, a
    /// control character, or a byte that isn't ASCII. If there is none, the count, or `start` if that is past it.
    @inline(__always)
    func firstSpecialInString(from start: Int) -> Int {
        precondition(start >= 0)
        var index = start
        while index &+ 16 <= count {
            // SAFETY: sixteen bytes are left, and the first isn't before the beginning.
            let block = unsafe bytes.unsafeLoadUnaligned(
                fromUncheckedByteOffset: index, as: StringDelimiters.Block.self)
            let zeros = StringDelimiters.zerosBefore(block)
            if zeros < 128 { return index &+ zeros / 8 }
            index &+= 16
        }
        while index < count, unsafe !StringDelimiters.isSpecial(self[unchecked: index]) { index &+= 1 }
        return index
    }
}
