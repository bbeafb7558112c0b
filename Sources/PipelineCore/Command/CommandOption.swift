// One option: how it is spelt, what it takes, its help text, and where its value goes; and the options that several tools
// share, so that they read the same everywhere.

package struct CommandOption<Settings> {
    package enum Argument: Equatable, Sendable {
        case none
        /// A value, with its name in the help: `--limit N`, `--limit=N`, `-n N`, `-nN`.
        case required(String)
        /// A value only after an equals sign: `--placeholder`, `--placeholder=FILE`.
        case optional(String)
    }
    package typealias Choices = () -> [(word: String, meaning: String)]
    /// Throws where the value is wrong. The text is empty if the option has none.
    package typealias Apply = (inout Settings, String) throws(UsageError) -> Void

    /// Without the dashes.
    package let name: String
    package let short: Unicode.Scalar?
    package let argument: Argument
    /// The sentences of the help and the manual. Made when needed, as most runs print none.
    package var help: String { makeHelp() }
    private let makeHelp: () -> String
    /// The words that the value may be, each with its meaning, for completion. Made when needed.
    package private(set) var choices: Choices = { [] }
    /// The option that lists further words, one at the beginning of each line, as the installed tool knows them.
    package private(set) var listing: String?
    package internal(set) var heading = "Options"
    let apply: Apply

    package static func flag(
        _ name: String, short: Unicode.Scalar? = nil, help: @autoclosure @escaping () -> String,
        _ apply: @escaping (inout Settings) -> Void
    ) -> CommandOption {
        CommandOption(name: name, short: short, argument: .none, makeHelp: help) {
            (settings, _) throws(UsageError) in apply(&settings)
        }
    }

    package static func flag(
        _ name: String, short: Unicode.Scalar? = nil, help: @autoclosure @escaping () -> String,
        _ member: WritableKeyPath<Settings, Bool>
    ) -> CommandOption {
        flag(name, short: short, help: help()) { $0[keyPath: member] = true }
    }

    /// - Parameter needs: what an empty value lacks, such as `a directory`; nil if the value may be empty.
    package static func value(
        _ name: String, short: Unicode.Scalar? = nil, _ valueName: String,
        choices: @escaping Choices = { [] }, listing: String? = nil, help: @autoclosure @escaping () -> String,
        needs: String? = nil, _ apply: @escaping Apply
    ) -> CommandOption {
        CommandOption(
            name: name, short: short, argument: .required(valueName), makeHelp: help, choices: choices,
            listing: listing
        ) { (settings, text) throws(UsageError) in
            if let needs, text.isEmpty { throw UsageError("--\(name) needs \(needs)") }
            try apply(&settings, text)
        }
    }

    package static func optionalValue(
        _ name: String, _ valueName: String, help: @autoclosure @escaping () -> String,
        _ apply: @escaping Apply
    ) -> CommandOption {
        CommandOption(name: name, short: nil, argument: .optional(valueName), makeHelp: help, apply: apply)
    }

    // MARK: By the kind of the value

    /// One of a few words, which the value's name has in the same order: `keep|drop|stop`.
    package static func word<Value>(
        _ name: String, _ valueName: String, choices: @escaping Choices = { [] },
        _ values: @autoclosure @escaping () -> [Value],
        help: @autoclosure @escaping () -> String,
        _ store: @escaping (inout Settings, Value) -> Void
    ) -> CommandOption {
        .value(name, valueName, choices: choices, help: help()) { (settings, text) throws(UsageError) in
            let words = valueName.split(separator: "|").map(String.init)
            store(
                &settings, try ArgumentValue.word(text, option: "--\(name)", Array(zip(words, values()))))
        }
    }

    package static func count(
        _ name: String, short: Unicode.Scalar? = nil, _ help: @autoclosure @escaping () -> String,
        in range: ClosedRange<Int> = 0...Int.max,
        _ store: @escaping (inout Settings, Int) -> Void
    ) -> CommandOption {
        .value(name, short: short, "N", help: help()) { (settings, text) throws(UsageError) in
            store(&settings, try ArgumentValue.count(text, option: "--\(name)", in: range))
        }
    }

    package static func bytes(
        _ name: String, _ help: @autoclosure @escaping () -> String,
        _ store: @escaping (inout Settings, Int) -> Void
    ) -> CommandOption {
        .value(name, "BYTES", help: help()) { (settings, text) throws(UsageError) in
            store(&settings, try ArgumentValue.bytes(text, option: "--\(name)"))
        }
    }
}

extension Array {
    package func under<Settings>(_ heading: String) -> [CommandOption<Settings>]
    where Element == CommandOption<Settings> {
        map { option in
            var option = option
            option.heading = heading
            return option
        }
    }
}

// MARK: - Options of several tools

extension CommandOption {
    /// Its options have a meaning in every mode.
    static var messagesHeading: String { "Messages" }

    package var valueForms: [ValueForm] {
        switch argument {
        case .none: []
        case .required(let name), .optional(let name): ValueForm.all(in: name)
        }
    }
}

extension CommandOption where Settings: ToolSettings {
    /// - Parameter policy: the default of `--on-bad-line`.
    package static func input(default policy: String) -> [CommandOption] {
        [
            .value(
                "on-bad-line", "skip|stop|FILE",
                help:
                    "What to do with a line that isn't a record: skip it, stop, or write it to FILE and skip it. "
                    + "Default: \(policy)."
            ) { (settings, text) throws(UsageError) in settings.input.badLines = try .init(option: text) }
        ].under("Input")
    }

    package static func report(help: String = "Write one JSON object about the run to FILE.") -> CommandOption {
        .value("report", "FILE", help: help) { $0.reportPath = $1 }
    }

    /// Of all tools but filter-search, whose `--quiet` is another one.
    package static var messages: [CommandOption] {
        [.flag("quiet", short: "q", help: "Print errors only.", \.messages.isQuiet)].under(messagesHeading)
    }
}

extension InputSettings.BadLinePolicy {
    /// `skip` and `stop` are words, any other text names a file, and `./skip` does too. A slip in one of the words isn't
    /// taken for a file, as a run that was to stop would go on.
    init(option text: String) throws(UsageError) {
        switch text {
        case "": throw UsageError("--on-bad-line needs skip, stop or the name of a file")
        case "skip": self = .skip
        case "stop": self = .stop
        default:
            if let word = Self.word(near: text) {
                throw UsageError(
                    "--on-bad-line takes skip, stop or a file; did you mean \(word)? For the file write ./\(text)")
            }
            self = .keep(text)
        }
    }

    private static func word(near text: String) -> String? {
        guard let lower = text.asText?.lowercased() else { return nil }
        return ["skip", "stop"].first { EditDistance.between($0, lower) <= 1 }
    }
}

/// What an option's value or an operand may be, read off its name in the help, so that nothing has to be said twice:
/// `xml|binary` is one of two words, `FILE.html` a file, `DIR|none` a directory or a word, `N` some text.
package enum ValueForm: Equatable, Sendable {
    /// With the extension of such files, if they are of one kind.
    case file(extension: String?)
    case directory
    case word(String)
    case text

    /// - Parameter valueName: alternatives stand between bars, and those in lower case are words.
    package static func all(in valueName: String) -> [ValueForm] {
        guard !valueName.contains("/") else { return [.text] }
        return valueName.split(separator: "|").map { part in
            if part.hasPrefix("FILE") || part == "OLD" {
                return .file(extension: part.split(separator: ".").dropFirst().last.map(String.init))
            }
            if part == "DIR" { return .directory }
            return part.unicodeScalars.allSatisfy { "a"..."z" ~= $0 || $0 == "-" }
                ? .word(String(part)) : .text
        }
    }

    /// Whether it names a file, and so is bytes; everything else is UTF-8.
    package var isFile: Bool {
        switch self {
        case .file, .directory: true
        case .word, .text: false
        }
    }
}
