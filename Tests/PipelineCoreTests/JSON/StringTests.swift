// Strings decoded, compared and written.

import PipelineCore
import TestSupport
import Testing

@Suite("JSON strings")
struct StringTests {
    func decoded(_ content: String) -> (text: [UInt8], isUnicode: Bool) {
        let bytes = Array(content.utf8)
        var text: [UInt8] = []
        let isUnicode = JSONStringDecoder.append(bytes.span, to: &text)
        return (text, isUnicode)
    }

    func equals(_ content: String, _ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return JSONStringDecoder.equals(Array(content.utf8).span, bytes.span)
    }

    @Test(arguments: [
        ("", ""), ("abc", "abc"), (#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{C}\n\r\t"), (#"Bj\u00f6rk"#, "Björk"),
        (#"\u00F6\u0000"#, "ö\0"),
        (#"\ud83d\ude00"#, "😀"), (#"x\uD834\uDD1Ey"#, "x𝄞y"), (#"\\u0041"#, "\\u0041"), (#"é\né"#, "é\né"),
        (#"\uD7FF\uE000\uFFFF"#, "\u{D7FF}\u{E000}\u{FFFF}"),
        (#"\udbff\udfff"#, "\u{10FFFF}"),
    ])
    func `are decoded`(_ content: String, _ text: String) {
        let result = decoded(content)
        #expect(result.text == Array(text.utf8) && result.isUnicode)
        #expect(equals(content, text))
        #expect(!equals(content, text + "x"))
        #expect(
            text.isEmpty || !equals(content, String(text.unicodeScalars.dropLast())))
    }

    @Test(arguments: [
        (#"\ud83d"#, "\u{FFFD}"), (#"\ude00"#, "\u{FFFD}"), (#"\ude00\ud83d"#, "\u{FFFD}\u{FFFD}"),
        (#"\ud83dx"#, "\u{FFFD}x"),
        (#"\ud83d\u0041"#, "\u{FFFD}A"), (#"\ud83d\n"#, "\u{FFFD}\n"), (#"\ud83d\ud83d\ude00"#, "\u{FFFD}😀"),
        (#"\ud83d\\ude00"#, "\u{FFFD}\\ude00"),
    ])
    func `have U+FFFD for half of a surrogate pair`(_ content: String, _ text: String) {
        let result = decoded(content)
        #expect(result.text == Array(text.utf8) && !result.isUnicode)
        #expect(equals(content, text))
    }

    @Test(arguments: [
        "Mick", #"\ud83d\ude00xM"#, #"a\n\u0041\u00e9\u20ac\ud83d\ude00\\b"#, "é😀x", #"\ud83dx\ude00y"#,
    ])
    func `tell where in their spelling each of their characters begins`(_ content: String) {
        // The pieces that a spelling is made of, each of which is one character.
        let pieces = content.matches(of: #/\\ud83d\\ude00|\\u....|\\.|[^\\]/#).map { String($0.output) }
        #expect(pieces.joined() == content)
        var (text, spelling) = (0, 0)
        for piece in pieces {
            #expect(
                JSONStringDecoder.sourceOffset(of: text, in: Array(content.utf8).span) == spelling, "\(piece)")
            text += decoded(piece).text.count
            spelling += piece.utf8.count
        }
    }

    @Test(arguments: ["\\", "a\\", "\\u", "\\u1", "\\u123", "\\ud83d\\u", "\\ud83d\\ude0"])
    func `are compared without being checked`(_ content: String) {
        #expect(!equals(content, "a"))
    }

    @Test
    func `are written so that only what must be escaped is`() {
        var bytes: [UInt8] = []
        JSONWriter.appendString("a\"\\/\u{0}\u{8}\n\r\t\u{1F}\u{7F}é😀", to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "\"a\\\"\\\\/\\u0000\\u0008\\n\\r\\t\\u001f\u{7F}é😀\"")
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `read back as they were written, here and by Foundation`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<50 {
            let scalars = (0..<Int.random(in: 0...30, using: &random)).compactMap { _ in
                Unicode.Scalar(
                    UInt32.random(in: 0..<random.pick([0x30, 0x80, 0x800, 0x10000, 0x110000]), using: &random))
            }
            let text = String(String.UnicodeScalarView(scalars))
            var bytes: [UInt8] = []
            JSONWriter.appendString(text, to: &bytes)
            #expect(JSONProbe.fault(in: bytes) == nil)
            #expect(decoded(String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)).text == Array(text.utf8))
            #expect(try Array(JSONProbe.text(bytes).unicodeScalars) == scalars)
        }
    }
}
