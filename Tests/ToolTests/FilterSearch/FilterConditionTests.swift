// filter-search beyond plain texts: paths, words, regular expressions, conditions, explanations, reports.

import Foundation
import TestSupport
import Testing

@Suite struct FilterConditionTests {
    static let lines = [
        #"{"name":"Mick Tide","age":5,"films":[{"title":"Sea","year":1950}],"n":12345678901234567890}"#,
        #"{"name":"Bj\u00f6rk","age":10.0,"ok":true,"films":[{"title":"Ice","year":1999}]}"#,
        #"{"age":7,"ok":null}"#,
        #"{"name":"tide-way","age":"7","ok":false}"#,
    ]

    private func filter(_ arguments: [String], _ lines: [String] = lines) throws -> Session {
        try Session("filter-search", arguments, input: lines.map { $0 + "\n" }.joined().utf8)
    }

    @Test func `exponents of any length are compared exactly`() throws {
        let record = #"{"v":1e9223372036854775807}"#
        let conditions = [
            ("v = 10e9223372036854775806", true), ("v = 1e9223372036854775808", false),
            ("v < 1e9223372036854775808", true), ("v > 9e9223372036854775806", true),
            ("v = 0.01e9223372036854775809", true), ("v > 1e-99999999999999999999999999", true),
        ]
        for (condition, isFound) in conditions {
            let run = try Session.filter(["--where", condition, ""], [record])
            #expect(run.lines == (isFound ? [record] : []), "\(condition)")
        }
    }

    static let explanations: [(arguments: [String], lines: [String])] = [
        (["rk"], [#"{"line":2,"field":"name","start":17,"end":19,"rule":"anywhere"}"#]),
        (["-x", "björk"], [#"{"line":2,"field":"name","start":9,"end":19,"rule":"whole"}"#]),
        (["-E", "T.de$"], [#"{"line":1,"field":"name","start":14,"end":18,"rule":"regex"}"#]),
        (["-a", "ice"], [#"{"line":2,"field":"films[0].title","start":61,"end":64,"rule":"anywhere"}"#]),
        (
            ["tide"],
            [
                #"{"line":1,"field":"name","start":14,"end":18,"rule":"anywhere"}"#,
                #"{"line":4,"field":"name","start":9,"end":13,"rule":"anywhere"}"#,
            ]
        ),
        (["-w", "way"], [#"{"line":4,"field":"name","start":14,"end":17,"rule":"word"}"#]),
    ]

    @Test(arguments: explanations)
    func `explain tells where each match is`(arguments: [String], lines: [String]) throws {
        #expect(try filter(["--explain"] + arguments).errors == lines.map { $0 + "\n" }.joined())
    }

    @Test func `members with the same name satisfy a condition if any does`() throws {
        let record = #"{"name":"x","a":1,"a":2}"#
        for condition in ["a = 1", "a = 2", "a != 1", "a != 2", "a != 3", "a > 1"] {
            #expect(try filter(["--where", condition], [record]).lines == [record], "\(condition)")
        }
        #expect(try filter(["--where", "a = 3"], [record]).lines.isEmpty)
        #expect(try filter(["--where", "a != 1"], [#"{"name":"x","a":1,"a":1}"#]).lines.isEmpty)
    }

    @Test func `explain names the file where there are several`() throws {
        let folder = try ScratchFolder()
        try folder.write(#"{"name":"Mick"}"#.utf8, to: "a")
        try folder.write("{}\n{\"name\":\"Mick\"}\n".utf8, to: "b\"")
        let one = try Session("filter-search", ["--explain", "mick", "a"], folder: folder)
        #expect(one.errors == #"{"line":1,"field":"name","start":9,"end":13,"rule":"anywhere"}"# + "\n")
        let both = try Session("filter-search", ["--explain", "mick", "a", "b\""], folder: folder)
        let second = #"{"file":"b\"","line":2,"field":"name","start":9,"end":13,"rule":"anywhere"}"#
        #expect(both.errors == one.errors.replacingOccurrences(of: "{", with: #"{"file":"a","#) + second + "\n")
    }

    @Test
    func `the line that ends a run counts as bad in its report`() throws {
        let folder = try ScratchFolder()
        let input = "{\"name\":\"Mick\"}\nbad\n{\"name\":\"Else\"}\n"
        let run = try Session(
            "filter-search", ["--on-bad-line=stop", "--report", "r.json", "mick"], input: input.utf8, folder: folder
        )
        #expect(run.status == 65)
        #expect(run.text == "{\"name\":\"Mick\"}\n")
        #expect(try folder.text("r.json").contains("\"recordsIn\":1,\"recordsOut\":1,\"badLines\":1,"))
    }

    @Test
    func `the bytes of a large output are counted, however they are written`() throws {
        let folder = try ScratchFolder()
        let input = (0..<20_000).map { "{\"id\":\($0),\"name\":\"Mick\"}\n" }.joined()
        for arguments in [["mick"], ["--strict", "mick"], ["-v", "nobody"]] {
            let run = try Session(
                "filter-search", ["--report", "r.json"] + arguments, input: input.utf8, folder: folder)
            #expect(run.text == input)
            #expect(try folder.text("r.json").contains("\"bytesOut\":\(input.utf8.count)"))
        }
    }

    @Test func `a report has the figures of the run`() throws {
        let folder = try ScratchFolder()
        let input = "{\"name\":\"Mick\"}\n{\"name\":\"Else\"}\nbad\n"
        let run = try Session("filter-search", ["--report", "r.json", "mick"], input: input.utf8, folder: folder)
        #expect(run.status == 65)
        let json = try JSONSerialization.jsonObject(with: Data(folder.bytes("r.json"))) as? [String: Any]
        let report = try #require(json)
        #expect(report["tool"] as? String == "filter-search")
        #expect(report["version"] as? String == "0.1.0")
        for (name, value) in [
            ("exitStatus", 65), ("recordsIn", 2), ("recordsOut", 1), ("badLines", 1), ("bytesIn", 36),
            ("bytesOut", 16),
        ] {
            #expect(report[name] as? Int == value, "\(name)")
        }
        #expect(report["seconds"] as? Double != nil)
        #expect(try Session("filter-search", ["--report", "no/r", "mick"], folder: folder).status == 73)
    }
}
