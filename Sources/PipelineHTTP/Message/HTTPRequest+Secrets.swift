// The secrets of a request: what is sent in place of their placeholders, and where they must not appear.

import PipelineCore

extension HTTPRequest {
    // MARK: Sending

    /// The value of a header field as sent.
    func sentValue(_ field: Field) -> String {
        field.isSecret ? revealed(field.value, .plain) : field.value
    }

    /// A URL as sent: with the secret parameters.
    func sentText(_ url: HTTPURL, _ fields: [Field]) -> String {
        let secrets = fields.filter { $0.location == .query }
        guard !secrets.isEmpty else { return url.text }
        let parts = url.text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let query = secrets.map { "\($0.name)=\(revealed($0.value, .percent))" }.joined(separator: "&")
        return String(parts[0]) + (parts[0].contains("?") ? "&" : "?") + query
    }

    /// The body as sent.
    func sentBytes(_ body: Body) -> [UInt8] {
        guard hasSecrets(body) else { return body.bytes }
        return Array(revealed(body.bytes.span.text, body.encoding).utf8)
    }

    private func revealed(_ text: String, _ encoding: HTTPSecret.Encoding) -> String {
        hiddenSecrets.reduce(text) { $1.reveal(in: $0, encoding) }
    }

    /// Gets the secrets that aren't known yet, and renews those that end soon.
    func prepareSecrets() throws(HTTPFailure) {
        for secret in hiddenSecrets { try secret.prepare() }
    }

    /// The secret that can be renewed, if there is one.
    package var renewableSecret: HTTPSecret? { hiddenSecrets.first(where: \.isRenewable) }

    /// Whether it has a body with a secret.
    package var hasSecretBody: Bool { method.body.map(hasSecrets) ?? false }

    /// Whether a secret is part of the body.
    func hasSecrets(_ body: Body) -> Bool {
        guard !hiddenSecrets.isEmpty else { return false }
        let text = body.bytes.span.text
        return hiddenSecrets.contains { text.contains($0.placeholder) }
    }

    // MARK: Leaks

    /// Whether a redirect would give a secret to another origin: in the URL, as services repeat that of the
    /// request, or in the body.
    func leaksSecret(to target: HTTPURL, _ method: Method) -> Bool {
        guard target.origin != url.origin else { return false }
        return containsSecret(in: target.text) || method.body.map(hasSecrets) ?? false
    }

    /// Whether a redirect may lead there: to its own origin or one that it names, or the same host by TLS.
    func mayBeRedirected(to target: HTTPURL) -> Bool {
        guard let redirectOrigins, target.origin != url.origin else { return true }
        let isUpgrade = url.scheme == "http" && target.scheme == "https" && target.authority == url.authority
        return isUpgrade || redirectOrigins.contains(target.origin)
    }

    /// Whether the redirect URL of a response contains a secret, in any encoding.
    func containsSecret(in headers: HTTPHeaders) -> Bool {
        headers["Location"].map { containsSecret(in: $0) } ?? false
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

    /// Enough of a service's text for a message.
    private static let shownBytes = 200

    /// The beginning of what the service said to this request, with asterisks for the secrets that it repeats.
    package func withoutSecrets(_ text: String) -> String {
        let bytes = hidingSecrets(text)
        return bytes.count > Self.shownBytes
            ? bytes.span.extracting(first: Self.shownBytes).text + "…" : bytes.span.text
    }

    /// The whole text, with asterisks for the secrets.
    package func hiding(_ text: String) -> String { hidingSecrets(text).span.text }

    /// Whether a secret stands in the text, other than by chance.
    package func isShown(in text: String) -> Bool {
        secrets.contains { $0.isLong && $0.stands(in: text.utf8Bytes.span) }
    }

    /// The whole URL with asterisks for the secrets that the service has put into it.
    package var explainedURL: String { hidingSecrets(url.text).span.text }

    private func hidingSecrets(_ text: String) -> [UInt8] {
        var bytes = Array(text.utf8)
        for secret in secrets { secret.hide(in: &bytes) }
        return bytes
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
    /// How a secret is written in it.
    fileprivate var encoding: HTTPSecret.Encoding {
        if isForm { return .percent }
        return mediaType.contains("json") ? .json : .plain
    }

    package var isForm: Bool { mediaType.hasPrefix("application/x-www-form-urlencoded") }
}
