// Everything that is valid after RFC 8259 is accepted, nothing else is, and the first fault is told exactly.

import PipelineCore
import TestSupport
import Testing

@Suite("The reader of JSON")
struct ReaderTests {
    /// The tokens of a text, each as a word or with its bytes.
    func tokens(_ text: String) throws -> [String] {
        let bytes = Array(text.utf8)
        var reader = JSONReader(bytes.span)
        var tokens: [String] = []
        let slice = { (range: Range<Int>) in String(decoding: bytes[range], as: UTF8.self) }
        while let token = try reader.next() {
            switch token {
            case .beginObject: tokens.append("{")
            case .endObject: tokens.append("}")
            case .beginArray: tokens.append("[")
            case .endArray: tokens.append("]")
            case .name(let name): tokens.append("name \(slice(name.range))\(name.hasEscapes ? " escaped" : "")")
            case .string(let string):
                tokens.append("string \(slice(string.range))\(string.hasEscapes ? " escaped" : "")")
            case .number(let number):
                tokens.append("\(number.isInteger ? "integer" : "number") \(slice(number.range))")
            case .boolean(let value): tokens.append("\(value)")
            case .null: tokens.append("null")
            }
        }
        return tokens
    }

    @Test
    func `finds the tokens and where they stand`() throws {
        #expect(
            try tokens(#" { "a" : [ 1 , -2.5e3, true,false ,null ] , "b\n":"", "c":{},"d":[],"":"\u0041é" } "#) == [
                "{", "name a", "[", "integer 1", "number -2.5e3", "true", "false", "null", "]", "name b\\n escaped",
                "string ",
                "name c", "{", "}", "name d", "[", "]", "name ", "string \\u0041é escaped", "}",
            ])
    }

    @Test(arguments: [
        "0", "-0", "1", "-1", "10", "1234567890", "0.0", "-0.5", "1.25", "1e1", "1E1", "1e+1", "1e-1", "0e0",
        "0.1e01", "-1.5E+10",
        "1e999", "123456789012345678901234567890", "0.000000000000000000000000000000001", "\"\"", "\"a\"",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
        "\"\\u0000\\uFFFF\\uabCD\"", "\"\\ud800\"", "\"\\udc00\\ud800\"", "\"\\ud83d\\ude00\"",
        "\"\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}\"",
        "\"\u{2028}\u{FEFF}\"", "true", "false", "null", "[]", "[ ]", "{}", "{\t}", "[[],{}]",
        "{\"a\":{\"a\":[]}}", "{\"a\":1,\"a\":2}",
        " \t\r\n1\n\r\t ", "[1,\n2]", "{\"a\" :1 ,\"b\": 2}", "\"01234567\"",
        "\"0123456789abcdefghijklmnopqrstuvwxyz\"",
    ])
    func `accepts`(_ text: String) { #expect(JSONProbe.fault(in: Array(text.utf8)) == nil) }

    @Test(
        arguments: [
            ("", .expectedValue, 0), ("  ", .expectedValue, 2), ("x", .expectedValue, 0),
            ("'a'", .expectedValue, 0), ("+1", .expectedValue, 0),
            (".5", .expectedValue, 0), ("NaN", .expectedValue, 0), ("Infinity", .expectedValue, 0),
            ("True", .expectedValue, 0),
            ("/* */1", .expectedValue, 0), ("\u{FEFF}1", .expectedValue, 0), ("\u{A0}1", .expectedValue, 0),
            ("\u{C}1", .expectedValue, 0),
            ("\0", .expectedValue, 0), ("]", .expectedValue, 0), ("}", .expectedValue, 0), (",", .expectedValue, 0),
            ("-", .expectedDigit, 1), ("-a", .expectedDigit, 1), ("--1", .expectedDigit, 1),
            ("-.5", .expectedDigit, 1), ("1.", .expectedDigit, 2),
            ("1.e1", .expectedDigit, 2), ("1e", .expectedDigit, 2), ("1e+", .expectedDigit, 3),
            ("1E-x", .expectedDigit, 3), ("01", .leadingZero, 1), ("09", .leadingZero, 1),
            ("-00", .leadingZero, 2), ("[00.5]", .leadingZero, 2), ("1 2", .expectedEnd, 2),
            ("1x", .expectedEnd, 1), ("0x1", .expectedEnd, 1),
            ("1.5.5", .expectedEnd, 3), ("1e5e5", .expectedEnd, 3), ("{}{}", .expectedEnd, 2),
            ("[]]", .expectedEnd, 2), ("\"a\"\"b\"", .expectedEnd, 3),
            ("1\0", .expectedEnd, 1), ("tru", .expectedLiteral, 0), ("[nul]", .expectedLiteral, 1),
            ("falsE", .expectedLiteral, 0), ("truex", .expectedEnd, 4),
            ("\"", .expectedQuote, 1), ("\"abc", .expectedQuote, 4), ("[\"abcdefghijk", .expectedQuote, 13),
            ("\"\\\"", .expectedQuote, 3),
            ("\"\\", .expectedEscape, 2), ("\"\\x\"", .expectedEscape, 2), ("\"a\\'\"", .expectedEscape, 3),
            ("\"\\U0041\"", .expectedEscape, 2),
            ("\"\\0\"", .expectedEscape, 2), ("\"\\u\"", .expectedHexDigit, 3),
            ("\"\\u00g0\"", .expectedHexDigit, 5), ("\"\\u004", .expectedHexDigit, 6),
            ("\"\\u+041\"", .expectedHexDigit, 3), ("\"\\u 041\"", .expectedHexDigit, 3),
            ("\"a\nb\"", .controlCharacter, 2), ("\"\t\"", .controlCharacter, 1),
            ("\"\0\"", .controlCharacter, 1), ("\"0123456789\u{1F}\"", .controlCharacter, 11),
            ("[", .expectedValue, 1), ("[1", .expectedCommaOrBracket, 2),
            ("[1 2]", .expectedCommaOrBracket, 3), ("[1,]", .expectedValue, 3), ("[,1]", .expectedValue, 1),
            ("[1,,2]", .expectedValue, 3),
            ("[1}", .expectedCommaOrBracket, 2), ("[1:2]", .expectedCommaOrBracket, 2), ("[}", .expectedValue, 1),
            ("{", .expectedNameOrBrace, 1),
            ("{1:2}", .expectedNameOrBrace, 1), ("{a:1}", .expectedNameOrBrace, 1),
            ("{,}", .expectedNameOrBrace, 1), ("{]", .expectedNameOrBrace, 1),
            ("{\"a\"", .expectedColon, 4), ("{\"a\" 1}", .expectedColon, 5), ("{\"a\",1}", .expectedColon, 4),
            ("{\"a\":", .expectedValue, 5),
            ("{\"a\":}", .expectedValue, 5), ("{\"a\"::1}", .expectedValue, 5),
            ("{\"a\":1", .expectedCommaOrBrace, 6), ("{\"a\":1]", .expectedCommaOrBrace, 6),
            ("{\"a\":1 \"b\":2}", .expectedCommaOrBrace, 7), ("{\"a\":1,}", .expectedNameAfterComma, 7),
            ("{\"a\":1,,", .expectedNameAfterComma, 7),
            ("{\"a\":1,2}", .expectedNameAfterComma, 7), ("{\"a\":[1}]", .expectedCommaOrBracket, 7),
            ("{\"a\\q\":1}", .expectedEscape, 4),
        ] as [(String, JSONError.Reason, Int)])
    func `tells the first fault and its place`(_ text: String, _ reason: JSONError.Reason, _ offset: Int) {
        #expect(JSONProbe.fault(in: Array(text.utf8)) == JSONError(reason, at: offset))
    }

    @Test(arguments: 0..<0x20 as Range<UInt8>)
    func `accepts each control character as an escape only`(_ byte: UInt8) {
        for count in [0, 3, 7, 8, 9] {
            let padding = [UInt8](repeating: 0x61, count: count)
            let fault = JSONProbe.fault(in: [0x22] + padding + [byte] + padding + [0x22])
            #expect(fault == JSONError(.controlCharacter, at: count + 1))
        }
    }

    @Test(arguments: 0...255 as ClosedRange<UInt8>)
    func `accepts eight letters behind a backslash, and u with digits`(_ byte: UInt8) {
        let isKnown = "\"\\/bfnrt".utf8.contains(byte)
        let fault = JSONProbe.fault(in: [0x22, 0x5C, byte, 0x22])
        #expect(
            isKnown
                ? fault == nil
                : fault
                    == JSONError(
                        byte == UInt8(ascii: "u") ? .expectedHexDigit : .expectedEscape,
                        at: byte == UInt8(ascii: "u") ? 3 : 2))
    }

    @Test(
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x22], [0xC2, 0xC2], [0xE0, 0x9F, 0xBF],
            [0xE0, 0x80, 0x80], [0xE1, 0x80],
            [0xE1, 0x80, 0x41], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xEF, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF],
            [0xF0, 0x90, 0x80], [0xF0, 0x90, 0x80, 0x41],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE], [0xFF],
        ] as [[UInt8]])
    func `refuses what isn't UTF-8`(_ sequence: [UInt8]) {
        for count in [0, 1, 7, 8] {
            let padding = [UInt8](repeating: 0x61, count: count)
            #expect(
                JSONProbe.fault(in: [0x22] + padding + sequence + [0x22]) == JSONError(.invalidUTF8, at: count + 1))
            #expect(JSONProbe.fault(in: [0x22] + padding + sequence) == JSONError(.invalidUTF8, at: count + 1))
        }
        #expect(JSONProbe.fault(in: sequence) == JSONError(.expectedValue, at: 0))
    }

    @Test
    func `accepts every scalar, and the bytes of no surrogate`() {
        var text: [UInt8] = [0x22]
        for value in UInt32(0x20)...0x10FFFF
        where value % 7 == 0 || value < 0x900 || (0xD7F0..<0xE010).contains(value) {
            guard let scalar = Unicode.Scalar(value), scalar != "\"", scalar != "\\" else { continue }
            text += Array(String(scalar).utf8)
        }
        #expect(JSONProbe.fault(in: text + [0x22]) == nil)
    }

    @Test(arguments: ["[", "{\"a\":"])
    func `reads 512 levels and no more`(_ open: String) {
        let close = open == "[" ? "]" : "}"
        let inner = open == "[" ? "" : "1"
        let nested = { (count: Int) in
            Array((String(repeating: open, count: count) + inner + String(repeating: close, count: count)).utf8)
        }
        #expect(JSONProbe.fault(in: nested(512)) == nil)
        #expect(JSONProbe.fault(in: nested(513)) == JSONError(.tooDeep, at: 512 * open.utf8.count))
        #expect(JSONProbe.fault(in: nested(100_000)) == JSONError(.tooDeep, at: 512 * open.utf8.count))
        #expect(JSONProbe.fault(in: Array("[\(String(repeating: "[],{},", count: 1000))0]".utf8)) == nil)
    }

    @Test
    func `keeps kinds apart where containers of both nest`() {
        let open = "[{\"a\":{\"a\":"
        let text = String(repeating: open, count: 170) + "1" + String(repeating: "}}]", count: 170)
        #expect(JSONProbe.fault(in: Array(text.utf8)) == nil)
        for place in [1, 63, 64, 65, 127, 128, 200, 509] {
            var bytes = Array(text.utf8)
            let index = bytes.count - 510 + place
            bytes[index] = bytes[index] == UInt8(ascii: "]") ? UInt8(ascii: "}") : UInt8(ascii: "]")
            #expect(JSONProbe.fault(in: bytes)?.offset == index)
        }
    }

    @Test
    func `begins a record with a brace only`() throws {
        let faults: [(String, JSONError.Reason, Int)] = [
            ("[1]", .expectedRecord, 0), (" <a>", .expectedRecord, 1),
            (" \"a\"", .expectedRecord, 1),
            ("", .expectedRecord, 0), ("  ", .expectedRecord, 2),
        ]
        for (text, reason, offset) in faults {
            let bytes = Array(text.utf8)
            var reader = JSONReader(bytes.span)
            #expect(throws: JSONError(reason, at: offset)) { try reader.beginRecord() }
        }
        let bytes = Array(" {\"a\":[1,{}],\"b\":2}".utf8)
        var reader = JSONReader(bytes.span)
        try reader.beginRecord()
        _ = try reader.next()
        let token = try #require(try reader.next())
        try reader.skipRest(of: token)
        #expect(reader.position == 12 && reader.depth == 1)
        #expect(try reader.next() != nil)
        #expect(reader.tokenStart == 13)
    }

    @Test
    func `begins where it is told`() throws {
        let bytes = Array("x [1]".utf8)
        var reader = JSONReader(bytes.span, from: 2)
        #expect(try reader.next() == .beginArray)
        #expect(reader.tokenStart == 2)
    }

    @Test
    func `has a message for every reason`() {
        #expect("\(JSONError(.expectedColon, at: 3))" == "expected ':' after a member name")
        #expect("\(JSONError(.tooDeep, at: 3))" == "expected at most 512 levels of nesting")
    }

    @Test
    func `a tree is written on one line`() throws {
        let text = Array(#"{"a":[1,{}],"b":[],"c":{"d":null}}"#.utf8)
        let tree = try PipelineCore.JSONTree.read(text.span)
        #expect(tree.json == String(decoding: text, as: UTF8.self))
    }
}

@Suite("The reader judges texts as")
struct ReaderDifferentialTests {
    /// Texts that are JSON, and such texts with a few bytes changed.
    static func texts(_ seed: UInt64, count: Int) -> [[UInt8]] {
        var random = SplitMix64(seed: seed)
        let bytes =
            Array("{}[]\":,\\u0aE-+.1 \n\t/tfn'".utf8) + [0x00, 0x1F, 0x7F, 0x80, 0xC3, 0xE2, 0xED, 0xF0, 0xFF]
        return (0..<count).map { number in
            let text = Array(JSONTree.random(depth: 4, &random).text(&random).utf8)
            return number % 4 == 0 ? text : PathPropertyTests.mutated(text, &random, bytes)
        }
    }

    @Test(arguments: 2..<12 as Range<UInt64>)
    func `a plain reading does`(_ seed: UInt64) {
        var valid = 0
        for text in Self.texts(seed, count: 2_000) {
            let isValid = JSONProbe.fault(in: text) == nil
            valid += isValid ? 1 : 0
            #expect(isValid == ((try? PlainJSON.read(text)) != nil), "\(String(decoding: text, as: UTF8.self))")
        }
        #expect(valid > 400 && valid < 1_600)
    }
}
