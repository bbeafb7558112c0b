// The manual page as a function of the command, in mdoc(7): what a tool takes and how it ends stands in the code once.
// What only a manual has to say is handed in, and goes after the options.

import PipelineCore

extension Command {
    /// The manual page in section 1.
    /// - Parameters:
    ///   - date: of the page, such as `November 21, 2026`.
    ///   - further: subsections of the description, in mdoc.
    ///   - related: other pages, each with its section, such as `jq 1`.
    func manualPage(date: String, further: String, related: [String]) -> String {
        let manual = manual
        var page = ".Dd \(date)\n.Dt \(name.uppercased()) 1\n.Os castline \(Tool.version)\n"
        page += ".Sh NAME\n.Nm \(name)\n.Nd \(Self.phrase(summary))\n.Sh SYNOPSIS\n"
        for form in manual.synopsis { page += ".Nm\n" + Self.operands(form) }
        page += ".Sh DESCRIPTION\n"
        page += manual.description.map(MandocText.filled).joined(separator: ".Pp\n")
        for group in groups {
            page += ".Ss \(group.heading)\n.Bl -tag -width Ds\n" + group.options.map(\.manualItem).joined()
            page += ".El\n"
        }
        page += ".Ss Help\n.Bl -tag -width Ds\n.It Fl h\nShow the options that most calls need.\n"
        page += ".It Fl -help\nShow a summary of this page.\n.It Fl -version\nShow the version.\n.El\n" + further
        page += Self.section("ENVIRONMENT", manual.environment.map { (".Ev \($0.name)", $0.meaning) })
        page += Self.section("EXIT STATUS", endings.map { ("\($0.status)", $0.meaning + ".") })
        if !manual.examples.isEmpty {
            page += ".Sh EXAMPLES\n" + manual.examples.map(Self.example).joined(separator: ".Pp\n")
        }
        return page + ".Sh SEE ALSO\n" + related.map { ".Xr \($0)" }.joined(separator: " ,\n") + "\n"
    }

    /// The summary as a phrase: no capital, no full stop.
    private static func phrase(_ summary: String) -> String {
        MandocText.escaped(summary.prefix(1).lowercased() + summary.dropFirst().prefix { $0 != "." })
    }

    /// A form of a call, a line for each of its parts: `[options]`, `-e QUERY...`, `[FILE...]`.
    private static func operands(_ form: String) -> String {
        form.split(separator: " ").map { part in
            let isOptional = part.hasPrefix("[")
            var word = part.filter { $0 != "[" && $0 != "]" }
            let isRepeated = word.hasSuffix("...")
            if isRepeated { word.removeLast(3) }
            let mark = word.hasPrefix("-") ? "Fl \(MandocText.escaped(word.dropFirst()))" : "Ar \(word)"
            return (isOptional ? ".Op " : ".") + mark + (isRepeated ? " ..." : "") + "\n"
        }.joined()
    }

    /// What an example does, and the example as it is typed.
    private static func example(_ text: String, _ purpose: String) -> String {
        let purpose = purpose.hasSuffix(".") ? String(purpose.dropLast()) : purpose
        return MandocText.filled(purpose + ":") + ".Bd -literal -offset indent\n"
            + text.split(separator: "\n").map { MandocText.line($0) + "\n" }.joined() + ".Ed\n"
    }

    private static func section(_ title: String, _ items: [(String, String)]) -> String {
        guard !items.isEmpty else { return "" }
        let list = items.map { term, meaning in
            ".It \(term.hasPrefix(".") ? String(term.dropFirst()) : term)\n" + MandocText.filled(meaning)
        }
        return ".Sh \(title)\n.Bl -tag -width Ds\n" + list.joined() + ".El\n"
    }
}

extension CommandOption {
    /// The option in a list of the manual.
    fileprivate var manualItem: String {
        let value =
            switch argument {
            case .none: ""
            case .required(let value): " Ar \(value)"
            case .optional(let value): " Ns Op Ns = Ns Ar \(value)"
            }
        let letter = short.map { "Fl \($0) , " } ?? ""
        return ".It \(letter)Fl -\(name)\(value)\n" + MandocText.filled(help)
    }
}
