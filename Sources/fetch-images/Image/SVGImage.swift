// SVG: text whose root element is `svg`, up to that element's end. The rest of XML is passed over, not checked.
//
//     <?xml …?> <!-- … --> <!DOCTYPE svg … [ … ]> <svg width="64" height="48" viewBox="0 0 64 48"> … </svg>

import PipelineCore

enum SVGImage {
    /// Where the name of the root element stands, if that is `svg`, with a prefix or without.
    static func root(in bytes: Span<UInt8>) -> Range<Int>? {
        var place = bytes.begins(with: "\u{EF}\u{BB}\u{BF}") ? 3 : 0
        while true {
            while place < bytes.count, bytes[place].isXMLSpace { place += 1 }
            guard place + 1 < bytes.count, bytes[place] == UInt8(ascii: "<") else { return nil }
            let next: Int?
            if bytes.holds("<!--", at: place) {
                next = end(of: "-->", in: bytes, from: place + 4)
            } else if bytes.holds("<?", at: place) {
                next = end(of: "?>", in: bytes, from: place + 2)
            } else if bytes.holds("<!DOCTYPE", at: place) {
                next = endOfDoctype(bytes, from: place + 9)
            } else {
                return name(bytes, from: place + 1)
            }
            guard let next else { return nil }
            place = next
        }
    }

    static func size(_ bytes: Span<UInt8>) throws(ImageFault) -> ImageSize? {
        guard let root = root(in: bytes) else { throw .damaged(.svg) }
        var tag = SVGTag(bytes, from: root.upperBound)
        while tag.nextAttribute() {}
        guard tag.isComplete else { throw .truncated(.svg) }
        guard tag.isEmptyElement || endsWithRoot(bytes, root) else { throw .truncated(.svg) }
        guard UTF8Sequence.firstFault(in: bytes) == nil else { throw .damaged(.svg) }
        return tag.size
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

    /// The declaration may hold another part in brackets.
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

    private static func end(of mark: String, in bytes: Span<UInt8>, from start: Int) -> Int? {
        let last = UInt8(ascii: ">")
        var place = start
        while place <= bytes.count, let found = bytes.firstIndex(of: last, from: place) {
            let begin = found + 1 - mark.utf8.count
            if begin >= start, bytes.holds(mark, at: begin) { return found + 1 }
            place = found + 1
        }
        return nil
    }

    /// Whether the last tag closes the root; white space and comments may follow it.
    private static func endsWithRoot(_ bytes: Span<UInt8>, _ root: Range<Int>) -> Bool {
        var end = endWithoutSpace(bytes, bytes.count)
        while end >= 3, bytes.holds("-->", at: end - 3), let start = startOfComment(bytes, before: end - 3) {
            end = endWithoutSpace(bytes, start)
        }
        guard end > 0, bytes[end - 1] == UInt8(ascii: ">") else { return false }
        end = endWithoutSpace(bytes, end - 1)
        let start = end - root.count
        guard start - 2 >= root.upperBound, bytes.holds("</", at: start - 2) else { return false }
        return bytes.extracting(start..<end).equals(bytes.extracting(root))
    }

    private static func endWithoutSpace(_ bytes: Span<UInt8>, _ end: Int) -> Int {
        var end = end
        while end > 0, bytes[end - 1].isXMLSpace { end -= 1 }
        return end
    }

    private static func startOfComment(_ bytes: Span<UInt8>, before end: Int) -> Int? {
        (0..<end).last { bytes.holds("<!--", at: $0) }
    }
}
