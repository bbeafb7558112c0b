// Random paths on random texts, compared with a simple evaluator over a tree. Bytes that aren't JSON are the fuzzer's.

import PipelineCore
import TestSupport
import Testing

@Suite("Random paths")
struct PathPropertyTests {
    static func segment(_ random: inout SplitMix64) -> String {
        let selectors = (0..<random.pick([1, 1, 1, 2])).map { _ in selector(&random) }
        return (random.oneIn(4) ? ".." : "") + "[\(selectors.joined(separator: ","))]"
    }

    static func selector(_ random: inout SplitMix64) -> String {
        switch Int.random(in: 0..<5, using: &random) {
        case 0, 1:
            let name = random.pick(JSONTree.names.filter { $0 != "\\" && $0 != "\u{1}" })
            return name.contains("'") ? "\"\(name)\"" : "'\(name)'"
        case 2: return "*"
        case 3: return "\(Int.random(in: -3...3, using: &random))"
        default:
            let bounds = (0..<2).map { _ in random.oneIn(3) ? "" : "\(Int.random(in: -5...5, using: &random))" }
            return "\(bounds[0]):\(bounds[1]):\(random.pick([1, 2, 3, -1, -2]))"
        }
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `find what a simple evaluator finds, in its order`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<25 {
            let text = Array(JSONTree.random(depth: 4, &random).text(&random).utf8)
            let path = "$" + (0..<Int.random(in: 0...3, using: &random)).map { _ in Self.segment(&random) }.joined()
            let tree = try PlainJSON.read(text)
            let expected = try #require(PlainPath(path)?.nodes(in: tree), "\(path)").map(\.range)
            var evaluator = JSONPathEvaluator(try JSONPath(path))
            for isChecked in [false, true] {
                try evaluator.evaluate(text.span, isChecked: isChecked)
                #expect(
                    evaluator.nodes.map(\.range) == expected, "\(path) in \(String(decoding: text, as: UTF8.self))")
            }
            for node in evaluator.nodes.prefix(3) {
                let location = JSONLocation.path(toPart: node.range.lowerBound, in: text.span, style: .normalized)
                #expect(
                    PlainPath(location).map { $0.nodes(in: tree)?.map(\.range) == [node.range] } ?? true,
                    "\(location)")
            }
        }
    }

    static func mutated(_ text: [UInt8], _ random: inout SplitMix64, _ bytes: [UInt8]) -> [UInt8] {
        var text = text
        for _ in 0..<random.pick([1, 2, 5]) where !text.isEmpty {
            let place = Int.random(in: 0..<text.count, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: text.remove(at: place)
            case 1: text.insert(random.pick(bytes), at: place)
            default: text[place] = random.pick(bytes)
            }
        }
        return random.oneIn(4) ? Array(text.prefix(Int.random(in: 0...text.count, using: &random))) : text
    }
}

@Suite("The members of a name")
struct MembersTests {
    func values(_ name: String, _ record: String) throws -> [String] {
        let bytes = Array(record.utf8)
        var quoted: [UInt8] = []
        JSONWriter.appendString(name, to: &quoted)
        var evaluator = JSONPathEvaluator(try JSONPath("$[\(String(decoding: quoted, as: UTF8.self))]"))
        try evaluator.evaluate(bytes.span, isChecked: true)
        return evaluator.nodes.map { String(decoding: bytes[$0.range], as: UTF8.self) }
    }

    @Test(arguments: [
        (#"{"name":"Mick"}"#, ["\"Mick\""]), (#" { "name" : 1 , "x" : 2 } "#, ["1"]), ("{}", []),
        (#"{"x":{"name":1}}"#, []),
        (#"{"a":"name","b":["name",{"name":1}],"name":true}"#, ["true"]),
        (#"{"n\u0061me":1,"nam\u0065":2}"#, ["1", "2"]),
        (#"{"name":1,"x":[],"name":{"y":"}"},"name":"\"]}\\"}"#, ["1", #"{"y":"}"}"#, #""\"]}\\""#]),
        (#"{"nam":1,"names":2,"NAME":3,"\name":4}"#, []), (#"{"x":"\\","name":-1.5e3}"#, ["-1.5e3"]),
        (#"{"x":"\\\"","name":null}"#, ["null"]), ("[{\"name\":1}]", []), ("\"name\"", []), ("", []),
        ("{\"name\"", []),
        (#"{"x":[[[["]",{"}":"["}]]]],"name":[1,[2]]}"#, ["[1,[2]]"]), ("{\"name\":", []), ("{\"name\":\"", []),
    ])
    func `are found at the record's top level only, whatever stands around them`(
        _ record: String, _ expected: [String]
    ) throws { #expect(try values("name", record) == expected) }

    @Test
    func `are found behind containers of any length, wherever quotes, backslashes and brackets stand in them`()
        throws
    {
        let signs = [
            #""]}""#, #""[{""#, #""\\""#, #""\"]""#, #""\\\"[""#, #"{"a}":"\"{"}"#, "[[[]]]", "{}", "-1.5",
            #""é[""#,
        ]
        for padding in 0..<140 as Range<Int> {
            for (place, sign) in signs.enumerated() {
                let filler = String(repeating: "a", count: padding)
                let container = "[\"\(filler)\",\(sign),{\"\(filler)\":\(signs[(place + padding) % signs.count])}]"
                #expect(try values("name", "{\"x\":\(container),\"name\":\(container)}") == [container])
            }
        }
    }

    @Test
    func `are found behind a container whose only backslash stands anywhere in a block`() throws {
        let rest = String(repeating: "b", count: 130)
        for padding in 0..<70 as Range<Int> {
            let container = "[\"\(String(repeating: "a", count: padding))\\\"]\(rest)\"]"
            #expect(try values("name", "{\"x\":\(container),\"name\":\(container)}") == [container])
        }
    }

    @Test
    func `are found by names of any character`() throws {
        #expect(try values("", #"{"":1}"#) == ["1"])
        #expect(try values("\"\\", #"{"\"\\":1,"\u0022\u005c":2}"#) == ["1", "2"])
        #expect(try values("😀", #"{"\ud83d\ude00":1,"😀":2}"#) == ["1", "2"])
        #expect(try values("\\n", #"{"\n":1,"\\n":2}"#) == ["2"])
        #expect(try values("\u{FFFD}", #"{"\ud83d":1}"#) == ["1"])
    }
}
