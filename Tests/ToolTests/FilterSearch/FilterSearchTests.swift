// The prefilter of filter-search agrees with its plain path, on whatever lines come. What people see is in Transcripts.

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
