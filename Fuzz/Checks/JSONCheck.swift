// The JSON reader against the plain one: the same texts, the same strings, and faults at the same places.

import PipelineCore
import TestSupport

enum JSONCheck {
    static func check(_ bytes: [UInt8]) throws {
        var tree: PlainJSON?
        var expected = bytes.count
        do throws(PlainJSON.Fault) {
            tree = try PlainJSON.read(bytes)
        } catch {
            expected = error.offset
        }
        try quickly(bytes, tree)
        try outlined(bytes, tree)
        var strings: [JSONString] = []
        var numbers: [[UInt8]] = []
        do {
            try read(bytes, &strings, &numbers)
            guard let tree else { throw Finding("accepted, with a fault at \(expected)") }
            try compare(strings, Self.strings(tree), in: bytes)
            try compareNumbers(numbers)
            try beginsAsRecord(bytes, tree.kind == .object)
        } catch let error as JSONError {
            try demand(tree == nil, "refused at \(error.offset): \(error)")
            try compare(error, expected)
            try beginsAsRecord(bytes, nil)
        }
    }

    /// A text that is outlined is JSON, and the records are inside it, their members inside them.
    private static func outlined(_ bytes: [UInt8], _ tree: PlainJSON?) throws {
        var outline = RecordOutline()
        for path in [[], [Array("data".utf8)]] where outline.read(bytes.span, at: path) {
            try demand(tree != nil, "outlined, and no JSON")
            for record in outline.records {
                try demand(bytes[record.range.lowerBound] == UInt8(ascii: "{"), "a record that is no object")
                try demand(bytes[record.range.upperBound - 1] == UInt8(ascii: "}"), "a record without its end")
                for member in outline.members[record.members] {
                    try demand(
                        member.name < member.value && member.value < member.valueEnd
                            && member.valueEnd < record.range.count, "a member outside of its record")
                }
            }
        }
    }

    /// Reads all tokens; they stand one after the other, inside the text.
    private static func read(
        _ bytes: [UInt8], _ strings: inout [JSONString], _ numbers: inout [[UInt8]]
    ) throws {
        var reader = JSONReader(bytes.span)
        var end = 0
        while let token = try reader.next() {
            try demand(reader.tokenStart >= end, "a token at \(reader.tokenStart), before \(end)")
            try demand(reader.position > reader.tokenStart, "a token without bytes at \(end)")
            end = reader.position
            switch token {
            case .name(let string), .string(let string): strings.append(string)
            case .number(let number): numbers.append(Array(bytes[number.range]))
            default: break
            }
        }
        try demand(reader.depth == 0 && end <= bytes.count, "an end at depth \(reader.depth)")
        try demand(try reader.next() == nil, "a token behind the end")
    }

    /// Where a literal or a character is wrong the reader names its beginning.
    private static func compare(_ error: JSONError, _ expected: Int) throws {
        let reach =
            switch error.reason {
            case .expectedLiteral: 4
            case .invalidUTF8: 3
            default: 0
            }
        try demand(
            error.offset >= 0 && (expected - reach...expected).contains(error.offset),
            "a fault at \(error.offset) (\(error)), not \(expected)")
        try demand(!error.description.isEmpty, "a fault without words")
    }

    /// - Parameter isObject: nil where the text is none.
    private static func beginsAsRecord(_ bytes: [UInt8], _ isObject: Bool?) throws {
        var isRecord = false
        do throws(JSONError) {
            var reader = JSONReader(bytes.span)
            try reader.beginRecord()
            try reader.skipToEnd()
            isRecord = true
        } catch {
            try demand((0...bytes.count).contains(error.offset), "a fault at \(error.offset), outside")
        }
        try demand(isRecord == (isObject ?? false), "\(isRecord ? "accepted" : "refused") as a record")
    }

    /// What the validator takes for a record is one, and the text is that of its own member.
    private static func quickly(_ bytes: [UInt8], _ tree: PlainJSON?) throws {
        guard bytes.first == UInt8(ascii: "{"), !bytes.contains(0x0A) else { return }
        let found = JSONValidator(bytes.span, end: bytes.count).text(ofMember: Array("a".utf8), from: 0)
        guard let found else { return }
        try demand(tree?.kind == .object, "taken for a record")
        let children = tree?.children ?? []
        let texts = children.indices.filter { $0.isMultiple(of: 2) && children[$0].text == Array("a".utf8) }
        try demand(texts.count == 1, "\(texts.count) members of the name")
        let value = children[texts[0] + 1]
        let range = found.range.lowerBound - 1..<found.range.upperBound + 1
        try demand(value.kind == .string && value.range == range, "\(found.range) isn't the text of the member")
        try demand(found.hasEscapes == bytes[found.range].contains(0x5C), "hasEscapes at \(found.range)")
    }

    private static func strings(_ tree: PlainJSON) -> [PlainJSON] {
        (tree.kind == .string ? [tree] : []) + tree.children.flatMap { strings($0) }
    }

    // MARK: Strings and numbers

    private static func compare(_ strings: [JSONString], _ expected: [PlainJSON], in bytes: [UInt8]) throws {
        try demand(strings.count == expected.count, "\(strings.count) strings, not \(expected.count)")
        for (string, plain) in zip(strings, expected) {
            let content = bytes.span.extracting(string.range)
            var text: [UInt8] = []
            let isUnicode = JSONStringDecoder.append(content, to: &text)
            try demand(text == plain.text, "the string at \(plain.range) is \(text), not \(plain.text)")
            try demand(isUnicode == !plain.hasLoneSurrogate, "a lone surrogate unseen or seen at \(plain.range)")
            try demand(string.hasEscapes == bytes[string.range].contains(0x5C), "hasEscapes at \(plain.range)")
            try demand(JSONStringDecoder.equals(content, text.span), "not equal to itself at \(plain.range)")
            let more = text + [0x61]
            try demand(!JSONStringDecoder.equals(content, more.span), "equal to more at \(plain.range)")
            let end = JSONStringDecoder.sourceOffset(of: text.count, in: content)
            try demand(end == content.count, "the text's end at \(end) of \(content.count) at \(plain.range)")
            try comesBack(text)
        }
    }

    /// What the writer writes is read as the same text.
    private static func comesBack(_ text: [UInt8]) throws {
        var written: [UInt8] = []
        JSONWriter.appendString(text.span, to: &written)
        do {
            let read = try PlainJSON.read(written)
            try demand(read.text == text, "written as \(written), which is \(read.text)")
        } catch let fault as PlainJSON.Fault {
            throw Finding("written as \(written), with a fault at \(fault.offset)")
        }
    }

    /// Neighbours compare as their nearest binary fractions do, where those differ.
    private static func compareNumbers(_ numbers: [[UInt8]]) throws {
        for (left, right) in zip(numbers, numbers.dropFirst()) {
            let order = JSONNumberOrder.between(left.span, right.span)
            let reversed: JSONNumberOrder = order == .less ? .greater : order == .greater ? .less : .equal
            try demand(JSONNumberOrder.between(right.span, left.span) == reversed, "\(left) and \(right)")
            try demand(JSONNumberOrder.between(left.span, left.span) == .equal, "\(left) isn't itself")
            guard let one = Double(left.span.text), let other = Double(right.span.text), one != other else {
                continue
            }
            try demand(order == (one < other ? .less : .greater), "\(left.span.text) \(order) \(right.span.text)")
        }
    }
}
