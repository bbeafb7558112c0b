// A URL of http or https, parsed and normalized by libcurl, so that the URL checked here is the one connected to.
//
//     HTTP://Host:80/a/../b c?q=ü  →  http://host/b%20c?q=%c3%bc      origin http://host:80

import CCurl

/// A normalized URL of http or https.
package struct HTTPURL: Equatable, Hashable, Sendable {
    /// One object, as URLs are copied and looked up far more often than they are made.
    private final class Parts: Sendable {
        let text: String
        let scheme: String
        let host: String
        let port: Int
        let hash: Int

        init(_ text: String, _ scheme: String, _ host: String, _ port: Int) {
            (self.text, self.scheme, self.host, self.port) = (text, scheme, host, port)
            hash = text.hashValue
        }
    }

    private let parts: Parts

    /// The whole URL.
    package var text: String { parts.text }
    package var scheme: String { parts.scheme }
    /// Without the brackets of IPv6.
    package var host: String { parts.host }
    package var port: Int { parts.port }

    /// - Throws: `.invalidRequest` for anything but a URL, `.refusedScheme` for another scheme.
    package init(_ text: String) throws(HTTPFailure) { try self.init(text, base: nil) }

    /// The target of a redirect or a link, relative to this URL (RFC 3986, section 5.2).
    package func resolving(_ reference: String) throws(HTTPFailure) -> HTTPURL {
        // libcurl takes an empty path for the root. It means this document (section 5.2.2).
        guard !reference.isEmpty, !reference.hasPrefix("#") else {
            return try HTTPURL(text.prefix { $0 != "#" } + reference)
        }
        return try HTTPURL(reference, base: text)
    }

    /// The text determines all the parts.
    package static func == (left: HTTPURL, right: HTTPURL) -> Bool {
        left.parts === right.parts || left.text == right.text
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(parts.hash) }

    /// Scheme, host and port: what secrets are bound to.
    package var origin: String { "\(scheme)://\(authority)" }

    /// Host and port, without the scheme's default port. For messages: no user, path or query.
    package var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (scheme == "https" ? 443 : 80) ? name : "\(name):\(port)"
    }

    private init(_ text: String, base: String?) throws(HTTPFailure) {
        if base == nil, let plain = FastURLParser(text) {
            parts = Parts(text, plain.scheme, plain.host, plain.port)
            return
        }
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw HTTPFailure(.invalidRequest("a URL holds a line end or a control character"))
        }
        if let scheme = Self.scheme(of: text), scheme != "http", scheme != "https" {
            throw HTTPFailure(.refusedScheme(scheme))
        }
        guard let handle = unsafe curl_url() else { throw HTTPFailure(.invalidRequest("no memory for a URL")) }
        defer { unsafe curl_url_cleanup(handle) }
        if let base { try unsafe Self.set(handle, base) }
        try unsafe Self.set(handle, Self.encoded(text))
        let whole = unsafe Self.part(handle, CURLUPART_URL) ?? ""
        let scheme = unsafe Self.part(handle, CURLUPART_SCHEME) ?? ""
        let host = unsafe Self.part(handle, CURLUPART_HOST) ?? ""
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        let port = unsafe Self.part(handle, CURLUPART_PORT, CURLU_DEFAULT_PORT).flatMap { Int($0) } ?? 0
        guard !name.isEmpty, (1...65535).contains(port) else {
            throw HTTPFailure(.invalidRequest("a URL needs a host, and a port from 1 to 65535"))
        }
        parts = Parts(whole, scheme, name, port)
    }

    /// The text with the characters percent-encoded that a URL doesn't allow (RFC 3986, section 2). libcurl sends
    /// most of them as they are, and a space in a query as a plus, which is a different URL.
    private static func encoded(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.contains(where: strays.contains) else { return text }
        let start = authorityEnd(text, bytes)
        return String(decoding: bytes[..<start], as: UTF8.self)
            + percentEncoded(bytes[start...], where: strays.contains)
    }

    private static let strays = Array(" \"<>\\^`{|}".utf8)

    /// The offset past the end of the host. 0 for a reference without one.
    private static func authorityEnd(_ text: String, _ bytes: [UInt8]) -> Int {
        let start = scheme(of: text).map { $0.utf8.count + 1 } ?? 0
        guard bytes[start...].starts(with: "//".utf8) else { return 0 }
        return bytes[(start + 2)...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.count
    }

    /// The scheme in lower case, nil for a relative reference (RFC 3986, section 3.1).
    static func scheme(of text: String) -> String? {
        if text.hasPrefix("http://") { return "http" }
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = text[..<colon].lowercased()
        let isScheme = name.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2E].contains(byte)
        }
        guard let first = name.utf8.first, (0x61...0x7A).contains(first), isScheme else { return nil }
        return name
    }

    private static func set(_ handle: OpaquePointer, _ text: String) throws(HTTPFailure) {
        let code = unsafe curl_url_set(handle, CURLUPART_URL, text, UInt32(CURLU_URLENCODE))
        guard code != CURLUE_OK else { return }
        guard text.contains("://") else {
            throw HTTPFailure(.invalidRequest("not a URL: it begins with neither http:// nor https://"))
        }
        let reason = unsafe curl_url_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code.rawValue)"
        throw HTTPFailure(.invalidRequest("not a URL: \(reason.lowercased())"))
    }

    static func part(_ handle: OpaquePointer, _ part: CURLUPart, _ flags: Int32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard unsafe curl_url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK, let text = unsafe text else {
            return nil
        }
        defer { unsafe curl_free(text) }
        return unsafe String(cString: text)
    }
}
