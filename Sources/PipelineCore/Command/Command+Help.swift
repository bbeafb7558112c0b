// `--help`: examples first, since most users want one to copy; then the options, then how a run can end.

extension Command {
    /// The forms of a call, one a line.
    package var usage: String {
        synopsis.enumerated().map { ($0 == 0 ? "usage: " : "       ") + "\(name) \($1)\n" }.joined()
    }

    /// The text of `--help`.
    /// - Parameter width: the terminal's columns.
    package func help(width: Int = 80) -> String {
        let width = min(max(width, 40), 100)
        var text = Self.wrapped(summary, indent: 0, width: width) + "\n" + usage
        if !examples.isEmpty {
            text += "\nExamples:\n"
            for example in examples {
                text += "  \(example.text)\n" + Self.wrapped(example.purpose, indent: 6, width: width)
            }
        }
        for paragraph in description { text += "\n" + Self.wrapped(paragraph, indent: 0, width: width) }
        for group in groups {
            text += "\n\(group.heading):\n"
            for option in group.options { text += lines(option.spelling, option.help, width) }
        }
        text += lines("-h, --help", "Show this help.", width)
        text += lines("    --version", "Show the version.", width)
        text += terms("Environment", environment, width) + terms("Files", files, width)
        text += "\nExit status:\n"
        for status in ExitStatus.allCases { text += lines("\(status.rawValue)", status.meaning, width, column: 7) }
        text += lines("130", "ended by SIGINT", width, column: 7)
        text += lines("143", "ended by SIGTERM", width, column: 7)
        return text
    }

    private func terms(_ heading: String, _ terms: [GlossaryEntry], _ width: Int) -> String {
        guard !terms.isEmpty else { return "" }
        return "\n\(heading):\n" + terms.map { lines($0.name, $0.meaning, width) }.joined()
    }

    /// A term and its explanation: side by side, or on separate lines if the term is too long.
    private func lines(_ term: String, _ explanation: String, _ width: Int, column: Int = 28) -> String {
        let column = min(column, width / 3)
        let body = Self.wrapped(explanation, indent: column, width: width)
        guard term.count + 3 < column else { return "  \(term)\n" + body }
        return "  " + term + String(repeating: " ", count: column - term.count - 2) + body.dropFirst(column)
    }

    /// The text in lines of at most `width` columns, each indented.
    static func wrapped(_ text: String, indent: Int, width: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        var lines = ""
        var line = margin
        for word in text.split(separator: " ") {
            if line.count > indent, line.count + 1 + word.count > width {
                lines += line + "\n"
                line = margin
            }
            line += (line.count > indent ? " " : "") + word
        }
        return lines + line + "\n"
    }
}

extension CommandOption {
    /// The option as the help writes it: `-n, --limit N`.
    package var spelling: String {
        let long =
            switch argument {
            case .none: "--\(name)"
            case .required(let value): "--\(name) \(value)"
            case .optional(let value): "--\(name)[=\(value)]"
            }
        return (short.map { "-\($0), " } ?? "    ") + long
    }
}
