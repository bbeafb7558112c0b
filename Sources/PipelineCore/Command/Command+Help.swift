// `-h` is one screen: examples first, since most users want one to copy, then the options that most calls need. `--help`
// has all options, and how a run can end.

extension Command {
    /// The forms of a call, one a line.
    package var usage: String {
        manual.synopsis.enumerated().map { ($0 == 0 ? "usage: " : "       ") + "\(name) \($1)\n" }.joined()
    }

    /// The text of `-h`: at 80 columns it fits a screen of 24 lines.
    package func shortHelp(width: Int = 80) -> String {
        let width = Self.fitting(width)
        // Many forms leave room for one example.
        var text = opening(manual.examples.prefix(manual.synopsis.count > 2 ? 1 : 2), width) + "\nOptions:\n"
        for (name, purpose) in manual.mainOptions {
            guard let option = option(name) else {
                preconditionFailure("\(self.name) has no option --\(name)")
            }
            text += lines(option.spelling, purpose, width)
        }
        return text + "\n"
            + Self.wrapped(
                "\(name) --help has all \(options.count + 2) options; see also man \(name).", indent: 0,
                width: width)
    }

    package func help(width: Int = 80) -> String {
        let width = Self.fitting(width)
        let manual = manual
        var text = opening(manual.examples[...], width)
        for paragraph in manual.description { text += "\n" + Self.wrapped(paragraph, indent: 0, width: width) }
        for group in groups {
            text += "\n\(group.heading):\n"
            for option in group.options { text += lines(option.spelling, option.help, width) }
        }
        text += lines("-h, --help", "Show a summary, or this help.", width)
        text += lines("    --version", "Show the version.", width)
        text += "\nExit status:\n"
        for ending in endings { text += lines("\(ending.status)", ending.meaning, width, column: 7) }
        return text
    }

    private static func fitting(_ width: Int) -> Int { min(max(width, 40), 100) }

    private func opening(_ examples: ArraySlice<(text: String, purpose: String)>, _ width: Int) -> String {
        var text = Self.wrapped(summary, indent: 0, width: width) + "\n" + usage
        if !examples.isEmpty { text += "\nExamples:\n" }
        for example in examples {
            text += "  \(example.text)\n" + Self.wrapped(example.purpose, indent: 6, width: width)
        }
        return text
    }

    /// A term and its explanation: side by side, or on separate lines if the term is too long.
    private func lines(_ term: String, _ explanation: String, _ width: Int, column: Int = 28) -> String {
        let column = min(column, width / 3)
        let body = Self.wrapped(explanation, indent: column, width: width)
        guard term.count + 3 < column else { return "  \(term)\n" + body }
        return "  " + term + String(repeating: " ", count: column - term.count - 2) + body.dropFirst(column)
    }

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
