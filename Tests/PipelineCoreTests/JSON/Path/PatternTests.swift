// `match` and `search` after RFC 9485: what is a pattern, and what it matches.

import PipelineCore
import Testing

@Suite("A pattern in a path")
struct PatternTests {
    func found(_ function: String, _ pattern: String, _ text: String) throws -> Bool {
        var literals: [[UInt8]] = [[], []]
        JSONWriter.appendString(pattern, to: &literals[0])
        JSONWriter.appendString(text, to: &literals[1])
        let texts = literals.map { String(decoding: $0, as: UTF8.self) }
        let record = "[{\"p\":\(texts[0]),\"t\":\(texts[1])}]"
        return try !JSONProbe.values("$[?\(function)(@.t, @.p)]", in: record).isEmpty
    }

    @Test(arguments: [
        ("abc", "abc", "abcd"), ("a.c", "axc", "a\nc"), (".", "\u{2028}", "\r"), (".", "😀", "ab"),
        ("", "", "a"),
        ("a|bc", "bc", "ac"), ("(a|b)c", "bc", "a"), ("a*", "aaa", "b"), ("a+b?", "aa", "b"),
        ("a{2}", "aa", "aaa"),
        ("a{2,}", "aaaa", "a"), ("a{1,2}", "a", "aaa"), ("a{0}", "", "a"), ("()", "", "x"), ("a|", "", "b"),
        ("[abc]", "b", "d"), ("[^abc]", "d", "a"), ("[a-c]", "b", "-"), ("[-a]", "-", "b"), ("[a-]", "-", "b"),
        ("[^-a]", "b", "-"), ("[.]", ".", "a"), ("[a\\]]", "]", "b"), ("[\\-x]", "-", "y"), ("[&&a]", "&", "b"),
        ("[a-c\\p{Nd}]", "7", "d"), ("[\\P{L}]", "1", "a"), ("[$]", "$", "a"), ("[*+?(){}|]", "{", "a"),
        ("\\p{Lu}", "É", "é"), ("\\P{L}", "1", "a"), ("\\p{L}+", "añж", "a1"), ("\\.", ".", "a"),
        ("\\n", "\n", "n"),
        ("\\(\\)\\*\\+\\-\\?\\[\\\\\\]\\^\\{\\|\\}", "()*+-?[\\]^{|}", "x"), ("[\\n\\t]", "\t", "t"),
        ("a,b-c", "a,b-c", "abc"), ("é", "é", "e"), ("^a$", "a", "^a$"), ("#~&&/'\"", "#~&&/'\"", "#"),
        ("(((a)))", "a", "((a))"), (" ", " ", ""), ("\u{1}", "\u{1}", "\u{2}"),
        ("_:;<=>@`!%", "_:;<=>@`!%", "_"),
    ])
    func `matches the whole text`(_ pattern: String, _ matching: String, _ other: String) throws {
        #expect(try found("match", pattern, matching))
        #expect(try !found("match", pattern, other))
        #expect(try found("search", pattern, matching))
    }

    @Test(arguments: [("b.d", "abcde"), ("^a", "ab"), ("e$", "abcde"), ("", "")])
    func `is searched anywhere in the text`(_ pattern: String, _ text: String) throws {
        #expect(try found("search", pattern, text))
        #expect(try !found("search", "^b", text) && !found("search", "d$", text))
    }

    @Test(arguments: [
        "\\", "a\\", "\\p", "\\p{", "\\p{Lx}", "\\p{}", "\\p{Lu", "\\p{Luu}", "(", ")", "(a", "a)", "a)|(b",
        "(?=a)",
        "*", "+a", "?", "a**", "{2}", "a{", "a{}", "a{,2}", "a{2", "a{2,1}", "a{2,3,4}", "a{x}", "a{ 2}", "a{1001}",
        "[", "[]", "[^]", "[a", "[a-", "[a-\\p{L}]", "[\\p{L}-a]", "[z-a]", "(|*)", "(*)", "|*", "\\1",
    ])
    func `that the engine refuses matches nothing`(_ pattern: String) throws {
        for text in ["", "a", "d", "1", pattern, "]", "A"] {
            #expect(try !found("match", pattern, text) && !found("search", pattern, text), "\(text)")
        }
    }

    @Test(arguments: [
        ("\\d+", "12", "a"), ("\\w", "a", "-"), ("(?:ab)+", "abab", "a"), ("(?i)a", "A", "b"), ("a+?", "aa", "b"),
        ("[:a:]", ":", "l"), ("[[a]", "[", "b"), ("[a-c&&b]", "&", "d"), ("\\[.", "[x", "[\n"),
    ])
    func `that isn't an I-Regexp is what the engine makes of it, and classes are those of I-Regexps`(
        _ pattern: String, _ matching: String, _ other: String
    ) throws {
        #expect(try found("match", pattern, matching))
        #expect(try !found("match", pattern, other))
    }

    @Test
    func `is one for the whole text and another one for parts of it, in one path too`() throws {
        for path in ["$[?search(@, 'b') && !match(@, 'b')]", "$[?!match(@, 'b') && search(@, 'b')]"] {
            #expect(try JSONProbe.values(path, in: #"["abc","b","x"]"#) == [#""abc""#])
        }
    }

    @Test
    func `may differ from node to node`() throws {
        let elements = (0..<40).map { "{\"t\":\"x\($0 % 20)\",\"p\":\"x\($0 % 20 % 13)\"}" }.joined(separator: ",")
        #expect(try JSONProbe.values("$[?match(@.t, @.p)]", in: "[\(elements)]").count == 26)
        #expect(try JSONProbe.values("$[?search(@.t, @.p)].t", in: "[\(elements)]").count == 28)
    }
}
