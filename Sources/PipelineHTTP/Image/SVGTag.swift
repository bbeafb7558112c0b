// The attributes of an SVG's root element that give its size.
//
//     width="2in" height="1in"            192 by 96 pixels (CSS: an inch is 96)
//     width="100%" viewBox="0 0 64 48"     64 by 48

import PipelineCore

/// Reads attributes up to the end of the tag.
struct SVGTag: ~Escapable {
    private let bytes: Span<UInt8>
    private var position: Int
    /// The ranges of these attributes' values. They are parsed once, at the end.
    private var width: Range<Int>?
    private var height: Range<Int>?
    private var viewBox: Range<Int>?
    /// The most bytes of a number: nobody means a longer one.
    private static let numberLimit = 256
    /// Whether the `>` was reached.
    private(set) var isComplete = false
    /// Whether a slash precedes it, so there is no end tag.
    private(set) var isEmptyElement = false

    /// - Parameter position: past the element's name.
    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, from position: Int) {
        self.bytes = bytes
        self.position = position
    }

    /// The offset past a complete tag.
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
    /// - Returns: false at the end of the tag or of the file.
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
