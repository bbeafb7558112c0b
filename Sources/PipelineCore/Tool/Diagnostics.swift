// Messages are one line each on stderr, `tool: what happened; what to do about it`, and never go to stdout. They
// may quote any data, so characters that control a terminal or are invisible are shown as escapes.

/// Where a tool's messages go.
package struct Diagnostics: Sendable {
    package let tool: String
    /// Silences everything but errors.
    package var isQuiet = false
    /// The run's progress display; nil if it shows none.
    package private(set) var progress: Progress?

    package init(tool: String) { self.tool = tool }

    /// Applies the options about messages.
    /// - Parameter writesRecords: stdout carries records.
    package mutating func follow(_ settings: MessageSettings, writesRecords: Bool) {
        isQuiet = settings.isQuiet
        progress = isQuiet ? nil : .chosen(settings.progress, name: tool, writesRecords: writesRecords)
    }

    /// Something failed. Always shown.
    package func error(_ message: String) { write("\(tool): \(message)") }

    /// Something unexpected happened, and the run continues. Silent under `--quiet`.
    package func warning(_ message: String) {
        if !isQuiet { write("\(tool): warning: \(message)") }
    }

    /// A remark that isn't an error. Silent under `--quiet`.
    package func note(_ message: String) {
        if !isQuiet { write(message) }
    }

    /// A remark that is one JSON value; escaping keeps it valid. Silent under `--quiet`.
    package func note(json text: String) {
        if !isQuiet { write(Self.printable(json: text)) }
    }

    private func write(_ line: String) {
        var bytes = Array(Self.printable(line).utf8)
        bytes.append(0x0A)
        TerminalLine.makeRoom(on: .standardError)
        do throws(SystemError) {
            try Descriptor.standardError.writeAll(bytes.span)
        } catch {
            // There is nowhere left to report this; the exit status has to.
        }
    }

    /// The text with its hidden characters as `\u{…}`, and U+FFFD for bytes of names that aren't UTF-8.
    package static func printable(_ text: String) -> String {
        escaped(text.displayedPath) { "\\u{\(String($0.value, radix: 16))}" }
    }

    /// JSON text with its hidden characters escaped.
    package static func printable(json text: String) -> String { escaped(text, jsonEscape) }

    /// As JSON writes it: one UTF-16 unit or two. Such characters occur only in strings.
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

    /// Whether a character affects the text around it or is invisible: controls (C0, DEL, C1), line separators,
    /// direction marks, zero-width characters, fillers, tags and annotations. Variation selectors are harmless:
    /// they belong to names and emoji.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20..<0x7F: false
        case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029, 0xFFF9...0xFFFB: true
        default:
            scalar.properties.isDefaultIgnorableCodePoint && !scalar.properties.isVariationSelector
        }
    }
}
