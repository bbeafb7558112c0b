// The prefilter of filter-search agrees with its plain path, on whatever lines come. What people see is in Transcripts.

import TestSupport
import Testing

@Suite struct FilterSearchTests {
    /// What can't match is dropped without being read as JSON, and under `-v` every line is read: the two must agree.
    @Test(arguments: 0..<4) func `the short cut and the plain path agree`(seed: UInt64) throws {
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
                    "filter-search", options + ["--rejects=kept", query], input: bytes, folder: folder)
                let strict = try Session(
                    "filter-search", options + ["--rejects=strict", "--strict", query], input: bytes, folder: folder
                )
                #expect(kept.output == strict.output, "\(options) \(query)")
                let told = Set(try folder.bytes("strict").split(separator: 0x0A))
                let noticed = try folder.bytes("kept").split(separator: 0x0A)
                #expect(noticed.allSatisfy { told.contains($0) }, "\(options) \(query)")
            }
        }
    }

    static let seal = #"{"$seal":{"records":2,"complete":true}}"#
}
