// The parts of a URL that need care: those that must stay private, and the host as sent.
//
//     https://user:word@host/a?page=2#b      for a file: https://host/a?page=2
//     http://①②⑦。1./                        sent: 127.0.0.1

import CCurl
import PipelineCore

extension HTTPURL {
    /// The password before the host, if there is one.
    var password: String? {
        guard let range = userRange, let colon = text[range].firstIndex(of: ":") else { return nil }
        return String(text[text.index(after: colon)..<range.upperBound])
    }

    /// The URL without user, password and fragment.
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
        do throws(HTTPFailure) {
            return try HTTPURL(String(text.prefix { $0 != "?" && $0 != "#" })).resolving(reference).text
        } catch { return nil }
    }

    /// User and password without the `@` that follows.
    private var userRange: Range<String.Index>? {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return nil }
        let start = text.index(text.startIndex, offsetBy: scheme.count + 3)
        let end = text[start...].firstIndex { "/?#".contains($0) } ?? text.endIndex
        guard let mark = text[start..<end].lastIndex(of: "@") else { return nil }
        return start..<mark
    }

    /// The URL without the query parameters of this name.
    /// - Parameter name: percent-encoded as in the URL.
    func removing(_ name: String) throws(HTTPFailure) -> HTTPURL {
        guard let mark = text.firstIndex(of: "?") else { return self }
        let end = text.firstIndex(of: "#") ?? text.endIndex
        guard mark < end else { return self }
        let parameters = text[text.index(after: mark)..<end].split(separator: "&", omittingEmptySubsequences: false)
        let others = parameters.filter { $0 != name && !$0.hasPrefix(name + "=") }
        guard others.count < parameters.count else { return self }
        let query = others.isEmpty ? "" : "?" + others.joined(separator: "&")
        return try HTTPURL(text[..<mark] + query + text[end...])
    }

    /// The host as sent: an international name in ASCII (RFC 5891, with the mapping of UTS 46), an address in its
    /// usual form, without a dot at the end.
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
    package static func percentEncoded(_ text: String) -> String {
        percentEncoded(text.utf8) { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: false
            default: true
            }
        }
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

    /// The text, percent-decoded.
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
