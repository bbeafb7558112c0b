// A request while its values are put in: placeholders of its path, a query, header fields, and a body.

import PipelineCore
import PipelineHTTP

struct RequestDraft {
    let placeholders: [String: String]
    var query: [Source.Parameter] = []
    private(set) var headers: [Source.Parameter]
    var content: RequestContent?

    /// - Parameter headers: with placeholders.
    init(_ headers: [Source.Parameter], _ placeholders: [String: String]) {
        self.placeholders = placeholders
        self.headers = headers.map { $0.filled(placeholders) }
    }

    /// Puts a value in its place, as it is. A parameter of the query may have several. In a JSON body a number is a
    /// number, and a cursor what it was in the response; everywhere else it is text.
    mutating func set(_ value: JSONTree, at placement: Placement) {
        switch placement {
        case .query(let name): query.append(Source.Parameter(name, value.text))
        case .header(let name): headers.append(Source.Parameter(name, value.text))
        // It is one of the placeholders.
        case .path: break
        case .body(let names):
            let tree = if case .json(let tree)? = content { tree } else { JSONTree.object([]) }
            content = .json(tree.setting(value, at: names[...]))
        case .form(let name):
            var fields = if case .form(let fields)? = content { fields } else { [Source.Parameter]() }
            fields.removeAll { $0.name == name }
            fields.append(Source.Parameter(name, value.text))
            content = .form(fields)
        }
    }

    /// Whether a text is part of a value in the header or the body.
    func holds(_ text: String) -> Bool {
        let body = content.map { String(decoding: $0.body.bytes, as: UTF8.self) } ?? ""
        return body.contains(text) || headers.contains { $0.value.contains(text) }
    }

    static func url(_ path: String, _ parameters: [Source.Parameter]) -> String {
        guard !parameters.isEmpty else { return path }
        return path + (path.contains("?") ? "&" : "?") + Source.Parameter.encoded(parameters)
    }
}

extension Source.Since.Format {
    /// A time as it is sent, rounded down.
    func value(_ instant: Instant) -> JSONTree {
        switch self {
        case .iso: .string(UTCCalendar.text(seconds: instant.seconds))
        case .date: .string(String(UTCCalendar.text(seconds: instant.seconds).prefix(10)))
        case .unix: .integer(instant.seconds)
        case .unixMilliseconds: .integer(instant.milliseconds)
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
