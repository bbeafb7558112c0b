// What passes over lines without a look at their fields: never over one that has the query, and over most that don't; and
// whether a field's name may be spelt with escapes.

import PipelineCore
import Testing

struct LinePrefilterTests {
    private func prepared(_ query: String, _ strength: TextStrength = .search) -> LinePrefilter? {
        TextQuery(Array(query.utf8).span, strength: strength).linePrefilter
    }

    private func passes(_ query: String, _ line: String, _ strength: TextStrength = .search) throws -> Bool {
        var prefilter = try #require(prepared(query, strength))
        return prefilter.passes(Array(line.utf8).span)
    }

    @Test(arguments: [
        #"{"name":"Donald"}"#, #"{"name":"Dönald, Noël"}"#, #"{"a":1,"name":"two\nlines, \"quoted\" \\"}"#,
        "{\"name\":\"Mi c-k\"}\r", #"{"name":"ミッキー 米奇 🦊"}"#, #"{"name":"m, i, c and k"}"#, "{\"\(long)\":0}",
    ])
    func `a line that can't have the query is passed over`(line: String) throws {
        #expect(try passes("mick", line))
    }

    private static let long = String(repeating: "a long text, ", count: 40)

    @Test(arguments: [
        ("mick", #"{"name":"Mick"}"#), ("mick", #"{"x":"aMICKb"}"#), ("mick", "{\"name\":\"mic\u{212A}\"}"),
        ("mick", #"{"name":"\u004dick"}"#), ("mick", "{\"name\":\"ｍｉｃｋ\"}"),
        ("mick", "{\"name\":\"mic\u{301}k\"}"),
        ("mick", "{\"name\":\"mi\u{AD}ck\"}"), ("mick", "{\"name\":\"m\u{ED}ck\"}"),
        ("office", "{\"x\":\"oﬃce\"}"),
        ("strasse", "{\"x\":\"Straße\"}"), ("tt", "{\"x\":\"att\"}"), ("tt", "{\"x\":\"t\u{1E6B}\"}"),
        ("10", "{\"x\":\"①⓪\"}"), ("ab", #"{"x":"Ab"}"#), ("mick", "{\"\(long)\":\"\(long)Mick\"}"),
    ])
    func `a line that may have it has to be looked at`(query: String, line: String) throws {
        #expect(try passes(query, line) == false)
    }

    @Test(arguments: [
        ("björk", #"{"x":"Bob Bork, Brück"}"#), ("björk", #"{"x":"bjart, ark"}"#), ("米奇", #"{"x":"奇米, 米老鼠"}"#),
        ("мик", #"{"x":"Донат"}"#), ("mick", #"{"x":"\u00e9\ud83e\udd8a\u304b\u0026"}"#), ("한국", #"{"x":"국한"}"#),
        ("mick", #"{"x":"nick, ick"}"#), ("mick", #"{"x":"mice"}"#),
    ])
    func `a query with other letters passes over lines too`(query: String, line: String) throws {
        #expect(try passes(query, line))
    }

    @Test(arguments: [
        ("björk", #"{"x":"Björk"}"#), ("björk", #"{"x":"BJ\u00d6RK"}"#), ("björk", "{\"x\":\"Bjo\u{308}rk\"}"),
        ("ミキ", #"{"x":"ミキ"}"#), ("ミキ", #"{"x":"\u30df\u30AD"}"#), ("米奇", #"{"x":"米奇"}"#),
        ("米奇", #"{"x":"\u7c73奇"}"#), ("ミキ", #"{"x":"ﾐｷ"}"#), ("ミキ", #"{"x":"㋯キ"}"#),
        ("мик", #"{"x":"МИК"}"#), ("мик", #"{"x":"Мик"}"#), ("мик", #"{"x":"\u041cик"}"#), ("한국", #"{"x":"한국"}"#),
        ("한국", "{\"x\":\"\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}\"}"), ("aß", #"{"x":"ASS"}"#),
        ("mick", #"{"x":"mi\u0043k"}"#), ("mick", #"{"x":"m\ud835\udc22ck"}"#), ("mick", #"{"x":"mi\u00adck"}"#),
        ("mick", #"{"x":"\u006dick"}"#), ("mick", #"{"x":"m\u0069ck"}"#), ("mick", #"{"x":"mí\u0063k"}"#),
        ("mick", #"{"x":"mic\u212A"}"#), ("mické", #"{"x":"Mick\u00c9"}"#), ("ß\u{301}a", #"{"x":"sśa"}"#),
    ])
    func `however its letters are spelt, the line has to be looked at`(query: String, line: String) throws {
        #expect(try passes(query, line) == false)
    }

    @Test(arguments: [
        "", "{", "{}", "}", "[1]", "text", #"{"name":"Donald""#, #"{ "name":"Donald"}"#, #"{"$seal":1}"#,
        #"{"\u006eame":"Donald"}"#, #"{"name":"Donald"} "#, #"{"name":"Donald",}"#, #"{"name":}"#,
        "\u{FEFF}{\"name\":\"Donald\"}",
        "{\"name\":\"Donald\"}\r\r",
    ])
    func `what isn't a record at first sight has to be looked at`(line: String) throws {
        #expect(try passes("mick", line) == false)
    }

    @Test
    func `bytes that aren't UTF-8 have to be looked at`() throws {
        var prefilter = try #require(prepared("mick"))
        for fault: [UInt8] in [[0xC3], [0xE2, 0x82], [0xF5, 0x80, 0x80, 0x80], [0xC0, 0xAF]] {
            let line = Array("{\"name\":\"".utf8) + fault + Array("\"}".utf8)
            let isPassed = prefilter.passes(line.span)
            #expect(!isPassed, "\(fault)")
        }
    }

    @Test(arguments: ["", "m", "é", "éöü", "a\"b", "a\\b", "a/b", "a\tb", "か", "がぎ", "\u{301}a", "ια"])
    func `a query that may be spelt in ways that it doesn't know has none`(query: String) {
        #expect(prepared(query) == nil)
    }

    @Test
    func `case counts where it is typed so`() throws {
        #expect(try passes("Mick", #"{"name":"mick"}"#, .exact))
        #expect(try passes("Mick", #"{"name":"Mick"}"#, .exact) == false)
        #expect(try passes("mick", #"{"name":"MICK"}"#, .accents) == false)
    }

    @Test
    func `lines are passed over up to the first that has to be looked at, isn't whole or is too long`() throws {
        var prefilter = try #require(prepared("mick"))
        let other = #"{"name":"Donald"}"# + "\n"
        let filler = String(repeating: other, count: 20)
        for (text, lines, limitBytes) in [
            (filler, 20, 64), (filler + #"{"name":"Mick"}"# + "\n" + filler, 20, 64),
            (filler + other.dropLast(), 20, 64),
            (filler + "\n" + filler, 20, 64), (filler + #"{"$castline":1}"# + "\n", 20, 64), (filler, 0, 16),
            (filler + "{\"name\":\"\(Self.long)\"}\n" + filler, 20, 64), (filler, 20, 17), ("", 0, 64),
            ("\n", 0, 64),
        ] {
            let passed = prefilter.pass(Array(text.utf8).span, from: 0, limitBytes: limitBytes)
            #expect(passed.lines == lines, "\(text)")
            #expect(passed.end == lines * other.utf8.count, "\(text)")
        }
        let both = Array((filler + filler).utf8)
        let rest = prefilter.pass(both.span, from: filler.utf8.count, limitBytes: 64)
        #expect(rest.lines == 20 && rest.end == both.count)
    }

    @Test(arguments: 0..<160)
    func `a text that has the query is never passed over, wherever it stands in a block`(offset: Int) throws {
        for text in ["Mick", "m\u{ED}ck", "mic\u{212A}", "\\u006dick"] {
            let line = "{\"" + String(repeating: "x", count: offset) + "\":\"\(text)\"}"
            let isPassed = try passes("mick", line)
            #expect(!isPassed, "\(line)")
            let lines = String(repeating: "{\"x\":0}\n", count: offset % 7) + line + "\n{\"x\":0}\n"
            var prefilter = try #require(prepared("mick"))
            let passed = prefilter.pass(Array(lines.utf8).span, from: 0, limitBytes: 1024)
            #expect(passed.lines == offset % 7)
        }
    }
}

@Suite struct FieldNameTests {
    private func mayBeHidden(_ name: String, in line: String) -> Bool {
        FieldName(Array(name.utf8))?.mayBeHidden(in: Array(line.utf8).span) ?? true
    }

    @Test
    func `an escape for any of a name's letters is noticed, wherever it stands in the line`() {
        for byte in UInt8(0x20)..<0x7F where byte != 0x22 && byte != 0x5C {
            let name = String(repeating: Character(Unicode.Scalar(byte)), count: 2)
            let digits = String(byte, radix: 16)
            for count in 0..<40 {
                for digits in [digits, digits.uppercased()] {
                    let line = "{\"\\u00\(digits)\(name.prefix(1))\":\"\(String(repeating: "x", count: count))\"}"
                    #expect(mayBeHidden(name, in: line), "\(line)")
                }
            }
        }
    }

    @Test(arguments: ["a/b", "/", "//"])
    func `an escaped slash is noticed where the name has one`(name: String) {
        let escaped = name.replacing("/", with: "\\/")
        for count in 0..<40 {
            let line = "{\"x\":\"\(String(repeating: "x", count: count))\",\"\(escaped)\":1}"
            #expect(mayBeHidden(name, in: line), "\(line)")
            #expect(!mayBeHidden("ab", in: line), "\(line)")
        }
    }

    @Test
    func `escapes of other letters hide nothing`() {
        for count in 0..<40 {
            let end = String(repeating: "x", count: count) + "\"}"
            #expect(!mayBeHidden("type", in: #"{"type":"\u00e9\u30df\n\t"# + end))
            #expect(!mayBeHidden("type", in: #"{"type":"\u0061\u0062"# + end))
            // A backslash that is itself escaped begins no escape.
            #expect(!mayBeHidden("type", in: #"{"x":"\\u0074"# + end))
            #expect(mayBeHidden("type", in: #"{"x":"\\\u0074"# + end))
        }
    }
}
