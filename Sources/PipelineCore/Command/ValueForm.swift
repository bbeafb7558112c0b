// What an option's value or an operand may be, read off its name in the help, so that nothing has to be said twice:
// `xml|binary` is one of two words, `FILE.html` a file, `DIR|none` a directory or a word, `N` some text.

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
            return part.utf8.allSatisfy { letters.contains($0) || $0 == UInt8(ascii: "-") }
                ? .word(String(part)) : .text
        }
    }

    private static let letters = UInt8(ascii: "a")...UInt8(ascii: "z")

    /// Whether it names a file, and so is bytes; everything else is UTF-8.
    package var isFile: Bool {
        switch self {
        case .file, .directory: true
        case .word, .text: false
        }
    }
}

extension CommandOption {
    /// The forms of its value; none where it takes no value.
    package var valueForms: [ValueForm] {
        switch argument {
        case .none: []
        case .required(let name), .optional(let name): ValueForm.all(in: name)
        }
    }
}
