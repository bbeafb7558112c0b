// The text of a key as users keep it: in an environment variable or in a file. Never on the command line, which everybody
// on the machine can read.

package import PipelineCore

package enum KeyText {
    /// A key has a few hundred bytes; a file that is larger holds something else.
    private static let limitBytes = 65_536

    /// - Throws: status 66 for a file that can't be read, 77 for one that holds no key.
    package static func ofFile(_ path: String) throws(ToolFailure) -> String {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try Descriptor.contents(of: path, limitBytes: limitBytes, mayBeStream: true)
        } catch {
            guard !error.isTooLarge else {
                throw ToolFailure(.refused, "\(path) is too long for a key; it is one line of ASCII")
            }
            throw ToolFailure(.noInput, error.advice(orElse: "--key-file takes a file that holds the key"))
        }
        let text = trimmed(bytes.span.text)
        guard !text.isEmpty else { throw ToolFailure(.refused, "\(path) holds no key; write it there") }
        return text
    }

    /// Nil if the variable isn't set, or empty.
    package static func ofVariable(_ name: String) -> String? {
        let text = Environment.value(name).map(trimmed) ?? ""
        return text.isEmpty ? nil : text
    }

    /// Without the line end that editors add.
    package static func trimmed(_ text: String) -> String {
        String(text.unicodeScalars.trimmed { " \t\n\r".unicodeScalars.contains($0) })
    }

    /// What is sent. The value of a header may have a word before the key, `Bearer KEY`, without which a service may repeat it.
    /// - Returns: nil if the place can't hold the text.
    package static func value(_ text: String, isHeader: Bool) -> HTTPSecret.Value? {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F || isHeader && $0 == 0x20 }) else { return nil }
        return HTTPSecret.Value(text, parts: text.split(separator: " ").dropFirst().suffix(1).map(String.init))
    }

    /// What a text that `value` refuses should be.
    package static func demand(isHeader: Bool) -> Message {
        "valid key; a key is one line of ASCII\(isHeader ? "" : " without spaces")"
    }
}
