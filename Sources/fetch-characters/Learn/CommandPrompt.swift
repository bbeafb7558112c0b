// Commands for cmd, the command prompt of Windows, whose caret takes a sign's meaning away.
//
//     curl ^"https://h/l?a=1^&b=2^" ^        Chrome
//     curl "https://h/l?a=1^&q=x^%^2Cy" ^    older copies of Chrome: within plain quotes cmd would keep the carets
//     curl "https://h/l?a=1&b=2" ^           by hand, and Firefox

enum CommandPrompt {
    /// Whether a command is for cmd.
    static func wrote(_ text: Substring) -> Bool {
        let quote = text.firstIndex { $0 == "'" || $0 == "\"" }
        let isDouble = quote.map { text[$0] == "\"" } ?? true
        let hasCaretBefore = quote.map { text[..<$0].hasSuffix("^") } ?? false
        // No URL has these.
        let hasCarets = text.contains("^&") || text.contains("^%")
        return isDouble && (hasCaretBefore || hasCarets)
            || text.split(separator: "\n").contains { $0.hasSuffix(" ^") }
    }

    /// The command as a program gets it.
    static func withoutCarets(_ text: Substring) -> [Character] {
        let hasQuotedCarets = text.contains("^\"")
        var plain: [Character] = []
        var isQuoted = false
        var rest = text
        while let sign = rest.popFirst() {
            if sign == "\"" { isQuoted.toggle() }
            let isEscape = hasQuotedCarets || !isQuoted || isOlderEscape(before: rest.first, after: plain.last)
            guard sign == "^", isEscape else {
                plain.append(sign == "\n" && !hasQuotedCarets ? " " : sign)
                continue
            }
            guard let escaped = rest.popFirst() else { break }
            switch (escaped, rest.first) {
            // Two line ends are one.
            case ("\n", "\n"): plain.append(rest.removeFirst())
            case ("\n", _): plain.append(" ")
            default: plain.append(escaped)
            }
        }
        return plain
    }

    /// Older copies have a caret before all but letters, digits and a few signs, and behind a percent sign.
    private static func isOlderEscape(before next: Character?, after last: Character?) -> Bool {
        guard let next else { return false }
        let isPlain = next.isASCII && (next.isLetter || next.isNumber || " \t\n_-:=+~'/.,?;()*`".contains(next))
        return !isPlain || last == "%" && next.isASCII && (next.isLetter || next.isNumber || next == "_")
    }
}
