// What was found, in colour: nothing but colour is added, and a terminal gets no control that data holds.

import Foundation
import TestSupport
import Testing

@Suite("Colours") struct FilterColorTests {
    private static let begin = "\u{1B}[0m\u{1B}[1m\u{1B}[31m"
    private static let end = "\u{1B}[0m"

    /// The line with angle brackets around what is coloured.
    private func shown(_ text: String) -> String {
        text.replacingOccurrences(of: Self.begin, with: "<").replacingOccurrences(of: Self.end, with: ">")
    }

    @Test(arguments: 0..<3 as Range<UInt64>)
    func `without the colour the bytes are the same`(seed: UInt64) throws {
        var records = RecordLines(seed: seed)
        let lines = (0..<300).map { _ in records.next() }
        for arguments in [
            ["mick"], ["-a", "i"], ["-z", "mikc"], ["-E", "m?i"], ["--loose", "mi"], ["-a", "-e", "m", "-e", "ck"],
            ["--best", "50", "mick"], ["-f", "$..*", "ö"],
        ] {
            let plain = try Session.filter(arguments, lines)
            let coloured = try Session.filter(["--color=always"] + arguments, lines)
            let bare = coloured.text.replacingOccurrences(of: Self.begin, with: "").replacingOccurrences(
                of: Self.end, with: "")
            #expect(bare == plain.text, "\(arguments)")
            #expect(coloured.errors == plain.errors)
            #expect(coloured.status == plain.status)
        }
    }

    /// The text with names in round brackets that are dim.
    private static func withDimNames(_ text: String) -> String {
        text.replacing(/\u{1B}\[2m("[^"]*")\u{1B}\[0m/) { "(\($0.1))" }
    }

    @Test(
        .enabled(if: Session.hasTerminal, "no script(1)"),
        arguments: [
            ("TERM=xterm NO_COLOR=", "mick", true), ("TERM=xterm NO_COLOR=1", "mick", false),
            ("TERM=dumb NO_COLOR=", "mick", false),
            ("TERM= NO_COLOR=", "mick", false), ("TERM=xterm NO_COLOR=1", "--color=always mick", true),
            ("TERM=dumb NO_COLOR=1", "--color=always mick", true),
            ("TERM=xterm NO_COLOR=", "--color never mick", false),
            ("TERM=xterm NO_COLOR=", "--color auto mick", true),
        ])
    func `a terminal gets colour unless it is told otherwise`(
        environment: String, arguments: String, isColoured: Bool
    ) throws {
        let text = try Session.terminal(
            "echo '{\\\"name\\\":\\\"mick\\\"}' | env \(environment) filter-search \(arguments)"
        ).text
        let run = shown(Self.withDimNames(text))
        #expect(run == (isColoured ? "{(\"name\"):\"<mick>\"}\n" : "{\"name\":\"mick\"}\n"), "\(run)")
    }

    @Test(.enabled(if: Session.hasTerminal, "no script(1)"))
    func `a terminal gets controls of data as escapes`() throws {
        let folder = try ScratchFolder()
        let line = "{\"name\":\"mi\u{9B}31mck\u{7F}\u{85}é\u{A0}\"}\n"
        try folder.write(line.utf8, to: "a.jsonl")
        let expected = "{\"name\":\"mi\\u009b31mck\\u007f\\u0085é\u{A0}\"}\n"
        for arguments in ["--color never -v x", "--color never mi", "-v x", "--best 1 --color never mi", "-c mi"] {
            let run = try Session.terminal("TERM=xterm filter-search \(arguments) a.jsonl", folder: folder)
            let shown = arguments == "-v x" ? expected.replacing("\"name\"", with: "(\"name\")") : expected
            #expect(
                Self.withDimNames(run.text) == (arguments == "-c mi" ? "{\"count\":1}\n" : shown),
                "\(arguments)")
        }
        let piped = try Session.script(
            "filter-search mi a.jsonl; filter-search --color always zz --where 'name exists' -v a.jsonl",
            folder: folder)
        #expect(piped.text == line + line)
    }

    @Test(.enabled(if: Session.hasTerminal, "no script(1)"))
    func `a terminal gets fetched records alike`() throws {
        let folder = try ScratchFolder()
        try folder.write("{\"a\":1,\"b\":\"mi\u{9B}31mck\"}\n{\"a\":2}\n".utf8, to: "a.jsonl")
        for (environment, expected) in [
            ("NO_COLOR=", #"{("a"):1,("b"):"mi\u009b31mck"}\n{("a"):2}\n"#),
            ("NO_COLOR=1", #"{"a":1,"b":"mi\u009b31mck"}\n{"a":2}\n"#),
        ] {
            let fetch = "TERM=xterm \(environment) fetch-characters --source lines --input a.jsonl"
            let run = try Session.terminal(fetch, folder: folder)
            #expect(Self.withDimNames(run.text) == expected.replacing(#"\n"#, with: "\n"), "\(run.text)")
        }
    }
}
