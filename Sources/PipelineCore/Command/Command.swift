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
    package let options: [CommandOption<Settings>]
    /// What to write in place of an operand, where the command takes none.
    package let operandAdvice: String?
    /// Stores an operand. Without it the command takes none.
    package let operand: ((inout Settings, String) throws(UsageError) -> Void)?

    // What only help and errors need is made when they do: a run starts sooner without it.
    private let makeSynopsis: () -> [String]
    private let makeDescription: () -> [String]
    private let makeExamples: () -> [CommandExample]
    private let makeEnvironment: () -> [GlossaryEntry]
    private let makeFiles: () -> [GlossaryEntry]
    private let makeForeignOptions: () -> [String: String]

    package init(
        name: String, summary: String, synopsis: @autoclosure @escaping () -> [String],
        description: @autoclosure @escaping () -> [String], examples: @autoclosure @escaping () -> [CommandExample],
        options: [CommandOption<Settings>], environment: @autoclosure @escaping () -> [GlossaryEntry] = [],
        files: @autoclosure @escaping () -> [GlossaryEntry] = [],
        hintsForForeignOptions: @autoclosure @escaping () -> [String: String] = [:], operandAdvice: String? = nil,
        operand: ((inout Settings, String) throws(UsageError) -> Void)? = nil
    ) {
        self.name = name
        self.summary = summary
        self.options = options
        self.operandAdvice = operandAdvice
        self.operand = operand
        makeSynopsis = synopsis
        makeDescription = description
        makeExamples = examples
        makeEnvironment = environment
        makeFiles = files
        makeForeignOptions = hintsForForeignOptions
    }

    /// The forms of a call, the tool's name left out.
    package var synopsis: [String] { makeSynopsis() }
    /// What the tool does, in paragraphs.
    package var description: [String] { makeDescription() }
    package var examples: [CommandExample] { makeExamples() }
    /// The variables that a run minds.
    package var environment: [GlossaryEntry] { makeEnvironment() }
    /// The files that a run minds and no option names.
    package var files: [GlossaryEntry] { makeFiles() }
    /// What to do in place of an option that other tools have, by its name or letter.
    package var hintsForForeignOptions: [String: String] { makeForeignOptions() }
    /// The hints of a tool that writes records to stdout.
    package static var hintsForOutputOptions: [String: String] {
        let hint = "records go to stdout, write > FILE"
        return ["o": hint, "output": hint]
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
