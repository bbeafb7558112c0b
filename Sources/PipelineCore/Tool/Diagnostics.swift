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
    package mutating func configure(by settings: MessageSettings, writesRecords: Bool) {
        isQuiet = settings.isQuiet
        progress = isQuiet ? nil : .chosen(Progress.wish, name: tool, writesRecords: writesRecords)
    }

    /// Something failed. Shown under `--quiet` too.
    package func error(_ message: Message) { write(.error, message) }

    /// Something unexpected happened, and the run continues.
    package func warning(_ message: Message) { write(.warning, message) }

    /// A remark on the run.
    package func note(_ message: Message) { write(.note, message) }

    /// A note that is shown as it stands, for people: a line of a plan or of a usage, or a command.
    package func show(_ line: String) { write(.note, Message(line, cure: nil), as: Self.printable(line)) }

    /// One JSON value, not for the report; escaping keeps it valid.
    package func show(json text: String) { write(.json, Message(text, cure: nil), as: Self.printable(json: text)) }

    /// The first ten messages, and this last one, which is empty if it is one of them.
    static func firstMessages(and last: Message?) -> [String] {
        let all = first.withLock { $0 } + [last].compactMap { $0 }.filter { $0 != "" }
        return all.prefix(firstLimit).map { printable($0.description) }
    }

    private enum Level { case error, warning, note, json }

    /// Every message goes through here, but that of `Signals` about a lack of memory.
    /// - Parameter line: what is shown, if it isn't the message under the tool's name.
    private func write(_ level: Level, _ what: Message, as line: @autoclosure () -> String? = nil) {
        guard level == .error || !isQuiet else { return }
        let message = level == .warning ? "warning: \(what)" : what
        if level != .json { Self.first.withLock { if $0.count < Self.firstLimit { $0.append(message) } } }
        TerminalLine.makeRoom(on: .standardError)
        TerminalLine.write((line() ?? Self.printable("\(tool): \(message)")) + "\n")
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

    /// Whether a character affects the text around it or is invisible. Variation selectors belong to names and emoji, and
    /// change only the character before them.
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

    package init() {}
}

/// Whether a terminal gets more than text, as `CASTLINE_PROGRESS` and `--color` say.
package enum TerminalMode: Sendable { case auto, always, never }

/// The most columns that a text takes on a terminal, to cut a line before it wraps.
package enum DisplayWidth {
    /// No character before Hangul is wide. All others count as wide, and so does each part of a joined one: a line may be
    /// cut earlier than it has to be.
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
