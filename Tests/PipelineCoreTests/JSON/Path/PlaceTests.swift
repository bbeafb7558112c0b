// The name of a place, and the way back.

import TestSupport
import Testing

@testable import PipelineCore

@Suite("A place in a text")
struct PlaceTests {
    @Test(arguments: [
        ("$", "$", "$"), ("$.a", "$['a']", "a"), ("$.a[1]", "$['a'][1]", "a[1]"),
        ("$.a[1].b", "$['a'][1]['b']", "a[1].b"),
        ("$['x-y'].a", "$['x-y']['a']", "x-y.a"), ("$['my name'].a", "$['my name']['a']", "$['my name'].a"),
        ("$['my name']['x-y']", "$['my name']['x-y']", "$['my name']['x-y']"), ("$['']", "$['']", "$['']"),
        ("$.a[2]['\\'']", #"$['a'][2]['\'']"#, #"a[2]['\'']"#), ("$['\\\\']", #"$['\\']"#, #"$['\\']"#),
        ("$['\"']", "$['\"']", "$['\"']"), ("$['\\u00e9']", "$['é']", "é"),
        (
            "$['\\b\\t\\n\\f\\r\\u000b\\u001f\\u007f']", "$['\\b\\t\\n\\f\\r\\u000b\\u001f\u{7F}']",
            "$['\\b\\t\\n\\f\\r\\u000b\\u001f\u{7F}']"
        ),
    ])
    func `has a normalized and a short path`(_ path: String, _ normalized: String, _ short: String) throws {
        let text = Array(
            #"""
            {"a":[[],{"b":1},{"'":2}],"x-y":{"a":3},"my name":{"a":4,"x-y":5},"":6,"\\":7,"\"":8,"\u00e9":9,
             "\b\t\n\f\r\u000B\u001F\u007f":10}
            """#.utf8)
        var evaluator = JSONPathEvaluator(try JSONPath(path))
        try evaluator.evaluate(text.span)
        let offset = try #require(evaluator.nodes.first).range.lowerBound
        #expect(JSONLocation.path(toPart: offset, in: text.span, style: .normalized) == normalized)
        #expect(JSONLocation.path(toPart: offset, in: text.span, style: .short) == short)
    }

    @Test(arguments: 0..<30 as Range<UInt64>)
    func `is found by its own path, in either style`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let text = Array(JSONTree.random(depth: 4, &random).text(&random).utf8)
        var all = JSONPathEvaluator(try JSONPath("$..*"))
        try all.evaluate(text.span)
        for node in all.nodes {
            for style in [JSONLocation.Style.normalized, .short] {
                let path = JSONLocation.path(toPart: node.range.lowerBound, in: text.span, style: style)
                var back = JSONPathEvaluator(try JSONPath(path))
                try back.evaluate(text.span)
                #expect(back.nodes == [node], "\(path)")
            }
        }
    }

    @Test
    func `is found in one pass with any others`() throws {
        let text = Array(#"{"a":[1,{"b":2,"a":[3]}],"\u0062":{"a":4},"":5}"#.utf8)
        let all = [
            (0, "$"), (5, "$['a']"), (6, "$['a'][0]"), (13, "$['a'][1]['b']"), (20, "$['a'][1]['a'][0]"),
            (39, "$['b']['a']"), (45, "$['']"),
        ]
        for chosen in 0..<(1 << all.count) {
            let wanted = all.indices.filter { chosen >> $0 & 1 == 1 }.map { all[$0] }
            let paths = try JSONLocation.paths(to: Set(wanted.map(\.0)), in: text.span)
            #expect(paths.map { JSONLocation.path(of: $0, style: .normalized) } == wanted.map(\.1))
        }
    }
}
