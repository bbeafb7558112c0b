// filter-search as a person runs it: what is found, what is passed on, and how it ends.

import Testing

@Suite struct FilterSearchTests {
    /// Runs the tool over lines.
    private func filter(_ arguments: [String], _ lines: [String]) throws -> Session {
        try Session("filter-search", arguments, input: lines.map { $0 + "\n" }.joined().utf8)
    }

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
        let run = try filter([query], lines)
        #expect(run.lines == found.map { lines[$0] })
        #expect(run.status == 0)
        #expect(run.errors == "")
    }

    @Test func theNameOfAMemberIsNeverFound() throws {
        let run = try filter(["--any", "mick"], [#"{"mick":1}"#, #"{"x":{"mick":[]}}"#, #"{"x":["Mick"]}"#])
        #expect(run.lines == [#"{"x":["Mick"]}"#])
    }

    @Test func fieldsAreSearchedWithAllTheStringsInThem() throws {
        let lines = [
            #"{"name":"A","films":["Mick I",{"title":"no"}]}"#, #"{"films":{"x":[["the mick"]]}}"#,
            #"{"name":"Mick","films":[]}"#, #"{"films":"Mick"}"#, #"{"films":7}"#, #"{"f\u0069lms":"mick"}"#,
        ]
        #expect(try filter(["-f", "films", "mick"], lines).lines == [0, 1, 3, 5].map { lines[$0] })
        #expect(
            try filter(["-f", "films", "-f", "name", "mick"], lines).lines == [0, 1, 2, 3, 5].map { lines[$0] })
    }

    @Test func ofDuplicateKeysAnyCounts() throws {
        let line = #"{"name":"Mick","name":"Other"}"#
        #expect(try filter(["mick"], [line]).lines == [line])
        #expect(try filter(["other"], [line]).lines == [line])
    }

    @Test func severalQueriesAreAnyOfThemOrAll() throws {
        let lines = [#"{"name":"Mick Tide"}"#, #"{"name":"Mick"}"#, #"{"name":"Tide"}"#, #"{"name":"Else"}"#]
        #expect(try filter(["-e", "mick", "-e", "tide"], lines).lines == Array(lines[..<3]))
        #expect(try filter(["-e", "mick", "-e", "tide", "--all"], lines).lines == [lines[0]])
        let apart = #"{"name":"Mick","alias":"Tide"}"#
        #expect(try filter(["-a", "--all", "-e", "mick", "-e", "tide"], [apart]).lines == [apart])
    }

    // MARK: What is passed on

    @Test(arguments: [
        #"{"name":"Mick","n":1.0e+02,"big":123456789012345678901234567890,"x":"\/\u00e9"}"#,
        "  { \"name\" :\t\"Mick\" }  ", "{\"name\":\"Mick\"}\r", #"{"a":1,"a":2,"name":"\ud800 Mick"}"#,
    ])
    func aRecordIsPassedOnByteForByte(line: String) throws {
        #expect(try filter(["mick"], [line]).output == Array((line + "\n").utf8))
    }

    @Test func aMissingLastLineEndIsAddedAndAByteOrderMarkDropped() throws {
        let run = try Session(
            "filter-search", ["mick"], input: "\u{FEFF}{\"name\":\"Mick\"}\n\n{\"name\":\"mick\"}".utf8)
        #expect(run.text == "{\"name\":\"Mick\"}\n{\"name\":\"mick\"}\n")
        #expect(run.status == 0)
    }

    @Test func whatIsKeptAndWhatIsDroppedMakeUpTheInput() throws {
        let input = Self.names.map { #"{"name":"\#($0)"}"# }
        let kept = try filter(["o"], input).lines
        let dropped = try filter(["-v", "o"], input).lines
        #expect(kept.count + dropped.count == input.count)
        #expect(Set(kept).union(dropped) == Set(input))
    }

    /// What can't match is dropped without being read as JSON, and under `-v` every line is read: the two must agree.
    @Test(arguments: 0..<4) func theShortCutAndThePlainPathAgree(seed: UInt64) throws {
        var lines = RecordLines(seed: seed)
        let input = (0..<3000).map { _ in lines.next() }
        for query in ["mick", "k", "ö", "o", "name", "\"", "か", "ss", ""] {
            let kept = try filter([query], input)
            let dropped = try filter(["-v", query], input)
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
        var random = SplitMix64(state: seed)
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
                let kept = try filter(options + [query], input)
                let strict = try filter(options + ["--strict", query], input)
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
        let run = try filter(arguments, [#"{"name":"Mick"}"#, #"{"name":"Else"}"#, Self.seal, ""])
        #expect(run.lines.last == Self.seal)
        #expect(run.lines.count <= 2)
        #expect(run.status == 0)
    }

    @Test(arguments: [["-q", "mick"], ["-c", "mick"], ["-m", "1", "mick"]])
    func aRunThatDoesNotPassAllOnPassesNoSeal(arguments: [String]) throws {
        let run = try filter(arguments, [#"{"name":"Mick"}"#, #"{"name":"Else"}"#, Self.seal])
        #expect(!run.text.contains("seal"))
    }

    @Test func aSealThatRecordsFollowIsVoid() throws {
        let record = #"{"name":"Mick"}"#
        #expect(try filter(["mick"], [Self.seal, record]).lines == [record])
        #expect(try filter(["mick"], [Self.seal, record, Self.seal]).lines == [record, Self.seal])
        #expect(try filter(["-v", "x"], [#"{"$seal":1,"name":"Mick"}"#]).lines == [#"{"$seal":1,"name":"Mick"}"#])
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
        #expect(try filter(arguments, lines).lines == found.map(line))
    }

    @Test func strictChecksALineThatCanNotMatch() throws {
        let line = #"{"name":"Else","x":01}"#
        #expect(try filter(["mick"], [line]).status == 0)
        #expect(try filter(["--strict", "mick"], [line]).status == 65)
        #expect(try filter(["-v", "mick"], [line]).lines == [])
    }

    // MARK: Limits, counts, answers

    @Test func limitCountAndQuietSayWhatWasFound() throws {
        let lines = (1...5).map { #"{"name":"Mick \#($0)"}"# } + [#"{"name":"Else"}"#]
        #expect(try filter(["-m", "2", "mick"], lines).lines == Array(lines[..<2]))
        #expect(try filter(["-m2", "mick"], lines).lines == Array(lines[..<2]))
        #expect(try filter(["-m", "0", "mick"], lines).lines == [])
        #expect(try filter(["-c", "mick"], lines).text == "{\"count\":5}\n")
        #expect(try filter(["-c", "-v", "mick"], lines).text == "{\"count\":1}\n")
        #expect(try filter(["-cm", "3", "mick"], lines).text == "{\"count\":3}\n")
        #expect(try filter(["-q", "mick"], lines).output == [])
    }

    static let answers: [(arguments: [String], status: Int32)] = [
        (["mick"], 0), (["nobody"], 0), (["--exit-status", "mick"], 0), (["--exit-status", "nobody"], 1),
        (["-q", "mick"], 0), (["-q", "nobody"], 1), (["-c", "nobody"], 0), (["-c", "--exit-status", "nobody"], 1),
        (["-v", "-q", "mick"], 1),
    ]

    @Test(arguments: answers)
    func theStatusAnswersWhereItIsAsked(arguments: [String], status: Int32) throws {
        #expect(try filter(arguments, [#"{"name":"Mick"}"#]).status == status)
    }

    @Test func quietEndsWellAtTheFirstMatchWhateverElseWentWrong() throws {
        #expect(try filter(["-q", "mick"], ["{", #"{"name":"Mick"}"#]).status == 0)
        #expect(try filter(["-q", "mick"], ["{", #"{"name":"Else"}"#]).status == 65)
        #expect(
            try Session("filter-search", ["-q", "mick", "/nonexistent", "-"], input: #"{"name":"Mick"}"#.utf8)
                .status == 0)
    }

    // MARK: Bad input

    private static let tooDeep = #"{"name":"Mick","x":"# + String(repeating: "[", count: 512)

    static let faults: [(line: String, message: String)] = [
        ("nonsense", "1: expected a record, which begins with '{'"),
        ("[1]", "1: expected a record, which begins with '{'"),
        (#"{"name":"Mick" "x":1}"#, "16: expected ',' or '}' after a member"),
        (#"{"name" "Mick"}"#, "9: expected ':' after a member name"),
        (#"{"name":"Mick"} x"#, "17: expected the end of the line after the record"),
        (#"{"name":"Mick","n":01}"#, "21: expected no digit after a leading zero"),
        ("{\"name\":\"Mick\u{0}\"}", "14: expected no control character in a string; write it as an escape"),
        (#"{"name":"Mick"#, "14: expected '\"' at the end of a string"),
        (
            #"{"name":"Mick","x":"# + String(repeating: "[", count: 512),
            "531: expected at most 512 levels of nesting"
        ),
    ]

    @Test(arguments: faults)
    func aLineThatIsNoRecordIsNamedWithItsPlace(line: String, message: String) throws {
        let good = #"{"name":"Mick"}"#
        let run = try filter(["mick"], [good, line, good])
        #expect(run.errors == "filter-search: <stdin>:2:\(message)\n")
        #expect(run.lines == [good, good])
        #expect(run.status == 65)

        let stopped = try filter(["--on-bad-line=stop", "mick"], [good, line, good])
        #expect(stopped.errors == run.errors)
        #expect(stopped.lines == [good])
        #expect(stopped.status == 65)
    }

    @Test(arguments: [#"{"name":"Else""#, #"{"name":"Else","#, "garbage", #"{"x":1,}"#])
    func aLineThatWasCutOffIsNoticedThoughItCanNotMatch(line: String) throws {
        #expect(try filter(["mick"], [#"{"name":"Mick"}"#, line]).status == 65)
    }

    @Test func invalidUTF8IsNoRecord() throws {
        let line = Array(#"{"name":"Mick "#.utf8) + [0xC3, 0x28] + Array("\"}\n".utf8)
        let run = try Session("filter-search", ["mick"], input: line)
        #expect(run.errors == "filter-search: <stdin>:1:15: expected UTF-8\n")
        #expect(run.output == [])
        #expect(run.status == 65)
    }

    @Test func aLineThatIsTooLongIsPassedOver() throws {
        let good = #"{"name":"Mick"}"#
        let long = #"{"name":"Mick","x":""# + String(repeating: "y", count: 600_000) + #""}"#
        let run = try filter(["--max-line", "100k", "mick"], [good, long, good])
        #expect(run.lines == [good, good])
        #expect(run.errors.hasPrefix("filter-search: <stdin>:2:102401: expected a line of at most 102400 bytes"))
        #expect(run.status == 65)
        #expect(try filter(["mick"], [good, long, good]).lines.count == 3)
    }

    @Test func badLinesAreKeptByteForByteWhereAskedFor() throws {
        let folder = try ScratchFolder()
        let long = String(repeating: "y", count: 600_000)
        let bad: [[UInt8]] = [Array("garbage\r".utf8), [0x7B, 0xFF], Array(long.utf8), Array((long + "{").utf8)]
        let good = Array(#"{"name":"Mick"}"#.utf8)
        let input = bad.flatMap { good + [0x0A] + $0 + [0x0A] } + good
        let run = try Session(
            "filter-search", ["--rejects", "bad", "--max-line=500000", "mick"], input: input, folder: folder)
        #expect(run.lines.count == 5)
        #expect(run.status == 65)
        #expect(try folder.bytes("bad") == bad.flatMap { $0 + [0x0A] })
        let refused = try Session("filter-search", ["--rejects", "none/bad", "mick"], input: good, folder: folder)
        #expect(refused.status == 73)
        #expect(refused.errors.contains("cannot open none/bad: no such file or directory; choose another file"))
    }

    @Test func filesAreReadInOrderAndAMissingOneIsNamed() throws {
        let folder = try ScratchFolder()
        try folder.write("{\"name\":\"Mick A\"}".utf8, to: "a.jsonl")
        try folder.write("bad\n{\"name\":\"Mick B\"}\n".utf8, to: "b.jsonl")
        let run = try Session("filter-search", ["mick", "a.jsonl", "none.jsonl", "b.jsonl"], folder: folder)
        #expect(run.lines == [#"{"name":"Mick A"}"#, #"{"name":"Mick B"}"#])
        #expect(
            run.errors == """
                filter-search: cannot open none.jsonl: no such file or directory; check the path
                filter-search: b.jsonl:1:1: expected a record, which begins with '{'

                """)
        #expect(run.status == 66)
        #expect(try Session("filter-search", ["mick", "."], folder: folder).status == 66)
    }

    // MARK: The command line

    static let wrongCommandLines: [(arguments: [String], message: String)] = [
        (["--limt", "2", "x"], "unknown option --limt; did you mean --limit?"),
        (["--frobnicate", "x"], "unknown option --frobnicate; filter-search --help lists them"),
        (["-Q", "x"], "unknown option -Q; filter-search --help lists them"),
        (["-m", "x"], "a whole number of at least 0, not 'x'"), (["--limit"], "--limit needs a value: --limit N"),
        (["-m"], "-m needs a value: -m N"), (["--count=3", "x"], "--count takes no value"),
        ([], "a query is missing"),
        (["--on-bad-line=maybe", "x"], "--on-bad-line takes skip or stop, not 'maybe'"),
        (["--max-line", "1x", "x"], "--max-line takes a number of bytes such as 512, 64k, 16M or 1G, not '1x'"),
    ]

    @Test(arguments: wrongCommandLines)
    func aWrongCommandLineSaysWhatToWrite(arguments: [String], message: String) throws {
        let run = try filter(arguments, [])
        #expect(run.status == 64)
        #expect(run.errors.hasPrefix("filter-search: "))
        #expect(run.errors.contains(message))
        #expect(run.output == [])
    }

    @Test func aQueryThatIsNotUTF8IsRefused() throws {
        let run = try Session.script(#"filter-search $'\xff' </dev/null"#)
        #expect(run.status == 64)
        #expect(run.errors.contains("isn't UTF-8"))
    }

    @Test func helpAndVersionGoToStandardOutput() throws {
        let help = try filter(["--help"], [])
        #expect(help.status == 0)
        #expect(help.text.contains("usage: filter-search [options] QUERY [FILE...]"))
        #expect(help.text.contains("--on-bad-line"))
        #expect(try filter(["--version"], []).text == "filter-search (castline) 0.1.0\n")
        #expect(try filter(["-h"], []).text == help.text)
    }

    @Test func optionsMayStandBehindOperandsUntilTwoDashes() throws {
        let line = #"{"name":"--count"}"#
        #expect(try filter(["count", "-c"], [line]).text == "{\"count\":1}\n")
        #expect(try filter(["--", "--count"], [line]).lines == [line])
    }

    // MARK: Streams

    @Test func aRecordThatArrivesAloneIsAnsweredAtOnce() throws {
        let run = try Session.script(
            """
            mkfifo pipe
            filter-search mick <pipe >answer & exec 3>pipe
            echo '{"name":"Mick"}' >&3
            for _ in $(seq 100); do [ -s answer ] && break; sleep 0.05; done
            cat answer; exec 3>&-; wait $!
            """)
        #expect(run.text == "{\"name\":\"Mick\"}\n")
        #expect(run.status == 0)
    }

    @Test func aClosedOutputEndsItQuietly() throws {
        let run = try Session.script(
            #"yes '{"name":"Mick"}' | filter-search mick | head -1; echo "${PIPESTATUS[1]}""#)
        #expect(run.text == "{\"name\":\"Mick\"}\n141\n")
        #expect(run.errors == "")
    }

    @Test func aFullDiskIsStatus74() throws {
        let run = try Session.script(#"yes '{"name":"Mick"}' | head -9999 | filter-search mick >/dev/full"#)
        #expect(run.status == 74)
        #expect(
            run.errors
                == "filter-search: cannot write to <stdout>: no space left on device; make room and run it again\n")
    }

    @Test(arguments: [("INT", 130), ("TERM", 143)])
    func aSignalEndsItWithinASecondAndWithWholeRecords(signal: String, status: Int32) throws {
        let run = try Session.script(
            """
            set -m
            filter-search mick < <(yes '{"name":"Mick"}') >out &
            for _ in {1..200}; do [ -s out ] && break; sleep 0.05; done
            kill -\(signal) $!; wait $!; echo $?
            tail -c 1 out | od -An -tx1
            """)
        #expect(run.lines == ["\(status)", " 0a"])
    }

    @Test func resultsDoNotDependOnTheLocale() throws {
        let line = #"{"name":"İSTANBUL Björk"}"#
        for locale in ["C", "tr_TR.UTF-8", "POSIX"] {
            let run = try Session(
                "filter-search", ["istanbul bjork"], input: (line + "\n").utf8, environment: ["LC_ALL": locale])
            #expect(run.lines == [line])
        }
    }
}
