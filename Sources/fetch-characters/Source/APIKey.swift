// The API key, from a file or from the environment variable that the description names. Never from the command
// line, which everybody on the machine can read.

import PipelineCore
import PipelineHTTP

/// A key, and how to refer to it.
struct APIKey {
    private static let limitBytes = 65_536

    let text: String
    /// How a shell refers to it without revealing it: `$CAT_API_KEY`.
    let shellText: String

    /// - Parameter isNeeded: requests are sent.
    /// - Returns: nil if there is no key and none is needed.
    /// - Throws: status 66 for a file that can't be read, 77 for a key that is missing or invalid.
    static func found(_ source: Source, file: String?, isNeeded: Bool) throws(ToolFailure) -> APIKey? {
        guard let key = source.key else { return nil }
        if let file {
            let text = try text(ofFile: file, for: key)
            return APIKey(text: text, shellText: shellText(ofFile: file))
        }
        if let text = Environment.value(key.variable).map(trimmed), !text.isEmpty {
            try check(text, for: key, "the environment variable \(key.variable)")
            return APIKey(text: text, shellText: "$\(key.variable)")
        }
        guard !key.isRequired || !isNeeded else {
            throw ToolFailure(
                .refused,
                "\(source.name) needs a key; set the environment variable \(key.variable) or name a file with "
                    + "--key-file")
        }
        return nil
    }

    /// A placeholder for the key, if nothing is sent.
    static func planned(_ source: Source, file: String?) -> APIKey? {
        guard let key = source.key else { return nil }
        if let file { return APIKey(text: "-", shellText: shellText(ofFile: file)) }
        guard key.isRequired || Environment.value(key.variable) != nil else { return nil }
        return APIKey(text: "-", shellText: "$\(key.variable)")
    }

    private static func shellText(ofFile path: String) -> String { "$(cat \(RequestExplanation.quoted(path)))" }

    private static func text(ofFile path: String, for key: Source.Key) throws(ToolFailure) -> String {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try Descriptor.contents(of: path, limitBytes: limitBytes)
        } catch {
            guard !error.isTooLarge else {
                throw ToolFailure(.refused, "\(path) is too long for a key; it is one line of ASCII")
            }
            throw ToolFailure(.noInput, error.advice(orElse: "--key-file takes a file that holds the key"))
        }
        let text = trimmed(bytes.span.text)
        guard !text.isEmpty else { throw ToolFailure(.refused, "\(path) holds no key; write it there") }
        try check(text, for: key, path)
        return text
    }

    /// Without the line end that editors add.
    private static func trimmed(_ text: String) -> String {
        let isSpace: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
        let start = text.unicodeScalars.drop(while: isSpace)
        let count = start.reversed().prefix(while: isSpace).count
        return String(start.dropLast(count))
    }

    /// The value of a header may have a word before the key: `Bearer KEY`.
    private static func check(_ text: String, for key: Source.Key, _ location: String) throws(ToolFailure) {
        let isHeader = if case .header = key.location { true } else { false }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F || isHeader && $0 == 0x20 }) else {
            let spaces = isHeader ? "" : " without spaces"
            throw ToolFailure(.refused, "\(location) holds what can't be a key; it is one line of ASCII\(spaces)")
        }
    }
}
