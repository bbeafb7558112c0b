// What completes the value of an option, by the forms that it may have.

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
    /// The option of the tool that lists words, and what they mean after two spaces or more.
    var listing: String?

    /// - Parameter choices: the meanings of the words, and words that the name doesn't give.
    init(_ valueName: String, choices: [(word: String, meaning: String)] = [], listing: String? = nil) {
        self.listing = listing
        for form in ValueForm.all(in: valueName) {
            switch form {
            case .file(let ending):
                hasFiles = true
                fileExtension = ending
            case .directory: hasDirectories = true
            case .word(let word): words.append(word)
            case .text: break
            }
        }
        for choice in choices {
            if !words.contains(choice.word) { words.append(choice.word) }
            if !choice.meaning.isEmpty { meanings[choice.word] = choice.meaning }
        }
    }

}

extension CommandOption {
    /// What completes its value, nil where it takes none.
    var valueKind: ValueKind? {
        switch argument {
        case .none: nil
        case .required(let name), .optional(let name): ValueKind(name, choices: choices(), listing: listing)
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

extension CommandOption {
    /// The first sentence of its help, without the full stop.
    var firstSentence: String {
        let end = help.firstRange(of: ". ")?.lowerBound ?? help.endIndex
        let sentence = help[..<end]
        return String(sentence.last == "." ? sentence.dropLast() : sentence)
    }
}
