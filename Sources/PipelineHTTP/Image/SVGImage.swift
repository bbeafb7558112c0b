// SVG: text whose root element is `svg`, up to that element's end. The rest of XML is skipped, not checked.
//
//     <?xml …?> <!-- … --> <!DOCTYPE svg … [ … ]> <svg width="64" height="48" viewBox="0 0 64 48"> … </svg>

import PipelineCore

enum SVGImage {
    /// The range of the root element's name, if it is `svg`, with or without a prefix.
    static func root(in bytes: Span<UInt8>) -> Range<Int>? {
        var start = pastRemarks(bytes, from: bytes.begins(with: "\u{EF}\u{BB}\u{BF}") ? 3 : 0)
        while let position = start, bytes.holds("<!DOCTYPE", at: position) {
            start = endOfDoctype(bytes, from: position + 9).flatMap { pastRemarks(bytes, from: $0) }
        }
        guard let start, bytes.holds("<", at: start), !bytes.holds("<![CDATA[", at: start) else { return nil }
        return name(bytes, from: start + 1)
    }

    static func size(_ bytes: Span<UInt8>) throws(ImageError) -> ImageSize? {
        guard let root = root(in: bytes) else { throw .damaged(.svg) }
        guard let tag = SVGTag(bytes, from: root.upperBound) else { throw .truncated(.svg) }
        let end = tag.isEmptyElement ? tag.end : endOfElement(bytes, from: tag.end)
        guard let end, let last = pastRemarks(bytes, from: end) else { throw .truncated(.svg) }
        guard last == bytes.count else { throw .continued(.svg) }
        guard hasOneByteEncoding(bytes) || UTF8Sequence.firstFault(in: bytes) == nil else { throw .damaged(.svg) }
        return tag.size
    }

    /// Whether the declaration names a single-byte encoding that accepts every byte and includes ASCII.
    private static func hasOneByteEncoding(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.holds("<?xml", at: 0), let end = end(of: "?>", bytes, from: 5), end <= 256,
            let encoding = XMLDeclaration.encoding(bytes.extracting(5..<end))
        else { return false }
        return encoding == "us-ascii" || encoding.hasPrefix("iso-8859-") || encoding.hasPrefix("windows-125")
    }

    private static func name(_ bytes: Span<UInt8>, from start: Int) -> Range<Int>? {
        var end = start
        while end < bytes.count, !bytes[end].isJSONSpace, !">/".utf8.contains(bytes[end]) {
            end += 1
            guard end - start < 64 else { return nil }
        }
        guard end - start >= 3, bytes.holds("svg", at: end - 3) else { return nil }
        return end - start == 3 || bytes[end - 4] == UInt8(ascii: ":") ? start..<end : nil
    }

    fileprivate static func pastSpace(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var position = start
        while position < bytes.count, bytes[position].isJSONSpace { position += 1 }
        return position
    }

    /// The offset past white space, comments and instructions; nil if one of them has no end.
    private static func pastRemarks(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        var position = pastSpace(bytes, from: start)
        while let remark = remark(bytes, at: position), remark.mayFollowRoot {
            guard let end = remark.end else { return nil }
            position = pastSpace(bytes, from: end)
        }
        return position
    }

    /// The declaration may have an internal subset in brackets.
    private static func endOfDoctype(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        var isInBrackets = false
        for index in start..<max(start, bytes.count) {
            switch bytes[index] {
            case UInt8(ascii: "["): isInBrackets = true
            case UInt8(ascii: "]"): isInBrackets = false
            case UInt8(ascii: ">") where !isInBrackets: return index + 1
            default: break
            }
        }
        return nil
    }

    /// The offset past the tag that closes an element, where start and end tags balance.
    private static func endOfElement(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        var depth = 1
        var position = start
        while let begin = bytes.firstIndex(of: UInt8(ascii: "<"), from: position) {
            let remark = remark(bytes, at: begin)
            guard let next = remark == nil ? endOfTag(bytes, from: begin + 1) : remark?.end else { return nil }
            position = next
            if remark != nil { continue }
            if bytes[begin + 1] == UInt8(ascii: "/") {
                depth -= 1
                if depth == 0 { return next }
            } else if bytes[next - 2] != UInt8(ascii: "/") {
                depth += 1
            }
        }
        return nil
    }

    /// A comment, a section or an instruction to skip at this offset.
    /// - Returns: nil for a tag; else whether it may follow the root, and the offset past it, nil if it has no end.
    private static func remark(_ bytes: Span<UInt8>, at position: Int) -> (mayFollowRoot: Bool, end: Int?)? {
        guard position + 1 < bytes.count,
            bytes[position + 1] == UInt8(ascii: "!") || bytes[position + 1] == UInt8(ascii: "?")
        else { return nil }
        for (start, end, mayFollowRoot) in [("<!--", "-->", true), ("<?", "?>", true), ("<![CDATA[", "]]>", false)]
        where bytes.holds(start, at: position) {
            return (mayFollowRoot, self.end(of: end, bytes, from: position + start.utf8.count))
        }
        return nil
    }

    /// The offset past a mark that ends with `>`.
    private static func end(of mark: String, _ bytes: Span<UInt8>, from start: Int) -> Int? {
        var position = start
        while position <= bytes.count, let found = bytes.firstIndex(of: UInt8(ascii: ">"), from: position) {
            position = found + 1
            let begin = position - mark.utf8.count
            if begin >= start, bytes.holds(mark, at: begin) { return position }
        }
        return nil
    }

    private static func endOfTag(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        var position = start
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: ">"): return position + 1
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                guard let end = bytes.firstIndex(of: bytes[position], from: position + 1) else { return nil }
                position = end + 1
            default: position += 1
            }
        }
        return nil
    }
}

/// The root element's tag, and the size that its attributes give.
///
///     width="2in" height="1in"            192 by 96 pixels (CSS: an inch is 96)
///     width="100%" viewBox="0 0 64 48"     64 by 48
struct SVGTag {
    /// The most bytes of a value and of a number in it: nobody writes longer ones.
    private static let valueLimit = 1024
    private static let numberLimit = 256

    let size: ImageSize?
    let end: Int
    let isEmptyElement: Bool

    /// Reads the attributes from an offset on. Nil if the tag has no end.
    init?(_ bytes: Span<UInt8>, from start: Int) {
        // They are parsed once, at the end.
        let names: [StaticString] = ["width", "height", "viewBox"]
        var values = [Range<Int>?](repeating: nil, count: names.count)
        var position = start
        while true {
            let start = SVGImage.pastSpace(bytes, from: position)
            position = start
            while position < bytes.count, !bytes[position].isJSONSpace, !"=>/".utf8.contains(bytes[position]) {
                position += 1
            }
            let name = bytes.extracting(start..<position)
            position = SVGImage.pastSpace(bytes, from: position)
            guard position < bytes.count, bytes[position] != UInt8(ascii: ">"), bytes[position] != UInt8(ascii: "/")
            else { break }
            guard bytes[position] == UInt8(ascii: "=") else { continue }
            let quote = SVGImage.pastSpace(bytes, from: position + 1)
            guard quote < bytes.count, bytes[quote] == UInt8(ascii: "\"") || bytes[quote] == UInt8(ascii: "'"),
                let end = bytes.firstIndex(of: bytes[quote], from: quote + 1)
            else { return nil }
            position = end + 1
            for index in names.indices where name.equals(names[index]) { values[index] = quote + 1..<end }
        }
        isEmptyElement = bytes.holds("/>", at: position)
        guard isEmptyElement || bytes.holds(">", at: position) else { return nil }
        end = position + (isEmptyElement ? 2 : 1)
        size = Self.size(
            Self.length(bytes, values[0]), Self.length(bytes, values[1]), Self.box(bytes, values[2]))
    }

    /// The size that the attributes give together; nil if they don't. One side gives the other by the viewBox's ratio.
    private static func size(
        _ width: Double?, _ height: Double?, _ box: (width: Double, height: Double)?
    ) -> ImageSize? {
        if let width, let height { return size(width, height) }
        guard let box else { return nil }
        if let width { return size(width, width * (box.height / box.width)) }
        if let height { return size(height * (box.width / box.height), height) }
        return size(box.width, box.height)
    }

    private static func size(_ width: Double, _ height: Double) -> ImageSize {
        ImageSize(width: pixels(width), height: pixels(height))
    }

    /// The words of a value; none of one that is longer than anybody writes.
    private static func words(_ bytes: Span<UInt8>, _ value: Range<Int>?, isBetween: (UInt8) -> Bool) -> [String] {
        guard let value else { return [] }
        let start = SVGImage.pastSpace(bytes, from: value.lowerBound)
        guard value.upperBound - start <= valueLimit else { return [] }
        return bytes.extracting(start..<value.upperBound).text.utf8.split(whereSeparator: isBetween).map {
            String(Substring($0))
        }
    }

    /// Width and height of the viewBox, which is four numbers; nil for one without an area, which browsers ignore.
    private static func box(_ bytes: Span<UInt8>, _ value: Range<Int>?) -> (width: Double, height: Double)? {
        let words = words(bytes, value) { $0.isJSONSpace || $0 == UInt8(ascii: ",") }
        guard words.count == 4 else { return nil }
        let numbers = words.compactMap { number($0[...]) }
        guard numbers.count == 4, min(numbers[2], numbers[3]) > 0 else { return nil }
        return (numbers[2], numbers[3])
    }

    /// A length in CSS pixels; nil if it depends on the page or a font: percentages, `vw`, `ex`. An `em` is 16 pixels,
    /// as browsers have it where no style says otherwise.
    private static func length(_ bytes: Span<UInt8>, _ value: Range<Int>?) -> Double? {
        let words = words(bytes, value, isBetween: \.isJSONSpace)
        guard words.count == 1, let text = words.first?.lowercased() else { return nil }
        let units: [(String, Double)] = [
            ("px", 1), ("in", 96), ("cm", 96 / 2.54), ("mm", 96 / 25.4), ("q", 96 / 101.6), ("pt", 96 / 72),
            ("pc", 16), ("rem", 16), ("em", 16), ("", 1),
        ]
        for (unit, factor) in units where text.hasSuffix(unit) {
            if let number = number(text.dropLast(unit.count)) { return number * factor }
        }
        return nil
    }

    /// A number as CSS has it, which knows neither `nan` nor `0x10`.
    private static func number(_ text: Substring) -> Double? {
        guard text.utf8.count <= numberLimit,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }), text.last != ".",
            let number = Double(text), number.isFinite
        else { return nil }
        return number
    }

    /// Rounded, from 1 to 1e9; 0 for a length of zero or less.
    private static func pixels(_ length: Double) -> Int {
        guard length > 0 else { return 0 }
        return Int(max(1, min(length, 1e9).rounded()))
    }
}
