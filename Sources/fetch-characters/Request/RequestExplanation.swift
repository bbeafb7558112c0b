// Prints each request as an equivalent curl command for users to try, with keys as the variables that hold them.
// curl sends such a header to the target of any redirect, so a command with one doesn't follow redirects.
//
//     curl -sSL -A castline/0.1.0 -H 'Accept: application/json' 'https://h/character?page=1'
//     curl -sS -A castline/0.1.0 -H 'x-api-key: '"$CAT_API_KEY" 'https://h/v1/breeds?page=0'
//     curl -sSL -A castline/0.1.0 -H 'Content-Type: application/json' --data-raw '{"page":1}' https://h/list

import PipelineCore
import PipelineHTTP

struct RequestExplanation: Sendable {
    /// No system has a lower limit for a word of a command (Linux has 128 KiB).
    private static let wordLimitBytes = 65_536

    private let diagnostics: Diagnostics
    private let userAgent: String

    init(userAgent: String, _ diagnostics: Diagnostics) {
        self.diagnostics = diagnostics
        self.userAgent = userAgent
    }

    func tell(_ request: HTTPRequest) { diagnostics.show(command(request)) }

    func command(_ request: HTTPRequest) -> String {
        let hidesSecret = request.fields.contains { $0.location == .header && $0.isSecret } || request.hasSecretBody
        // To curl, `[1-3]` and `{a,b}` mean several URLs, unless globbing is off.
        let globs = request.url.text.utf8.contains { "[]{}".utf8.contains($0) }
        var options = globs ? "gsS" : "sS"
        if !hidesSecret { options += "L" }
        var words = ["curl -\(options) -A \(Self.quoted(userAgent))"]
        if let accept = request.shownAccept { words.append("-H \(Self.quoted("Accept: \(accept)"))") }
        words += request.fields.map { Self.option($0, of: request) }
        var source = ""
        if let body = request.body {
            words.append("-H \(Self.quoted("Content-Type: \(body.mediaType)"))")
            let text = String(decoding: body.bytes, as: UTF8.self)
            // Characters that messages don't show are written as JSON escapes.
            let plain = body.kind == .json ? Diagnostics.printable(json: text) : text
            let word = Self.quoted(plain, hiding: request.hiddenSecrets)
            if request.hasSecretBody, body.kind == .form {
                // curl joins them, and encodes those with a secret.
                words += text.split(separator: "&").map { field in
                    let isSecret = request.hiddenSecrets.contains { field.contains($0.placeholder) }
                    let option = isSecret ? "--data-urlencode" : "--data-raw"
                    return "\(option) \(Self.quoted(String(field), hiding: request.hiddenSecrets))"
                }
            } else if body.bytes.count <= Self.wordLimitBytes {
                words.append("--data-raw \(word)")
            } else {
                // The shell's own printf takes a word of any length.
                source = "printf %s \(word) | "
                words.append("--data-binary @-")
            }
        }
        return source + (words + [Self.quoted(request.hiding(request.url.text))]).joined(separator: " ")
    }

    private static func option(_ field: HTTPRequest.Field, of request: HTTPRequest) -> String {
        let secrets = request.hiddenSecrets
        switch field.location {
        case .query:
            // Appended to the query, percent-encoded. `-G` would put a body there too.
            let option = request.body == nil ? "-G --data-urlencode" : "--url-query"
            return "\(option) \(secret("\(field.name)=", field.value, secrets))"
        case .header where field.isSecret: return "-H \(secret("\(field.name): ", field.value, secrets))"
        // curl drops a field without a value, unless it ends with a semicolon.
        case .header where field.value.isEmpty: return "-H \(quoted("\(field.name);"))"
        case .header: return "-H \(quoted("\(field.name): \(field.value)"))"
        }
    }

    /// As one word: a key by the variable that holds it, and one that the description or an option has not at all.
    private static func secret(_ name: String, _ value: String, _ secrets: [HTTPSecret]) -> String {
        let isHeld = secrets.contains { value.contains($0.placeholder) }
        return isHeld ? quoted(name + value, hiding: secrets) : quoted(name + "…")
    }

    /// The text as one word, with the placeholders of secrets replaced by what a shell calls them.
    private static func quoted(_ text: String, hiding secrets: [HTTPSecret] = []) -> String {
        guard let secret = secrets.first(where: { text.contains($0.placeholder) }) else {
            return ShellWord.quoted(text)
        }
        return text.split(separator: secret.placeholder, omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : quoted(String($0), hiding: secrets) }
            .joined(separator: "\"\(secret.shellText)\"")
    }
}
