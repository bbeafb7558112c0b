// A request while its values are put in: a path with placeholders, a query, header fields, and a body.
//
//     /users/{owner}/cards?sort=name   +   owner = a/b, page = 2   ──►   /users/a%2Fb/cards?sort=name&page=2

import PipelineCore
import PipelineHTTP

struct RequestDraft {
    /// The path with its placeholders. It may have a query.
    var path: String
    private var query: [(name: String, value: RequestValue)] = []
    private var headers: [(name: String, value: RequestValue)]
    private(set) var content: RequestContent?
    private var placeholders: [String: String]

    init(path: String, headers: [Source.Parameter], content: RequestContent?, placeholders: [String: String]) {
        self.path = path
        self.headers = headers.map { ($0.name, RequestValue($0.value, isTemplate: true)) }
        self.content = content
        self.placeholders = placeholders
    }

    /// Puts a value in its place. A parameter of the query may have several.
    mutating func set(_ value: RequestValue, at placement: Placement) {
        switch placement {
        case .query(let name): query.append((name, value))
        case .header(let name): headers.append((name, value))
        case .path(let name): placeholders[name] = value.text
        case .body(let names):
            let tree = if case .json(let tree)? = content { tree } else { JSONTree.object([]) }
            content = .json(tree.setting(value.json, at: names[...]))
        case .form(let name):
            var fields = if case .form(let fields)? = content { fields } else { [Source.Parameter]() }
            fields.removeAll { $0.name == name }
            fields.append(Source.Parameter(name, value.text))
            content = .form(fields)
        }
    }

    var target: String {
        get throws(HTTPFailure) { Self.url(try Placeholders.checkedPath(path, placeholders), query.map(filled)) }
    }

    var fields: [Source.Parameter] { headers.map(filled) }

    /// Whether a text is part of a value in the header or the body.
    func holds(_ text: String) -> Bool {
        let body = content.map { String(decoding: $0.body.bytes, as: UTF8.self) } ?? ""
        return body.contains(text) || headers.contains { $0.value.text.contains(text) }
    }

    /// A placeholder of the path that has no value.
    var missingName: String? { Placeholders.names(in: path).first { placeholders[$0] == nil } }

    /// What comes from a record or a service is sent as it is.
    private func filled(_ name: String, _ value: RequestValue) -> Source.Parameter {
        guard value.isTemplate else { return Source.Parameter(name, value.text) }
        return Source.Parameter(name, Placeholders.filled(value.text, placeholders) { $0 })
    }

    static func url(_ path: String, _ parameters: [Source.Parameter]) -> String {
        guard !parameters.isEmpty else { return path }
        return path + (path.contains("?") ? "&" : "?") + Source.Parameter.encoded(parameters)
    }
}

/// A value that the tool puts into a request. In a JSON body a number is a number, and a cursor what it was in the
/// response; everywhere else it is text.
struct RequestValue: Sendable {
    let text: String
    let json: JSONTree
    /// It is a text of the description, whose placeholders are filled in.
    var isTemplate = false

    init(_ text: String, isTemplate: Bool = false) {
        self.text = text
        json = .string(text)
        self.isTemplate = isTemplate
    }

    init(_ cursor: CursorValue) {
        text = cursor.text
        json = cursor.tree
    }

    init(_ number: Int) {
        text = "\(number)"
        json = .integer(number)
    }
}

extension Source.Since.Format {
    /// A time as it is sent, rounded down.
    func value(_ instant: Instant) -> RequestValue {
        switch self {
        case .iso: RequestValue(UTCCalendar.text(seconds: instant.seconds))
        case .date: RequestValue(String(UTCCalendar.text(seconds: instant.seconds).prefix(10)))
        case .unix: RequestValue(instant.seconds)
        case .unixMilliseconds: RequestValue(instant.milliseconds)
        }
    }
}

/// A key in its place: what a request carries so that the service lets it in.
///
///     {"header": "Authorization", "prefix": "Bearer ", "env": "X_TOKEN"}      Authorization: Bearer castline-X_TOKEN-key
struct SentKey: Sendable {
    let placement: Placement
    /// What is sent, with a placeholder for the secret part. Add `secret` to the request too.
    let value: String
    let secret: HTTPSecret

    init(_ placement: Placement, prefix: String = "", _ secret: HTTPSecret) {
        self.placement = placement
        self.secret = secret
        value = prefix + secret.placeholder
    }

    init(_ key: Source.Key, _ secret: HTTPSecret) {
        self.init(key.placement, prefix: key.prefix, secret)
    }
}
