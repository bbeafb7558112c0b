// Bad lines, each named with its place, wherever it stands. What is said of each fault is in Transcripts.

import Testing

@Suite struct FilterFaultTests {
    private static let good = Array("{\"name\":\"Mick\"}\n".utf8)

    static let faults: [(line: [UInt8], message: String)] = [
        ([0], "1: expected a record, which begins with '{'"),
        (Array(#"{"name":"Mick "#.utf8) + [0xE3, 0x81] + Array("\"}".utf8), "15: expected UTF-8"),
        (Array(#"{"name":"Mick","x":[1,]}"#.utf8), "23: expected a value"),
        (
            Array((#"{"name":"Mick","x":"# + String(repeating: "[", count: 512)).utf8),
            "531: expected at most 512 levels of nesting"
        ),
    ]

    @Test(arguments: faults)
    func `a bad line is named with line column and what was expected`(line: [UInt8], message: String) throws {
        // Alone, between many that are passed over in blocks, and as the last line without its end.
        let others = [UInt8]((0..<50).flatMap { _ in Array("{\"name\":\"Else\"}\n".utf8) })
        let inputs: [(number: Int, bytes: [UInt8])] = [
            (1, line + [0x0A]), (2, Self.good + line),
            (102, others + Self.good + others + line + [0x0A] + Self.good),
        ]
        for (number, bytes) in inputs {
            let run = try Session("filter-search", ["mick"], input: bytes)
            #expect(run.errors == "filter-search: <stdin>:\(number):\(message)\n")
            #expect(run.status == 65)
            #expect(run.lines.allSatisfy { $0 == #"{"name":"Mick"}"# })
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
            long.errors == "filter-search: <stdin>:1:67108865: expected a line of at most 67108864 bytes; "
                + "--max-line raises the limit\n")
    }
}
