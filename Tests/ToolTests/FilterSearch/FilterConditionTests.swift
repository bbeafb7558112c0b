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

    static let cases: [(arguments: [String], found: [Int])] = [
        (["-f", "films[0].title", "sea"], [0]), (["-f", "$..title", "ice"], [1]),
        (["-f", "$.films[?@.year<1960].title", ""], [0]), (["-f", "films", "-f", "$..x", "ice"], [1]),
        (["-w", "tide"], [0, 3]), (["-w", "tid"], []), (["-E", "^m.ck"], [0]), (["-E", "-s", "^m.ck"], []),
        (["-E", "^b.{3}k$"], [1]), (["-E", "-x", "tide.way"], [3]), (["-E", "-p", "tide|zzz"], [3]),
        (["-E", "-w", "tid."], [0, 3]), (["-E", "-w", "tid|way"], [3]),
        (["-E", "-w", "way|ick"], [3]), (["-E", "-e", "^mick", "-e", "way$"], [0, 3]),
        (["-z", "tide"], [0, 3]), (["-z", "tyde"], []), (["-z", "bjrok"], [1]), (["-z", "pjork"], []),
        (["--where", "age = 5"], [0]), (["--where", "age = 5.0e0"], [0]), (["--where", "age != 5"], [1, 2, 3]),
        (["--where", "age < 10"], [0, 2]), (["--where", "age <= 10"], [0, 1, 2]), (["--where", "age > 7"], [1]),
        (["--where", "age >= 7"], [1, 2]), (["--where", #"age = "7""#], [3]),
        (["--where", "n = 12345678901234567890"], [0]), (["--where", "n = 12345678901234567891"], []),
        (["--where", "n > 12345678901234567889"], [0]), (["--where", "name exists"], [0, 1, 3]),
        (["--where", "ok exists"], [1, 2, 3]), (["--where", "ok = true"], [1]), (["--where", "ok = null"], [2]),
        (["--where", "ok != true"], [0, 2, 3]), (["--where", "ok < true"], []),
        (["--where", "name = MICK tide"], [0]),
        (["--where", "name = bjork"], [1]), (["--where", "name = mick"], []), (["--where", "name > a"], [3]),
        (["--where", "films[0].year > 1960"], [1]), (["--where", "age > 1", "--where", "ok exists"], [1, 2]),
        (["--where", "age > 5", "bjork"], [1]), (["-v", "--where", "age > 5"], [0, 3]),
    ]

    @Test func exponentsOfAnyLengthAreComparedExactly() throws {
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

    @Test(arguments: cases)
    func whatIsAskedForIsFound(arguments: [String], found: [Int]) throws {
        let run = try filter(arguments)
        #expect(run.lines == found.map { Self.lines[$0] })
        #expect(run.status == 0 && run.errors == "")
    }

    static let mistakes: [(arguments: [String], message: String)] = [
        (["-z", "-x", "a"], "--fuzzy doesn't go with"),
        (["-E", "ab("], "the regular expression 'ab(' is wrong: the group isn't closed"),
        (["-E", "(a)\\1"], "back-reference"), (["-f", "a[", "x"], "the path 'a[' is wrong at character 3"),
        (["--where", "age"], "--where takes 'PATH OP VALUE'"), (["--where", "age <"], "lacks a value"),
        (["--where", "$[ = 3"], "the path is wrong at character 4"),
        (["--where", "a = [1]"], "an array or an object"),
    ]

    @Test(arguments: mistakes)
    func aMistakeNamesThePlace(arguments: [String], message: String) throws {
        let run = try filter(arguments)
        #expect(run.status == 64)
        #expect(run.errors.contains(message))
        #expect(run.errors.split(separator: "\n").count == 1)
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
    func explainTellsWhereEachMatchIs(arguments: [String], lines: [String]) throws {
        #expect(try filter(["--explain"] + arguments).errors == lines.map { $0 + "\n" }.joined())
    }

    @Test func membersWithTheSameNameSatisfyAConditionIfAnyDoes() throws {
        let record = #"{"name":"x","a":1,"a":2}"#
        for condition in ["a = 1", "a = 2", "a != 1", "a != 2", "a != 3", "a > 1"] {
            #expect(try filter(["--where", condition], [record]).lines == [record], "\(condition)")
        }
        #expect(try filter(["--where", "a = 3"], [record]).lines.isEmpty)
        #expect(try filter(["--where", "a != 1"], [#"{"name":"x","a":1,"a":1}"#]).lines.isEmpty)
    }

    @Test("a path to many values satisfies != where none of them is the one")
    func manyValues() throws {
        let lines = [#"{"f":["a","b"]}"#, #"{"f":["b","c"]}"#, #"{"f":[]}"#, #"{"f":"a"}"#]
        #expect(try filter(["--where", "f[*] != a"], lines).lines == [lines[1], lines[2], lines[3]])
        #expect(try filter(["--where", "f[*] = a"], lines).lines == [lines[0]])
    }

    @Test func explainNamesTheFileWhereThereAreSeveral() throws {
        let folder = try ScratchFolder()
        try folder.write(#"{"name":"Mick"}"#.utf8, to: "a")
        try folder.write("{}\n{\"name\":\"Mick\"}\n".utf8, to: "b\"")
        let one = try Session("filter-search", ["--explain", "mick", "a"], folder: folder)
        #expect(one.errors == #"{"line":1,"field":"name","start":9,"end":13,"rule":"anywhere"}"# + "\n")
        let both = try Session("filter-search", ["--explain", "mick", "a", "b\""], folder: folder)
        let second = #"{"file":"b\"","line":2,"field":"name","start":9,"end":13,"rule":"anywhere"}"#
        #expect(both.errors == one.errors.replacingOccurrences(of: "{", with: #"{"file":"a","#) + second + "\n")
    }

    @Test("the line that ends a run counts as bad in its report")
    func stopReport() throws {
        let folder = try ScratchFolder()
        let input = "{\"name\":\"Mick\"}\nbad\n{\"name\":\"Else\"}\n"
        let run = try Session(
            "filter-search", ["--on-bad-line=stop", "--report", "r.json", "mick"], input: input.utf8, folder: folder
        )
        #expect(run.status == 65)
        #expect(run.text == "{\"name\":\"Mick\"}\n")
        #expect(try folder.text("r.json").contains("\"recordsIn\":1,\"recordsOut\":1,\"badLines\":1,"))
    }

    @Test("the bytes of a large output are counted, however they are written")
    func largeReport() throws {
        let folder = try ScratchFolder()
        let input = (0..<20_000).map { "{\"id\":\($0),\"name\":\"Mick\"}\n" }.joined()
        for arguments in [["mick"], ["--strict", "mick"], ["-v", "nobody"]] {
            let run = try Session(
                "filter-search", ["--report", "r.json"] + arguments, input: input.utf8, folder: folder)
            #expect(run.text == input)
            #expect(try folder.text("r.json").contains("\"bytesOut\":\(input.utf8.count)"))
        }
    }

    @Test func aReportHasTheFiguresOfTheRun() throws {
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
