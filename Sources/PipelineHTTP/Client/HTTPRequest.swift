// What is asked: a URL, header fields, and how large the answer may be. Always with GET.

/// One request.
package struct HTTPRequest: Equatable, Sendable {
    /// A header field to send.
    package struct Field: Equatable, Sendable {
        package let name: String
        package let value: String
        /// A key or a cookie: it goes to the scheme, host and port of the request's URL only.
        package let isSecret: Bool
    }

    package let url: HTTPURL
    package private(set) var fields: [Field] = []
    /// The names of query parameters whose values are keys. They are never written to a file.
    package var secretParameters: [String] = []
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
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte) else {
            throw HTTPFailure(.invalidRequest("the name of a header field may hold letters, digits and -_ only"))
        }
        guard value.utf8.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }) else {
            throw HTTPFailure(.invalidRequest("the header field \(name) holds a line end or a control character"))
        }
        fields.append(Field(name: name, value: value, isSecret: isSecret))
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
    /// Every text of the request that must not be written to a file: the values of secret fields, and of secret
    /// parameters both as they are sent and as they were meant.
    var secrets: [[UInt8]] {
        var texts: [String] = []
        for field in fields where field.isSecret {
            texts.append(field.value)
            // `Bearer KEY`: the key may come back without the word before it.
            if let key = field.value.split(separator: " ").last { texts.append(String(key)) }
        }
        for parameter in url.parameters where secretParameters.contains(parameter.name) {
            texts.append(parameter.value)
            texts.append(HTTPURL.percentDecoded(parameter.value))
        }
        if let password = url.password { texts.append(password) }
        return texts.filter { !$0.isEmpty }.map { Array($0.utf8) }
    }
}
