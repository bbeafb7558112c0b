// What filter-search promises beyond its output, which is in Transcripts: the streams that it stands between, lines as long
// as a record may be, a prefilter that agrees with the plain path, and a file on stdin that is searched like one that is
// named.

import TestSupport
import Testing

@Suite struct FilterSearchTests {
    /// What can't match is dropped without being read as JSON, and under `--strict` every line is read. What that keeps
    /// is kept, among lines that are none, blank ones and carriage returns too, and what is noticed it notices too.
    @Test(arguments: 0..<4) func `the short cut keeps what strict keeps among bad lines`(seed: UInt64) throws {
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
        let folder = try ScratchFolder()
        let bytes = Array(input.map { $0 + "\n" }.joined().utf8)
        for query in ["mick", "k", "ö", "o", "name", "か", ""] {
            for options in [
                [], ["-c"], ["-f", "x"], ["-f", "mick"], ["-m", "50"], ["-w"], ["-p"], ["--accents"],
            ] {
                let kept = try Session(
                    "filter-search", options + ["--on-bad-line=kept", query], input: bytes, folder: folder)
                let strict = try Session(
                    "filter-search", options + ["--on-bad-line=strict", "--strict", query], input: bytes,
                    folder: folder
                )
                #expect(kept.output == strict.output, "\(options) \(query)")
                let told = Set(try folder.bytes("strict").split(separator: 0x0A))
                let noticed = try folder.bytes("kept").split(separator: 0x0A)
                #expect(noticed.allSatisfy { told.contains($0) }, "\(options) \(query)")
            }
        }
    }

    static let seal = #"{"$seal":{"records":2,"complete":true}}"#

    @Test func `a record that arrives alone is answered at once`() throws {
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

    @Test(arguments: [("INT", 130), ("TERM", 143)])
    func `a signal ends it with whole records`(signal: String, status: Int32) throws {
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

    @Test func `results do not depend on the locale`() throws {
        let line = #"{"name":"İSTANBUL Björk"}"#
        for locale in ["C", "tr_TR.UTF-8", "POSIX"] {
            let run = try Session(
                "filter-search", ["istanbul bjork"], input: (line + "\n").utf8, environment: ["LC_ALL": locale])
            #expect(run.lines == [line])
        }
    }

    /// A line of that many bytes, made by the shell.
    private func run(bytes count: Int) throws -> Session {
        try Session.script(
            """
            { printf '{"name":"Mick","x":"'; head -c \(count - 22) /dev/zero | tr '\\0' y; printf '"}\\n{"name":"Mick"}\\n'; } |
                filter-search mick | wc -c; echo "${PIPESTATUS[1]}"
            """)
    }

    @Test(.enabled(if: Executables.areGiven, "only with CASTLINE_BIN: it takes minutes in a debug build"))
    func `a line of64 mebibytes is a record and one more is too long`() throws {
        let whole = try run(bytes: 67_108_864)
        #expect(whole.lines.map { $0.trimmingPrefix { $0 == " " } } == ["67108881", "0"])
        #expect(whole.errors == "")
        let long = try run(bytes: 67_108_865)
        #expect(long.lines.map { $0.trimmingPrefix { $0 == " " } } == ["16", "65"])
        #expect(
            long.errors == "filter-search: <stdin>:1:67108865: expected a line of at most 64 MiB; "
                + "split the record into smaller ones\n")
    }

    /// Lines with all that can be wrong with them, more than a part's.
    private func text(seed: UInt64, bytes: Int) -> String {
        var records = RecordLines(seed: seed)
        var text = ""
        var number = 0
        while text.utf8.count < bytes {
            number += 1
            text += number % 97 == 0 ? "nonsense\n" : number % 89 == 0 ? " \r\n" : records.next() + "\n"
        }
        return text + #"{"name":"Mick without an end"}"#
    }

    /// A report without its time.
    static func figures(_ report: String) -> String {
        report.split(separator: ",").filter { !$0.contains("seconds") }.joined(separator: ",")
    }

    @Test(arguments: [2000, 1_500_000])
    func `a file, a pipe and a named file give the same`(bytes: Int) throws {
        let folder = try ScratchFolder()
        try folder.write(text(seed: UInt64(bytes), bytes: bytes).utf8, to: "a.jsonl")
        let seal = "\n" + FilterSearchTests.seal
        try folder.write((text(seed: 3, bytes: bytes) + seal).utf8, to: "sealed.jsonl")
        for file in ["a.jsonl", "sealed.jsonl"] {
            for arguments in [
                "mick", "''", "-v mick", "-c i", "-z mikc", "--loose mick", "--best 20 i", "-m 5 i", "-q i",
                "--strict x", "--color always mick", "--on-bad-line bad mick",
            ] {
                let pipe = try Session.script("cat \(file) | filter-search --report r \(arguments)", folder: folder)
                let piped = try Self.figures(folder.text("r"))
                let input = try Session.script("filter-search --report r \(arguments) <\(file)", folder: folder)
                #expect(input.output == pipe.output, "\(file) \(arguments)")
                #expect(input.errors == pipe.errors, "\(file) \(arguments)")
                #expect(input.status == pipe.status)
                if !arguments.hasPrefix("-m") && !arguments.hasPrefix("-q") {
                    #expect(try Self.figures(folder.text("r")) == piped, "\(file) \(arguments)")
                }
                let named = try Session.script("filter-search \(arguments) \(file)", folder: folder)
                #expect(named.output == input.output, "\(file) \(arguments)")
            }
        }
    }
}
