// The policy for messages: one line each on stderr, `tool: what happened; what to do about it`, nothing on stdout.
// A message may quote data from anywhere, so characters that a terminal obeys, or that nobody sees, are shown as escapes.

/// Where a tool's messages go.
package struct Diagnostics: Sendable {
    private let tool: String
    /// Silences all but errors.
    package var isQuiet = false
    /// What the run shows of itself while it goes on, nil where that is nothing.
    package private(set) var progress: Progress?

    package init(tool: String) { self.tool = tool }

    /// Does what the options say about messages.
    /// - Parameter writesRecords: stdout carries records.
    package mutating func follow(_ settings: MessageSettings, writesRecords: Bool) {
        isQuiet = settings.isQuiet
        progress = isQuiet ? nil : .chosen(settings.progress, name: tool, writesRecords: writesRecords)
    }

    /// Something failed. Always shown.
    package func error(_ message: String) { write("\(tool): \(message)") }

    /// Something went on otherwise than expected, and the run goes on. Silent under `--quiet`.
    package func warning(_ message: String) {
        if !isQuiet { write("\(tool): warning: \(message)") }
    }

    /// A remark that isn't a fault. Silent under `--quiet`.
    package func note(_ message: String) {
        if !isQuiet { write(message) }
    }

    /// A remark as one JSON value, which stays one. Silent under `--quiet`.
    package func note(json text: String) {
        if !isQuiet { write(Self.escaped(text, Self.jsonEscape)) }
    }

    private func write(_ line: String) {
        var bytes = Array(Self.printable(line).utf8)
        bytes.append(0x0A)
        TerminalLine.makeRoom(on: .standardError)
        do throws(SystemError) {
            try Descriptor.standardError.writeAll(bytes.span)
        } catch {
            // There is nowhere left to say it: the exit status has to tell.
        }
    }

    /// The text with its hidden characters as `\u{…}`.
    package static func printable(_ text: String) -> String {
        escaped(text) { "\\u{\(String($0.value, radix: 16))}" }
    }

    /// As JSON writes it: one unit of UTF-16 or two. Such characters stand in strings only.
    private static func jsonEscape(_ scalar: Unicode.Scalar) -> String {
        UTF16.encode(scalar).map { units in
            units.map { "\\u" + String(String(UInt32($0) + 0x1_0000, radix: 16).dropFirst()) }.joined()
        } ?? ""
    }

    private static func escaped(_ text: String, _ escape: (Unicode.Scalar) -> String) -> String {
        guard text.unicodeScalars.contains(where: isHidden) else { return text }
        var shown = ""
        for scalar in text.unicodeScalars {
            if isHidden(scalar) { shown += escape(scalar) } else { shown.unicodeScalars.append(scalar) }
        }
        return shown
    }

    /// Whether a character does something to the text around it, or has no picture of its own: controls (C0, DEL, C1),
    /// separators of lines, marks of direction, characters of no width, fillers, tags and annotations. Those that choose the
    /// variant of the character before them are no danger: they belong to names and to emoji.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20..<0x7F: false
        case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029, 0xFFF9...0xFFFB: true
        default:
            scalar.properties.isDefaultIgnorableCodePoint && !scalar.properties.isVariationSelector
        }
    }
}
