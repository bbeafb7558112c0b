// Placeholders in the texts of a description, `{name}`. A name has letters, digits, `_` and `-`; anything else in
// braces is text. The value of `{+name}` keeps its slashes in a path (RFC 6570, section 3.2.3).
//
//     https://{subdomain}.example.org    /repos/{owner}/{repo}/issues    /v1/{+parent}/documents

import PipelineCore
import PipelineHTTP

enum Placeholders {
    static func names(in text: String) -> [String] {
        var names: [String] = []
        _ = filled(text) { name in
            names.append(name)
            return nil
        }
        return names
    }

    static func filled(_ text: String, _ value: (String) -> String?) -> String {
        filled(text) { name, _ in value(name) }
    }

    /// - Parameter value: by the name, and whether the value keeps its slashes.
    private static func filled(_ text: String, _ value: (String, Bool) -> String?) -> String {
        var filled = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "{") {
            let inner = rest[rest.index(after: start)...].prefix { $0 != "}" && $0 != "{" }
            let keepsSlashes = inner.first == "+"
            let name = String(keepsSlashes ? inner.dropFirst() : inner)
            let isPlaceholder = rest[inner.endIndex...].first == "}" && isName(name)
            if isPlaceholder, let value = value(name, keepsSlashes) {
                filled += rest[..<start] + value
                rest = rest[inner.endIndex...].dropFirst()
            } else {
                filled += rest[...start]
                rest = rest[start...].dropFirst()
            }
        }
        return filled + rest
    }

    /// A value stays within its segment, or within the path.
    static func path(_ path: String, _ values: [String: String]) -> String {
        filled(path) { name, keepsSlashes in
            values[name].map { keepsSlashes ? segments($0) : HTTPURL.percentEncoded($0) }
        }
    }

    private static func segments(_ value: String) -> String {
        value.split(separator: "/", omittingEmptySubsequences: false).map { HTTPURL.percentEncoded(String($0)) }
            .joined(separator: "/")
    }

    /// The names of those whose values keep their slashes.
    static func slashedNames(in text: String) -> [String] {
        var names: [String] = []
        _ = filled(text) { name, keepsSlashes in
            if keepsSlashes { names.append(name) }
            return nil
        }
        return names
    }

    /// Whether a value that keeps its slashes begins or ends with one, or has two in a row.
    static func hasEmptySegment(_ value: String) -> Bool {
        value.split(separator: "/", omittingEmptySubsequences: false).contains { $0.isEmpty }
    }

    /// - Throws: `.dotSegment` if the values make a segment that is empty, `.` or `..`, which names another place.
    static func checkedPath(_ path: String, _ values: [String: String]) throws(HTTPFailure) -> String {
        guard path.contains("{") else { return path }
        let slashed = slashedNames(in: path).compactMap { values[$0] }
        guard !slashed.contains(where: hasEmptySegment) else { throw HTTPFailure(.dotSegment) }
        let filled = self.path(path, values)
        let sample = Self.filled(path) { values[$0] == nil ? nil : "x" }
        guard HTTPURL.dotSegments(in: filled.utf8) <= HTTPURL.dotSegments(in: sample.utf8) else {
            throw HTTPFailure(.dotSegment)
        }
        return filled
    }

    static func isHostPart(_ value: String) -> Bool {
        !value.isEmpty
            && value.utf8.allSatisfy { isWordByte($0) && $0 != UInt8(ascii: "_") || $0 == UInt8(ascii: ".") }
    }

    static func isName(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(isWordByte) }

    private static func isWordByte(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || "_-".utf8.contains(byte) }
}
