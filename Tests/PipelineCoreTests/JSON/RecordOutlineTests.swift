// Pages outlined in one pass, compared with what the strict reader and the paths find in them.

import PipelineCore
import TestSupport
import Testing

@Suite("The outline of a page") struct RecordOutlineTests {
    static let path = [Array("data".utf8)]

    /// Each record's text, and its members' names and values, as they stand in the page.
    static func found(_ outline: RecordOutline, in text: [UInt8]) -> [[String]] {
        outline.records.map { record in
            let bytes = Array(text[record.range])
            return [String(decoding: bytes, as: UTF8.self)]
                + outline.members[record.members].flatMap { member in
                    [member.nameRange, member.valueRange].map { String(decoding: bytes[$0], as: UTF8.self) }
                }
        }
    }

    /// The same by the reader, nil where the text is no such page.
    static func expected(_ text: [UInt8]) throws -> [[String]]? {
        var evaluator = JSONPathEvaluator(try JSONPath("$.data[*]"))
        do throws(JSONError) { try evaluator.evaluate(text.span) } catch { return nil }
        guard evaluator.nodes.allSatisfy({ $0.kind == .object }) else { return nil }
        return try evaluator.nodes.map { node in
            let bytes = Array(text[node.range])
            var reader = JSONReader(bytes.span)
            try reader.beginRecord()
            var texts = [String(decoding: bytes, as: UTF8.self)]
            while case .name(let name)? = try reader.next() {
                texts.append(String(decoding: bytes[name.range], as: UTF8.self))
                let token = try #require(try reader.next())
                let start = reader.tokenStart
                try reader.skipRest(of: token)
                texts.append(String(decoding: bytes[start..<reader.position], as: UTF8.self))
            }
            return texts
        }
    }

    static func record(_ random: inout SplitMix64) -> String {
        let names = ["a", "", "data", "name", "n\\u0061me", "é", "a much longer name than sixteen bytes", "x\\\""]
        let spaces = ["", "", "", " ", "\n\t", "\r\n"]
        let members = (0..<Int.random(in: 0...5, using: &random)).map { _ in
            "\"\(random.pick(names))\"\(random.pick(spaces)):\(random.pick(spaces))"
                + "\(JSONTree.random(depth: 2, &random).text(&random))\(random.pick(spaces))"
        }
        return "{\(random.pick(spaces))\(members.joined(separator: ",\(random.pick(spaces))"))}"
    }

    static func page(_ random: inout SplitMix64) -> [UInt8] {
        let records = (0..<Int.random(in: 0...4, using: &random)).map { _ in record(&random) }
        let other = "\"info\":\(JSONTree.random(depth: 3, &random).text(&random))"
        let data = "\"\(random.oneIn(4) ? "d\\u0061ta" : "data")\" : [\(records.joined(separator: " , "))]"
        return Array(" {\(random.oneIn(2) ? "\(other),\(data)" : "\(data) , \(other)")}\n".utf8)
    }

    @Test(arguments: 0..<40)
    func `is what the reader finds, and none where the text isn't JSON`(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let bytes = Array("{}[]\",:\\ue0-+.123nulltrfa\n\u{1}\u{80}\u{C3}\u{E2}".utf8) + [0xFF, 0xC0, 0xED]
        var outline = RecordOutline()
        for round in 0..<60 {
            let whole = Self.page(&random)
            let isPage = outline.read(whole.span, at: Self.path)
            #expect(isPage)
            #expect(Self.found(outline, in: whole) == (try Self.expected(whole)))
            let records = outline.records.map { whole[$0.range] }
            #expect(outline.hasLineEnds == records.contains { $0.contains(0x0A) || $0.contains(0x0D) })
            let damaged = PathPropertyTests.mutated(whole, &random, bytes)
            if outline.read(damaged.span, at: Self.path) {
                #expect(Self.found(outline, in: damaged) == (try Self.expected(damaged)), "\(seed) \(round)")
            } else {
                let expected = try Self.expected(damaged)
                #expect(expected?.isEmpty ?? true, "\(String(decoding: damaged, as: UTF8.self))")
                #expect(outline.records.isEmpty && outline.members.isEmpty)
            }
        }
    }

    @Test(arguments: [
        "", "[]", "{}", "7", #"{"data":{}}"#, #"{"data":[1]}"#, #"{"data":[{},null]}"#, #"{"x":{"data":[{}]}}"#,
        #"{"data":[{}]"#, #"{"data":[{}]}}"#, #"{"data":[{}],}"#, #"{"data":[{},]}"#, #"{"data":[{"a":1,}]}"#,
        #"{"data":[{"a"}]}"#, #"{"data":[{"a":}]}"#, #"{"data":[{"a":01}]}"#, #"{"data":[{"a":"}]}"#,
        #"{"data":[{"a":tru}]}"#, #"{"data":[{"a":"\x"}]}"#, #"{"data":[{"a":"\u00g0"}]}"#,
        "{\"data\":[{\"a\":\"\t\"}]}",
    ])
    func `is none where records aren't where they are looked for`(text: String) {
        var outline = RecordOutline()
        let isPage = outline.read(Array(text.utf8).span, at: Self.path)
        #expect(!isPage)
        #expect(outline.records.isEmpty && outline.members.isEmpty)
    }

    @Test
    func `is found in the text itself, in objects within one another, and in two members of one name`() {
        var outline = RecordOutline()
        let list = outline.read(Array(#"[{"a":1},{}]"#.utf8).span, at: [])
        #expect(list && outline.records.count == 2)
        let deep = #"{"a":{"x":[{}],"b":[{"c":1}]},"a":7,"a":{"b":[{},{}]}}"#
        let isFound = outline.read(Array(deep.utf8).span, at: [Array("a".utf8), Array("b".utf8)])
        #expect(isFound && outline.records.count == 3 && outline.members.count == 1)
    }

    @Test
    func `has records in a text with bytes before it where they are there`() {
        var outline = RecordOutline()
        let text = Array(#"[{"a":1},{},{"b":2,"c":3}]"#.utf8)
        let isPage = outline.read(text.span, at: [])
        #expect(isPage && outline.records.map(\.range) == [1..<8, 9..<11, 12..<25])
        #expect(outline.records.map(\.members) == [0..<1, 1..<1, 1..<3])
        #expect(outline.records.map(\.range) == [1..<8, 9..<11, 12..<25])
        #expect(outline.records.map(\.members) == [0..<1, 1..<1, 1..<3])
    }

    @Test(arguments: [1, 60, 64, 65, 66, 300, 511])
    func `has the members of a record of any number of levels`(depth: Int) {
        let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let record = Array(#"{"a" : \#(nested), "\u0062":2}"#.utf8)
        var outline = RecordOutline()
        outline.add(0..<record.count, of: record.span)
        let found = Self.found(outline, in: record)
        #expect(found == [[String(decoding: record, as: UTF8.self), "a", nested, "\\u0062", "2"]])
        #expect(outline.members.map(\.isPlain) == [true, false])
        let page = Array("{\"data\":[".utf8) + record + Array("]}".utf8)
        let isPage = outline.read(page.span, at: Self.path)
        #expect(isPage == (depth <= 65))
    }
}
