// Words by the database's own test file, and by examples of the annex.

import Testing

@testable import PipelineCore

/// The text cut at its word boundaries.
func segments(of text: String) -> [String] {
    let bytes = Array(text.utf8)
    var boundaries = WordBoundaries()
    var segments: [String] = []
    while let part = boundaries.nextPart(of: bytes.span) {
        segments.append(String(decoding: bytes[part], as: UTF8.self))
    }
    return segments
}

struct WordBoundariesTests {
    @Test(arguments: [
        ("The quick (brown) can't jump 32.3 feet", "The| |quick| |(|brown|)| |can't| |jump| |32.3| |feet"),
        ("", ""), ("a", "a"), ("a:b a. b", "a:b| |a|.| |b"), ("3,456.789 3,x", "3,456.789| |3|,|x"),
        ("e\u{301}a", "e\u{301}a"), ("ミッキーマウス", "ミッキーマウス"), ("東京", "東|京"),
        ("x_1_y", "x_1_y"), ("\r\n\n", "\r\n|\n"), ("  ", "  "),
    ])
    func `words are cut as the annex cuts them`(text: String, expected: String) {
        #expect(segments(of: text).joined(separator: "|") == expected)
    }

    @Test
    func `four flags in a row are four words`() {
        #expect(segments(of: "🇫🇷🇩🇪🇫🇷🇩🇪").count == 4)
    }

    @Test(.enabled(if: UnicodeDatabase.has("auxiliary/WordBreakTest.txt")))
    func `every line of WordBreakTest holds`() throws {
        let lines = try UnicodeDatabase.lines("auxiliary/WordBreakTest.txt").map { $0[0] }
        #expect(lines.count > 1800)
        let wrong = lines.filter { line in
            let parts = line.split(separator: "÷").map {
                $0.split(separator: "×").map { UnicodeDatabase.text(String($0)) }.joined()
            }.filter { !$0.isEmpty }
            return segments(of: parts.joined()).map { Array($0.utf8) } != parts.map { Array($0.utf8) }
        }
        #expect(wrong == [])
    }
}
