// The environment variables that a description names, and the file that stands in for one of them.

import PipelineCore
import PipelineHTTP

/// The texts of the variables.
struct KeyVariables {
    private static let limitBytes = 65_536

    private var texts: [String: String] = [:]
    /// The file, and the variable that it stands in for.
    private var file: (path: String, variable: String)?

    /// - Parameters:
    ///   - file: that of `--key-file`.
    ///   - isRead: the text of the file is needed.
    /// - Throws: status 64 if it isn't clear which variable the file stands in for, 66 for a file that can't be
    ///   read, 77 for one without a key.
    init(_ source: Source, file path: String?, isRead: Bool) throws(ToolFailure) {
        let names = source.variables
        for name in names {
            let text = Environment.value(name).map(Self.trimmed) ?? ""
            if !text.isEmpty { texts[name] = text }
        }
        guard let path else { return }
        let variable = try Self.variable(for: names, missing: names.filter { texts[$0] == nil })
        file = (path, variable)
        texts[variable] = isRead ? try Self.text(ofFile: path) : "-"
    }

    /// Nil if the variable isn't set.
    func text(_ variable: String) -> String? { texts[variable] }

    /// Where the text is from, for messages.
    func origin(_ variable: String) -> String {
        if let file, file.variable == variable { return file.path }
        return "the environment variable \(variable)"
    }

    /// How a shell refers to it inside double quotes.
    func shellText(_ variable: String) -> String {
        if let file, file.variable == variable { return "$(cat \(RequestExplanation.quoted(file.path)))" }
        return "$\(variable)"
    }

    /// The only variable, or the only one that isn't set.
    private static func variable(for names: [String], missing: [String]) throws(ToolFailure) -> String {
        if names.count == 1 { return names[0] }
        if missing.count == 1 { return missing[0] }
        let list = names.joined(separator: ", ")
        throw ToolFailure(
            .usage, "--key-file holds one of the keys \(list); set all but that one in the environment")
    }

    private static func text(ofFile path: String) throws(ToolFailure) -> String {
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
        return text
    }

    /// Without the line end that editors add.
    private static func trimmed(_ text: String) -> String {
        let isSpace: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
        let start = text.unicodeScalars.drop(while: isSpace)
        let count = start.reversed().prefix(while: isSpace).count
        return String(start.dropLast(count))
    }
}
