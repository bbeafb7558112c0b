// Decides what a copy has changed in a command on its way through word processors, chats and web pages: each is named, as the
// command that was meant can't be known.
//
//     curl “https://h/l” –H “A: b”          ```bash          https://h/l?a=1&amp;b=2          \ with a space behind it

import PipelineCore

enum CopyDamage {
    private static let signs: [(name: String, signs: String)] = [
        ("a curly quote", "“”„‘’‚"), ("a quote", "«»"), ("an accent", "´"), ("a wide quote", "＂＇"),
        ("an ellipsis", "…"),
        ("an en dash", "–"), ("an em dash", "—"), ("a minus sign", "−"), ("a hyphen of print", "‐"),
        ("a hyphen that doesn't break", "‑"), ("a long dash", "―"),
    ]
    private static let invisible: [Character: Message] = [
        "\u{200B}": "an invisible space (U+200B)", "\u{2060}": "an invisible sign (U+2060)",
        "\u{200E}": "an invisible sign (U+200E)", "\u{FEFF}": "an invisible sign (U+FEFF)",
    ]

    /// What to call a sign that no command has outside of quotes.
    static func name(of sign: Character) -> Message? {
        let found = signs.first { $0.signs.contains(sign) }
        return found.map { "\($0.name) (\(sign))" } ?? invisible[sign]
    }

    /// A dash within a word may belong to a URL.
    static func isDash(_ sign: Character) -> Bool { "–—−‐‑―".contains(sign) }

    /// What a text has that stands before a command, between its lines, or in place of its signs. Nil for none.
    static func of(_ text: Substring) -> Message? {
        if let fence = ["```", "~~~"].first(where: text.hasPrefix) {
            return "the text begins with a Markdown fence (\(fence)); give the command between the fences alone"
        }
        if let quote = ["`", ">"].first(where: text.hasPrefix) {
            return "the text begins with a Markdown quote (\(quote)); leave it out"
        }
        if ["&amp;", "&quot;"].contains(where: text.contains) {
            return "the command has &amp; or &quot;, as pages of HTML write & and quotes; copy it as plain text"
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let end = line.reversed().drop(while: \.isWhitespace)
            guard end.count < line.count, let sign = end.first, index < lines.count - 1 else { continue }
            // An odd number of backslashes protects the space.
            let backslashes = end.prefix { $0 == "\\" }.count
            guard backslashes % 2 == 1 || ["^ ", "^\t"].contains(where: { end.starts(with: $0) }) else { continue }
            return "a space stands behind the \(sign) at the end of line \(index + 1); remove it"
        }
        return nil
    }
}
