// One option: how it is spelt, what it takes, what it says in the help, and where its value goes.

/// An option of a command.
package struct CommandOption<Settings> {
    /// What stands behind the option's name.
    package enum Argument: Equatable, Sendable {
        case none
        /// A value, by this name in the help: `--limit N`, `--limit=N`, `-n N`, `-nN`.
        case required(String)
        /// A value only behind an equals sign: `--placeholder`, `--placeholder=FILE`.
        case optional(String)
    }

    /// Without the dashes.
    package let name: String
    package let short: Character?
    package let argument: Argument
    package let help: String
    /// Stores the value; the text is empty where the option has none.
    package let apply: (inout Settings, String) throws(UsageError) -> Void

    /// An option without a value.
    package static func flag(
        _ name: String, short: Character? = nil, help: String, _ apply: @escaping (inout Settings) -> Void
    ) -> CommandOption {
        CommandOption(name: name, short: short, argument: .none, help: help) {
            (settings, _) throws(UsageError) in apply(&settings)
        }
    }

    /// An option with a value.
    package static func value(
        _ name: String, short: Character? = nil, _ valueName: String, help: String,
        _ apply: @escaping (inout Settings, String) throws(UsageError) -> Void
    ) -> CommandOption {
        CommandOption(name: name, short: short, argument: .required(valueName), help: help, apply: apply)
    }

    /// An option that may have a value.
    package static func optionalValue(
        _ name: String, _ valueName: String, help: String,
        _ apply: @escaping (inout Settings, String) throws(UsageError) -> Void
    ) -> CommandOption {
        CommandOption(name: name, short: nil, argument: .optional(valueName), help: help, apply: apply)
    }
}
