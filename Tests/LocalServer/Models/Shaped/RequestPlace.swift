// Where a request has a value, written as in a source description: a text is a parameter of the query, and
// {"header": "X-Page"}, {"path": "page"}, {"body": "$.variables.page"} and {"form": "page"} are the others.

import PipelineCore

enum RequestPlace {
    case query(String)
    case header(String)
    case path(String)
    case body([String])
    case form(String)

    init(_ value: JSONTree, _ place: String) throws(ToolFailure) {
        if let name = value.string {
            self = .query(name)
            return
        }
        guard case .object(let members) = value, let member = members.first, let text = member.value.string else {
            throw ShapeReader.failure(place, "takes the place of a value")
        }
        switch member.name {
        case "query": self = .query(text)
        case "header": self = .header(text)
        case "path": self = .path(text)
        case "body": self = .body(text.split(separator: ".").map(String.init).filter { $0 != "$" })
        case "form": self = .form(text)
        default: throw ShapeReader.failure(place, "is at no place that is known")
        }
    }

    /// The value as text; nil where there is none, or `null`.
    /// - Parameter captures: what the path has in place of its placeholders.
    func text(in request: Request, _ captures: [String: String]) -> String? {
        switch self {
        case .query(let name): request.parameter(name)
        case .header(let name): request.header(name)
        case .path(let name): captures[name]
        case .form(let name): request.form.first { $0.name == name }?.value
        case .body(let names): names.reduce(request.json) { $0?[$1] }?.text
        }
    }
}

/// A value that a request must have, as in `{"body": "$.query", "text": "pageInfo"}`: with that text in it.
struct RequiredValue {
    let place: RequestPlace
    let part: String?

    init(_ value: JSONTree, _ place: String) throws(ToolFailure) {
        self.place = try RequestPlace(value, place)
        part = value["text"]?.string
    }

    func isThere(in request: Request, _ captures: [String: String]) -> Bool {
        guard let text = place.text(in: request, captures), !text.isEmpty else { return false }
        return part.map { text.contains($0) } ?? true
    }
}

extension Request {
    /// The body as JSON, nil for another.
    var json: JSONTree? { try? JSONTree.read(body.span) }

    /// The parameters of a body as HTML forms send it.
    var form: [(name: String, value: String)] { Self.parameters(String(decoding: body, as: UTF8.self)) }
}
