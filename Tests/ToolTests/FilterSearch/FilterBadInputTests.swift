// Lines that are no records, and files that aren't there, as filter-search tells of them.

import TestSupport
import Testing

@Suite struct FilterBadInputTests {
    @Test func `invalid UTF-8 is no record`() throws {
        let line = Array(#"{"name":"Mick "#.utf8) + [0xC3, 0x28] + Array("\"}\n".utf8)
        let run = try Session("filter-search", ["mick"], input: line)
        #expect(run.errors == "filter-search: <stdin>:1:15: expected UTF-8\n")
        #expect(run.output == [])
        #expect(run.status == 65)
    }

    @Test func `a line that is too long is passed over`() throws {
        let good = #"{"name":"Mick"}"#
        let long = #"{"name":"Mick","x":""# + String(repeating: "y", count: 600_000) + #""}"#
        let run = try Session.filter(["--max-line", "100k", "mick"], [good, long, good])
        #expect(run.lines == [good, good])
        #expect(run.errors.hasPrefix("filter-search: <stdin>:2:102401: expected a line of at most 102400 bytes"))
        #expect(run.status == 65)
        #expect(try Session.filter(["mick"], [good, long, good]).lines.count == 3)
    }

    @Test func `bad lines are kept byte for byte where asked for`() throws {
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

    @Test func `behind a missing file the seal of another is left out`() throws {
        let folder = try ScratchFolder()
        let record = #"{"name":"Mick"}"#
        try folder.write("\(record)\n\(FilterSearchTests.seal)\n".utf8, to: "sealed.jsonl")
        #expect(
            try Session("filter-search", ["mick", "sealed.jsonl"], folder: folder).lines
                == [record, FilterSearchTests.seal])
        for files in [["none.jsonl", "sealed.jsonl"], ["sealed.jsonl", "none.jsonl"], [".", "sealed.jsonl"]] {
            let run = try Session("filter-search", ["mick"] + files, folder: folder)
            #expect(run.status == 66 && run.lines == [record], "\(files) \(run.text)")
        }
    }

    @Test func `a line that is too long voids the seal before it`() throws {
        let record = #"{"name":"Mick"}"#
        let long = String(repeating: "y", count: 101)
        for arguments in [[], ["--on-bad-line=skip"], ["--on-bad-line=stop"]] {
            let run = try Session.filter(
                arguments + ["--max-line=100", "mick"], [record, FilterSearchTests.seal, long])
            #expect(run.status == 65 && run.lines == [record], "\(arguments) \(run.text)")
        }
        let folder = try ScratchFolder()
        // As files in parts, which several threads read: the line is in another part than the seal.
        let seal = #"{"$seal":{"records":40000,"complete":true}}"#
        let lines = String(repeating: record + "\n", count: 40_000) + seal + "\n"
        try folder.write((lines + long + "\n").utf8, to: "long")
        try folder.write((lines + "\n").utf8, to: "blank")
        try folder.write((lines + String(repeating: " ", count: 300_000) + long + "\n").utf8, to: "apart")
        for name in ["long", "apart"] {
            let run = try Session("filter-search", ["--max-line=100", "mick", name], folder: folder)
            #expect(run.status == 65 && run.lines.count == 40_000 && run.lines.last == record, "\(name)")
        }
        let run = try Session("filter-search", ["--max-line=100", "mick", "blank"], folder: folder)
        #expect(run.status == 0 && run.lines.last == seal)
    }

    @Test func `a line may be as long as the limit and no longer`() throws {
        let line = #"{"name":"Mick"}"#
        let length = line.utf8.count
        for end in ["", "\n", "\r\n"] {
            for mark in ["", "\u{FEFF}"] {
                let input = mark + line + end
                let exact = try Session("filter-search", ["--max-line=\(length)", "mick"], input: input.utf8)
                #expect(exact.status == 0 && exact.lines.count == 1, "\(exact.errors)")
                let less = try Session("filter-search", ["--max-line=\(length - 1)", "mick"], input: input.utf8)
                #expect(less.status == 65 && less.output.isEmpty && less.errors.contains(":1:\(length):"))
            }
        }
    }

}
