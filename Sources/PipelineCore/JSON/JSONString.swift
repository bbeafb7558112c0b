// Finds the end of a JSON string and checks its escapes and UTF-8 sequences (RFC 8259, section 7).

package enum JSONStringScanner {
    /// The index of the closing quote, and whether there is an escape before it.
    static func end(of bytes: Span<UInt8>, from start: Int) throws(JSONError) -> (end: Int, hasEscapes: Bool) {
        let special = bytes.firstSpecialInString(from: start)
        if special < bytes.count, bytes[special] == UInt8(ascii: "\"") { return (special, false) }
        return try end(of: bytes, to: bytes.count, fromSpecial: special)
    }

    /// The same, from the first byte on that isn't plain.
    /// - Parameter limit: where the text ends. Bytes past it may be read but don't count.
    static func end(
        of bytes: Span<UInt8>, to limit: Int, fromSpecial start: Int
    ) throws(JSONError) -> (end: Int, hasEscapes: Bool) {
        var index = start
        var hasEscapes = false
        while true {
            guard index < limit else { throw JSONError(.expectedQuote, at: limit) }
            switch bytes[index] {
            case UInt8(ascii: "\""): return (index, hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                index = try escapeEnd(in: bytes, to: limit, from: index)
            case 0x80...:
                let length = UTF8Sequence.length(in: bytes, at: index)
                guard length > 0, index &+ length <= limit else { throw JSONError(.invalidUTF8, at: index) }
                index &+= length
            default: throw JSONError(.controlCharacter, at: index)
            }
            // Such bytes come in runs: text in another script is one run.
            if index < limit, !StringDelimiters.isSpecial(bytes[index]) {
                index = bytes.firstSpecialInString(from: index)
            }
        }
    }

    private static func escapeEnd(
        in bytes: Span<UInt8>, to limit: Int, from backslash: Int
    ) throws(JSONError) -> Int {
        guard backslash + 1 < limit else { throw JSONError(.expectedEscape, at: backslash + 1) }
        switch bytes[backslash + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return backslash + 2
        case UInt8(ascii: "u"):
            for index in backslash + 2..<backslash + 6 {
                guard index < limit, hexValue(bytes[index]) != nil else {
                    throw JSONError(.expectedHexDigit, at: min(index, limit))
                }
            }
            return backslash + 6
        default: throw JSONError(.expectedEscape, at: backslash + 1)
        }
    }

    @inline(__always)
    package static func hexValue(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    /// The value of four hexadecimal digits from `index` on; nil if any other byte is among them.
    static func codeUnit(_ bytes: Span<UInt8>, at index: Int) -> UInt32? {
        guard index + 4 <= bytes.count else { return nil }
        var value: UInt32 = 0
        for offset in 0..<4 {
            guard let digit = hexValue(bytes[index + offset]) else { return nil }
            value = value << 4 | digit
        }
        return value
    }
}

/// Decodes the bytes between a string's quotes to its text: `Bj\u00f6rk` becomes Björk.
package enum JSONStringDecoder {
    /// Appends the text in UTF-8.
    /// - Parameter content: the bytes between the quotes. Unchecked ones yield some text.
    /// - Returns: false if an escape names half of a surrogate pair, which is decoded as U+FFFD.
    @discardableResult
    package static func append(_ content: Span<UInt8>, to text: inout [UInt8]) -> Bool {
        var index = 0
        var isUnicode = true
        while let backslash = content.firstIndex(of: UInt8(ascii: "\\"), from: index) {
            text.append(content.extracting(index..<backslash))
            index = min(backslash + 2, content.count)
            let escape = content[index - 1]
            if escape == UInt8(ascii: "u") {
                let value = scalar(in: content, at: &index)
                if (0xD800...0xDFFF).contains(value) { isUnicode = false }
                UTF8Sequence.append(value, to: &text)
            } else {
                text.append(character(escape))
            }
        }
        text.append(content.extracting(index...))
        return isUnicode
    }

    package static func decoded(_ content: Span<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        append(content, to: &text)
        return text
    }

    /// Whether the bytes between the quotes, which may be unchecked, spell the text; half of a surrogate pair is U+FFFD.
    package static func equals(_ content: Span<UInt8>, _ text: Span<UInt8>) -> Bool {
        // An escape is never shorter than what it spells.
        guard content.count >= text.count else { return false }
        let decoded = decoded(content)
        return decoded.span.equals(text)
    }

    /// The offset, between the quotes, of the byte at `offset` in the text.
    package static func sourceOffset(of offset: Int, in content: Span<UInt8>) -> Int {
        var source = 0
        var decoded = 0
        while decoded < offset, source < content.count {
            guard content[source] == UInt8(ascii: "\\") else {
                source += 1
                decoded += 1
                continue
            }
            let isScalar = content[source + 1] == UInt8(ascii: "u")
            source += 2
            guard isScalar else {
                decoded += 1
                continue
            }
            let value = Unicode.Scalar(scalar(in: content, at: &source)) ?? "\u{FFFD}"
            decoded += UTF8.width(value)
        }
        return source
    }

    /// Where ranges of a string's text, which begin and end with whole characters, are in the bytes that have the string.
    /// - Parameter ranges: in ascending order, and none overlaps another.
    package static func sourceRanges(
        of ranges: [Range<Int>], in string: JSONString, _ bytes: Span<UInt8>
    ) -> [Range<Int>] {
        let bytes = bytes.extracting(..<string.range.upperBound)
        var (source, decoded) = (string.range.lowerBound, 0)
        return ranges.map { range in
            source += sourceOffset(of: range.lowerBound - decoded, in: bytes.extracting(source...))
            let start = source
            source += sourceOffset(of: range.count, in: bytes.extracting(source...))
            decoded = range.upperBound
            return start..<source
        }
    }

    /// The scalar whose four digits begin at `index`; reads two escapes if they are a surrogate pair.
    private static func scalar(in content: Span<UInt8>, at index: inout Int) -> UInt32 {
        let first = JSONStringScanner.codeUnit(content, at: index) ?? 0
        index = min(index + 4, content.count)
        guard (0xD800...0xDBFF).contains(first), index + 6 <= content.count,
            content[index] == UInt8(ascii: "\\"), content[index + 1] == UInt8(ascii: "u")
        else { return first }
        let second = JSONStringScanner.codeUnit(content, at: index + 2) ?? 0
        guard (0xDC00...0xDFFF).contains(second) else { return first }
        index += 6
        return 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
    }

    private static func character(_ escape: UInt8) -> UInt8 {
        switch escape {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: escape
        }
    }
}

/// An escape of an ASCII character: `\u00`, then a digit below 8. A line has at least three bytes after it.
private enum ASCIIEscape {
    private typealias Block = SIMD16<UInt8>
    /// The bytes that sixteen positions are compared with.
    static let blockBytes = 20
    /// The first five bytes, the first one lowest. Below 8 the fifth has the bits of `0` to `7`.
    static let mask: UInt64 = 0xF8_FFFF_FFFF
    static let value: UInt64 = 0x30_3030_755C

    @inline(__always)
    static func isAny(in start: UnsafeRawPointer) -> Bool {
        let zeros =
            unsafe (block(start, 2) .== Block(repeating: 0x30)) .& (block(start, 3) .== Block(repeating: 0x30))
        // Escapes of Japanese have few.
        guard isSet(zeros) else { return false }
        let starts =
            unsafe (block(start, 0) .== Block(repeating: 0x5C)) .& (block(start, 1) .== Block(repeating: 0x75))
        let digits = unsafe (block(start, 4) & Block(repeating: 0xF8)) .== Block(repeating: 0x30)
        return isSet(starts .& zeros .& digits)
    }

    @inline(__always)
    private static func isSet(_ mask: SIMDMask<SIMD16<Int8>>) -> Bool {
        // SAFETY: both are sixteen bytes without padding.
        let words = unsafe unsafeBitCast(mask, to: SIMD2<UInt64>.self)
        return words.x | words.y != 0
    }

    @inline(__always)
    private static func block(_ start: UnsafeRawPointer, _ offset: Int) -> Block {
        unsafe start.loadUnaligned(fromByteOffset: offset, as: Block.self)
    }
}

/// The bytes that end a run of plain characters in a JSON string: a quote, a backslash, a control character, or any
/// byte that isn't ASCII. Checks sixteen at a time.
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

    /// Whether an escape at or after `start` may spell an ASCII character: `\u004d`. False positives are possible if
    /// the backslash is itself escaped.
    func mayHaveASCIIEscape(from start: Int) -> Bool {
        precondition(start >= 0 && start <= count)
        return unsafe withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return false }
            var index = start
            // SAFETY: each load is inside the buffer.
            while index &+ ASCIIEscape.blockBytes <= buffer.count {
                if unsafe ASCIIEscape.isAny(in: base + index) { return true }
                index &+= 16
            }
            while index &+ 8 <= buffer.count {
                let word = unsafe base.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
                if word & ASCIIEscape.mask == ASCIIEscape.value { return true }
                index &+= 1
            }
            return false
        }
    }
}
