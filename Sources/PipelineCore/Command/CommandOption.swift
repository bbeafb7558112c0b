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
