// What may stand as the value of an option, read off the value's name in the help, so that nothing has to be said twice:
// `xml|binary` is one of two words, `FILE` a file, `DIR|none` a directory or a word, `N` some text.

import PipelineCore

/// What completes a value.
struct ValueKind: Equatable, Sendable {
    /// The words that can be meant.
    var words: [String] = []
    /// Files of any name.
    var hasFiles = false
    var hasDirectories = false

    /// - Parameters:
    ///   - valueName: as the help writes it; alternatives stand between bars, and those in lower case are words.
    ///   - choices: further words, which the help gives elsewhere.
    init(_ valueName: String, choices: [String] = []) {
        for part in valueName.contains("/") ? [] : valueName.split(separator: "|") {
            if part.hasPrefix("FILE") {
                hasFiles = true
            } else if part == "DIR" {
                hasDirectories = true
            } else if part.utf8.allSatisfy({ Self.letters.contains($0) || $0 == UInt8(ascii: "-") }) {
                words.append(String(part))
            }
        }
        words += choices
    }

    private static let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
}

extension CommandOption {
    /// What completes its value, nil where it takes none.
    var valueKind: ValueKind? {
        switch argument {
        case .none: nil
        case .required(let name), .optional(let name): ValueKind(name, choices: choices)
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
        synopsis.contains { $0.split(separator: " ").contains { $0.hasPrefix("[FILE") || $0.hasPrefix("FILE") } }
    }
}
