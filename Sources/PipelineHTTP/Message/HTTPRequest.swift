// What is requested: a method, a URL, header fields, and how large the response may be.

import PipelineCore

/// One request.
package struct HTTPRequest: Equatable, Sendable {
    /// A header field to send, or a parameter that is kept apart from the URL since it is a secret.
    package struct Field: Equatable, Sendable {
        package enum Location: Equatable, Sendable {
            case header
            case query
        }

        package let name: String
        package let value: String
        /// A key or a cookie: it goes to the scheme, host and port of the request's URL only.
        package let isSecret: Bool
        package let location: Location
    }

    package let url: HTTPURL
    package private(set) var method = Method.get
    package private(set) var fields: [Field] = []
    /// The name of the parameter that a key goes to, percent-encoded, whether there is a key or not: a service that
    /// repeats it in a redirect isn't told it twice.
    package var keyParameter: String?
    /// The most bytes that the body may have.
    package var limitBytes: Int

    /// - Throws: `.invalidRequest` or `.refusedScheme` for what isn't a URL of http or https.
    package init(_ url: String, limitBytes: Int = 64 << 20) throws(HTTPFailure) {
        self.init(try HTTPURL(url), limitBytes: limitBytes)
    }

    package init(_ url: HTTPURL, limitBytes: Int = 64 << 20) {
        self.url = url
        self.limitBytes = limitBytes
    }

    /// Adds a field.
    /// - Throws: `.invalidRequest` where the name isn't a token, or the value holds a line end or another control
    ///   character: it would become a field, or a request, of its own (RFC 9110, section 5.5).
    package mutating func add(_ name: String, _ value: String, isSecret: Bool = false) throws(HTTPFailure) {
        try Self.check(name, value)
        fields.append(Field(name: name, value: value, isSecret: isSecret, location: .header))
    }

    /// Makes it a POST.
    /// - Parameter bytes: of the body, which holds no secret.
    /// - Throws: `.invalidRequest` where the media type can't be a field's value.
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

    /// Adds a secret to the query of what is sent. The URL of the request, by which messages and caches know it, stays
    /// without it.
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
    /// The URL as it is sent: with the parameters that are secrets.
    static func sentText(_ url: HTTPURL, _ fields: [Field]) -> String {
        let secrets = fields.filter { $0.location == .query }
        guard !secrets.isEmpty else { return url.text }
        let parts = url.text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let query = secrets.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        return String(parts[0]) + (parts[0].contains("?") ? "&" : "?") + query
    }

    /// Whether a URL of another origin has a secret in it, as a service has that repeats what it was asked.
    func leaksSecret(to target: HTTPURL) -> Bool {
        target.origin != url.origin && containsSecret(in: target.text)
    }

    /// Whether the address that a response redirects to has a secret in it, however it is encoded there.
    func containsSecret(in headers: HTTPHeaders) -> Bool {
        headers["Location"].map { containsSecret(in: $0) } ?? false
    }

    /// A short secret is one only where it is a part by itself: `1` stands in many addresses.
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
