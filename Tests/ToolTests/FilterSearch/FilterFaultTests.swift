// Lines as long as a record may be. What is said of other bad lines is in Transcripts.

import Testing

@Suite struct FilterFaultTests {
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
