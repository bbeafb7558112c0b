// Prints each request as an equivalent curl command for users to try, with the key as the variable that holds it.
// curl sends such a header to the target of any redirect, so a command with one doesn't follow redirects.
//
//     curl -sSL -A castline/0.1.0 -H 'Accept: application/json' 'https://h/character?page=1'
//     curl -sS -A castline/0.1.0 -H 'Accept: application/json' -H "x-api-key: $CAT_API_KEY" 'https://h/v1/breeds?page=0'

import PipelineCore
import PipelineHTTP

/// Prints requests on stderr.
struct RequestExplanation: Sendable {
    private let diagnostics: Diagnostics
    private let userAgent: String
    /// How a shell refers to the key.
    private let key: String?
    private let keyName: String?

    init(_ source: Source, _ key: APIKey?, userAgent: String, _ diagnostics: Diagnostics) {
        self.diagnostics = diagnostics
        self.userAgent = userAgent
        self.key = key?.shellText ?? source.key.map { "$\($0.variable)" }
        keyName =
            if case .header(let name)? = source.key?.location { name } else { nil }
    }

    func tell(_ request: HTTPRequest) { diagnostics.note(command(request)) }

    func command(_ request: HTTPRequest) -> String {
        let hasSecretHeader = request.fields.contains { $0.location == .header && $0.isSecret }
        // To curl, `[1-3]` and `{a,b}` mean several URLs, unless globbing is off.
        let globs = request.url.text.utf8.contains { "[]{}".utf8.contains($0) }
        let options = (globs ? "g" : "") + "sS" + (hasSecretHeader ? "" : "L")
        var command = "curl -\(options) -A \(Self.quoted(userAgent))"
        for field in request.fields {
            switch field.location {
            case .query:
                // Appended to the query, percent-encoded. `-G` would put a body there too.
                let option = request.method.body == nil ? "-G --data-urlencode" : "--url-query"
                command += " \(option) \(Self.quoted("\(field.name)="))\"\(key ?? "…")\""
            case .header where field.isSecret:
                let value = field.name == keyName ? key ?? "…" : "…"
                command += " -H \(Self.quoted("\(field.name):"))\" \(value)\""
            // curl drops a field without a value, unless it ends with a semicolon.
            case .header where field.value.isEmpty: command += " -H \(Self.quoted("\(field.name);"))"
            case .header: command += " -H \(Self.quoted("\(field.name): \(field.value)"))"
            }
        }
        switch request.method {
        case .get: break
        case .post(let body):
            let text = String(decoding: body.bytes, as: UTF8.self)
            command += " -H \(Self.quoted("Content-Type: \(body.mediaType)")) --data-raw \(Self.quoted(text))"
        }
        return "\(command) \(Self.quoted(request.url.text))"
    }

    /// The text as one word of a shell command.
    static func quoted(_ text: String) -> String {
        let isPlain =
            !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || [0x2D, 0x2E, 0x2F, 0x5F, 0x3A].contains(byte)
            }
        guard !isPlain else { return text }
        let parts = text.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: "'\\''") + "'"
    }
}
