// What is known of every match before a text is looked at.

import PipelineCore
import Testing

struct RequiredLiteralTests {
    @Test(arguments: [
        ("mick", "mick"), ("(mick|minnie) mouse", " mouse"), ("colou?r", "colo"), ("a*", nil), ("", nil),
        ("^$", nil), ("a|", nil), (".", nil), ("[a-z]", nil), ("\\w+duck", "duck"), ("don(ald)? duck", " duck"),
        ("(ab)+", nil), ("(ab){2}", nil), ("(ab){2,}c", "c"), ("x(?:a(bc)d)y", "xabcdy"), ("a.bcd.ef", "bcd"),
        ("[ab]c", "c"),
        ("(a|b|c|d|e|f|g|h|i)xy", "xy"), ("\\bmick\\b", "mick"), ("(?:mick.*|donald)x?", nil), ("(mick|.*)", nil),
        ("björk", "björk"), ("[^a]", nil), ("[a&&b]", nil), ("(mick){0}duck", "duck"), ("(mick)?", nil),
        ("x{100}", nil), ("(ab){40}c", "c"),
        (String(repeating: "x", count: 100), String(repeating: "x", count: 64)),
    ])
    func `the literal is one that every match has`(pattern: String, literal: String?) throws {
        let required = try RegexProgram(pattern).requiredLiteral
        #expect(required?.bytes.span.text == literal)
        #expect(required?.ignoresCase != true)
    }

    @Test(arguments: [
        ("MDC", "mdc"), ("(?i)Kelvin", "elv"), ("STRAẞE", "tra"), ("ΣΟΦΌΣ", nil), ("[Mm]dck", "mdc"),
        ("m(?-i)D", "md"),
        ("\u{212A}", nil), ("[ab]m", "m"),
    ])
    func `in any case it has letters alone whose capitals are ASCII`(pattern: String, literal: String?) throws {
        let required = try RegexProgram(pattern, caseInsensitive: true).requiredLiteral
        #expect(required?.bytes.span.text == literal)
        #expect(required?.ignoresCase != false)
    }

    @Test(arguments: [
        ("xa{1,2}b", ["xab", "xaab"], ["xb", "xaaab"]), ("xa{2,}b", ["xaab", "xaaaab"], ["xab"]),
        ("x(ab){0,2}y", ["xy", "xaby", "xababy"], ["xabababy"]), ("xa?b", ["xb", "xab"], ["xaab"]),
    ])
    func `what may come more often than it must is found as often as it comes`(
        pattern: String, found: [String], missed: [String]
    ) throws {
        let matcher = TextMatching(try RegexProgram(pattern))
        let filler = String(repeating: "z", count: 300)
        for text in found { #expect(matcher.finds(Array((filler + text + filler).utf8)), "\(text)") }
        for text in missed { #expect(!matcher.finds(Array((filler + text + filler).utf8)), "\(text)") }
    }

    @Test
    func `without letters in any case it is as it stands`() throws {
        #expect(try RegexProgram("2024", caseInsensitive: true).requiredLiteral?.ignoresCase == false)
    }

    @Test(arguments: [
        ("sun", "\u{17F}UN"), ("masks", "ma\u{17F}\u{212A}s"), ("kelvin", "\u{212A}elvin"), ("ss", "\u{17F}S"),
    ])
    func `a letter that is another one in another case is found in a long text`(pattern: String, text: String)
        throws
    {
        for before in [0, 300] {
            let text = String(repeating: "x", count: before) + text + String(repeating: "y", count: 300)
            let matcher = TextMatching(try RegexProgram(pattern, caseInsensitive: true))
            #expect(matcher.finds(Array(text.utf8)))
        }
    }

    @Test(arguments: [
        ("mick", true), ("MICK", true), ("mic\u{212A}", true), ("mi", false), ("mic", false), ("MIC.K", false),
    ])
    func `a long text is refused by its bytes only where it has no match`(text: String, isFound: Bool) throws {
        for before in [0, 1, 31, 300, 1_000] {
            let text = String(repeating: "x", count: before) + text + String(repeating: "y", count: 1_000 - before)
            let matcher = TextMatching(try RegexProgram("mick", caseInsensitive: true))
            #expect(matcher.finds(Array(text.utf8)) == isFound)
            let exact = TextMatching(try RegexProgram("mick"))
            #expect(exact.finds(Array(text.utf8)) == text.contains("mick"))
        }
    }
}
