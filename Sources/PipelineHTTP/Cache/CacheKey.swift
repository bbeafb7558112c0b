// The key of a stored response: a digest of all that is sent, so that it doesn't reveal the request.

import PipelineCore

/// The key of an entry.
package struct CacheKey: Equatable, Sendable {
    /// The 32 bytes of a SHA-256.
    let bytes: [UInt8]

    /// The key of the response to a GET without secrets.
    package init(_ url: HTTPURL, userAgent: String, _ digest: SHA256) {
        self.init(HTTPRequest.Hop(method: .get, url: url, fields: [], secrets: []), userAgent: userAgent, digest)
    }

    /// The key of the response at a hop.
    init(_ hop: HTTPRequest.Hop, userAgent: String, _ digest: SHA256) {
        var text: [UInt8] = []
        text.reserveCapacity(hop.url.text.utf8.count + userAgent.utf8.count + 1)
        text.append(contentsOf: hop.url.text.utf8)
        text.append(0x0A)
        text.append(contentsOf: userAgent.utf8)
        for field in hop.fields { text += "\n\(field.location) \(field.name.lowercased()): \(field.value)".utf8 }
        for secret in hop.secrets { text += "\n\(secret.placeholder): \(secret.identity)".utf8 }
        if let body = hop.method.body {
            text += "\n\(hop.method.name) \(body.mediaType)\n".utf8
            text += body.bytes
        }
        bytes = digest.digest(text.span)
    }

    /// The name of an entry's file: `7f/03c9…`.
    var fileName: String {
        var digits = Array(SHA256.hexadecimal(bytes).utf8)
        digits.insert(UInt8(ascii: "/"), at: 2)
        return String(decoding: digits, as: UTF8.self)
    }

    /// Whether a name in one of the directories is that of an entry.
    static func isFileName(_ name: String) -> Bool {
        name.utf8.count == 2 * SHA256.count - 2 && SHA256.isHexadecimal(name.utf8)
    }

    /// Eight of the bytes as a number, evenly distributed.
    /// - Parameter part: 0 to 3.
    func number(_ part: Int) -> UInt64 {
        var number: UInt64 = 0
        for index in (8 * part..<8 * part + 8).reversed() { number = number << 8 | UInt64(bytes[index]) }
        return number
    }
}
