// Bad input and bad command lines, each named with its place and with what was expected.

import Testing

@Suite struct FilterFaultTests {
    private static let good = Array("{\"name\":\"Mick\"}\n".utf8)

    private static func bytes(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap { $0 } }

    static let faults: [(line: [UInt8], message: String)] = [
        // NUL bytes
        ([0], "1: expected a record, which begins with '{'"),
        (bytes([0], Array(#"{"name":"Mick"}"#.utf8)), "1: expected a record, which begins with '{'"),
        (bytes(Array(#"{"name":"#.utf8), [0], Array(#""Mick"}"#.utf8)), "9: expected a value"),
        (
            bytes(Array(#"{"name":"Mi"#.utf8), [0], Array(#"ck mick"}"#.utf8)),
            "12: expected no control character in a string; write it as an escape"
        ),
        (bytes(Array(#"{"name":"Mick"}"#.utf8), [0]), "16: expected the end of the line after the record"),
        // Invalid UTF-8: a byte alone, an overlong form, a surrogate, above U+10FFFF, cut off; in a name
        (bytes(Array(#"{"name":"Mick "#.utf8), [0xFF], Array("\"}".utf8)), "15: expected UTF-8"),
        (bytes(Array(#"{"name":"Mick "#.utf8), [0xC0, 0xAF], Array("\"}".utf8)), "15: expected UTF-8"),
        (bytes(Array(#"{"name":"Mick "#.utf8), [0xED, 0xA0, 0x80], Array("\"}".utf8)), "15: expected UTF-8"),
        (bytes(Array(#"{"name":"Mick "#.utf8), [0xF4, 0x90, 0x80, 0x80], Array("\"}".utf8)), "15: expected UTF-8"),
        (bytes(Array(#"{"name":"Mick "#.utf8), [0xE3, 0x81], Array("\"}".utf8)), "15: expected UTF-8"),
        (bytes(Array(#"{"name":"Mick",""#.utf8), [0xE3], Array("\":1}".utf8)), "17: expected UTF-8"),
        // Depth
        (
            Array((#"{"name":"Mick","x":"# + String(repeating: "[", count: 512)).utf8),
            "531: expected at most 512 levels of nesting"
        ),
        (
            Array((String(repeating: #"{"name":"#, count: 513)).utf8),
            "\(512 * 8 + 1): expected at most 512 levels of nesting"
        ),
        // Grammar
        (Array(#"{"name":"Mick",}"#.utf8), "16: expected a member name after ','"),
        (Array(#"{"name":"Mick","x":tru}"#.utf8), "20: expected true, false or null"),
        (Array(#"{"name":"Mick","x":1.}"#.utf8), "22: expected a digit"),
        (Array(#"{"name":"Mick","x":[1,]}"#.utf8), "23: expected a value"),
        (Array(#"{"name":"Mick","x":[1 2]}"#.utf8), "23: expected ',' or ']' after an element"),
        (Array(#"{"name":"Mick\x"}"#.utf8), "15: expected one of \"\\/bfnrtu after '\\'"),
        (Array(#"{"name":"Mick\u00"}"#.utf8), "18: expected four hexadecimal digits after '\\u'"),
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

    static let cut: [(line: String, message: String)] = [
        (#"{"name":"Mi"#, "12: expected '\"' at the end of a string"),
        (#"{"name":"Mick""#, "15: expected ',' or '}' after a member"),
        (#"{"name":"Mick","#, "16: expected a member name"),
        (#"{"name":"#, "9: expected a value"), (#"{"name""#, "8: expected ':' after a member name"),
        ("{", "2: expected a member name or '}'"),
        (#"{"name":["Mick""#, "16: expected ',' or ']' after an element"),
        (#"{"name":tr"#, "9: expected true, false or null"), (#"{"name":"Mick\"#, "15: expected one of"),
    ]

    @Test(arguments: cut)
    func `a last line that was cut off is named`(line: String, message: String) throws {
        let run = try Session("filter-search", ["mick"], input: Self.good + Self.good + line.utf8)
        #expect(run.errors.hasPrefix("filter-search: <stdin>:3:\(message)"))
        #expect(run.lines.count == 2)
        #expect(run.status == 65)
    }

    @Test func `five hundred and twelve levels are a record`() throws {
        let line =
            #"{"name":"Mick","x":"# + String(repeating: "[", count: 511) + String(repeating: "]", count: 511) + "}"
        #expect(try Session("filter-search", ["mick"], input: (line + "\n").utf8).lines == [line])
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

    @Test(arguments: ["10", "1k"])
    func `a lower limit holds for every line of a block`(limit: String) throws {
        let bytes = limit == "10" ? 10 : 1024
        func record(_ count: Int) -> String {
            #"{"name":""# + String(repeating: "m", count: count - 11) + "\"}"
        }
        let lines = bytes == 10 ? [#"{"name":1}"#, #"{"name":12}"#] : [record(1024), record(1025)]
        let input = (lines + lines + [lines[0]]).map { $0 + "\n" }.joined()
        let run = try Session("filter-search", ["--max-line", limit, bytes == 10 ? "x" : "m"], input: input.utf8)
        #expect(run.lines == (bytes == 10 ? [] : [lines[0], lines[0], lines[0]]))
        let messages = run.errors.split(separator: "\n").filter { !$0.contains(": warning: ") }
        #expect(messages.count == 2)
        for (message, number) in zip(messages, [2, 4]) {
            #expect(
                message.hasPrefix(
                    "filter-search: <stdin>:\(number):\(bytes + 1): expected a line of at most \(bytes) "))
        }
    }

    static let commandLines: [(arguments: [String], message: String)] = [
        (["-E", "ab(c"], "the group isn't closed; add ')', or write \\( for a literal one (at character 3)"),
        (["-E", "a{2"], "(at character 2)"), (["-E", "[z-a]"], "the range z-a is reversed; exchange its ends"),
        (["-E", "x\\q"], "unknown escape \\q"), (["-E", "a**"], "(at character 3)"),
        (["-E", "(?<=x)y"], "look-around can't be matched in linear time"),
        (["-E", "\\p{Foo}"], "unknown property 'Foo'"), (["-w", "-E", "é)"], "(at character 2)"),
        (["-f", "$.", "x"], "--field '$.': the path is wrong at character 3: expected a member's name or '*'"),
        (["-f", "films[", "x"], "--field 'films[': the path is wrong at character 7"),
        (
            ["-f", "$[01]", "x"],
            "--field '$[01]': the path is wrong at character 4: expected no digit after a leading zero"
        ),
        (["-f", "", "x"], "--field '': the path is wrong at character 1"),
        (["--where", "age"], "'PATH exists', not 'age'"), (["--where", "age >"], "'age >' lacks a value"),
        (["--where", "$[ = 3"], "the path is wrong at character 4"),
        (["--where", "a = [1]"], "compares with an array or an object; write a text or a number"),
        (["-m", "-1", "x"], "--limit takes a whole number of at least 0, not '-1'"),
        (["-m", "99999999999999999999", "x"], "not '99999999999999999999'"),
        (["--max-line", "0", "x"], "--max-line takes a size such as 512k, 64M, 10MB or 1GiB, not '0'"),
        (["-z", "-p", "x"], "--fuzzy looks for words anywhere in the text; leave out --prefix"),
        (["--fuzy", "x"], "did you mean --fuzzy?"),
        (["--rejects"], "--rejects needs a value"),
    ]

    @Test(arguments: commandLines)
    func `a wrong pattern path or option is shown`(arguments: [String], message: String) throws {
        let run = try Session("filter-search", arguments, input: Self.good)
        #expect(run.status == 64)
        #expect(run.output == [])
        #expect(run.errors.hasPrefix("filter-search: ") && run.errors.contains(message), "\(run.errors)")
        #expect(run.errors.filter { $0 == "\n" }.count == 1)
    }
}
