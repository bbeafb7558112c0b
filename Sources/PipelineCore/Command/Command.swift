// A command as a value: the parser, `--help`, the manual page and the completions are all derived from it, so none
// of them can miss an option.

package struct Command<Settings> {
    package let name: String
    package let summary: String
    package let options: [CommandOption<Settings>]
    package let rules: () -> [OptionRule]
    /// What to write instead of an operand, if the command takes none.
    package let operandAdvice: ((String) -> String)?
    /// Stores an operand, which may name a file: anything else is checked there. Nil if the command takes none.
    package let operand: ((inout Settings, String) throws(UsageError) -> Void)?
    private let fill: (inout CommandManual) -> Void

    package init(
        name: String, summary: String, options: [CommandOption<Settings>],
        rules: @autoclosure @escaping () -> [OptionRule] = [], operandAdvice: ((String) -> String)? = nil,
        operand: ((inout Settings, String) throws(UsageError) -> Void)? = nil,
        manual: @escaping (inout CommandManual) -> Void
    ) {
        self.name = name
        self.summary = summary
        self.options = options
        self.rules = rules
        self.operandAdvice = operandAdvice
        self.operand = operand
        fill = manual
    }

    /// Created on demand, so that a run starts sooner.
    package var manual: CommandManual {
        var manual = CommandManual()
        fill(&manual)
        return manual
    }

    /// The statuses that the tool may end with, and those of signals.
    package var endings: [(status: Int32, meaning: String)] {
        let meanings = manual.meanings
        return ExitStatus.allCases.filter { $0.isPossible(for: name) }.map {
            ($0.rawValue, meanings[$0] ?? $0.meaning)
        }
            + [(129, "hung up (SIGHUP)"), (130, "interrupted (SIGINT)"), (143, "terminated (SIGTERM)")]
    }

    func option(_ name: String) -> CommandOption<Settings>? { options.first { $0.name == name } }

    package var groups: [(heading: String, options: [CommandOption<Settings>])] {
        let headings = options.map(\.heading).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return headings.map { heading in (heading, options.filter { $0.heading == heading }) }
    }
}

/// What only help and errors need of a command.
package struct CommandManual {
    /// The forms of a call, without the tool's name.
    package var synopsis: [String] = []
    package var description: [String] = []
    package var examples: [(text: String, purpose: String)] = []
    /// The options that most calls need, by their names, each in a line for `-h`.
    package var mainOptions: [(name: String, purpose: String)] = []
    /// What a status means for this tool, where that says more than the table of all tools.
    package var meanings: [ExitStatus: String] = [:]
    package var environment: [(name: String, meaning: String)] = [Progress.advice]
    /// What does the job of an option that other tools have, or that this one had: its names, separated by spaces, and a
    /// clause that says what to write.
    package var habits: [(names: String, cure: String)] = []

    /// The variables of tools that send requests.
    package static let network = [
        ("XDG_CACHE_HOME", "Parent directory of the cache. Default: ~/.cache."),
        (
            "http_proxy, https_proxy, all_proxy, no_proxy",
            "Proxy for each scheme, and hosts to contact directly."
        ), ("CURL_CA_BUNDLE, SSL_CERT_FILE, SSL_CERT_DIR", "Trusted certificates, in place of the system's."),
    ]

    /// What does the job of options that all tools had.
    private static let formerOptions = [
        (names: "rejects", cure: "write --on-bad-line=FILE, which skips bad lines and writes them to FILE"),
        (names: "max-line", cure: "a line may have 64 MiB; leave it out"),
        (names: "progress", cure: "set \(Progress.variable) to always or never; --quiet prints errors only"),
    ]

    /// - Parameter option: a name or a letter, without dashes.
    func habit(_ option: String) -> String? {
        (habits + Self.formerOptions).first { $0.names.split(separator: " ").contains(option[...]) }?.cure
    }
}

package struct UsageError: Error, Equatable, Sendable {
    /// One line in lower case: what is wrong; what to write.
    package let message: Message

    package init(_ message: Message) { self.message = message }
}
