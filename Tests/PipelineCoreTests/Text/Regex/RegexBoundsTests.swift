// Patterns made to exhaust memory, time or the stack are refused or read, whatever they are.

import PipelineCore
import Testing

struct RegexBoundsTests {
    private func reason(_ pattern: String) -> String? {
        do throws(RegexError) {
            _ = try RegexProgram(pattern, caseInsensitive: true)
            return nil
        } catch {
            return error.message
        }
    }

    private static func copies(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    @Test(arguments: [
        "((a{1000}){1000}){1000}", "((a?){1000}){1000}", "(((a|b){0,1000}){0,1000}){0,1000}",
        "((^){1000}){1000}",
        "(((|){1000}){1000}){1000}", "(\\w{1000}){10}", "((a*){1000}){1000}", "((a*?){1000}?){1000}",
    ])
    func `a pattern whose automaton would be too large is refused`(pattern: String) {
        #expect(reason(pattern)?.hasPrefix("the pattern needs more than 10 MiB") == true)
    }

    @Test
    func `repeated nothing is nothing`() throws {
        #expect(try RegexProgram("(((){1000}){1000}){1000}").stateCount == 1)
        #expect(try RegexProgram("((a{0}){1000}){1000}").stateCount == 1)
    }

    /// Patterns that just fit, and what refuses those that don't.
    private static let limits: [(pattern: String, refusal: String?)] = [
        (copies("a", 65_536), nil), (copies("a", 65_537), "the pattern is longer than 65536 bytes"),
        (copies("é", 32_769), "the pattern is longer than 65536 bytes"),
        (copies("(", 250) + "a" + copies(")", 250), nil), (copies("[a", 250) + copies("]", 250), nil),
        (copies("(a|", 250) + "b" + copies(")*?", 250), nil),
        (copies("(?:", 251), "groups or classes are nested deeper than 250"),
        (copies("(", 60_000), "groups or classes are nested deeper than 250"),
        (copies("[a", 30_000), "groups or classes are nested deeper than 250"),
        (copies("(", 200) + copies("[a", 51), "groups or classes are nested deeper than 250"),
        // As many parentheses as fit aren't followed down the stack.
        (copies("()", 32_768), nil), (copies(")", 65_536), "no group is open"),
        (copies("(", 100_000), "the pattern is longer than 65536 bytes"),
    ]

    @Test(arguments: limits.indices)
    func `a pattern may be 64 KiB long, and groups and classes nested 250 deep`(index: Int) {
        let (pattern, refusal) = Self.limits[index]
        let reason = reason(pattern)
        #expect(refusal.map { reason?.hasPrefix($0) == true } ?? (reason == nil))
    }

    @Test(arguments: [
        ("a|", "", 30_000, ""), ("(?i)", "", 16_000, "a"), ("[a]", "", 20_000, ""), ("a*", "", 30_000, ""),
        ("(a|b)?", "", 10_000, ""), ("\\b", "", 30_000, ""), ("\\w", "[", 30_000, "]"),
        ("[\\w]", "[", 13_000, "]"),
        ("a-z", "[", 20_000, "]"), ("&&\\w", "[\\w", 13_000, "]"), ("[:alpha:]", "[", 7_000, "]"),
        ("\\p{Lu}", "[", 9_000, "]"), ("(?<n>a)", "", 9_000, ""), ("(?#a)", "", 13_000, ""),
    ])
    func `long lists of anything are read`(piece: String, before: String, count: Int, after: String) {
        #expect(reason(before + Self.copies(piece, count) + after) == nil)
    }

    @Test
    func `more sets than memory should hold are refused`() {
        #expect(reason(Self.copies("\\w", 30_000))?.hasPrefix("the pattern needs more than 10 MiB") == true)
        let distinct = (0..<5_000).map { "[\\w\\x{\(String(0x2190 + $0 % 0x300, radix: 16))}]" }.joined()
        #expect(reason(distinct)?.hasPrefix("the pattern needs more than 10 MiB") == true)
    }
}
