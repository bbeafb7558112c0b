// A path of an API, as in `/repos/{parent}/people/{id}`, with the method and the values that lead to it.

import PipelineCore

/// A way to a list or a record.
struct ShapedRoute {
    static let known = ["path", "method", "requires", "refuses"]

    /// A part of the path, with what stands around its placeholder.
    private struct Part {
        let before: Substring
        var name: String?
        var after: Substring = ""

        init(_ text: Substring) {
            guard let open = text.firstIndex(of: "{"), let close = text.firstIndex(of: "}") else {
                before = text
                return
            }
            before = text[..<open]
            name = String(text[text.index(after: open)..<close])
            after = text[text.index(after: close)...]
        }
    }

    private let method: String
    private let parts: [Part]
    private let requires: [RequiredValue]
    /// What makes it another request.
    private let refuses: [RequiredValue]

    init(_ reader: ShapeReader) throws(ToolFailure) {
        method = try reader.text("method") ?? "GET"
        guard let path = try reader.text("path") else { throw reader.failure("path", "is missing") }
        parts = path.split(separator: "/").map(Part.init)
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
            guard let name = part.name else {
                guard segment == part.before else { return nil }
                continue
            }
            guard segment.hasPrefix(part.before), segment.hasSuffix(part.after),
                segment.count > part.before.count + part.after.count
            else { return nil }
            captures[name] = String(segment.dropFirst(part.before.count).dropLast(part.after.count))
        }
        guard requires.allSatisfy({ $0.isThere(in: request, captures) }) else { return nil }
        return refuses.contains { $0.isThere(in: request, captures) } ? nil : captures
    }
}

/// A path that leads to another address, as in `{"path": "/id/{id}", "to": "@BASE@/people/{id}"}`.
struct ShapedRedirect {
    private let route: ShapedRoute
    private let to: String

    init(_ value: JSONTree, _ place: String) throws(ToolFailure) {
        let reader = try ShapeReader(value, place, known: ShapedRoute.known + ["to"])
        route = try ShapedRoute(reader)
        to = try reader.text("to") ?? ""
    }

    /// Nil for a request that leads elsewhere.
    func address(_ request: Request, _ segments: [String]) -> String? {
        route.captures(request, segments)?.reduce(to) { $0.replacing("{\($1.key)}", with: $1.value) }
    }
}
