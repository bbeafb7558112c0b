// What may stand as the value of an option, read off the value's name in the help, so that nothing has to be said twice:
// `xml|binary` is one of two words, `FILE` a file, `DIR|none` a directory or a word, `N` some text.

import PipelineCore

/// What completes a value.
struct ValueKind: Equatable, Sendable {
    /// The words that can be meant.
    var words: [String] = []
    /// What the words mean, as far as that is known.
    var meanings: [String: String] = [:]
    var hasFiles = false
    /// The extension of the files, if they are of one kind.
    var fileExtension: String?
    var hasDirectories = false

    /// - Parameters:
    ///   - valueName: as the help writes it; alternatives stand between bars, and those in lower case are words.
    ///   - choices: the meanings of the words, and words that the name doesn't give.
    init(_ valueName: String, choices: [OptionChoice] = []) {
        for part in valueName.contains("/") ? [] : valueName.split(separator: "|") {
            if part.hasPrefix("FILE") {
                hasFiles = true
                fileExtension = part.split(separator: ".").dropFirst().last.map(String.init)
            } else if part == "DIR" {
                hasDirectories = true
            } else if part.utf8.allSatisfy({ Self.letters.contains($0) || $0 == UInt8(ascii: "-") }) {
                words.append(String(part))
            }
        }
        for choice in choices {
            if !words.contains(choice.word) { words.append(choice.word) }
            if !choice.meaning.isEmpty { meanings[choice.word] = choice.meaning }
        }
    }

    private static let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
}

extension CommandOption {
    /// What completes its value, nil where it takes none.
    var valueKind: ValueKind? {
        switch argument {
        case .none: nil
        case .required(let name), .optional(let name): ValueKind(name, choices: choices())
        }
    }

    /// Whether a value may stand in the next argument, and must stand somewhere.
    var demandsValue: Bool {
        if case .required = argument { true } else { false }
    }
}

extension Command {
    /// Whether operands may be files, by the forms of a call.
    var takesFiles: Bool {
        manual.synopsis.contains {
            $0.split(separator: " ").contains { $0.hasPrefix("[FILE") || $0.hasPrefix("FILE") }
        }
    }

    /// The option that takes what is otherwise the first operand, if that is a text: `QUERY [FILE...]`, `-e QUERY...`.
    var optionForFirstOperand: CommandOption<Settings>? {
        guard manual.synopsis.contains(where: { $0.contains("QUERY [FILE") }) else { return nil }
        return options.first { $0.argument == .required("QUERY") }
    }
}
