// The end of a JSON container by its quotes and brackets alone, 64 bytes at a time (after Langdale and Lemire, 2019, and
// JSONSki, 2022). Each kind of sign becomes a word with a bit for each byte:
//
//     bytes     {"a{":[1]}x
//     quotes    01001000000      in strings, by a running exclusive or:  01110000000
//     opening   10010100000      outside:  10000100000
//     closing   00000001100      outside:  00000001100, and the last one closes the first
//
// While a block has fewer closing brackets than containers are open, its brackets only need to be counted.

extension Span where Element == UInt8 {
    /// The index after the container that begins at `start`, the count where it has no end. Braces and brackets aren't
    /// told apart.
    func containerEnd(from start: Int) -> Int {
        var brackets = BracketCount()
        var index = start
        while index &+ 64 <= count {
            let block = Block(self, at: index)
            if block.backslashes != 0 || brackets.isEscaped {
                for position in index..<index &+ 64 where brackets.closes(with: self[position]) {
                    return position &+ 1
                }
            } else if let position = brackets.closes(with: block) {
                return index &+ position &+ 1
            }
            index &+= 64
        }
        while index < count {
            if brackets.closes(with: self[index]) { return index &+ 1 }
            index &+= 1
        }
        return count
    }
}

/// What is known of a container before the next byte.
private struct BracketCount {
    /// Containers that are open.
    private var depth = 0
    private var isInString = false
    /// The next byte stands after a backslash.
    private(set) var isEscaped = false

    /// - Returns: whether the byte closes the outermost container.
    mutating func closes(with byte: UInt8) -> Bool {
        if isEscaped {
            isEscaped = false
            return false
        }
        switch byte {
        case UInt8(ascii: "\""): isInString.toggle()
        case UInt8(ascii: "\\"): isEscaped = isInString
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += isInString ? 0 : 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            guard !isInString else { return false }
            depth -= 1
            return depth <= 0
        default: break
        }
        return false
    }

    /// - Parameter block: 64 bytes without a backslash.
    /// - Returns: which of them closes the outermost container.
    @inline(__always)
    mutating func closes(with block: Block) -> Int? {
        var strings = block.quotes
        strings ^= strings &<< 1
        strings ^= strings &<< 2
        strings ^= strings &<< 4
        strings ^= strings &<< 8
        strings ^= strings &<< 16
        strings ^= strings &<< 32
        if isInString { strings = ~strings }
        let opening = block.opening & ~strings
        var closing = block.closing & ~strings
        if closing.nonzeroBitCount >= depth {
            var closed = 0
            while closing != 0 {
                let position = closing.trailingZeroBitCount
                let before = opening & ((1 &<< UInt64(position)) &- 1)
                closed &+= 1
                if depth &+ before.nonzeroBitCount <= closed { return position }
                closing &= closing &- 1
            }
        }
        isInString = strings >> 63 == 1
        depth &+= opening.nonzeroBitCount &- (block.closing & ~strings).nonzeroBitCount
        return nil
    }
}

/// Where the signs of JSON stand in 64 bytes: the lowest bit is the first byte.
private struct Block {
    var quotes: UInt64 = 0
    var backslashes: UInt64 = 0
    var opening: UInt64 = 0
    var closing: UInt64 = 0

    /// The bytes from `index` on lie within the span.
    @inline(__always)
    init(_ span: Span<UInt8>, at index: Int) {
        for quarter in 0..<4 as Range<Int> {
            let bytes = unsafe span.bytes.unsafeLoadUnaligned(
                fromByteOffset: index + 16 * quarter, as: SIMD16<UInt8>.self)
            let shift = UInt64(16 * quarter)
            // Brackets differ from braces in one bit.
            let folded = bytes | SIMD16(repeating: 0x20)
            quotes |= Self.bits(bytes .== SIMD16(repeating: 0x22)) &<< shift
            backslashes |= Self.bits(bytes .== SIMD16(repeating: 0x5C)) &<< shift
            opening |= Self.bits(folded .== SIMD16(repeating: 0x7B)) &<< shift
            closing |= Self.bits(folded .== SIMD16(repeating: 0x7D)) &<< shift
        }
    }

    /// A bit for each lane: a lane's byte is all ones or zero, of which one bit is left, another one in each byte of
    /// eight; the product gathers them in the top byte.
    @inline(__always)
    private static func bits(_ mask: SIMDMask<SIMD16<Int8>>) -> UInt64 {
        let lanes = unsafe unsafeBitCast(mask, to: SIMD2<UInt64>.self)
        let weights: UInt64 = 0x8040_2010_0804_0201
        let ones: UInt64 = 0x0101_0101_0101_0101
        let low = ((lanes[0] & weights) &* ones) &>> 56
        let high = ((lanes[1] & weights) &* ones) &>> 56
        return low | high &<< 8
    }
}
