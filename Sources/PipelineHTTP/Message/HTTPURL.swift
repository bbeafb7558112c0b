// A URL of http or https, parsed and normalized by libcurl, so that the URL checked here is the one connected to.
//
//     HTTP://Host:80/a/../b c?q=ü  →  http://host/b%20c?q=%c3%bc      origin http://host:80

import CCurl
import PipelineCore
import Synchronization

package struct HTTPURL: Equatable, Hashable, Sendable {
    private final class Service: Sendable {
        let scheme: String
        let host: String
        let port: Int
        let authority: String
        let origin: String

        init(_ scheme: String, _ host: String, _ port: Int) {
            self.scheme = scheme
            self.host = host
            self.port = port
            let name = host.contains(":") ? "[\(host)]" : host
            authority = port == (scheme == "https" ? 443 : 80) ? name : "\(name):\(port)"
            origin = "\(scheme)://\(authority)"
        }
    }

    package let text: String
    private let service: Service

    package var scheme: String { service.scheme }
    /// Without the brackets of IPv6.
    package var host: String { service.host }
    package var port: Int { service.port }

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

    package static func == (left: HTTPURL, right: HTTPURL) -> Bool { left.text == right.text }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// Scheme, host and port: what secrets are bound to.
    package var origin: String { service.origin }

    /// Host and port, without the scheme's default port. For messages: no user, path or query.
    package var authority: String { service.authority }

    private init(_ text: String, base: String?) throws(HTTPFailure) {
        let plainService = base == nil ? Self.plainService(text) : nil
        if let plainService, let known = Self.services.withLock({ $0[plainService] }) {
            self.text = text
            service = known
            return
        }
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw HTTPFailure(.invalidRequest("a URL holds a line end or a control character"))
        }
        if let scheme = Self.scheme(of: text), scheme != "http", scheme != "https" {
            // `localhost:8080/path`, but not `tel:112`.
            let port = text.utf8.dropFirst(scheme.utf8.count + 1).prefix { $0 != UInt8(ascii: "/") }
            let isPort = (2...5).contains(port.count) && port.allSatisfy { (0x30...0x39).contains($0) }
            guard isPort, !["javascript", "tel"].contains(scheme) else { throw HTTPFailure(.refusedScheme(scheme)) }
            throw Self.lacksScheme(text)
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
        self.text = whole
        service = Service(scheme, name, port)
        guard let plainService, whole == text else { return }
        Self.services.withLock { [service] services in
            if services.count >= Self.serviceLimit { services.removeAll() }
            // A copy, as a part keeps all of a long URL.
            services[Substring(String(plainService))] = service
        }
    }

    /// The text with the characters percent-encoded that a URL doesn't allow (RFC 3986, section 2). libcurl sends
    /// most of them as they are, and a space in a query as a plus, which is a different URL.
    private static func encoded(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.contains(where: strays.contains) else { return text }
        // Behind the host, if there is one.
        let rest = bytes[(scheme(of: text).map { $0.utf8.count + 1 } ?? 0)...]
        let hasHost = rest.starts(with: "//".utf8)
        let end = hasHost ? rest.dropFirst(2).firstIndex { "/?#".utf8.contains($0) } ?? bytes.count : 0
        return String(decoding: bytes[..<end], as: UTF8.self)
            + percentEncoded(bytes[end...], where: strays.contains)
    }

    private static let strays = Array(" \"<>\\^`{|}".utf8)

    /// The scheme in lower case, nil for a relative reference (RFC 3986, section 3.1).
    package static func scheme(of text: String) -> String? {
        if text.hasPrefix("http://") { return "http" }
        if text.hasPrefix("https://") { return "https" }
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = text[..<colon].lowercased()
        let isScheme = name.utf8.allSatisfy { $0.isLetterOrDigit || "+-.".utf8.contains($0) }
        guard let first = name.utf8.first, (0x61...0x7A).contains(first), isScheme else { return nil }
        return name
    }

    private static func lacksScheme(_ text: String) -> HTTPFailure {
        HTTPFailure(.invalidRequest("the scheme is missing: write http://\(text)"))
    }

    private static func set(_ handle: OpaquePointer, _ text: String) throws(HTTPFailure) {
        let code = unsafe curl_url_set(handle, CURLUPART_URL, text, UInt32(CURLU_URLENCODE))
        guard code != CURLUE_OK else { return }
        guard text.contains("://") else {
            // `127.0.0.1:8080`
            if text.first?.isNumber == true, text.contains(":") { throw lacksScheme(text) }
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

/// The parts of a URL that need care: those that must stay private, and the host as sent.
///
///     https://user:word@host/a?page=2#b      for a file: https://host/a?page=2
///     http://①②⑦。1./                        sent: 127.0.0.1
extension HTTPURL {
    var password: String? {
        guard let range = userRange, let colon = text[range].firstIndex(of: ":") else { return nil }
        return String(text[text.index(after: colon)..<range.upperBound])
    }

    package var plainText: String {
        var plain = String(text.prefix { $0 != "#" })
        if let user = userRange { plain.removeSubrange(user.lowerBound...user.upperBound) }
        return plain
    }

    /// The absolute form of a relative reference to a place beside this URL. What the query of this URL says, such as a
    /// key, isn't passed on.
    /// - Returns: nil if the text has a scheme or isn't a valid reference.
    package func absolute(_ reference: String) -> String? {
        guard Self.scheme(of: reference) == nil else { return nil }
        return try? HTTPURL(String(text.prefix { $0 != "?" && $0 != "#" })).resolving(reference).text
    }

    private var userRange: Range<String.Index>? {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return nil }
        let start = text.index(text.startIndex, offsetBy: scheme.count + 3)
        let end = text[start...].firstIndex { "/?#".contains($0) } ?? text.endIndex
        guard let mark = text[start..<end].lastIndex(of: "@") else { return nil }
        return start..<mark
    }

    /// The URL without the query parameters of this name.
    /// - Parameter name: percent-encoded, here and there perhaps in other ways.
    package func removing(_ name: String) throws(HTTPFailure) -> HTTPURL {
        guard let mark = text.firstIndex(of: "?") else { return self }
        let end = text.firstIndex(of: "#") ?? text.endIndex
        guard mark < end else { return self }
        let parameters = text[text.index(after: mark)..<end].split(separator: "&", omittingEmptySubsequences: false)
        let plain = Self.percentDecoded(name)
        let others = parameters.filter { Self.percentDecoded(String($0.prefix { $0 != "=" })) != plain }
        guard others.count < parameters.count else { return self }
        let query = others.isEmpty ? "" : "?" + others.joined(separator: "&")
        return try HTTPURL(text[..<mark] + query + text[end...])
    }

    /// The host as sent: a name in ASCII (RFC 5891, mapped by UTS 46), an address in its usual form, no dot at the end.
    package var asciiHost: String {
        guard !host.contains(":") else { return host }
        let ascii = host.utf8.allSatisfy { $0 < 0x80 } ? host : Self.ascii(host) ?? host
        let name = String(ascii.reversed().drop { $0 == "." }.reversed())
        guard name != host else { return host }
        do throws(HTTPFailure) { return try HTTPURL("http://\(name)/").host } catch { return name }
    }

    /// Nil if the name is invalid, or if libcurl can't convert it.
    private static func ascii(_ host: String) -> String? {
        TextEncoding.useUTF8()
        guard let handle = unsafe curl_url() else { return nil }
        defer { unsafe curl_url_cleanup(handle) }
        guard unsafe curl_url_set(handle, CURLUPART_URL, "http://\(host)/", 0) == CURLUE_OK else { return nil }
        return unsafe part(handle, CURLUPART_HOST, CURLU_PUNYCODE)
    }

    /// The text with everything but unreserved characters percent-encoded as UTF-8 (RFC 3986, section 2.3).
    package static func percentEncoded(_ text: String) -> String { percentEncoded(Array(text.utf8)) }

    package static func percentEncoded(_ bytes: [UInt8]) -> String {
        percentEncoded(bytes) { !$0.isLetterOrDigit && !"-._~".utf8.contains($0) }
    }

    /// The bytes as text, with some of them as %XX (RFC 3986, section 2.1).
    package static func percentEncoded(_ bytes: some Sequence<UInt8>, where isEncoded: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in bytes {
            if isEncoded(byte) {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else {
                encoded.append(byte)
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// The bytes as part of a file's name: `https://[::1]:8080` → `https_____1__8080`. Others may have the same.
    static func fileName(_ bytes: some Sequence<UInt8>) -> String {
        let safe = bytes.map { $0.isLetterOrDigit || "-.".utf8.contains($0) ? $0 : UInt8(ascii: "_") }
        return String(decoding: safe, as: UTF8.self)
    }

    /// The segments `.` and `..` of a path, in any spelling that a server might take for one of them: servers decode
    /// before they resolve, some of them twice, and cut parameters off.
    package static func dotSegments(in url: some Sequence<UInt8>) -> Int {
        var path = url.prefix { !"?#".utf8.contains($0) }
        for _ in 0..<2 where path.contains(UInt8(ascii: "%")) { path = percentDecoded(path.span) }
        return path.split { "/\\".utf8.contains($0) }.count { segment in
            let name = segment.prefix { $0 != UInt8(ascii: ";") }
            return name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8)
        }
    }

    package static func percentDecoded(_ text: String) -> String { percentDecoded(text.utf8Bytes.span).span.text }

    /// The bytes, percent-decoded. A percent sign without two digits after it is kept.
    package static func percentDecoded(_ text: Span<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            if text[index] == UInt8(ascii: "%"), index + 2 < text.count,
                let high = JSONStringScanner.hexValue(text[index + 1]),
                let low = JSONStringScanner.hexValue(text[index + 2])
            {
                decoded.append(UInt8(high << 4 | low))
                index += 3
            } else {
                decoded.append(text[index])
                index += 1
            }
        }
        return decoded
    }
}

/// URLs that need no normalization, by far the most common ones. Once libcurl has left one of a service as it is, others
/// of that service aren't passed through it: that takes 1.5 µs, a sixth of the CPU time of a cached image.
///
///     https://upload.example.org/a/ab/Mick_(1).png?width=320       plain but for the parentheses: libcurl's
///     http://static.example.org:8080/m/320.png                     plain
extension HTTPURL {
    private static let serviceLimit = 256
    /// By what their URLs have before the path.
    private static let services = Mutex<[Substring: Service]>([:])

    /// What a plain URL has before its path; nil for another URL.
    private static func plainService(_ text: String) -> Substring? {
        let utf8 = text.utf8
        guard text.hasPrefix("http://") || text.hasPrefix("https://"),
            let colon = utf8.firstIndex(of: UInt8(ascii: ":")),
            let path = utf8[colon...].dropFirst(3).firstIndex(of: UInt8(ascii: "/")), isPlainPath(utf8[path...])
        else { return nil }
        return text[..<path]
    }

    /// A path of letters, digits and signs without special meaning, in which no part starts with a dot, and a query
    /// of the same with the usual separators.
    private static func isPlainPath(_ path: Substring.UTF8View) -> Bool {
        var isInQuery = false
        var last: UInt8 = 0
        for byte in path {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F, 0x7E, 0x2F: break
            case 0x2E: if last == 0x2F { return false }
            case 0x3F where !isInQuery: isInQuery = true
            case 0x26, 0x3D: guard isInQuery else { return false }
            default: return false
            }
            last = byte
        }
        return last != 0x3F
    }
}
