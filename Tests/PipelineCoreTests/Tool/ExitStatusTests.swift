// Which status a run ends with where several things went wrong, and what messages quote: nothing of it moves, hides or
// reverses the rest of the line.

import PipelineCore
import Testing

@Suite struct ExitStatusTests {
    /// The gravest first.
    private static let order: [PipelineCore.ExitStatus] = [
        .inputOutput, .noInput, .badData, .usage, .cannotCreate, .software, .unavailable, .tryLater, .protocolError,
        .refused,
        .noMatch, .done,
    ]

    @Test
    func `of two statuses the graver one is the run's, in whichever order they come`() {
        #expect(Set(Self.order) == Set(PipelineCore.ExitStatus.allCases))
        for (place, graver) in Self.order.enumerated() {
            for other in Self.order[place...] {
                #expect(graver.combined(with: other) == graver)
                #expect(other.combined(with: graver) == graver)
            }
        }
    }
}

struct DiagnosticsTests {
    @Test(
        arguments: [
            ("a", "a", nil), ("a; b", "a", "b"), ("a; b; c", "a; b", "c"), ("\("a; b")", "a; b", nil),
            ("\("a; b"): c; \("d; e")", "a; b: c", "d; e"), ("f: \("a; b" as Message) (c)", "f: a", "b (c)"),
            ("\("a; b" as Message); c", "a; b", "c"), ("a" + "b; c", "ab", "c"), ("a; b" + "c", "a", "bc"),
        ] as [(Message, String, String?)])
    func `a message has what happened, and what its literals say about it`(
        message: Message, what: String, cure: String?
    ) {
        #expect(message == Message(what, cure: cure))
        #expect(message.description == what + (cure.map { "; \($0)" } ?? ""))
    }

    /// Controls, separators, marks of direction, characters of no width, tags, annotations.
    static let hidden: [ClosedRange<UInt32>] = [
        0...0x1F, 0x7F...0x9F, 0xAD...0xAD, 0x61C...0x61C, 0x180E...0x180E, 0x200B...0x200F, 0x2028...0x202E,
        0x2060...0x2064, 0x2066...0x2069, 0x3164...0x3164, 0xFEFF...0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F,
    ]

    @Test(arguments: hidden) func `a character that nobody sees is shown as an escape`(range: ClosedRange<UInt32>)
        throws
    {
        for value in range {
            let scalar = try #require(Unicode.Scalar(value))
            let escape = "\\u{\(String(value, radix: 16))}"
            #expect(Diagnostics.printable("a\(scalar)b\(scalar)") == "a\(escape)b\(escape)")
        }
    }

    @Test(arguments: [
        "", "Mick", "Bj\u{F6}rk", "e\u{301}", "\u{30DB}\u{30B7}\u{30CE}", "\u{627}\u{644}\u{645}", "\u{5D0}",
        "\u{2764}\u{FE0F}",
        "\u{845B}\u{E0100}", "\u{1F1E9}\u{1F1EA}", "a\u{A0}b", "\u{FFFD}", "\\u{202e}",
    ])
    func `what can be seen stays as it is`(text: String) {
        #expect(Diagnostics.printable(text) == text)
    }
}
