// Plain text as mdoc(7) wants it: a sentence begins a line, no line is longer than 78 columns, and nothing that the
// language has a meaning for is taken for that.

enum MandocText {
    /// A paragraph in lines of its own.
    static func filled(_ text: String) -> String {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            let word = escaped(word)
            if !line.isEmpty, line.utf8.count + 1 + word.utf8.count > 78 || endsSentence(line) {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        lines.append(line)
        return lines.map { guarded($0) + "\n" }.joined()
    }

    /// A line that stays as it is.
    static func line(_ text: some StringProtocol) -> String { guarded(escaped(text)) }

    /// Backslashes, and minus signs that are no hyphens: a reader copies options and numbers.
    static func escaped(_ text: some StringProtocol) -> String {
        var result = ""
        var previous: Character = " "
        for character in text {
            switch character {
            case "\\": result += "\\e"
            case "-" where !previous.isLetter: result += "\\-"
            default: result.append(character)
            }
            previous = character
        }
        return result
    }

    /// A dot or an apostrophe that begins a line would make a request of it.
    private static func guarded(_ line: String) -> String {
        line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
    }

    private static func endsSentence(_ line: String) -> Bool {
        line.hasSuffix(".") || line.hasSuffix(".)") || line.hasSuffix("?")
    }
}
