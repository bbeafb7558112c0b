// What each selector finds, in which order, in both ways of looking: one pass through the bytes, and the index.

import PipelineCore
import Testing

@Suite("A path finds")
struct PathEvaluationTests {
    static let record = """
        { "name" : "Mick", "films": [ {"title":"A","year":1950}, {"title":"B","year":1955,"stars":[5,4]}, {"title":"C"} ],
          "n\\u0061me2": "x", "empty": {}, "none": [], "deep": {"films": {"year": [1]}}, "é": null }
        """

    @Test(arguments: [
        ("$.name", [#""Mick""#]), ("$['name']", [#""Mick""#]), ("$.name2", [#""x""#]), ("$.é", ["null"]),
        ("$.missing", []), ("$.name.first", []), ("$.name[0]", []), ("$.films.title", []),
        ("$.films[0].title", [#""A""#]), ("$.films[-1].title", [#""C""#]), ("$.films[3]", []),
        ("$.films[-4]", []),
        ("$.films[*].title", [#""A""#, #""B""#, #""C""#]), ("$.films.*.year", ["1950", "1955"]),
        ("$.*.*.title", [#""A""#, #""B""#, #""C""#]), ("$.empty.*", []), ("$.none.*", []), ("$.none[0]", []),
        ("$.empty", ["{}"]), ("$.films[1].stars", ["[5,4]"]), ("$[0]", []), ("$.name.*", []),
        ("$.films[2,0].title", [#""C""#, #""A""#]), ("$.films[0,0].title", [#""A""#, #""A""#]),
        ("$['name','é']", [#""Mick""#, "null"]), ("$['é','name']", ["null", #""Mick""#]),
        ("$.films[1:].title", [#""B""#, #""C""#]), ("$.films[:-1].title", [#""A""#, #""B""#]),
        ("$.films[::2].title", [#""A""#, #""C""#]), ("$.films[::-1].title", [#""C""#, #""B""#, #""A""#]),
        ("$.films[5:0:-2].title", [#""C""#]), ("$.films[::0]", []), ("$.films[-9:9].year", ["1950", "1955"]),
        ("$.films[2:1]", []), ("$.films[1:1:-1]", []), ("$.name[:]", []),
        ("$..year", ["1950", "1955", "[1]"]), ("$..films..year", ["1950", "1955", "[1]"]),
        ("$..stars[1]", ["4"]),
        ("$.deep..*", [#"{"year": [1]}"#, "[1]", "1"]), ("$..[-1]", [#"{"title":"C"}"#, "4", "1"]),
    ])
    func `values by names, indexes, wildcards, slices and descent`(_ path: String, _ expected: [String]) throws {
        #expect(try JSONProbe.values(path, in: Self.record) == expected)
    }

    @Test(arguments: ["{}", "[]", #""a""#, "1", "true", "null"])
    func `the root itself, of every kind`(_ text: String) throws {
        #expect(try JSONProbe.values("$", in: " \(text) ") == [text])
    }

    @Test
    func `a value's kind`() throws {
        var evaluator = JSONPathEvaluator(try JSONPath("$[*]"))
        let text = Array(#"[{"a":[]},["]"],"s",-1.5e3,true,false,null]"#.utf8)
        for isChecked in [false, true] {
            try evaluator.evaluate(text.span, isChecked: isChecked)
            #expect(evaluator.nodes.map(\.kind) == [.object, .array, .string, .number, .boolean, .boolean, .null])
        }
        try evaluator.evaluate(text.span)
        #expect(
            evaluator.nodes[2].content == evaluator.nodes[2].range.lowerBound + 1..<evaluator.nodes[2].range
                .upperBound - 1)
    }

    @Test(arguments: [
        ("$.a", ["1", "3"]), ("$.a.b", []), ("$[?@ > 1]", ["2", "3"]), ("$['a','x']", ["1", "3"]),
        ("$..a", ["1", "3"]), ("$.*", ["1", "2", "3"]),
    ])
    func `all members of a duplicate name`(_ path: String, _ expected: [String]) throws {
        #expect(try JSONProbe.values(path, in: #"{"a":1,"b":2,"\u0061":3}"#) == expected)
    }

    @Test(arguments: [
        ("[-9:]", ["1", "2", "3"]), ("[:9]", ["1", "2", "3"]), ("[9:]", []), ("[:-9]", []),
        ("[9::-1]", ["3", "2", "1"]), ("[:-9:-1]", ["3", "2", "1"]), ("[-9::-1]", []), ("[-4::-1]", []),
        ("[-3::-1]", ["1"]), ("[:9:-1]", []), ("[2:9:-1]", []), ("[0:-9:-1]", ["1"]), ("[-4:-9:-1]", []),
    ])
    func `slices whose ends lie outside the array`(_ slice: String, _ expected: [String]) throws {
        #expect(try JSONProbe.values("$" + slice, in: "[1,2,3]") == expected)
    }

    @Test
    func `as many as are asked for, and no more`() throws {
        let text = Array("[[1,2],[3,4]]".utf8)
        for path in ["$[*][*]", "$[*][?@]", "$..[0,1]"] {
            var evaluator = JSONPathEvaluator(try JSONPath(path))
            try evaluator.evaluate(text.span)
            let all = evaluator.nodes
            try evaluator.evaluate(text.span, limit: 3)
            #expect(evaluator.nodes == Array(all.prefix(3)))
        }
    }

    @Test
    func `nothing left over from the record before`() throws {
        for path in ["$.a[*]", "$.a[?@ > 1]"] {
            var evaluator = JSONPathEvaluator(try JSONPath(path))
            let records = ["{\"a\":[1,2,3]}", "{}", "{\"a\":[4]}", "[]"].map { Array($0.utf8) }
            var found: [[String]] = []
            for record in records {
                try evaluator.evaluate(record.span)
                found.append(evaluator.nodes.map { String(decoding: record[$0.range], as: UTF8.self) })
            }
            #expect(found[1].isEmpty && found[2] == ["4"] && found[3].isEmpty)
        }
    }

    @Test(arguments: ["$.a", "$..a", "$"])
    func `the first fault of a text that isn't JSON`(_ path: String) throws {
        var evaluator = JSONPathEvaluator(try JSONPath(path))
        let text = Array(#"{"a":1,"b":}"#.utf8)
        #expect(throws: JSONError(.expectedValue, at: 11)) { try evaluator.evaluate(text.span) }
        #expect(throws: JSONError(.expectedEnd, at: 2)) { try evaluator.evaluate(Array("{}}".utf8).span) }
    }

    @Test
    func `values in records as deep as the reader's limit`() throws {
        let text = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        #expect(try JSONProbe.values("$..*", in: text).count == 511)
        #expect(try JSONProbe.values("$[?@ == $[0]]", in: text).count == 1)
        #expect(try JSONProbe.values("$" + String(repeating: "[0]", count: 511), in: text) == ["[]"])
    }

    @Test
    func `no more than the limits of work and of nodes allow`() throws {
        let wide = Array(("[" + String(repeating: "1,", count: 999) + "1]").utf8)
        var evaluator = JSONPathEvaluator(try JSONPath("$[?count($[*]) > 1]"), stepLimit: 1_100_000)
        try evaluator.evaluate(wide.span)
        #expect(evaluator.nodes.count == 1000)
        evaluator = JSONPathEvaluator(try JSONPath("$[?count($[*]) > 1]"), stepLimit: 900_000)
        #expect(throws: JSONError(.tooMuchForPath, at: 0)) { try evaluator.evaluate(wide.span) }
        #expect(evaluator.nodes.isEmpty)

        let deep = Array((String(repeating: "[", count: 300) + String(repeating: "]", count: 300)).utf8)
        evaluator = JSONPathEvaluator(try JSONPath("$..*..*..*"))
        #expect(throws: JSONError(.tooMuchForPath, at: 0)) { try evaluator.evaluate(deep.span) }

        let long = Array(
            "[\"\(String(repeating: "a", count: 64_000))\",\(String(repeating: "\"b\",", count: 999))1]".utf8)
        evaluator = JSONPathEvaluator(try JSONPath("$[?@ == $[0]]"), stepLimit: 1_000_000)
        #expect(throws: JSONError(.tooMuchForPath, at: 0)) { try evaluator.evaluate(long.span) }
    }
}
