// The scans and copies that writing XML is made of.

extension Span where Element == UInt8 {
    /// The index of the first byte at `start` or after it that XML text may not hold as it is: `&`, `<`, `>`, a
    /// control character, or 0xEF, which begins U+FFFE and U+FFFF. The count where there is none.
    ///
    /// Eight bytes at a time, as `firstSpecialInString`: `<` and `>` differ in one bit, which is set for both.
    func firstSpecialInXML(from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let tops: UInt64 = 0x8080_8080_8080_8080
        var index = start
        while index &+ 8 <= count {
            let word = unsafe UInt64(
                littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
            let ampersands = word ^ (ones &* 0x26)
            let angles = (word | (ones &* 0x02)) ^ (ones &* 0x3E)
            let leads = word ^ (ones &* 0xEF)
            let control = (word &- (ones &* 0x20)) & ~word
            let hits =
                (((ampersands &- ones) & ~ampersands) | ((angles &- ones) & ~angles) | ((leads &- ones) & ~leads)
                    | control) & tops
            if hits != 0 { return index &+ hits.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < count {
            let byte = self[index]
            if byte < 0x20 || byte | 0x02 == 0x3E || byte == 0x26 || byte == 0xEF { return index }
            index &+= 1
        }
        return count
    }
}

extension Span where Element == UInt8 {
    /// Whether no byte has its top bit set.
    var isASCII: Bool {
        var index = 0
        while index &+ 8 <= count {
            let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
            if word & 0x8080_8080_8080_8080 != 0 { return false }
            index &+= 8
        }
        while index < count {
            if self[index] >= 0x80 { return false }
            index &+= 1
        }
        return true
    }
}

extension [UInt8] {
    /// Appends the text's bytes in one copy.
    @inline(__always)
    mutating func append(_ text: StaticString) {
        unsafe append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a number in decimal digits.
    mutating func appendDecimal(_ value: UInt64) {
        guard value >= 10 else { return append(UInt8(ascii: "0") + UInt8(value)) }
        var digits: [20 of UInt8] = .init(repeating: 0)
        var index = 20
        var rest = value
        while rest > 0 {
            index -= 1
            digits[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        append(digits.span.extracting(index...))
    }
}
