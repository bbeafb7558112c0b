// Random paths on random texts, compared with a simple evaluator over a tree; and bytes that aren't JSON at all.

import PipelineCore
import TestSupport
import Testing

@Suite("Random paths")
struct PathPropertyTests {
    /// One segment as text, and what it does to a place in the tree.
    struct Segment {
        let text: String
        let apply: (Location) -> [Location]
    }

    /// A value with its normalized path.
    struct Location {
        let path: String
        let tree: JSONTree

        var children: [Location] {
            switch tree {
            case .scalar: []
            case .array(let elements):
                elements.enumerated().map { Location(path: path + "[\($0.offset)]", tree: $0.element) }
            case .object(let members):
                members.map { Location(path: path + "['\(Self.escaped($0.name))']", tree: $0.value) }
            }
        }

        var descendants: [Location] { [self] + children.flatMap(\.descendants) }

        static func escaped(_ name: String) -> String {
            ["'": "\\'", "\\": "\\\\", "\u{1}": "\\u0001"][name] ?? name
        }
    }

    static func segment(_ random: inout SplitMix64) -> Segment {
        let selectors = (0..<random.pick([1, 1, 1, 2])).map { _ in selector(&random) }
        let isDescendant = random.oneIn(4)
        return Segment(text: (isDescendant ? ".." : "") + "[\(selectors.map(\.text).joined(separator: ", "))]") {
            place in
            (isDescendant ? place.descendants : [place]).flatMap { place in selectors.flatMap { $0.apply(place) } }
        }
    }

    static func selector(_ random: inout SplitMix64) -> Segment {
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1:
            let name = random.pick(JSONTree.names)
            return Segment(text: "'\(Location.escaped(name))'") { place in
                place.children.filter { $0.path == place.path + "['\(Location.escaped(name))']" }
            }
        case 2: return Segment(text: "*") { $0.children }
        case 3:
            let index = Int.random(in: -3...3, using: &random)
            return Segment(text: "\(index)") { place in
                guard case .array(let elements) = place.tree else { return [] }
                let position = index < 0 ? index + elements.count : index
                return elements.indices.contains(position) ? [place.children[position]] : []
            }
        case 4:
            let bounds = (0..<2).map { _ in random.oneIn(3) ? nil : Int.random(in: -5...5, using: &random) }
            let step = random.pick([1, 2, 3, -1, -2])
            let text = "\(bounds[0].map { "\($0)" } ?? ""):\(bounds[1].map { "\($0)" } ?? ""):\(step)"
            return Segment(text: text) { slice($0, bounds[0], bounds[1], step) }
        default:
            return Segment(text: "?@[0] || @.a") { place in
                place.children.filter { child in
                    child.children.contains { $0.path == child.path + "[0]" || $0.path == child.path + "['a']" }
                }
            }
        }
    }

    /// A slice by asking of each index whether the stride from the first meets it.
    static func slice(_ place: Location, _ start: Int?, _ end: Int?, _ step: Int) -> [Location] {
        guard case .array(let elements) = place.tree else { return [] }
        let from = { (bound: Int) in bound < 0 ? bound + elements.count : bound }
        let indexes = step > 0 ? Array(elements.indices) : elements.indices.reversed()
        let within = indexes.filter { index in
            let isFromStart = start.map { step > 0 ? index >= from($0) : index <= from($0) } ?? true
            let isBeforeEnd = end.map { step > 0 ? index < from($0) : index > from($0) } ?? true
            return isFromStart && isBeforeEnd
        }
        guard let first = within.first else { return [] }
        return within.filter { ($0 - first) % step == 0 }.map { place.children[$0] }
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `find what a simple evaluator finds, in its order`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<25 {
            let tree = JSONTree.random(depth: 4, &random)
            let text = Array(tree.text(&random).utf8)
            let segments = (0..<Int.random(in: 0...3, using: &random)).map { _ in Self.segment(&random) }
            let path = "$" + segments.map(\.text).joined()
            let expected = segments.reduce([Location(path: "$", tree: tree)]) { $0.flatMap($1.apply) }.map(\.path)
            var evaluator = JSONPathEvaluator(try JSONPath(path))
            for isChecked in [false, true] {
                try evaluator.evaluate(text.span, isChecked: isChecked)
                let found = try evaluator.nodes.map {
                    try JSONLocation.path(to: $0.range.lowerBound, in: text.span)
                }
                #expect(found == expected, "\(path) in \(String(decoding: text, as: UTF8.self))")
            }
            for node in evaluator.nodes {
                #expect(JSONProbe.fault(in: Array(text[node.range])) == nil)
                let next = text[node.range.upperBound...].first
                #expect(next.map { ",]} \t\n\r".utf8.contains($0) } ?? true)
            }
        }
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `stay within bytes that aren't JSON`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let paths = ["$.a", "$.a.b[*]", "$[*][1]", "$.*.*", "$", "$['my name']"].map { path in
            Result { JSONPathEvaluator(try JSONPath(path)) }
        }
        let bytes = Array(#"{}[]":,\u0"a""#.utf8) + [0x20, 0x00, 0xC3, 0xFF]
        for _ in 0..<50 {
            let text: [UInt8] =
                if random.oneIn(2) {
                    (0..<Int.random(in: 0...60, using: &random)).map { _ in random.pick(bytes) }
                } else {
                    Self.mutated(Array(JSONTree.random(depth: 3, &random).text(&random).utf8), &random, bytes)
                }
            for path in paths {
                var evaluator = try path.get()
                try evaluator.evaluate(text.span, isChecked: true)
                for node in evaluator.nodes {
                    #expect(text.indices.contains(node.range.lowerBound) && node.range.upperBound <= text.count)
                }
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
