// What each element of the syntax matches, and where.

import PipelineCore
import Testing

/// The match by both automata, which must agree with each other, as "start-end" in bytes.
func regexMatch(
    _ pattern: String, _ text: String, caseInsensitive: Bool = false, cacheLimitBytes: Int = 1 << 20
) throws -> String? {
    let matcher = TextMatching(
        try RegexProgram(pattern, caseInsensitive: caseInsensitive), cacheLimitBytes: cacheLimitBytes)
    let bytes = Array(text.utf8)
    let found = matcher.finds(bytes)
    let range = matcher.range(in: bytes)
    #expect(found == (range != nil), "\(pattern) in \(text)")
    #expect(matcher.simulatedRange(in: bytes) == range, "\(pattern) in \(text)")
    #expect(matcher.finds(bytes) == found, "\(pattern) in \(text), a second time")
    guard let range else { return nil }
    return "\(range.lowerBound)-\(range.upperBound)"
}

struct RegexSyntaxTests {
    typealias Case = (pattern: String, text: String, match: String?)

    private static let literalCases: [Case] = [
        ("", "", "0-0"), ("", "abc", "0-0"), ("b", "abc", "1-2"), ("bc", "abc", "1-3"), ("d", "abc", nil),
        ("é", "aé", "1-3"), ("日本", "は日本", "3-9"), (".", "\n", nil), (".", "\n日", "1-4"), ("a.c", "a😀c", "0-6"),
        ("(?s).", "\n", "0-1"), ("[a-c]+", "xabcd", "1-4"), ("[^a-c]", "abcé", "3-5"), ("[]a]+", "a]", "0-2"),
        ("[^]a]", "a]b", "2-3"), ("[-a]+", "a-", "0-2"), ("[a-]+", "a-", "0-2"), ("[a\\-z]+", "a-z", "0-3"),
        ("[a-c[x-z]]+", "by", "0-2"), ("[a-z&&[^aeiou]]+", "aeibcd", "3-6"), ("[\\w&&\\d]", "a1", "1-2"),
        ("[a&&b]", "ab", nil), ("[&&a]", "a&", nil), ("[a&]+", "&a", "0-2"), ("[\\b]", "\u{08}", "0-1"),
        ("[+*.?$^|(){}]+", "+*.?$^|(){}", "0-11"), ("\\.\\*\\[\\]\\\\", ".*[]\\", "0-5"),
        ("a\\-b\\/", "a-b/", "0-4"),
        ("]}", "]}", "0-2"), ("[é-ü]", "ö", "0-2"), ("[a-é]", "日", nil),
        ("[\u{7FF}-\u{10FFFF}]", "\u{10FFFF}", "0-4"),
        ("[\u{D7FF}-\u{E000}]+", "\u{D7FF}\u{E000}", "0-6"), ("[\\x{80}-\\x{7FF}]+", "\u{7F}\u{80}\u{7FF}", "1-5"),
    ]

    private static let escapeCases: [Case] = [
        ("\\n\\t\\r\\f\\v\\a\\e\\0", "\n\t\r\u{0C}\u{0B}\u{07}\u{1B}\0", "0-8"), ("\\x41\\x{1F600}", "A😀", "0-5"),
        ("\\u00e9\\u{e9}", "éé", "0-4"), ("\\x{0000000000041}", "A", "0-1"), ("\\Qa.b*\\E+", "a.b**", "0-5"),
        ("\\Q[", "[", "0-1"), ("\\Q\\E", "", "0-0"), ("\\d+", "a٣4", "1-4"), ("\\D", "4a", "1-2"),
        ("\\s", "a\u{2003}", "1-4"), ("\\S+", " é ", "1-3"), ("\\w+", "-é_9\u{301}-", "1-7"), ("\\W", "é-", "2-3"),
        ("\\h", "\n\u{A0}", "1-3"), ("\\H", "\t\n", "1-2"), ("[\\d\\s]+", "a1 2", "1-4"), ("[^\\d]", "1a", "1-2"),
        ("[\\D]", "1a", "1-2"),
    ]

    private static let propertyCases: [Case] = [
        ("\\p{L}+", "1éß", "1-5"), ("\\pL", "1a", "1-2"), ("\\PL", "a1", "1-2"), ("\\p{Lu}", "aÉ", "1-3"),
        ("\\p{^Lu}", "Éa", "2-3"), ("\\P{^Lu}", "aÉ", "1-3"), ("\\p{Greek}", "aω", "1-3"),
        ("\\p{Script=Greek}", "aω", "1-3"), ("\\p{sc=Grek}", "aω", "1-3"), ("\\p{gc=Lu}", "aB", "1-2"),
        ("\\p{General_Category = uppercase letter}", "aB", "1-2"), ("\\p{IsHan}", "a日", "1-4"),
        ("\\p{Hiragana}", "日あ", "3-6"), ("\\p{Letter}", "1a", "1-2"), ("\\p{LC}", "日a", "3-4"),
        ("\\p{Alphabetic}", "1a", "1-2"), ("\\p{White_Space}", "a ", "1-2"), ("\\p{Any}", "\n", "0-1"),
        ("\\p{ASCII}", "éa", "2-3"), ("\\p{Cn}", "a\u{378}", "1-3"), ("\\p{Assigned}", "\u{378}a", "2-3"),
        ("\\p{Cyrillic}+", "aДж", "1-5"), ("[\\p{Lu}\\d]+", "aB1", "1-3"), ("\\p{S}", "a€", "1-4"),
        // The same name in another case of the flags is another set.
        ("[[:upper:]](?i)[[:upper:]]", "Aa", "0-2"), ("(?i)[[:upper:]](?-i)[[:upper:]]", "aa", nil),
        ("\\p{Lu}(?i)\\p{Lu}", "Aa", "0-2"), ("(?i)\\p{Lu}(?-i)\\p{Lu}", "aa", nil),
        ("[[:alpha:]]+", "1éa", "1-4"), ("[[:^alpha:]]", "é1", "2-3"), ("[[:digit:][:upper:]]+", "aB1", "1-3"),
        ("[[:punct:]]+", "a$.!", "1-4"), ("[[:space:]]", "a\n", "1-2"), ("[[:xdigit:]]+", "gF0", "1-3"),
        ("[[:alnum:]_]+", "-a_1", "1-4"), ("[[:blank:]]", "\n ", "1-2"), ("[[:cntrl:]]", "a\u{1}", "1-2"),
        ("[[:graph:]]+", " é ", "1-3"), ("[[:print:]]+", "\né ", "1-4"), ("[[:lower:]]", "Aé", "1-3"),
        ("[[:word:]]+", "-a_-", "1-3"), ("[[:ascii:]]", "éa", "2-3"), ("[[:x]]+", "x:", "0-2"),
    ]

    private static let assertionCases: [Case] = [
        ("^a", "ba", nil), ("^a", "ab", "0-1"), ("a$", "ab", nil), ("a$", "ba", "1-2"), ("a$", "a\n", nil),
        ("^$", "", "0-0"), ("$^", "", "0-0"), ("(?m)^b$", "a\nb\nc", "2-3"), ("(?m)^$", "a\n\nb", "2-2"),
        ("(?m)a$", "a\n", "0-1"), ("(?m)$\\n^b", "a\nb", "1-3"), ("(?m:^b)", "a\nb", "2-3"), ("\\Ab", "a\nb", nil),
        ("(?m)\\Ab", "a\nb", nil), ("(?m)a\\z", "a\nb", nil), ("b\\z", "ab", "1-2"),
        ("\\bcat\\b", "concat cat", "7-10"), ("\\bcat", "concat", nil), ("\\Bcat", "cat concat", "7-10"),
        ("\\b", "", nil), ("\\B", "", "0-0"), ("\\B", "é", nil), ("\\B", "éé", "2-2"), ("\\bé", "aé", nil),
        ("\\bé\\b", "a é.", "2-4"), ("e\\b", "eé", nil), ("\\b日", "の日", nil), ("a\\b", "a—", "0-1"),
        ("(?m)^\\b", "\na", "1-1"), ("\\b$", "a", "1-1"), ("x*\\b", "  x", "2-3"), ("(^|b)a", "ba", "0-2"),
        ("(^a|b)c", "xbc", "1-3"), ("^*a", "ba", "1-2"), ("(?:\\b|x)+y", "xy", "0-2"), ("$", "é", "2-2"),
        ("(?m)^", "é\n", "0-0"), ("(?m)(?:^|é)b", "ééb", "2-5"), ("\\b\\B", "a b", nil),
        ("a\\b\\b b", "a b", "0-3"),
        ("\\Bé\\B", "aéa", "1-3"), ("a\\b", "é a", "3-4"),
    ]

    private static let structureCases: [Case] = [
        ("a|ab", "ab", "0-1"), ("ab|a", "ab", "0-2"), ("(a|b)(c|d)", "xbd", "1-3"), ("(?:a|b)+", "abc", "0-2"),
        ("(?P<n>a)(?<_m2>b)", "ab", "0-2"), ("a(?#not b)c", "ac", "0-2"), ("|a", "a", "0-0"), ("a|", "b", "0-0"),
        ("()", "a", "0-0"), ("(|a)+", "a", "0-0"), ("(|a)*b", "aab", "0-3"), ("(?:a|)*b", "aab", "0-3"),
        ("a*", "aaa", "0-3"), ("a*?", "aaa", "0-0"), ("a+?", "aaa", "0-1"), ("a??b", "ab", "0-2"),
        ("<.+>", "<a><b>", "0-6"), ("<.+?>", "<a><b>", "0-3"), ("a{2}", "aaa", "0-2"), ("a{2,}", "aaaa", "0-4"),
        ("a{1,2}", "aaa", "0-2"), ("a{1,2}?", "aaa", "0-1"), ("a{0}b", "ab", "1-2"), ("a{0,0}", "a", "0-0"),
        ("a{2}", "a", nil), ("a{3,}?b", "aaaab", "0-5"), ("(ab){2}", "abab", "0-4"), ("é{2}", "ééé", "0-4"),
        ("(a*)*", "b", "0-0"), ("(a*)+", "aab", "0-2"), ("(a|b)*abb", "ababb", "0-5"), ("(?:a?){3}", "aaaa", "0-3"),
        ("(?x) a b # c\n c", "abc", "0-3"), ("(?x)a +", "aa", "0-2"), ("(?x)[ a]b\\ c", " b c", "0-4"),
        ("(?x: a )b c", "ab c", "0-4"), ("(?s:.)\\n", "\n\n", "0-2"), ("(?s)a(?-s:.)", "a\n", nil),
    ]

    private static let caseCases: [Case] = [
        ("(?i)straSSe", "STRASSE", "0-7"), ("(?i)K", "\u{212A}", "0-3"), ("(?i:a)b", "Ab", "0-2"),
        ("(?i:a)b", "AB", nil), ("a(?i)b|c", "C", "0-1"), ("(a(?i)b)c", "aBC", nil), ("(?i)a(?-i)b", "Ab", "0-2"),
        ("(?i)a(?-i)b", "AB", nil), ("(?-i)a", "A", nil), ("(?is-m)A.", "a\n", "0-2"), ("(?i)[a-c]+", "AbC", "0-3"),
        ("(?i)[^a]", "Ab", "1-2"), ("(?i)\\p{Lu}", "a", "0-1"), ("(?i)[[:upper:]]", "a", "0-1"),
        ("(?i)ß", "ẞ", "0-3"), ("(?i)ſ", "S", "0-1"), ("(?i)σ", "ς", "0-2"), ("(?i)İ", "i", "0-1"),
        ("(?i)istanbul", "İstanbul", "0-9"),
        ("(?i)ǆ", "ǅ", "0-2"), ("(?i)\\x61", "A", "0-1"), ("(?i)\\Qa\\E", "A", "0-1"), ("(?i)é", "É", "0-2"),
        ("(?i)[\\P{Lu}]", "a", nil), ("(?i)[k&&\u{212A}]", "K", "0-1"),
    ]

    @Test(
        arguments: literalCases + escapeCases + propertyCases + assertionCases + structureCases + caseCases)
    func `each element of the syntax matches what it names, where a backtracking matcher finds it`(
        _ test: Case
    ) throws {
        #expect(try regexMatch(test.pattern, test.text) == test.match)
    }

    @Test
    func `case counts unless it is told not to`() throws {
        #expect(try regexMatch("mick", "MICK") == nil)
        #expect(try regexMatch("mick", "MICK", caseInsensitive: true) == "0-4")
        #expect(try regexMatch("(?-i)mick", "MICK", caseInsensitive: true) == nil)
        #expect(try regexMatch("kelvin", "\u{212A}elvin", caseInsensitive: true) == "0-8")
    }

    @Test
    func `a text that isn't UTF-8 is matched as far as it goes, and ranges stay inside it`() throws {
        let texts: [[UInt8]] = [
            [0xFF], [0x80, 0x61], [0x61, 0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xC3, 0x28, 0x61],
            [0xED, 0xA0, 0x80],
            [0xF5, 0x80, 0x80, 0x80, 0x61],
        ]
        for pattern in ["", "a", ".", "\\b", "\\B", "[^a]", "\\w$", "^\\W*$", "(?m)^a?$", "\\p{L}|\\z"] {
            let matcher = TextMatching(try RegexProgram(pattern, caseInsensitive: true))
            for text in texts {
                if let range = matcher.range(in: text) { #expect(range.upperBound <= text.count) }
                if let range = matcher.simulatedRange(in: text) { #expect(range.upperBound <= text.count) }
            }
        }
    }
}
