// Lines that are no records, and files that aren't there, as filter-search tells of them.

import Testing

@Suite struct FilterBadInputTests {
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
        let run = try Session.filter(["mick"], [good, line, good])
        #expect(run.errors == "filter-search: <stdin>:2:\(message)\n")
        #expect(run.lines == [good, good])
        #expect(run.status == 65)

        let stopped = try Session.filter(["--on-bad-line=stop", "mick"], [good, line, good])
        #expect(stopped.errors == run.errors)
        #expect(stopped.lines == [good])
        #expect(stopped.status == 65)
    }

    @Test(arguments: [#"{"name":"Else""#, #"{"name":"Else","#, "garbage", #"{"x":1,}"#])
    func aLineThatWasCutOffIsNoticedThoughItCanNotMatch(line: String) throws {
        #expect(try Session.filter(["mick"], [#"{"name":"Mick"}"#, line]).status == 65)
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
        let run = try Session.filter(["--max-line", "100k", "mick"], [good, long, good])
        #expect(run.lines == [good, good])
        #expect(run.errors.hasPrefix("filter-search: <stdin>:2:102401: expected a line of at most 102400 bytes"))
        #expect(run.status == 65)
        #expect(try Session.filter(["mick"], [good, long, good]).lines.count == 3)
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
}
