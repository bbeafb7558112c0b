// Placeholders in the texts of a description, `{name}`. A name has letters, digits, `_` and `-`; anything else in
// braces is text.
//
//     https://{subdomain}.example.org    /repos/{owner}/{repo}/issues

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
        var filled = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "{") {
            let name = rest[rest.index(after: start)...].prefix { $0 != "}" && $0 != "{" }
            let isName = rest[name.endIndex...].first == "}" && isName(String(name))
            if isName, let value = value(String(name)) {
                filled += rest[..<start] + value
                rest = rest[name.endIndex...].dropFirst()
            } else {
                filled += rest[...start]
                rest = rest[start...].dropFirst()
            }
        }
        return filled + rest
    }

    /// A value stays within its segment.
    static func path(_ path: String, _ values: [String: String]) -> String {
        filled(path) { values[$0].map { HTTPURL.percentEncoded($0) } }
    }

    /// - Throws: `.dotSegment` if the values make a segment `.` or `..`, which names another place.
    static func checkedPath(_ path: String, _ values: [String: String]) throws(HTTPFailure) -> String {
        guard path.contains("{") else { return path }
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
