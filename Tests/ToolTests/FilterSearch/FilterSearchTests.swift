// filter-search as a person runs it: what is found, what is passed on, and what the status says.

import TestSupport
import Testing

@Suite struct FilterSearchTests {
    // MARK: What is found

    static let names = [
        "Mick", "MICK", #"\u004dick"#, "Björk", "BJÖRK", #"Bj\u00f6rk"#, "Bjo\u{308}rk", "Bjork", "Straße",
        "STRASSE",
        "STRAẞE", "\u{212A}elvin", "İstanbul", "Łódź", "Øre", "Æther", "か", "が",
    ]

    /// The table of what a person expects; the numbers are those of the names above.
    static let expectations: [(query: String, found: [Int])] = [
        ("mick", [0, 1, 2]), ("bjork", [3, 4, 5, 6, 7]), ("björk", [3, 4, 5, 6]), ("BJO\u{308}RK", [3, 4, 5, 6]),
        ("strasse", [8, 9, 10]), ("straße", [8, 9, 10]), ("kelvin", [11]), ("istanbul", [12]), ("lodz", [13]),
        ("ore", [14]), ("aether", [15]), ("か", [16]), ("が", [17]), ("", Array(0..<18)), ("nobody", []),
    ]

    @Test(arguments: expectations)
    func aQueryFindsWhatAPersonExpects(query: String, found: [Int]) throws {
        let lines = Self.names.map { #"{"name":"\#($0)","mick":"other"}"# }
        let run = try Session.filter([query], lines)
        #expect(run.lines == found.map { lines[$0] })
        #expect(run.status == 0)
        #expect(run.errors == "")
    }

    @Test func theNameOfAMemberIsNeverFound() throws {
        let run = try Session.filter(
            ["--any", "mick"], [#"{"mick":1}"#, #"{"x":{"mick":[]}}"#, #"{"x":["Mick"]}"#])
        #expect(run.lines == [#"{"x":["Mick"]}"#])
    }

    @Test func fieldsAreSearchedWithAllTheStringsInThem() throws {
        let lines = [
            #"{"name":"A","films":["Mick I",{"title":"no"}]}"#, #"{"films":{"x":[["the mick"]]}}"#,
            #"{"name":"Mick","films":[]}"#, #"{"films":"Mick"}"#, #"{"films":7}"#, #"{"f\u0069lms":"mick"}"#,
        ]
        #expect(try Session.filter(["-f", "films", "mick"], lines).lines == [0, 1, 3, 5].map { lines[$0] })
        #expect(
            try Session.filter(["-f", "films", "-f", "name", "mick"], lines).lines
                == [0, 1, 2, 3, 5].map { lines[$0] })
    }

    @Test func ofDuplicateKeysAnyCounts() throws {
        let line = #"{"name":"Mick","name":"Other"}"#
        #expect(try Session.filter(["mick"], [line]).lines == [line])
        #expect(try Session.filter(["other"], [line]).lines == [line])
    }

    @Test func severalQueriesAreAnyOfThemOrAll() throws {
        let lines = [#"{"name":"Mick Tide"}"#, #"{"name":"Mick"}"#, #"{"name":"Tide"}"#, #"{"name":"Else"}"#]
        #expect(try Session.filter(["-e", "mick", "-e", "tide"], lines).lines == Array(lines[..<3]))
        #expect(try Session.filter(["-e", "mick", "-e", "tide", "--all"], lines).lines == [lines[0]])
        let apart = #"{"name":"Mick","alias":"Tide"}"#
        #expect(try Session.filter(["-a", "--all", "-e", "mick", "-e", "tide"], [apart]).lines == [apart])
    }

    // MARK: What is passed on

    @Test(arguments: [
        #"{"name":"Mick","n":1.0e+02,"big":123456789012345678901234567890,"x":"\/\u00e9"}"#,
        "  { \"name\" :\t\"Mick\" }  ", "{\"name\":\"Mick\"}\r", #"{"a":1,"a":2,"name":"\ud800 Mick"}"#,
    ])
    func aRecordIsPassedOnByteForByte(line: String) throws {
        #expect(try Session.filter(["mick"], [line]).output == Array((line + "\n").utf8))
    }

    @Test func aMissingLastLineEndIsAddedAndAByteOrderMarkDropped() throws {
        let run = try Session(
            "filter-search", ["mick"], input: "\u{FEFF}{\"name\":\"Mick\"}\n\n{\"name\":\"mick\"}".utf8)
        #expect(run.text == "{\"name\":\"Mick\"}\n{\"name\":\"mick\"}\n")
        #expect(run.status == 0)
    }

    @Test func whatIsKeptAndWhatIsDroppedMakeUpTheInput() throws {
        let input = Self.names.map { #"{"name":"\#($0)"}"# }
        let kept = try Session.filter(["o"], input).lines
        let dropped = try Session.filter(["-v", "o"], input).lines
        #expect(kept.count + dropped.count == input.count)
        #expect(Set(kept).union(dropped) == Set(input))
    }

    /// What can't match is dropped without being read as JSON, and under `-v` every line is read: the two must agree.
    @Test(arguments: 0..<4) func theShortCutAndThePlainPathAgree(seed: UInt64) throws {
        var lines = RecordLines(seed: seed)
        let input = (0..<3000).map { _ in lines.next() }
        for query in ["mick", "k", "ö", "o", "name", "\"", "か", "ss", ""] {
            let kept = try Session.filter([query], input)
            let dropped = try Session.filter(["-v", query], input)
            var rest = dropped.lines[...]
            var missing = kept.lines[...]
            for line in input {
                if line == missing.first { missing.removeFirst() } else if line == rest.first { rest.removeFirst() }
            }
            #expect(rest.isEmpty && missing.isEmpty && kept.lines.count + dropped.lines.count == input.count)
            #expect(kept.status == 0 && dropped.status == 0)
        }
    }

    /// The same with what isn't plain: lines that are none, blank ones, carriage returns, one long field name. What
    /// `--strict` keeps is kept, and what is noticed `--strict` notices too.
    @Test(arguments: 0..<4) func theShortCutKeepsWhatStrictKeepsAmongBadLines(seed: UInt64) throws {
        var lines = RecordLines(seed: seed + 100)
        var random = SplitMix64(seed: seed)
        let input = (0..<4000).map { _ in
            let line = lines.next()
            return switch Int.random(in: 0..<40, using: &random) {
            case 0: String(line.dropLast())
            case 1: String(line.dropFirst())
            case 2: line.replacing(",", with: ",,", maxReplacements: 1)
            case 3: line.replacing(":", with: ":\u{1}", maxReplacements: 1)
            case 4: " " + line
            case 5: line + "\r"
            case 6: ""
            case 7: #"{"$seal":{"name":"Mick"}}"#
            case 8: line.replacing("\"name\"", with: "\"name\" \u{1}", maxReplacements: 1)
            default: line
            }
        }
        for query in ["mick", "k", "ö", "o", "name", "か", ""] {
            for options in [
                [], ["-c"], ["-f", "x"], ["-f", "mick"], ["-m", "50"], ["-w"], ["-p"], ["--accents"],
            ] {
                let kept = try Session.filter(options + [query], input)
                let strict = try Session.filter(options + ["--strict", query], input)
                #expect(kept.output == strict.output, "\(options) \(query)")
                let told = Set(strict.errors.split(separator: "\n"))
                #expect(kept.errors.split(separator: "\n").allSatisfy { told.contains($0) }, "\(options) \(query)")
            }
        }
    }

    static let seal = #"{"$seal":{"records":2,"complete":true}}"#

    @Test(arguments: [
        ["mick"], ["-v", "mick"], ["nobody"], ["--strict", "mick"], ["-m", "9", "mick"], ["--any", "mick"],
    ])
    func aSealIsPassedThroughAsTheLastLine(arguments: [String]) throws {
        let run = try Session.filter(arguments, [#"{"name":"Mick"}"#, #"{"name":"Else"}"#, Self.seal, ""])
        #expect(run.lines.last == Self.seal)
        #expect(run.lines.count <= 2)
        #expect(run.status == 0)
    }

    @Test(arguments: [["-q", "mick"], ["-c", "mick"], ["-m", "1", "mick"]])
    func aRunThatDoesNotPassAllOnPassesNoSeal(arguments: [String]) throws {
        let run = try Session.filter(arguments, [#"{"name":"Mick"}"#, #"{"name":"Else"}"#, Self.seal])
        #expect(!run.text.contains("seal"))
    }

    @Test func aSealThatRecordsFollowIsVoid() throws {
        let record = #"{"name":"Mick"}"#
        #expect(try Session.filter(["mick"], [Self.seal, record]).lines == [record])
        #expect(try Session.filter(["mick"], [Self.seal, record, Self.seal]).lines == [record, Self.seal])
        #expect(
            try Session.filter(["-v", "x"], [#"{"$seal":1,"name":"Mick"}"#]).lines == [
                #"{"$seal":1,"name":"Mick"}"#
            ])
    }

    static let placements: [(arguments: [String], found: [String])] = [
        (["tide"], ["Tidewater", "The Tide", "tide", "TIDÉ"]), (["-p", "tide"], ["Tidewater", "tide", "TIDÉ"]),
        (["-x", "tide"], ["tide", "TIDÉ"]), (["-s", "tide"], ["tide"]),
        (["-s", "Tide"], ["Tidewater", "The Tide"]),
        (["--accents", "tide"], ["Tidewater", "The Tide", "tide"]), (["--accents", "tidé"], ["TIDÉ"]),
        (["-sx", "Tide"], []), (["-px", "tide"], ["tide", "TIDÉ"]),
    ]

    @Test(arguments: placements)
    func optionsSayWhatIsTheSameAndWhere(arguments: [String], found: [String]) throws {
        let line: (String) -> String = { #"{"name":"\#($0)"}"# }
        let lines = ["Tidewater", "The Tide", "tide", "TIDÉ", "Else"].map(line)
        #expect(try Session.filter(arguments, lines).lines == found.map(line))
    }

    @Test func strictChecksALineThatCanNotMatch() throws {
        let line = #"{"name":"Else","x":01}"#
        #expect(try Session.filter(["mick"], [line]).status == 0)
        #expect(try Session.filter(["--strict", "mick"], [line]).status == 65)
        #expect(try Session.filter(["-v", "mick"], [line]).lines == [])
    }

    // MARK: Limits, counts, answers

    @Test func limitCountAndQuietSayWhatWasFound() throws {
        let lines = (1...5).map { #"{"name":"Mick \#($0)"}"# } + [#"{"name":"Else"}"#]
        #expect(try Session.filter(["-m", "2", "mick"], lines).lines == Array(lines[..<2]))
        #expect(try Session.filter(["-m2", "mick"], lines).lines == Array(lines[..<2]))
        #expect(try Session.filter(["-m", "0", "mick"], lines).lines == [])
        #expect(try Session.filter(["-c", "mick"], lines).text == "{\"count\":5}\n")
        #expect(try Session.filter(["-c", "-v", "mick"], lines).text == "{\"count\":1}\n")
        #expect(try Session.filter(["-cm", "3", "mick"], lines).text == "{\"count\":3}\n")
        #expect(try Session.filter(["-q", "mick"], lines).output == [])
    }

    static let responses: [(arguments: [String], status: Int32)] = [
        (["mick"], 0), (["nobody"], 0), (["--exit-status", "mick"], 0), (["--exit-status", "nobody"], 1),
        (["-q", "mick"], 0), (["-q", "nobody"], 1), (["-c", "nobody"], 0), (["-c", "--exit-status", "nobody"], 1),
        (["-v", "-q", "mick"], 1),
    ]

    @Test(arguments: responses)
    func theStatusResponsesWhereItIsAsked(arguments: [String], status: Int32) throws {
        #expect(try Session.filter(arguments, [#"{"name":"Mick"}"#]).status == status)
    }

    @Test func quietEndsWellAtTheFirstMatchWhateverElseWentWrong() throws {
        #expect(try Session.filter(["-q", "mick"], ["{", #"{"name":"Mick"}"#]).status == 0)
        #expect(try Session.filter(["-q", "mick"], ["{", #"{"name":"Else"}"#]).status == 65)
        #expect(
            try Session("filter-search", ["-q", "mick", "/nonexistent", "-"], input: #"{"name":"Mick"}"#.utf8)
                .status == 0)
    }
}
