// Inputs that hold no records: one message says what they seem to be, and its command makes records of them.

import TestSupport
import Testing

@Suite struct FilterVerdictTests {
    private static let record = #"{"id":"1","name":"Mick"}"#
    private static let input = record + "\n" + #"{"id":"2","name":"Ann"}"# + "\n"

    /// How to make a file of the records that are in `records`, and what is said of it.
    static let conversions: [(make: String, kind: String, needs: String)] = [
        ("gzip < records > x", "is compressed with gzip", "zcat"),
        ("bzip2 < records > x", "is compressed with bzip2", "bzcat"),
        ("xz < records > x", "is compressed with xz", "xzcat"),
        ("zstd -q < records > x", "is compressed with zstd", "zstdcat"),
        ("iconv -f UTF-8 -t UTF-16 records > x", "is UTF-16 text", "iconv"),
        ("iconv -f UTF-8 -t UTF-16LE records > x", "is UTF-16 text", "iconv"),
        ("iconv -f UTF-8 -t UTF-16BE records > x", "is UTF-16 text", "iconv"),
        ("iconv -f UTF-8 -t UTF-32 records > x", "is UTF-32 text", "iconv"),
        ("store-plist y < records > /dev/null; mv y x", "looks like a property list", "store-plist"),
        ("store-plist --format binary y < records > /dev/null; mv y x", "is a property list", "store-plist"),
        ("jq -s . records > x", "looks like a JSON array", "jq"),
        ("jq -cs . records > x", "looks like a JSON array", "jq"),
        ("jq . records > x", "looks like JSON over several lines", "jq"),
        ("jq -s '{info:{n:2},data:.}' records > x", "looks like one JSON object with records in data", "jq"),
        (
            "jq -s '{info:{n:2},\"my data\":{all:.}}' records > x",
            "looks like one JSON object with records in my data.all", "jq"
        ),
        ("sed \"s/^/$(printf '\\036')/\" records > x", "looks like a JSON text sequence", "jq"),
        ("mlr --ijsonl --ocsv cat records > x", "looks like CSV", "mlr"),
        ("mlr --ijsonl --otsv cat records > x", "looks like tab-separated text", "mlr"),
        ("mlr --ijsonl --ocsv --ofs semicolon cat records > x", "looks like CSV with semicolons", "mlr"),
    ]

    @Test(arguments: conversions)
    func `the command of the message finds the record`(make: String, kind: String, needs: String) throws {
        let folder = try ScratchFolder()
        try folder.write(Self.input, to: "records")
        let isThere = try Session.script("command -v \(needs)").status == 0
        guard isThere else { return withKnownIssue("no \(needs)") { Issue.record("not run") } }
        let made = try Session.script(make, folder: folder)
        #expect(made.status == 0, "\(made.errors)")
        for (file, call) in [("x", "filter-search mick x"), ("<stdin>", "filter-search mick < x")] {
            let run = try Session.script(call, folder: folder)
            #expect(run.errors.hasPrefix("filter-search: \(file) \(kind); "), "\(run.errors)")
            #expect(run.status == 65 && run.output.isEmpty && run.errors.filter { $0 == "\n" }.count == 1)
            let marker = file == "x" ? "; run " : "; pipe it through "
            let command = try #require(
                run.errors.dropLast().ranges(of: marker).first.map {
                    String(run.errors.dropLast()[$0.upperBound...])
                })
            let again = try Session.script(
                file == "x" ? command.replacing("…", with: "mick") : "cat x | \(command) | filter-search mick",
                folder: folder)
            let names = again.lines.map { $0.replacing(" ", with: "") }
            #expect(names.count == 1 && names[0].contains(#""name":"Mick""#), "\(command) \(again.errors)")
            #expect(again.errors == "" && again.status == 0)
        }
    }

    @Test func `bad lines are told as they come`() throws {
        for bad in ["echo bad", "printf 'a,b\\n1,2\\n'"] {
            let run = try Session.script(
                "{ \(bad); until [ -s seen ]; do sleep 0.05; done; echo '\(Self.record)'; } | filter-search mick 2>seen"
            )
            #expect(run.lines == [Self.record])
        }
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `whatever comes there are eleven messages at most, and bad lines are kept`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let pieces = [
            "{", "}", "[", "]", "\n", "\n", "\n", "a,b\n", "1,2\n", "\"x\"", ":", ",", "1", "\u{0}", "<plist>",
            "\t", "\u{1E}",
            "{\"name\":\"x\"}\n", "{\"name\":\"x\"\n", "\u{1F}", "bad\n",
        ]
        let folder = try ScratchFolder()
        var text = ""
        for _ in 0..<Int.random(in: 1..<400, using: &random) { text += pieces.randomElement(using: &random) ?? "" }
        var bytes = Array(text.utf8)
        if seed % 3 == 0 { bytes = [0x1F, 0x8B] + bytes }
        let strict = try Session(
            "filter-search", ["--strict", "--on-bad-line=bad", "x"], input: bytes, folder: folder)
        #expect(strict.errors.split(separator: "\n").count <= 11, "\(strict.errors)")
        let isBad = try !folder.bytes("bad").isEmpty
        #expect((strict.status == 65) == isBad)
        #expect(isBad == !strict.errors.isEmpty || strict.errors.contains("warning"))
        let lines = bytes.split(separator: 0x0A).filter { line in
            !line.allSatisfy { [0x20, 0x09, 0x0D].contains($0) }
        }
        let rejected = try folder.bytes("bad").split(separator: 0x0A)
        #expect(rejected.count + strict.lines.count <= lines.count)
        #expect(rejected.allSatisfy { lines.contains($0) })
        // Several parts, and several threads.
        try folder.write(
            Array(repeatElement(bytes + [0x0A], count: 1 + 2_000_000 / (bytes.count + 1)).joined()), to: "big")
        let together = try Session("filter-search", ["x", "big"], folder: folder)
        let single = try Session("filter-search", ["-m", "999999999", "x", "big"], folder: folder)
        #expect(together.errors == single.errors)
        #expect(together.output == single.output && together.status == single.status)
    }
}
