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
    package var endings: [RunEnding] = []
    package var environment: [(name: String, meaning: String)] = []
    /// What does the job of an option that other tools have, or that this one had: its names, separated by spaces, and a
    /// clause that says what to write.
    package var habits: [(names: String, cure: String)] = []

    package static let proxies = (
        "http_proxy, https_proxy, all_proxy, no_proxy",
        "Proxy for each scheme, and hosts to contact directly."
    )
    package static let certificates = (
        "CURL_CA_BUNDLE, SSL_CERT_FILE, SSL_CERT_DIR",
        "Trusted certificates, in place of the system's."
    )
    package static let caches = ("XDG_CACHE_HOME", "Parent directory of the cache. Default: ~/.cache.")

    /// - Parameter option: a name or a letter, without dashes.
    func habit(_ option: String) -> String? {
        habits.first { $0.names.split(separator: " ").contains(option[...]) }?.cure
    }
}

package struct RunEnding: Sendable {
    package let status: Int32
    package let meaning: String

    private static let signals = [
        RunEnding(status: 130, meaning: "interrupted (SIGINT)"),
        RunEnding(status: 143, meaning: "terminated (SIGTERM)"),
    ]

    /// - Parameter own: what a status means for this tool, where that says more than the table of all tools.
    package static func of(_ statuses: [ExitStatus], own: [ExitStatus: String] = [:]) -> [RunEnding] {
        statuses.map { RunEnding(status: $0.rawValue, meaning: own[$0] ?? $0.meaning) } + signals
    }
}

package struct UsageError: Error, Equatable, Sendable {
    /// One line in lower case: what is wrong; what to write.
    package let message: Message

    package init(_ message: Message) { self.message = message }
}
