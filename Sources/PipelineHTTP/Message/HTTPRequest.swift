// A request: a method, a URL, header fields, and the size limit of the response.

import PipelineCore

/// One request.
package struct HTTPRequest: Equatable, Sendable {
    /// A header field to send, or a query parameter that is kept apart from the URL because it is secret.
    package struct Field: Equatable, Sendable {
        package enum Location: Equatable, Sendable {
            case header
            case query
        }

        package let name: String
        package let value: String
        /// A key or a cookie: it is sent only to the scheme, host and port of the request's URL.
        package let isSecret: Bool
        package let location: Location
    }

    package let url: HTTPURL
    package private(set) var method = Method.get
    package private(set) var fields: [Field] = []
    /// The name of the parameter for a key, percent-encoded, whether there is a key or not: if a service repeats it
    /// in a redirect, it isn't sent twice.
    package var keyParameter: String?
    /// The maximum size of the body.
    package var limitBytes: Int

    /// - Throws: `.invalidRequest` or `.refusedScheme` for anything but a URL of http or https.
    package init(_ url: String, limitBytes: Int = 64 << 20) throws(HTTPFailure) {
        self.init(try HTTPURL(url), limitBytes: limitBytes)
    }

    package init(_ url: HTTPURL, limitBytes: Int = 64 << 20) {
        self.url = url
        self.limitBytes = limitBytes
    }

    /// Adds a field.
    /// - Throws: `.invalidRequest` if the name isn't a token, or if the value contains a line end or another
    ///   control character, which would make it a separate field or request (RFC 9110, section 5.5).
    package mutating func add(_ name: String, _ value: String, isSecret: Bool = false) throws(HTTPFailure) {
        try Self.check(name, value)
        fields.append(Field(name: name, value: value, isSecret: isSecret, location: .header))
    }

    /// Makes it a POST request.
    /// - Parameter bytes: the body, without secrets.
    /// - Throws: `.invalidRequest` if the media type isn't valid in a header field.
    package mutating func post(_ bytes: [UInt8], mediaType: String) throws(HTTPFailure) {
        try Self.check("Content-Type", mediaType)
        method = .post(Body(mediaType: mediaType, bytes: bytes))
    }

    private static func check(_ name: String, _ value: String) throws(HTTPFailure) {
        guard !name.isEmpty, name.utf8.allSatisfy(isTokenByte) else {
            throw HTTPFailure(.invalidRequest("the name of a header field may hold letters, digits and -_ only"))
        }
        guard value.utf8.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }) else {
            throw HTTPFailure(.invalidRequest("the header field \(name) holds a line end or a control character"))
        }
    }

    /// Adds a secret to the query as sent. The request's URL, which messages and caches use, doesn't contain it.
    /// - Parameters: both percent-encoded.
    package mutating func addSecretParameter(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value, isSecret: true, location: .query))
    }

    /// RFC 9110, section 5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5E...0x60, 0x7C, 0x7E, 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D,
            0x2E:
            true
        default:
            false
        }
    }
}

extension HTTPRequest {
    /// The URL as sent: with the secret parameters.
    static func sentText(_ url: HTTPURL, _ fields: [Field]) -> String {
        let secrets = fields.filter { $0.location == .query }
        guard !secrets.isEmpty else { return url.text }
        let parts = url.text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let query = secrets.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        return String(parts[0]) + (parts[0].contains("?") ? "&" : "?") + query
    }

    /// Whether a URL of another origin contains a secret, as it does when a service repeats the request's URL.
    func leaksSecret(to target: HTTPURL) -> Bool {
        target.origin != url.origin && containsSecret(in: target.text)
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
        return texts.compactMap { SecretText($0) }
    }
}
