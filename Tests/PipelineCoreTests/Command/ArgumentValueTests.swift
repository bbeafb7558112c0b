// Numbers, sizes, durations and words as people write them.

import PipelineCore
import Testing

@Suite("The value of an option")
struct ArgumentValueTests {
    @Test(arguments: [("0", 0), ("5", 5), ("007", 7), ("9223372036854775807", Int.max)])
    func `is a whole number`(_ text: String, _ value: Int) throws {
        #expect(try ArgumentValue.count(text, option: "-n") == value)
    }

    @Test(arguments: ["", "-1", "+1", "1.5", "1e3", " 1", "1 ", "x", "٣"])
    func `is no whole number`(_ text: String) {
        #expect(throws: UsageError("-n takes a whole number of at least 0, not '\(text)'")) {
            try ArgumentValue.count(text, option: "-n")
        }
    }

    @Test
    func `is a whole number within bounds`() throws {
        #expect(throws: UsageError("-n takes a whole number from 0 to \(Int.max), not '9223372036854775808'")) {
            try ArgumentValue.count("9223372036854775808", option: "-n")
        }
        #expect(try ArgumentValue.count("1", option: "-n", in: 1...9) == 1)
        #expect(try ArgumentValue.count("9", option: "-n", in: 1...9) == 9)
        for text in ["0", "10"] {
            #expect(throws: UsageError("-n takes a whole number from 1 to 9, not '\(text)'")) {
                try ArgumentValue.count(text, option: "-n", in: 1...9)
            }
        }
    }

    @Test(
        arguments: [
            ("1", 1), ("512", 512), ("64k", 65_536), ("64K", 65_536), ("16M", 16 << 20), ("1G", 1 << 30),
            ("10MB", 10_000_000), ("1kB", 1000), ("1KB", 1000), ("2GB", 2_000_000_000), ("4KiB", 4096),
            ("4kiB", 4096), ("1MiB", 1 << 20), ("1GiB", 1 << 30), ("1073741823G", 1_073_741_823 << 30),
            ("1073741824G", 1 << 60),
            // The most bytes there can be.
            ("1152921504606846977", 1 << 60), ("9223372036854775807", 1 << 60), ("1073741825G", 1 << 60),
            ("8589934591G", 1 << 60),
        ] as [(String, Int)])
    func `is a number of bytes`(_ text: String, _ value: Int) throws {
        #expect(try ArgumentValue.bytes(text, option: "--max") == value)
    }

    @Test(arguments: [
        "", "0", "0k", "k", "-1", "1.5M", "1m", "1g", "1kb", "1B", "MB", "1MIB", "1 k", "8589934592G",
        "99999999999999999999",
    ])
    func `is no number of bytes`(_ text: String) {
        #expect(throws: UsageError("--max takes a size such as 512k, 64M, 10MB or 1GiB, not '\(text)'")) {
            try ArgumentValue.bytes(text, option: "--max")
        }
    }

    @Test(arguments: [
        ("500ms", 0.5), ("5s", 5), ("10m", 600), ("2h", 7200), ("7d", 604_800), ("1w", 604_800), ("5m30s", 330),
        ("1w2d3h4m5s6ms", 788_645.006), ("1.5h30m", 7200), ("3", 3), ("0", 0), ("0s", 0),
        ("1.5h", 5400), (".5", 0.5), ("5.", 5), ("0.25s", 0.25), ("999999999999", 999_999_999_999),
        ("1000000000001", 1e12), ("9223372036854775807d", 1e12), (String(repeating: "9", count: 300), 1e12),
    ])
    func `is a duration`(_ text: String, _ seconds: Double) throws {
        #expect(try ArgumentValue.duration(text, option: "--wait") == seconds)
    }

    @Test(arguments: [
        "", "s", "ms", ".", ".s", "-1", "+1s", "1e3", "inf", "nan", "0x10", "1y", "5m30", "30s5m", "5s5s",
        "5m 30s", "1h-5m", "1 s", "1S", "1.2.3", "5sm", "5ms3s", "1٣s", "5é",
        String(repeating: "9", count: 400), String(repeating: "9", count: 308) + "d",
    ])
    func `is no duration`(_ text: String) {
        #expect(throws: UsageError("--wait takes a duration such as 500ms, 5s, 5m30s, 2h or 7d, not '\(text)'")) {
            try ArgumentValue.duration(text, option: "--wait")
        }
    }

    /// What is removed by it doesn't come back.
    @Test(arguments: ["1", "2.5", ".5", "5.", "30", "0.1", "999999999999"])
    func `is an age only with a unit, or where it is zero`(_ number: String) throws {
        #expect(throws: UsageError("--prune \(number) has no unit; write \(number)d for days, or \(number)s")) {
            try ArgumentValue.age(number, option: "--prune")
        }
        for unit in ["ms", "s", "m", "h", "d", "w"] {
            let text = number + unit
            #expect(
                try ArgumentValue.age(text, option: "--prune") == ArgumentValue.duration(text, option: "--prune"))
        }
        for zero in ["0", "0.0", "00", "0d"] { #expect(try ArgumentValue.age(zero, option: "--prune") == 0) }
    }

    @Test
    func `is one of a few words`() throws {
        #expect(try ArgumentValue.word("stop", option: "--on", [("skip", 1), ("stop", 2)]) == 2)
        for text in ["", "Stop", "sto", "stopp"] {
            #expect(throws: UsageError("--on takes skip or stop, not '\(text)'")) {
                try ArgumentValue.word(text, option: "--on", [("skip", 1), ("stop", 2)])
            }
        }
    }
}
