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

    private func copies(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

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

    @Test
    func `a pattern may be 64 KiB long and no longer`() {
        #expect(reason(copies("a", 65_537))?.hasPrefix("the pattern is longer than 65536 bytes") == true)
        #expect(reason(copies("é", 32_769))?.hasPrefix("the pattern is longer than 65536 bytes") == true)
        #expect(reason(copies("a", 65_536)) == nil)
    }

    @Test
    func `groups and classes may be nested 250 deep and no deeper`() {
        #expect(reason(copies("(", 250) + "a" + copies(")", 250)) == nil)
        #expect(reason(copies("(?:", 251))?.hasPrefix("groups or classes are nested deeper than 250") == true)
        #expect(reason(copies("(", 60_000))?.hasPrefix("groups or classes are nested deeper than 250") == true)
        #expect(reason(copies("[a", 250) + copies("]", 250)) == nil)
        #expect(reason(copies("[a", 30_000))?.hasPrefix("groups or classes are nested deeper than 250") == true)
        #expect(
            reason(copies("(", 200) + copies("[a", 51))?.hasPrefix("groups or classes are nested deeper than 250")
                == true)
        #expect(reason(copies("(a|", 250) + "b" + copies(")*?", 250)) == nil)
    }

    @Test
    func `as many parentheses as fit are read or refused, not followed down the stack`() {
        #expect(reason(copies("()", 32_768)) == nil)
        #expect(reason(copies(")", 65_536))?.hasPrefix("no group is open") == true)
        #expect(reason(copies("(", 100_000))?.hasPrefix("the pattern is longer than 65536 bytes") == true)
    }

    @Test(arguments: [
        ("a|", "", 30_000, ""), ("(?i)", "", 16_000, "a"), ("[a]", "", 20_000, ""), ("a*", "", 30_000, ""),
        ("(a|b)?", "", 10_000, ""), ("\\b", "", 30_000, ""), ("\\w", "[", 30_000, "]"),
        ("[\\w]", "[", 13_000, "]"),
        ("a-z", "[", 20_000, "]"), ("&&\\w", "[\\w", 13_000, "]"), ("[:alpha:]", "[", 7_000, "]"),
        ("\\p{Lu}", "[", 9_000, "]"), ("(?<n>a)", "", 9_000, ""), ("(?#a)", "", 13_000, ""),
    ])
    func `long lists of anything are read`(piece: String, before: String, count: Int, after: String) {
        #expect(reason(before + copies(piece, count) + after) == nil)
    }

    @Test
    func `more sets than memory should hold are refused`() {
        #expect(reason(copies("\\w", 30_000))?.hasPrefix("the pattern needs more than 10 MiB") == true)
        let distinct = (0..<5_000).map { "[\\w\\x{\(String(0x2190 + $0 % 0x300, radix: 16))}]" }.joined()
        #expect(reason(distinct)?.hasPrefix("the pattern needs more than 10 MiB") == true)
    }
}
