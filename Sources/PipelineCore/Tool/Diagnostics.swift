// Messages are one line each on stderr, `tool: what happened; what to do about it`, and never go to stdout. They
// may quote any data, so characters that control a terminal or are invisible are shown as escapes.

import Synchronization

package struct Diagnostics: Sendable {
    /// The first messages of the process, for its report: without the tool's name.
    private static let first = Mutex<[Message]>([])
    private static let firstLimit = 10

    package let tool: String
    package var isQuiet = false
    /// The run's progress display; nil if it shows none.
    package private(set) var progress: Progress?

    package init(tool: String) { self.tool = tool }

    /// - Parameter writesRecords: stdout carries records.
    package mutating func follow(_ settings: MessageSettings, writesRecords: Bool) {
        isQuiet = settings.isQuiet
        progress = isQuiet ? nil : .chosen(settings.progress, name: tool, writesRecords: writesRecords)
    }

    /// Something failed. Always shown.
    package func error(_ message: Message) { write(.error, message) }

    /// Something unexpected happened, and the run continues. Silent under `--quiet`.
    package func warning(_ message: Message) {
        if !isQuiet { write(.warning, message) }
    }

    /// A remark on the run. Silent under `--quiet`.
    package func note(_ message: Message) {
        if !isQuiet { write(.note, message) }
    }

    /// A line for people, such as one of a plan: a note without the tool's name. Silent under `--quiet`.
    package func show(_ line: String) {
        if !isQuiet { write(.note, Message(line, cure: nil), as: line) }
    }

    /// A remark that is one JSON value; escaping keeps it valid.
    package func note(json text: String) {
        if !isQuiet { send(Self.printable(json: text)) }
    }

    /// The first ten messages, and this last one, which is empty if it is one of them.
    static func firstMessages(and last: Message?) -> [String] {
        let all = first.withLock { $0 } + [last].compactMap { $0 }.filter { $0 != "" }
        return all.prefix(firstLimit).map { printable($0.description) }
    }

    private enum Level { case error, warning, note }

    /// - Parameter line: what is shown, if it isn't the message under the tool's name.
    private func write(_ level: Level, _ what: Message, as line: String? = nil) {
        let message = level == .warning ? "warning: \(what)" : what
        Self.first.withLock { if $0.count < Self.firstLimit { $0.append(message) } }
        send(Self.printable(line ?? "\(tool): \(message)"))
    }

    private func send(_ line: String) {
        TerminalLine.makeRoom(on: .standardError)
        TerminalLine.write(line + "\n")
    }

    /// The text with its hidden characters as `\u{…}`, and U+FFFD for bytes of names that aren't UTF-8.
    package static func printable(_ text: String) -> String {
        escaped(text.displayedPath) { "\\u{\(String($0.value, radix: 16))}" }
    }

    /// As JSON writes them: one UTF-16 unit or two. Such characters occur only in strings.
    package static func printable(json text: String) -> String {
        escaped(text) { UTF16.encode($0)?.map { "\\u" + String($0, radix: 16).padded(to: 4) }.joined() ?? "" }
    }

    private static func escaped(_ text: String, _ escape: (Unicode.Scalar) -> String) -> String {
        guard text.unicodeScalars.contains(where: isHidden) else { return text }
        var shown = ""
        for scalar in text.unicodeScalars {
            if isHidden(scalar) { shown += escape(scalar) } else { shown.unicodeScalars.append(scalar) }
        }
        return shown
    }

    /// Whether a character affects the text around it or is invisible. Variation selectors are shown: they belong to
    /// names and emoji.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20..<0x7F: false
        case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029, 0xFFF9...0xFFFB: true
        default:
            scalar.properties.isDefaultIgnorableCodePoint && !scalar.properties.isVariationSelector
        }
    }
}

package struct MessageSettings: Sendable {
    package var isQuiet = false
    package var progress = TerminalMode.auto

    package init() {}
}

/// Whether a terminal gets more than text, as `--progress` and `--color` say.
package enum TerminalMode: Sendable { case auto, always, never }

/// The most columns that a text takes on a terminal, to cut a line before it wraps.
package enum DisplayWidth {
    /// No character before Hangul is wide. Those after it count as wide, also parts of a joined one: a line that is cut
    /// early harms nobody.
    private static let firstWide: UInt32 = 0x1100

    package static func columns(of character: Character) -> Int {
        max(1, character.unicodeScalars.count { $0.value >= firstWide } * 2)
    }

    package static func columns(of text: some StringProtocol) -> Int { text.reduce(0) { $0 + columns(of: $1) } }

    /// The longest beginning of the text that takes at most `limit` columns.
    package static func cut(_ text: String, to limit: Int) -> Substring {
        var width = 0
        return text.prefix {
            width += columns(of: $0)
            return width <= limit
        }
    }
}
