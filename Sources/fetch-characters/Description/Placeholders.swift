// Placeholders in the texts of a description, `{name}`. A name has letters, digits, `_` and `-`; anything else in
// braces is text.
//
//     https://{subdomain}.example.org    /repos/{owner}/{repo}/issues

import PipelineHTTP

enum Placeholders {
    private enum Part {
        case text(Substring)
        case name(String)
    }

    /// The names in a text, in order.
    static func names(in text: String) -> [String] {
        parts(of: text).compactMap { if case .name(let name) = $0 { name } else { nil } }
    }

    /// Fills in the values that there are.
    /// - Parameter encoded: a value as it stands there.
    static func filled(_ text: String, _ values: [String: String], _ encoded: (String) -> String) -> String {
        guard text.contains("{") else { return text }
        return parts(of: text).map { part in
            switch part {
            case .text(let text): String(text)
            case .name(let name): values[name].map(encoded) ?? "{\(name)}"
            }
        }.joined()
    }

    /// Values for all placeholders of a text that is only checked.
    static func samples(in text: String) -> [String: String] {
        Dictionary(names(in: text).map { ($0, "x") }, uniquingKeysWith: { first, _ in first })
    }

    /// Fills in a path. A value stays within its segment.
    static func path(_ path: String, _ values: [String: String]) -> String {
        filled(path, values) { HTTPURL.percentEncoded($0) }
    }

    /// Fills in the path of a request.
    /// - Throws: `.dotSegment` if the values make a segment `.` or `..`, which names another place.
    static func checkedPath(_ path: String, _ values: [String: String]) throws(HTTPFailure) -> String {
        guard path.contains("{") else { return path }
        let filled = self.path(path, values)
        let sample = self.path(path, values.mapValues { _ in "x" })
        guard HTTPURL.dotSegments(in: filled.utf8) <= HTTPURL.dotSegments(in: sample.utf8) else {
            throw HTTPFailure(.dotSegment)
        }
        return filled
    }

    static func isHostPart(_ value: String) -> Bool {
        !value.isEmpty
            && value.utf8.allSatisfy { isWordByte($0) && $0 != UInt8(ascii: "_") || $0 == UInt8(ascii: ".") }
    }

    private static func parts(of text: String) -> [Part] {
        var parts: [Part] = []
        var rest = text[...]
        while let start = rest.firstIndex(of: "{") {
            let name = rest[rest.index(after: start)...].prefix { $0 != "}" && $0 != "{" }
            let isName = name.endIndex < rest.endIndex && rest[name.endIndex] == "}" && isName(String(name))
            let end = isName ? rest.index(after: name.endIndex) : rest.index(after: start)
            parts.append(.text(rest[..<(isName ? start : end)]))
            if isName { parts.append(.name(String(name))) }
            rest = rest[end...]
        }
        parts.append(.text(rest))
        return parts
    }

    /// Whether a text can be the name of a placeholder.
    static func isName(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(isWordByte) }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
