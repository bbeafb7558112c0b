// Files that several threads search: what comes out, and what is said, is what one thread would have said.

import TestSupport
import Testing

@Suite struct FilterAtOnceTests {
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    /// Writes files of records with all that can be wrong with them; some are larger than a part, some small or empty.
    private func write(_ folder: ScratchFolder, seed: UInt64) throws -> [String] {
        var lines = RecordLines(seed: seed)
        var random = SplitMix64(seed: seed ^ 0xA7)
        let records = (0..<2000).map { _ in lines.next() }
        var names: [String] = []
        for number in 0..<5 {
            var text = number == 1 ? "\u{FEFF}" : ""
            let size = [700_000, 5, 0, 300_000, 500_000][number]
            while text.utf8.count < size {
                let record = records.randomElement(using: &random) ?? ""
                switch Int.random(in: 0..<60, using: &random) {
                case 0: text += record.dropLast() + "\n"
                case 1: text += "\n \t\n"
                case 2: text += FilterSearchTests.seal + "\n"
                case 3: text += "nonsense\n"
                case 4: text += record + "\r\n"
                case 5: text += String(repeating: record + " ", count: 40) + "\n"
                default: text += record + "\n"
                }
            }
            if number == 3 { text += #"{"name":"Mick without an end"}"# }
            if number == 4, seed % 2 == 0 { text += FilterSearchTests.seal + "\n\n" }
            try folder.write(text.utf8, to: "\(number).jsonl")
            names.append("\(number).jsonl")
        }
        return names + ["none.jsonl", ".", "0.jsonl"]
    }

    /// A limit that is never reached keeps a run to one thread.
    private let alone = ["--limit", "999999999"]

    @Test(arguments: 0..<6 as Range<UInt64>)
    func `several threads find and say what one does`(seed: UInt64) throws {
        let files = try write(folder, seed: seed)
        let runs: [[String]] = [
            ["mick"], ["ö"], [""], ["nobody", "--exit-status"], ["-v", "mick"], ["-c", "mick"], ["--strict", "k"],
            ["-a", "mick"], ["-f", "x", "mick"], ["-f", "naem", "mick"],
            ["-f", "films[0].x", "-f", "y", "mick"], ["-E", "mi.k"], ["-z", "mikc"],
            ["--where", "name exists"], ["--report", "report", "mick"],
        ]
        for arguments in runs {
            let order = seed % 2 == 0 ? files : files.reversed()
            let together = try Session("filter-search", arguments + order, folder: folder)
            let report = try arguments[0] == "--report" ? FilterSearchTests.figures(folder.text("report")) : ""
            let single = try Session("filter-search", alone + arguments + order, folder: folder)
            #expect(together.output == single.output, "\(arguments)")
            #expect(together.errors == single.errors, "\(arguments)")
            #expect(together.status == single.status && single.status == 66, "\(arguments)")
            if arguments[0] == "--report" {
                #expect(try FilterSearchTests.figures(folder.text("report")) == report)
            }
        }
    }

    @Test(arguments: [["-m", "3"], ["-q"], ["--explain"], ["--on-bad-line", "bad"], ["--on-bad-line=stop"]])
    func `what depends on what came before is as from one input`(arguments: [String]) throws {
        let files = try write(folder, seed: 77).filter { $0.hasPrefix("0") }
        let together = try Session("filter-search", arguments + ["mick"] + files + files, folder: folder)
        let text = try folder.text("0.jsonl")
        try folder.write((text + text + text + text).utf8, to: "all.jsonl")
        let other = try ScratchFolder()
        let single = try Session(
            "filter-search", arguments + ["mick", "-"], input: (text + text + text + text).utf8, folder: other)
        #expect(together.output == single.output)
        #expect(together.status == single.status)
        if arguments[1...] == ["bad"] { #expect(try folder.bytes("bad") == other.bytes("bad")) }
    }

    @Test func `a line may be longer than several parts`() throws {
        let short = #"{"name":"Mick"}"# + "\n"
        let long = #"{"name":"Mick long","x":""# + String(repeating: "y", count: 900_000) + "\"}\n"
        try folder.write((short + long + short + long + short).utf8, to: "a.jsonl")
        try folder.write(String(repeating: "z", count: 700_000).utf8, to: "b.jsonl")
        let together = try Session("filter-search", ["mick", "a.jsonl", "b.jsonl"], folder: folder)
        let single = try Session("filter-search", alone + ["mick", "a.jsonl", "b.jsonl"], folder: folder)
        #expect(together.lines == single.lines && !together.lines.isEmpty)
        #expect(together.errors == single.errors)
    }

    @Test func `a full disk and a closed output end it as ever`() throws {
        let lines = String(repeating: #"{"name":"Mick"}"# + "\n", count: 200_000)
        try folder.write(lines.utf8, to: "a.jsonl")
        let full = try Session.script("filter-search mick a.jsonl a.jsonl >/dev/full", folder: folder)
        #expect(full.status == 74)
        #expect(
            full.errors
                == "filter-search: cannot write to <stdout>: no space left on device; make room and run it again\n")
        let closed = try Session.script(
            #"filter-search mick a.jsonl a.jsonl | head -1; echo "${PIPESTATUS[0]}""#, folder: folder)
        #expect(closed.text == "{\"name\":\"Mick\"}\n141\n")
        #expect(closed.errors == "")
    }

    @Test func `a signal ends it`() throws {
        try folder.write(String(repeating: #"{"name":"Mick"}"# + "\n", count: 200_000).utf8, to: "a.jsonl")
        let run = try Session.script(
            """
            set -m
            filter-search mick a.jsonl a.jsonl a.jsonl > >(sleep 5 >/dev/null 2>&1) & sleep 0.3
            kill -INT $!; wait $!; echo $?
            """, folder: folder)
        #expect(run.lines == ["130"])
    }

    @Test func `a pipe among files is read in its turn`() throws {
        let lines = (0..<60_000).map { #"{"name":"Mick \#($0)"}"# + "\n" }.joined()
        try folder.write(lines.utf8, to: "a.jsonl")
        let run = try Session.script(
            "filter-search -x 'mick 7' a.jsonl - <(echo '{\"name\":\"mick 7\"}') a.jsonl",
            input: #"{"name":"MICK 7"}"#.utf8, folder: folder)
        #expect(
            run.lines == [
                #"{"name":"Mick 7"}"#, #"{"name":"MICK 7"}"#, #"{"name":"mick 7"}"#, #"{"name":"Mick 7"}"#,
            ])
    }
}
