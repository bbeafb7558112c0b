// SVG: text whose root element is `svg`, up to that element's end. The rest of XML is skipped, not checked.
//
//     <?xml …?> <!-- … --> <!DOCTYPE svg … [ … ]> <svg width="64" height="48" viewBox="0 0 64 48"> … </svg>

import PipelineCore

enum SVGImage {
    /// The range of the root element's name, if it is `svg`, with or without a prefix.
    static func root(in bytes: Span<UInt8>) -> Range<Int>? {
        var position = bytes.begins(with: "\u{EF}\u{BB}\u{BF}") ? 3 : 0
        while true {
            while position < bytes.count, bytes[position].isXMLSpace { position += 1 }
            guard position + 1 < bytes.count, bytes[position] == UInt8(ascii: "<") else { return nil }
            let next: Int?
            if bytes.holds("<!--", at: position) {
                next = endOfComment(bytes, from: position + 4)
            } else if bytes.holds("<?", at: position) {
                next = endOfInstruction(bytes, from: position + 2)
            } else if bytes.holds("<!DOCTYPE", at: position) {
                next = endOfDoctype(bytes, from: position + 9)
            } else {
                return name(bytes, from: position + 1)
            }
            guard let next else { return nil }
            position = next
        }
    }

    static func size(_ bytes: Span<UInt8>) throws(ImageError) -> ImageSize? {
        guard let root = root(in: bytes) else { throw .damaged(.svg) }
        var tag = SVGTag(bytes, from: root.upperBound)
        while tag.nextAttribute() {}
        guard tag.isComplete else { throw .truncated(.svg) }
        let end = tag.isEmptyElement ? tag.end : endOfElement(bytes, from: tag.end)
        guard let end, endsDocument(bytes, from: end) else { throw .truncated(.svg) }
        guard hasOneByteEncoding(bytes) || UTF8Sequence.firstFault(in: bytes) == nil else { throw .damaged(.svg) }
        return tag.size
    }

    /// Whether the declaration names a single-byte encoding that accepts every byte and includes ASCII.
    private static func hasOneByteEncoding(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.holds("<?xml", at: 0), let end = endOfInstruction(bytes, from: 5), end <= 256 else {
            return false
        }
        guard let encoding = XMLDeclaration.encoding(bytes.extracting(5..<end)) else { return false }
        return encoding == "us-ascii" || encoding.hasPrefix("iso-8859-") || encoding.hasPrefix("windows-125")
    }

    private static func name(_ bytes: Span<UInt8>, from start: Int) -> Range<Int>? {
        var end = start
        while end < bytes.count, !bytes[end].isXMLSpace, bytes[end] != UInt8(ascii: ">"),
            bytes[end] != UInt8(ascii: "/")
        {
            end += 1
            guard end - start < 64 else { return nil }
        }
        guard end - start >= 3, bytes.holds("svg", at: end - 3) else { return nil }
        return end - start == 3 || bytes[end - 4] == UInt8(ascii: ":") ? start..<end : nil
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

    private static func endOfComment(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        end(bytes, from: start, behind: UInt8(ascii: "-"), 2)
    }

    private static func endOfInstruction(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        end(bytes, from: start, behind: UInt8(ascii: "?"), 1)
    }

    private static func endOfSection(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        end(bytes, from: start, behind: UInt8(ascii: "]"), 2)
    }

    /// The offset past a `>` that follows `sign`, once or twice.
    private static func end(_ bytes: Span<UInt8>, from start: Int, behind sign: UInt8, _ count: Int) -> Int? {
        var position = start
        while position <= bytes.count, let found = bytes.firstIndex(of: UInt8(ascii: ">"), from: position) {
            if found - count >= start, bytes[found - 1] == sign, bytes[found - count] == sign { return found + 1 }
            position = found + 1
        }
        return nil
    }

    /// The offset past the tag that closes an element, where start and end tags balance.
    private static func endOfElement(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        var depth = 1
        var position = start
        while let begin = bytes.firstIndex(of: UInt8(ascii: "<"), from: position) {
            if let (_, next) = unread(bytes, at: begin) {
                guard let next else { return nil }
                position = next
                continue
            }
            guard let next = endOfTag(bytes, from: begin + 1) else { return nil }
            position = next
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
    private static func unread(_ bytes: Span<UInt8>, at position: Int) -> (mayFollowRoot: Bool, end: Int?)? {
        guard position + 1 < bytes.count,
            bytes[position + 1] == UInt8(ascii: "!") || bytes[position + 1] == UInt8(ascii: "?")
        else { return nil }
        if bytes.holds("<!--", at: position) { return (true, endOfComment(bytes, from: position + 4)) }
        if bytes.holds("<?", at: position) { return (true, endOfInstruction(bytes, from: position + 2)) }
        if bytes.holds("<![CDATA[", at: position) { return (false, endOfSection(bytes, from: position + 9)) }
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

    /// Whether only white space, comments and instructions follow.
    private static func endsDocument(_ bytes: Span<UInt8>, from start: Int) -> Bool {
        var position = start
        while true {
            while position < bytes.count, bytes[position].isXMLSpace { position += 1 }
            guard position < bytes.count else { return true }
            guard let (mayFollow, end) = unread(bytes, at: position), mayFollow, let end else { return false }
            position = end
        }
    }
}

/// The attributes of an SVG's root element that give its size.
///
///     width="2in" height="1in"            192 by 96 pixels (CSS: an inch is 96)
///     width="100%" viewBox="0 0 64 48"     64 by 48
struct SVGTag: ~Escapable {
    private let bytes: Span<UInt8>
    private var position: Int
    /// The ranges of these attributes' values. They are parsed once, at the end.
    private var width: Range<Int>?
    private var height: Range<Int>?
    private var viewBox: Range<Int>?
    /// The most bytes of a number: nobody means a longer one.
    private static let numberLimit = 256
    private(set) var isComplete = false
    private(set) var isEmptyElement = false

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, from position: Int) {
        self.bytes = bytes
        self.position = position
    }

    var end: Int { position + 1 }

    /// The size that width, height and viewBox give together; nil if they don't. One side gives the other by the
    /// viewBox's ratio.
    var size: ImageSize? {
        let (width, height) = (length(width), length(height))
        if let width, let height { return Self.size(width, height) }
        guard let box else { return nil }
        if let width { return Self.size(width, width * (box.height / box.width)) }
        if let height { return Self.size(height * (box.width / box.height), height) }
        return Self.size(box.width, box.height)
    }

    private static func size(_ width: Double, _ height: Double) -> ImageSize {
        ImageSize(width: pixels(width), height: pixels(height))
    }

    /// Reads one more attribute.
    @_lifetime(self: copy self)
    mutating func nextAttribute() -> Bool {
        while position < bytes.count, bytes[position].isXMLSpace { position += 1 }
        let start = position
        while position < bytes.count, !Self.endsName(bytes[position]) { position += 1 }
        let name = start..<position
        while position < bytes.count, bytes[position].isXMLSpace { position += 1 }
        guard position < bytes.count else { return false }
        switch bytes[position] {
        case UInt8(ascii: ">"):
            isComplete = true
            return false
        case UInt8(ascii: "/"):
            position += 1
            isEmptyElement = position < bytes.count && bytes[position] == UInt8(ascii: ">")
            isComplete = isEmptyElement
            return false
        case UInt8(ascii: "="): return value(of: name)
        default: return position > start
        }
    }

    @_lifetime(self: copy self)
    private mutating func value(of name: Range<Int>) -> Bool {
        position += 1
        while position < bytes.count, bytes[position].isXMLSpace { position += 1 }
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'"),
            let end = bytes.firstIndex(of: bytes[position], from: position + 1)
        else { return false }
        let value = position + 1..<end
        position = end + 1
        let name = bytes.extracting(name)
        if name.equals("width") {
            width = value
        } else if name.equals("height") {
            height = value
        } else if name.equals("viewBox") {
            viewBox = value
        }
        return true
    }

    private static func endsName(_ byte: UInt8) -> Bool {
        byte.isXMLSpace || byte == UInt8(ascii: "=") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
    }

    /// Width and height of the viewBox, which is four numbers; nil for one without an area, which browsers ignore.
    private var box: (width: Double, height: Double)? {
        guard var rest = viewBox else { return nil }
        var numbers: [Double] = []
        while let word = word(in: &rest, isBetween: { $0.isXMLSpace || $0 == UInt8(ascii: ",") }) {
            guard numbers.count < 4, let number = Self.number(word[...]) else { return nil }
            numbers.append(number)
        }
        return numbers.count == 4 && min(numbers[2], numbers[3]) > 0 ? (numbers[2], numbers[3]) : nil
    }

    /// The next word of a value; nil past the last one, or if it is too long for a number.
    private func word(in rest: inout Range<Int>, isBetween: (UInt8) -> Bool) -> String? {
        var start = rest.lowerBound
        while start < rest.upperBound, isBetween(bytes[start]) { start += 1 }
        var end = start
        while end < rest.upperBound, end - start <= Self.numberLimit, !isBetween(bytes[end]) { end += 1 }
        rest = end..<rest.upperBound
        return end > start && end - start <= Self.numberLimit ? bytes.extracting(start..<end).text : nil
    }

    /// A length in CSS pixels; nil if it depends on the page or a font: percentages, `vw`, `ex`. An `em` is 16 pixels,
    /// as browsers have it where no style says otherwise.
    private func length(_ value: Range<Int>?) -> Double? {
        guard var rest = value, let text = word(in: &rest, isBetween: \.isXMLSpace)?.lowercased(),
            word(in: &rest, isBetween: \.isXMLSpace) == nil
        else { return nil }
        let units: [(String, Double)] = [
            ("px", 1), ("in", 96), ("cm", 96 / 2.54), ("mm", 96 / 25.4), ("q", 96 / 101.6), ("pt", 96 / 72),
            ("pc", 16),
            ("rem", 16), ("em", 16), ("", 1),
        ]
        for (unit, factor) in units where text.hasSuffix(unit) {
            if let number = Self.number(text.dropLast(unit.count)) { return number * factor }
        }
        return nil
    }

    /// A number as CSS has it, which knows neither `nan` nor `0x10`.
    private static func number(_ text: Substring) -> Double? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }), text.last != ".",
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
