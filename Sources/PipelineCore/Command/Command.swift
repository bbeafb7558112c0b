// A command as a value: the parser, `--help`, the manual page and the completions are functions of it, so that none of
// them can forget an option.
//
//     Command<Settings>(
//         name: "filter-search", summary: "Print the records in which a text is found.",
//         synopsis: ["[options] QUERY [FILE...]"],
//         options: [.value("limit", short: "n", "COUNT", help: "Stop after COUNT records.") { … }],
//         …)

/// What a tool is called with and what it does.
package struct Command<Settings> {
    package let name: String
    /// One sentence.
    package let summary: String
    /// The forms of a call, the tool's name left out.
    package let synopsis: [String]
    /// What the tool does, in paragraphs.
    package let description: [String]
    package let examples: [CommandExample]
    package let options: [CommandOption<Settings>]
    /// The variables that a run minds.
    package let environment: [CommandTerm]
    /// The files that a run minds and no option names.
    package let files: [CommandTerm]
    /// What to do in place of an option that other tools have, by its name or letter.
    package let foreignOptions: [String: String]
    /// What to write in place of an operand, where the command takes none.
    package let operandAdvice: String?
    /// Stores an operand. Without it the command takes none.
    package let operand: ((inout Settings, String) throws(UsageError) -> Void)?

    package init(
        name: String, summary: String, synopsis: [String], description: [String], examples: [CommandExample],
        options: [CommandOption<Settings>], environment: [CommandTerm] = [], files: [CommandTerm] = [],
        foreignOptions: [String: String] = [:], operandAdvice: String? = nil,
        operand: ((inout Settings, String) throws(UsageError) -> Void)? = nil
    ) {
        self.name = name
        self.summary = summary
        self.synopsis = synopsis
        self.description = description
        self.examples = examples
        self.options = options
        self.environment = environment
        self.files = files
        self.foreignOptions = foreignOptions
        self.operandAdvice = operandAdvice
        self.operand = operand
    }
}

/// A call worth copying and what it does.
package struct CommandExample: Sendable {
    package let text: String
    package let purpose: String

    package init(_ text: String, _ purpose: String) {
        self.text = text
        self.purpose = purpose
    }
}

/// A fault in the command line.
package struct UsageError: Error, Equatable, Sendable {
    /// One line in lower case: what is wrong; what to write.
    package let message: String

    package init(_ message: String) { self.message = message }
}
