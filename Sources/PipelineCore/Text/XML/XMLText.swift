// Decodes the text between XML tags: references become characters, line ends LF, and non-characters are errors.

enum XMLText {
    typealias Fault = (what: String, index: Int)

    /// - Parameter isSection: whether it is in a CDATA section, where an ampersand is literal.
    static func append(_ part: Span<UInt8>, to text: inout [UInt8], isSection: Bool = false) -> Fault? {
        if !part.isASCII, let index = UTF8Sequence.firstFault(in: part) {
            return ("expected UTF-8", index)
        }
        var index = 0
        while true {
            let special = XMLScan().first(in: part, from: index)
            text.append(part.extracting(index..<special))
            guard special < part.count else { return nil }
            index = special + 1
            switch part[special] {
            case UInt8(ascii: "&") where !isSection:
                guard let length = appendReference(part, from: index, to: &text) else {
                    return ("expected one of the five entities or a character reference", special)
                }
                index += length
            case 0x0D:
                text.append(0x0A)
                if index < part.count, part[index] == 0x0A { index += 1 }
            default:
                guard excluded(in: part, at: special) == nil else {
                    return ("expected a character that XML allows", special)
                }
                text.append(part[special])
            }
        }
    }

    /// The first character that XML 1.0 (section 2.2) excludes, in text that is valid UTF-8.
    static func firstExcluded(
        in text: Span<UInt8>, from start: Int = 0
    ) -> (index: Int, length: Int, value: UInt32)? {
        var index = XMLScan().first(in: text, from: start)
        while index < text.count {
            if let excluded = excluded(in: text, at: index) { return (index, excluded.length, excluded.value) }
            index = XMLScan().first(in: text, from: index + 1)
        }
        return nil
    }

    /// The character at an index, in text that is valid UTF-8, if XML 1.0 (section 2.2) excludes it.
    static func excluded(in text: Span<UInt8>, at index: Int) -> (length: Int, value: UInt32)? {
        switch text[index] {
        case 0x09, 0x0A, 0x0D: return nil
        case 0..<0x20: return (1, UInt32(text[index]))
        case 0xEF:
            let (value, next) = text.codePoint(at: index)
            return value >= 0xFFFE ? (next - index, value) : nil
        default: return nil
        }
    }

    /// The text with U+FFFD for each character that XML 1.0 (section 2.2) excludes; nil if it has none.
    static func replacingExcluded(in text: Span<UInt8>) -> (text: [UInt8], count: Int)? {
        var replaced: [UInt8] = []
        var (index, count) = (0, 0)
        while let excluded = firstExcluded(in: text, from: index) {
            replaced.append(text.extracting(index..<excluded.index))
            replaced.append("\u{FFFD}" as StaticString)
            count += 1
            index = excluded.index + excluded.length
        }
        guard count > 0 else { return nil }
        replaced.append(text.extracting(index...))
        return (replaced, count)
    }

    /// - Parameter start: the index after the ampersand.
    /// - Returns: the length of the rest of the reference; nil if it isn't allowed.
    private static func appendReference(_ part: Span<UInt8>, from start: Int, to text: inout [UInt8]) -> Int? {
        guard let end = part.firstIndex(of: UInt8(ascii: ";"), from: start), end - start <= 16 else { return nil }
        let name = part.extracting(start..<end)
        let length = end - start + 1
        for (entity, sign) in entities where name.equals(entity) {
            text.append(sign)
            return length
        }
        guard let scalar = scalar(name) else { return nil }
        UTF8Sequence.append(scalar, to: &text)
        return length
    }

    private static let entities: [(StaticString, UInt8)] = [
        ("amp", UInt8(ascii: "&")), ("lt", UInt8(ascii: "<")), ("gt", UInt8(ascii: ">")),
        ("quot", UInt8(ascii: "\"")), ("apos", UInt8(ascii: "'")),
    ]

    /// The scalar of `#13` or `#x1F698`; nil if it isn't a character of XML 1.0 (section 2.2).
    private static func scalar(_ name: Span<UInt8>) -> UInt32? {
        guard name.count >= 2, name[0] == UInt8(ascii: "#") else { return nil }
        let isHexadecimal = name[1] == UInt8(ascii: "x")
        let digits = name.extracting((isHexadecimal ? 2 : 1)...).text
        guard !digits.hasPrefix("+"), let value = UInt32(digits, radix: isHexadecimal ? 16 : 10),
            Unicode.Scalar(value) != nil, value >= 0x20 || [0x09, 0x0A, 0x0D].contains(value)
        else { return nil }
        return value == 0xFFFE || value == 0xFFFF ? nil : value
    }
}

/// What XML text can't hold verbatim: `&`, `<`, `>`, controls, and 0xEF, which begins U+FFFE and U+FFFF.
struct XMLScan: ByteScan {
    private let ampersands = SIMD16<UInt8>(repeating: UInt8(ascii: "&"))
    private let openers = SIMD16<UInt8>(repeating: UInt8(ascii: "<"))
    private let closers = SIMD16<UInt8>(repeating: UInt8(ascii: ">"))
    private let leads = SIMD16<UInt8>(repeating: 0xEF)
    private let spaces = SIMD16<UInt8>(repeating: 0x20)

    @inline(__always)
    func marks(_ block: SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>> {
        (block .== ampersands) .| (block .== openers) .| (block .== closers) .| (block .== leads)
            .| (block .< spaces)
    }
}

/// Where text between XML tags may end or need decoding: `<`, `&`, control characters, and all that isn't ASCII.
struct XMLTextScan: ByteScan {
    private let ampersands = SIMD16<UInt8>(repeating: UInt8(ascii: "&"))
    private let openers = SIMD16<UInt8>(repeating: UInt8(ascii: "<"))
    private let spaces = SIMD16<Int8>(repeating: 0x20)

    @inline(__always)
    func marks(_ block: SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>> {
        // As signed numbers bytes from 0x80 are negative.
        (block .== ampersands) .| (block .== openers) .| (SIMD16<Int8>(truncatingIfNeeded: block) .< spaces)
    }
}

/// The declaration that an XML text may begin with (XML 1.0, section 2.8).
///
///     <?xml version="1.0" encoding='ISO-8859-1'?>
package enum XMLDeclaration {
    /// The encoding that a declaration names, in lower case; nil if it names none.
    /// - Parameter declaration: what is between `<?xml` and `>`.
    package static func encoding(_ declaration: Span<UInt8>) -> String? {
        let words = declaration.text.lowercased().split { " \t\r\n=\"'?".contains($0) }
        guard let position = words.firstIndex(of: "encoding"), position + 1 < words.count else { return nil }
        return String(words[position + 1])
    }
}
