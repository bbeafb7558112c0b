// A path of an API, as in `/repos/{parent}/people/{id}`, with the method and the values that lead to it.

import PipelineCore

/// A way to a list or a record.
struct ShapedRoute {
    static let known = ["path", "method", "requires", "refuses"]

    private let method: String
    private let parts: [Substring]
    private let requires: [RequiredValue]
    /// What makes it another request.
    private let refuses: [RequiredValue]

    init(_ reader: ShapeReader) throws(ToolFailure) {
        method = try reader.text("method") ?? "GET"
        guard let path = try reader.text("path") else { throw reader.failure("path", "is missing") }
        parts = path.split(separator: "/")
        requires = try reader.elements("requires") { (value, place) throws(ToolFailure) in
            try RequiredValue(value, place)
        }
        refuses = try reader.elements("refuses") { (value, place) throws(ToolFailure) in
            try RequiredValue(value, place)
        }
    }

    /// What the request's path has in place of the placeholders; nil where the request leads elsewhere.
    /// - Parameter segments: the parts of its path, decoded.
    func captures(_ request: Request, _ segments: [String]) -> [String: String]? {
        guard request.method == method || (method == "GET" && request.method == "HEAD"),
            segments.count == parts.count
        else { return nil }
        var captures: [String: String] = [:]
        for (part, segment) in zip(parts, segments) {
            if let match = part.firstMatch(of: /\{([a-z]+)\}/) {
                let (before, after) = (part[..<match.range.lowerBound], part[match.range.upperBound...])
                guard segment.hasPrefix(before), segment.hasSuffix(after),
                    segment.count > before.count + after.count
                else { return nil }
                let value = segment.dropFirst(before.count).dropLast(after.count)
                captures[String(match.output.1)] = String(value)
            } else if part != segment {
                return nil
            }
        }
        guard requires.allSatisfy({ $0.isThere(in: request, captures) }) else { return nil }
        return refuses.contains { $0.isThere(in: request, captures) } ? nil : captures
    }
}
