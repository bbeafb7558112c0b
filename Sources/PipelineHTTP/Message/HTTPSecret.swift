// A key or a token of a request. A placeholder stands for it until the request is sent, so whatever else handles the
// request can't reveal it: messages, plans, caches, recordings.
//
//     Authorization: Bearer castline-CAT_API_KEY-key      as sent: Authorization: Bearer live_…

import PipelineCore
import Synchronization

/// A text that only the service it belongs to gets to see.
package final class HTTPSecret: Sendable {
    package struct Value: Sendable {
        package let text: String
        /// Other texts that reveal it, such as a password that it encodes.
        package let parts: [String]
        /// When to renew it, in seconds since 1970. Nil for one that lasts.
        package let renewalSeconds: Double?

        package init(_ text: String, parts: [String] = [], renewalSeconds: Double? = nil) {
            self.text = text
            self.parts = parts
            self.renewalSeconds = renewalSeconds
        }
    }

    /// - Parameter refused: the text that the service has refused, if one was.
    package typealias Provider = @Sendable (_ refused: String?) throws(HTTPFailure) -> Value

    private struct State {
        var value: Value?
        var number = 0
        /// All texts of this run, and their parts.
        var hidden: [SecretText] = []
        /// Why the text couldn't be obtained. There is no second attempt.
        var failure: HTTPFailure?

        mutating func take(_ value: Value) {
            self.value = value
            number += 1
            hidden += ([value.text] + value.parts).compactMap { SecretText($0) }
        }
    }

    /// Unreserved characters only, which mean themselves in every encoding. None is part of another.
    package let placeholder: String
    /// How a shell refers to it, inside double quotes: `$CAT_API_KEY`.
    package let shellText: String
    /// Differs between users: one must not get the other's responses from the cache.
    package let identity: String
    fileprivate let provider: Provider?
    private let state: Mutex<State>

    package init(key name: String, _ value: Value?, shellText: String) {
        placeholder = Self.placeholder(key: name)
        identity = value?.text ?? ""
        self.shellText = shellText
        provider = nil
        state = Mutex(State())
        if let value { state.withLock { $0.take(value) } }
    }

    /// A token, which is obtained when it is first needed.
    package init(tokenOf identity: String, shellText: String, _ provider: @escaping Provider) {
        placeholder = "castline-access-token"
        self.identity = identity
        self.shellText = shellText
        self.provider = provider
        state = Mutex(State())
    }

    package static func placeholder(key name: String) -> String { "castline-\(name)-key" }

    package var text: String? { state.withLock(\.value)?.text }

    var number: Int { state.withLock(\.number) }

    /// Every text that must not be written to a file.
    package var hidden: [SecretText] { state.withLock(\.hidden) }

    /// Makes sure that there is a text, and that it is valid for a while.
    /// - Parameter refused: the number of a text that the service has refused, which is replaced unless it was already.
    package func prepare(after refused: Int? = nil) throws(HTTPFailure) {
        guard let provider else { return }
        let (value, number, failure) = state.withLock { ($0.value, $0.number, $0.failure) }
        if let failure { throw failure }
        let isRefused = refused == number
        if let value, !isRefused, value.renewalSeconds.map({ WallClock.epochSeconds < $0 }) ?? true { return }
        do throws(HTTPFailure) {
            let value = try provider(isRefused ? value?.text : nil)
            state.withLock { $0.take(value) }
        } catch {
            state.withLock { $0.failure = error }
            throw error
        }
    }

    enum Encoding {
        case plain
        case percent
        case json
    }

    func reveal(in text: String, _ encoding: Encoding) -> String {
        guard let own = self.text, text.contains(placeholder) else { return text }
        let encoded =
            switch encoding {
            case .plain: own
            case .percent: HTTPURL.percentEncoded(own)
            case .json: String(Substring(JSONTree.string(own).json.utf8.dropFirst().dropLast()))
            }
        return text.replacing(placeholder, with: encoded)
    }
}

extension HTTPSecret: Equatable {
    package static func == (left: HTTPSecret, right: HTTPSecret) -> Bool { left === right }
}

/// The secrets of a request: what is sent in place of their placeholders, and where they must not appear.
extension HTTPRequest {
    func sentValue(_ field: Field) -> String {
        field.isSecret ? revealed(field.value, .plain) : field.value
    }

    /// The URL as sent: with the secret parameters.
    var sentURL: String {
        let secrets = fields.filter { $0.location == .query }
        guard !secrets.isEmpty else { return url.text }
        let parts = url.text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let query = secrets.map { "\($0.name)=\(revealed($0.value, .percent))" }.joined(separator: "&")
        return String(parts[0]) + (parts[0].contains("?") ? "&" : "?") + query
    }

    func sentBytes(_ body: Body) -> [UInt8] {
        guard hasSecretBody else { return body.bytes }
        return Array(revealed(body.bytes.span.text, body.encoding).utf8)
    }

    private func revealed(_ text: String, _ encoding: HTTPSecret.Encoding) -> String {
        hiddenSecrets.reduce(text) { $1.reveal(in: $0, encoding) }
    }

    package var renewableSecret: HTTPSecret? { hiddenSecrets.first { $0.provider != nil } }

    package var hasSecretBody: Bool { hasSecrets(body) }

    private func hasSecrets(_ body: Body?) -> Bool {
        guard let body, !hiddenSecrets.isEmpty else { return false }
        let text = body.bytes.span.text
        return hiddenSecrets.contains { text.contains($0.placeholder) }
    }

    /// Whether a redirect would give a secret to another origin: in the URL, where services repeat it, or in the body.
    func leaksSecret(to next: HTTPRequest) -> Bool {
        next.url.origin != url.origin && (containsSecret(in: next.url.text) || hasSecrets(next.body))
    }

    /// Whether a redirect may lead there: to its own origin or one that it names, or the same host by TLS.
    func mayBeRedirected(to target: HTTPURL) -> Bool {
        guard let redirectOrigins, target.origin != url.origin else { return true }
        let isUpgrade = url.scheme == "http" && target.scheme == "https" && target.authority == url.authority
        return isUpgrade || redirectOrigins.contains(target.origin)
    }

    /// A short secret counts only as a whole part of the URL: many URLs contain a `1`.
    private func containsSecret(in address: String) -> Bool {
        let secrets = secrets
        guard !secrets.isEmpty else { return false }
        let rest = address.firstRange(of: "://").map { String(address[$0.upperBound...]) } ?? address
        let parts = [rest, HTTPURL.percentDecoded(rest)].flatMap {
            $0.utf8.split { "/?#&=;:@".utf8.contains($0) }
        }
        let bytes = Array(rest.utf8)
        return secrets.contains { secret in
            secret.isLong ? secret.stands(in: bytes.span) : parts.contains { secret.isEqual(to: $0) }
        }
    }

    private static let shownBytes = 200

    /// The beginning of what the service said to this request, with asterisks for the secrets that it repeats.
    package func withoutSecrets(_ text: String) -> String {
        let shown = hiding(text)
        guard shown.utf8.count > Self.shownBytes else { return shown }
        return shown.utf8Bytes.span.extracting(first: Self.shownBytes).text + "…"
    }

    /// The text with asterisks for all secrets in it.
    package func hiding(_ text: String) -> String {
        var bytes = Array(text.utf8)
        for secret in secrets { secret.hide(in: &bytes) }
        return bytes.span.text
    }

    /// Whether a secret stands in the text, other than by chance.
    package func isShown(in text: String) -> Bool {
        secrets.contains { $0.isLong && $0.stands(in: text.utf8Bytes.span) }
    }

    /// The URL for a message: without a user, a password and secrets, and not at any length.
    package var shownURL: String { withoutSecrets(url.plainText) }

    /// Every text of the request that must not be written to a file.
    var secrets: [SecretText] {
        var texts: [String] = []
        for field in fields where field.isSecret {
            switch field.location {
            // `Bearer KEY`: the key may come back without the word before it.
            case .header: texts += [field.value] + field.value.split(separator: " ").suffix(1).map(String.init)
            case .query: texts.append(HTTPURL.percentDecoded(field.value))
            }
        }
        if let password = url.password { texts.append(HTTPURL.percentDecoded(password)) }
        return texts.compactMap { SecretText($0) } + hiddenSecrets.flatMap(\.hidden)
    }
}

extension HTTPRequest.Body {
    fileprivate var encoding: HTTPSecret.Encoding {
        switch kind {
        case .form: .percent
        case .json: .json
        case .other: .plain
        }
    }
}

/// A secret in every form in which a service may repeat it: each byte as it is, percent-encoded (RFC 3986, section
/// 2.1), or escaped as in JSON (RFC 8259, section 7), independently of the others.
///
///     aB+/c      aB%2B%2fc      aB+\/c      aB\u002b/c
package struct SecretText: Equatable, Sendable {
    /// The secret itself, unescaped. At least one byte.
    private let bytes: [UInt8]

    /// - Returns: nil for an empty text, which isn't a secret.
    package init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        bytes = Array(text.utf8)
    }

    /// Long enough not to occur by chance, as a `1` does.
    package var isLong: Bool { bytes.count >= 8 }

    /// Too short to be a secret of any worth.
    var isTiny: Bool { bytes.count < 4 }

    /// No word of a language.
    var isMixed: Bool {
        bytes.contains { (0x30...0x39).contains($0) } && bytes.contains { !(0x30...0x39).contains($0) }
    }

    package func isEqual(to text: some Sequence<UInt8>) -> Bool { bytes.elementsEqual(text) }

    package func stands(in text: Span<UInt8>) -> Bool { firstRange(in: text, from: 0) != nil }

    func firstRange(in text: Span<UInt8>, from start: Int) -> Range<Int>? {
        let first = bytes[0]
        for location in start..<max(start, text.count) {
            let byte = text[location]
            guard byte == first || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\") else { continue }
            if let end = end(in: text, from: location) { return location..<end }
        }
        return nil
    }

    /// Replaces it with the same number of asterisks, so that offsets in the text stay the same. One of a few signs is
    /// hidden only as a word: inside of others, asterisks would tell what it is.
    package func hide(in text: inout [UInt8]) {
        var start = 0
        while let range = firstRange(in: text.span, from: start) {
            guard bytes.count >= 4 || Self.isWord(range, in: text) else {
                start = range.lowerBound + 1
                continue
            }
            for index in range { text[index] = UInt8(ascii: "*") }
            start = range.upperBound
        }
    }

    private static func isWord(_ range: Range<Int>, in text: [UInt8]) -> Bool {
        let around = [range.lowerBound - 1, range.upperBound].filter(text.indices.contains).map { text[$0] }
        return !around.contains { 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 | 0x20 }
    }

    private func end(in text: Span<UInt8>, from start: Int) -> Int? {
        var location = start
        for byte in bytes {
            guard let length = Self.length(of: byte, in: text, at: location) else { return nil }
            location += length
        }
        return location
    }

    private static func length(of byte: UInt8, in text: Span<UInt8>, at location: Int) -> Int? {
        guard location < text.count else { return nil }
        switch text[location] {
        case UInt8(ascii: "%"):
            if value(of: text, from: location + 1, digits: 2) == Int(byte) { return 3 }
        case UInt8(ascii: "\\") where location + 1 < text.count:
            if text[location + 1] == byte { return 2 }
            let isCode = text[location + 1] == UInt8(ascii: "u")
            if isCode, value(of: text, from: location + 2, digits: 4) == Int(byte) { return 6 }
        default: break
        }
        return text[location] == byte ? 1 : nil
    }

    private static func value(of text: Span<UInt8>, from start: Int, digits: Int) -> Int? {
        guard start + digits <= text.count else { return nil }
        var value = 0
        for index in start..<start + digits {
            guard let digit = JSONStringScanner.hexValue(text[index]) else { return nil }
            value = value << 4 | Int(digit)
        }
        return value
    }
}
