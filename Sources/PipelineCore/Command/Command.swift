// A command as a value: the parser, `--help`, the manual page and the completions are all derived from it, so none
// of them can miss an option.
//
//     Command<Settings>(
//         name: "filter-search", summary: "Print the records in which a text is found.",
//         synopsis: ["[options] QUERY [FILE...]"],
//         options: [.value("limit", short: "n", "COUNT", help: "Stop after COUNT records.") { … }],
//         …)

/// How a tool is called and what it does.
package struct Command<Settings> {
    package let name: String
    /// One sentence.
    package let summary: String
    package let options: [CommandOption<Settings>]
    /// What to write instead of an operand, if the command takes none.
    package let operandAdvice: String?
    /// Stores an operand, which may name a file: anything else is checked there. Nil if the command takes none.
    package let operand: ((inout Settings, String) throws(UsageError) -> Void)?

    // What only help and errors need is created on demand, so that a run starts sooner.
    private let makeSynopsis: () -> [String]
    private let makeDescription: () -> [String]
    private let makeExamples: () -> [CommandExample]
    private let makeEnvironment: () -> [GlossaryEntry]
    private let makeFiles: () -> [GlossaryEntry]
    private let makeEndings: () -> [RunEnding]
    private let makeMainOptions: () -> [(name: String, purpose: String)]
    private let makeForeignOptions: () -> [String: String]

    package init(
        name: String, summary: String, synopsis: @autoclosure @escaping () -> [String],
        description: @autoclosure @escaping () -> [String], examples: @autoclosure @escaping () -> [CommandExample],
        options: [CommandOption<Settings>],
        mainOptions: @autoclosure @escaping () -> [(name: String, purpose: String)] = [],
        endings: @autoclosure @escaping () -> [RunEnding] = RunEnding.all,
        environment: @autoclosure @escaping () -> [GlossaryEntry] = [],
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
        makeEndings = endings
        makeMainOptions = mainOptions
        makeForeignOptions = hintsForForeignOptions
    }

    /// The forms of a call, without the tool's name.
    package var synopsis: [String] { makeSynopsis() }
    /// What the tool does, in paragraphs.
    package var description: [String] { makeDescription() }
    package var examples: [CommandExample] { makeExamples() }
    /// The variables that affect a run.
    package var environment: [GlossaryEntry] { makeEnvironment() }
    /// The files that affect a run without being named by an option.
    package var files: [GlossaryEntry] { makeFiles() }
    /// The options that most calls need, by their names, each in a line for `-h`.
    package var mainOptions: [(name: String, purpose: String)] { makeMainOptions() }
    /// How a run can end.
    package var endings: [RunEnding] { makeEndings() }
    /// What to use instead of an option that other tools have, by its name or letter.
    package var hintsForForeignOptions: [String: String] { makeForeignOptions() }
    /// The hints of a tool that writes records to stdout.
    package static var hintsForOutputOptions: [String: String] {
        let hint = "records go to stdout, write > FILE"
        return ["o": hint, "output": hint]
    }
}

/// A call worth copying, and what it does.
package struct CommandExample: Sendable {
    package let text: String
    package let purpose: String

    package init(_ text: String, _ purpose: String) {
        self.text = text
        self.purpose = purpose
    }
}

/// An error in the command line.
package struct UsageError: Error, Equatable, Sendable {
    /// One line in lower case: what is wrong; what to write.
    package let message: String

    package init(_ message: String) { self.message = message }
}
