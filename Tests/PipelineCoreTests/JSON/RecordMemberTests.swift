// A record's own member found by the validator beside the reader, in records and in what is nearly one.

import PipelineCore
import TestSupport
import Testing

@Suite("A record's own member without tokens")
struct RecordMemberTests {
    /// Pieces of which some records are made, and much that is none.
    private static let pieces = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", " ", "\t", "\r", "\"name\":\"Mick\"", "\"a\":", "\"\\u00e9\"",
        "\"\\ud83e\"", "\\u00g0", "\"é\"", "\u{1}", "0", "01", "-", "-1.5e+3", "1.", "2E", "true", "fals", "null",
        "{}", ",\"x\":\"y\"", ",\"n\\u0061me\":\"Mick\"", "\"é\":\"é\\n\"", "[]", "[1,2]",
        "\"a longer text that takes more than sixteen bytes\"", ",\"x\":{\"name\":[{}]}",
    ]

    /// The text of the one member of the name, as the reader sees it; nil where the line is no record, or a name in it
    /// has an escape.
    private func text(_ line: [UInt8], of name: String) -> JSONString? {
        do throws(JSONError) {
            var reader = JSONReader(line.span)
            try reader.beginRecord()
            var values: [JSONToken] = []
            while let token = try reader.next() {
                guard case .name(let found) = token, let value = try reader.next() else { continue }
                if found.hasEscapes { return nil }
                if Array(line[found.range]) == Array(name.utf8) { values.append(value) }
                try reader.skipRest(of: value)
            }
            guard values.count == 1, case .string(let text) = values[0] else { return nil }
            return text
        } catch {
            return nil
        }
    }

    /// Compares the two on a line between others.
    private func compare(_ line: [UInt8]) {
        guard line.first == UInt8(ascii: "{"), !line.contains(0x0A) else { return }
        let before = Array("{\"x\":1}\n".utf8)
        for after in [[], Array("\"}\n".utf8), [UInt8](repeating: 0x20, count: 40)] {
            let block = before + line + [0x0A] + after
            for name in ["name", "x"] {
                let found = JSONValidator(block.span, end: before.count + line.count)
                    .text(ofMember: Array(name.utf8), from: before.count)
                let expected = text(line, of: name)
                let range = expected.map { text in
                    text.range.lowerBound + before.count..<text.range.upperBound + before.count
                }
                #expect(found?.range == range, "\(line.span.text), \(name)")
                #expect(found?.hasEscapes == expected?.hasEscapes, "\(line.span.text), \(name)")
            }
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `is the one that the reader finds`(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<2000 {
            let count = Int.random(in: 0...7, using: &random)
            let middle = (0..<count).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()
            compare(
                Array((Bool.random(using: &random) ? "{" + middle + "}" : "{\"name\":\"\"," + middle + "}").utf8))
        }
    }

    @Test
    func `isn't found in a record with any byte changed, left out or put in, where the reader finds none`() {
        let record = Array(#"{"name":"Mick é か 🦊","n":[-0.5e3,true,{"x":null}],"s":"\u00e9\\\" a long text"}"#.utf8)
        compare(record)
        for index in record.indices {
            for byte: UInt8 in [0, 0x09, 0x20, 0x22, 0x2C, 0x30, 0x5C, 0x5D, 0x7B, 0x7D, 0x80, 0xC3, 0xFF] {
                var changed = record
                changed[index] = byte
                compare(changed)
                changed.insert(record[index], at: index)
                compare(changed)
            }
            var shorter = record
            shorter.remove(at: index)
            compare(shorter)
        }
    }

    @Test
    func `is found beside values of as many levels as a word has bits`() {
        for depth in [2, 63, 64, 65, 512, 513] {
            let inner = String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1)
            let line = Array((#"{"name":"","x":"# + inner + "}").utf8)
            let text = JSONValidator(line.span, end: line.count).text(ofMember: Array("name".utf8), from: 0)
            #expect((text != nil) == (depth <= 65))
        }
    }
}
