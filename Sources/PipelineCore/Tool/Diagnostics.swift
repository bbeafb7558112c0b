// The policy for messages: one line each on stderr, `tool: what happened; what to do about it`, nothing on stdout.
// A message may quote data from anywhere, so control characters are shown as escapes: a terminal obeys them otherwise.

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

    /// The text with its control characters (C0, DEL, C1, line separators) as `\u{…}`.
    package static func printable(_ text: String) -> String {
        let isControl: (Unicode.Scalar) -> Bool = {
            $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || $0.value == 0x2028 || $0.value == 0x2029
        }
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var shown = ""
        for scalar in text.unicodeScalars {
            if isControl(scalar) {
                shown += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }
}
