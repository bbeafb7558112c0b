// Decodes the bytes between a string's quotes to its text: `Bj\u00f6rk` becomes Björk.

/// Decodes strings that a `JSONReader` has checked.
package enum JSONStringDecoder {
    /// Appends the text in UTF-8.
    /// - Parameter content: the bytes between the quotes.
    /// - Returns: false if an escape names half of a surrogate pair, which is decoded as U+FFFD.
    @discardableResult
    package static func append(_ content: Span<UInt8>, to text: inout [UInt8]) -> Bool {
        var index = 0
        var isUnicode = true
        while let backslash = content.firstIndex(of: UInt8(ascii: "\\"), from: index) {
            text.append(content.extracting(index..<backslash))
            let escape = content[backslash + 1]
            index = backslash + 2
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

    /// Whether the decoded text equals `text`; half of a surrogate pair counts as U+FFFD.
    /// - Parameters:
    ///   - content: the bytes between the quotes. They may be unchecked: a truncated escape doesn't count as one.
    ///   - text: UTF-8.
    package static func equals(_ content: Span<UInt8>, _ text: Span<UInt8>) -> Bool {
        var index = 0
        var matched = 0
        while let backslash = content.firstIndex(of: UInt8(ascii: "\\"), from: index) {
            let end = matched + backslash - index
            guard end <= text.count, content.extracting(index..<backslash).equals(text.extracting(matched..<end))
            else { return false }
            matched = end
            guard backslash + 1 < content.count else { return false }
            let escape = content[backslash + 1]
            index = backslash + 2
            guard escape != UInt8(ascii: "u") || index + 4 <= content.count else { return false }
            let value =
                escape == UInt8(ascii: "u") ? scalar(in: content, at: &index) : UInt32(character(escape))
            for byte in UTF8.encode(Unicode.Scalar(value) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter {
                guard matched < text.count, text[matched] == byte else { return false }
                matched += 1
            }
        }
        return content.extracting(index...).equals(text.extracting(matched...))
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

    /// The ranges, between the quotes, of ranges of the text that begin and end with whole characters.
    /// - Parameter ranges: in ascending order, and none overlaps another.
    package static func sourceRanges(of ranges: [Range<Int>], in content: Span<UInt8>) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var (source, decoded) = (0, 0)
        for range in ranges {
            source += sourceOffset(of: range.lowerBound - decoded, in: content.extracting(source...))
            let start = source
            source += sourceOffset(of: range.count, in: content.extracting(source...))
            decoded = range.upperBound
            found.append(start..<source)
        }
        return found
    }

    /// The scalar whose four digits begin at `index`; reads two escapes if they are a surrogate pair.
    private static func scalar(in content: Span<UInt8>, at index: inout Int) -> UInt32 {
        let first = unit(in: content, at: index)
        index += 4
        guard (0xD800...0xDBFF).contains(first), index + 6 <= content.count,
            content[index] == UInt8(ascii: "\\"), content[index + 1] == UInt8(ascii: "u")
        else { return first }
        let second = unit(in: content, at: index + 2)
        guard (0xDC00...0xDFFF).contains(second) else { return first }
        index += 6
        return 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
    }

    private static func unit(in content: Span<UInt8>, at index: Int) -> UInt32 {
        var value: UInt32 = 0
        for offset in 0..<4 { value = value << 4 | (JSONStringScanner.hexValue(content[index + offset]) ?? 0) }
        return value
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
