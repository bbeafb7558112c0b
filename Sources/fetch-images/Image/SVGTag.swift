// The attributes of an SVG's root element, as far as they tell its size.
//
//     width="2in" height="1in"            192 by 96 pixels (CSS: an inch is 96)
//     width="100%" viewBox="0 0 64 48"     64 by 48

import PipelineCore

/// Reads attributes up to the tag's end.
struct SVGTag: ~Escapable {
    private let bytes: Span<UInt8>
    private var place: Int
    private var width: Double?
    private var height: Double?
    private var viewBox: [Double] = []
    /// The `>` has come.
    private(set) var isComplete = false
    /// It came behind a slash: there is no other tag.
    private(set) var isEmptyElement = false

    /// - Parameter place: behind the element's name.
    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, from place: Int) {
        self.bytes = bytes
        self.place = place
    }

    /// The place behind a tag that is complete.
    var end: Int { place + 1 }

    /// What width, height and viewBox say together, nil where that is nothing.
    var size: ImageSize? {
        let box = viewBox.count == 4 ? (width: viewBox[2], height: viewBox[3]) : nil
        guard let width = width ?? box?.width, let height = height ?? box?.height else { return nil }
        return ImageSize(width: Self.pixels(width), height: Self.pixels(height))
    }

    /// Reads one more attribute.
    /// - Returns: false at the end of the tag or of the file.
    @_lifetime(self: copy self)
    mutating func nextAttribute() -> Bool {
        while place < bytes.count, bytes[place].isXMLSpace { place += 1 }
        let start = place
        while place < bytes.count, !Self.endsName(bytes[place]) { place += 1 }
        let name = bytes.extracting(start..<place)
        while place < bytes.count, bytes[place].isXMLSpace { place += 1 }
        guard place < bytes.count else { return false }
        switch bytes[place] {
        case UInt8(ascii: ">"):
            isComplete = true
            return false
        case UInt8(ascii: "/"):
            place += 1
            isEmptyElement = place < bytes.count && bytes[place] == UInt8(ascii: ">")
            isComplete = isEmptyElement
            return false
        case UInt8(ascii: "="): return value(of: name.text)
        default: return place > start
        }
    }

    @_lifetime(self: copy self)
    private mutating func value(of name: String) -> Bool {
        place += 1
        while place < bytes.count, bytes[place].isXMLSpace { place += 1 }
        guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") || bytes[place] == UInt8(ascii: "'"),
            let end = bytes.firstIndex(of: bytes[place], from: place + 1)
        else { return false }
        let text = bytes.extracting(place + 1..<end).text
        place = end + 1
        switch name {
        case "width": width = Self.length(text)
        case "height": height = Self.length(text)
        case "viewBox": viewBox = text.split { " ,\t\n\r".contains($0) }.compactMap { Double($0) }
        default: break
        }
        return true
    }

    private static func endsName(_ byte: UInt8) -> Bool {
        byte.isXMLSpace || byte == UInt8(ascii: "=") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
    }

    /// A length in CSS pixels; nil for what depends on the page: percentages, `em`.
    private static func length(_ text: String) -> Double? {
        let units: [(String, Double)] = [
            ("px", 1), ("in", 96), ("cm", 96 / 2.54), ("mm", 96 / 25.4), ("pt", 96 / 72), ("pc", 16), ("", 1),
        ]
        let text = String(text.split { $0 == " " }.first ?? "")
        for (unit, factor) in units where text.hasSuffix(unit) {
            if let number = Double(text.dropLast(unit.count)) { return number * factor }
        }
        return nil
    }

    /// Rounded; what is less than a pixel is one, and nothing is none.
    private static func pixels(_ length: Double) -> Int {
        guard length > 0 else { return 0 }
        return Int(max(1, min(length, 1e9).rounded()))
    }
}
