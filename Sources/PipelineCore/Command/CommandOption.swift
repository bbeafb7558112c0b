// One option: how it is spelt, what it takes, its help text, and where its value goes.

/// An option of a command.
package struct CommandOption<Settings> {
    /// What follows the option's name.
    package enum Argument: Equatable, Sendable {
        case none
        /// A value, with its name in the help: `--limit N`, `--limit=N`, `-n N`, `-nN`.
        case required(String)
        /// A value only after an equals sign: `--placeholder`, `--placeholder=FILE`.
        case optional(String)
    }

    /// Without the dashes.
    package let name: String
    package let short: Unicode.Scalar?
    package let argument: Argument
    package let help: String
    /// The words that the value may be, each with its meaning, for completion. Made when needed.
    package let choices: () -> [OptionChoice]
    /// Its heading in the help and the manual.
    package internal(set) var heading = "Options"
    /// Stores the value; the text is empty if the option has none.
    package let apply: (inout Settings, String) throws(UsageError) -> Void

    /// An option without a value.
    package static func flag(
        _ name: String, short: Unicode.Scalar? = nil, help: String, _ apply: @escaping (inout Settings) -> Void
    ) -> CommandOption {
        CommandOption(name: name, short: short, argument: .none, help: help, choices: { [] }) {
            (settings, _) throws(UsageError) in apply(&settings)
        }
    }

    /// An option with a value.
    package static func value(
        _ name: String, short: Unicode.Scalar? = nil, _ valueName: String,
        choices: @autoclosure @escaping () -> [OptionChoice] = [], help: String,
        _ apply: @escaping (inout Settings, String) throws(UsageError) -> Void
    ) -> CommandOption {
        CommandOption(
            name: name, short: short, argument: .required(valueName), help: help, choices: choices, apply: apply)
    }

    /// The same option, which also notes that it was given.
    package func noting(_ note: @escaping (inout Settings, _ option: String) -> Void) -> CommandOption {
        let (apply, option) = (apply, "--" + name)
        var noting = CommandOption(name: name, short: short, argument: argument, help: help, choices: choices) {
            (settings, text) throws(UsageError) in
            note(&settings, option)
            try apply(&settings, text)
        }
        noting.heading = heading
        return noting
    }

    /// An option that may have a value.
    package static func optionalValue(
        _ name: String, _ valueName: String, help: String,
        _ apply: @escaping (inout Settings, String) throws(UsageError) -> Void
    ) -> CommandOption {
        CommandOption(
            name: name, short: nil, argument: .optional(valueName), help: help, choices: { [] }, apply: apply)
    }
}

/// A word that an option's value may be.
package struct OptionChoice: Equatable, Sendable {
    package let word: String
    /// A few words.
    package let meaning: String

    package init(_ word: String, _ meaning: String) {
        self.word = word
        self.meaning = meaning
    }
}

extension CommandOption {
    /// `--on-bad-line`, `--rejects` and `--max-line`.
    /// - Parameter change: gives access to the input's settings (a closure, as key paths slow down startup).
    package static func input(
        default policy: String, _ change: @escaping (inout Settings, (inout InputSettings) -> Void) -> Void
    ) -> [CommandOption] {
        [
            .value(
                "on-bad-line", "skip|stop",
                help: "What becomes of the run at a line that isn't a record. Default: \(policy)."
            ) { (settings, text) throws(UsageError) in
                let policy: InputSettings.BadLinePolicy = try ArgumentValue.word(
                    text, option: "--on-bad-line", [("skip", .skip), ("stop", .stop)])
                change(&settings) { $0.badLines = policy }
            },
            .value("rejects", "FILE", help: "Write the lines that aren't records to FILE.") { (settings, path) in
                change(&settings) { $0.rejectsPath = path }
            },
            .value(
                "max-line", "BYTES", help: "The longest line that is taken, such as 512k or 1G. Default: 64M."
            ) { (settings, text) throws(UsageError) in
                let limitBytes = try ArgumentValue.bytes(text, option: "--max-line")
                change(&settings) { $0.lineLimitBytes = limitBytes }
            },
        ].under("Input")
    }

    /// A whole number.
    package static func count(
        _ name: String, short: Unicode.Scalar? = nil, _ help: String, in range: ClosedRange<Int> = 0...Int.max,
        _ store: @escaping (inout Settings, Int) -> Void
    ) -> CommandOption {
        .value(name, short: short, "N", help: help) { (settings, text) throws(UsageError) in
            store(&settings, try ArgumentValue.count(text, option: "--\(name)", in: range))
        }
    }

    /// `--report`.
    package static func report(_ store: @escaping (inout Settings, String) -> Void) -> CommandOption {
        .value("report", "FILE", help: "Write one JSON object about the run.") { store(&$0, $1) }
    }

    /// `--progress`, and `--quiet` for tools where it means nothing else.
    package static func messages(
        _ change: @escaping (inout Settings, (inout MessageSettings) -> Void) -> Void
    ) -> [CommandOption] {
        [
            progress(change),
            .flag("quiet", short: "q", help: "Say nothing but errors.") { settings in
                change(&settings) { $0.isQuiet = true }
            },
        ].under("Messages")
    }

    /// `--progress`.
    package static func progress(
        _ change: @escaping (inout Settings, (inout MessageSettings) -> Void) -> Void
    ) -> CommandOption {
        .value(
            "progress", "auto|always|never",
            help: "Show on stderr how far the run is. Default: auto, when that is a terminal."
        ) { (settings, text) throws(UsageError) in
            let mode: Progress.Mode = try ArgumentValue.word(
                text, option: "--progress", [("auto", .auto), ("always", .always), ("never", .never)])
            change(&settings) { $0.progress = mode }
        }
    }
}

extension GlossaryEntry {
    /// The proxy variables, which libcurl reads too.
    package static var proxies: GlossaryEntry {
        GlossaryEntry(
            "http_proxy, https_proxy, all_proxy, no_proxy",
            "The proxy for each scheme, and the hosts that are contacted directly.")
    }

    /// The variables that name certificates, as in curl.
    package static var certificates: GlossaryEntry {
        GlossaryEntry(
            "CURL_CA_BUNDLE, SSL_CERT_FILE, SSL_CERT_DIR",
            "The certificates that are trusted in place of the system's.")
    }

    /// The directory of all of the user's caches.
    package static var caches: GlossaryEntry {
        GlossaryEntry("XDG_CACHE_HOME", "The directory of castline's cache. Default: ~/.cache.")
    }
}
