// The key of a stored response: a digest of all that is sent, so that it doesn't reveal the request.

import PipelineCore

/// The key of an entry.
package struct CacheKey: Equatable, Sendable {
    /// The 32 bytes of a SHA-256.
    let bytes: [UInt8]

    /// - Parameter fields: of the request, including secrets.
    package init(_ url: HTTPURL, _ fields: [HTTPRequest.Field], userAgent: String, _ digest: SHA256) {
        var text: [UInt8] = []
        text.reserveCapacity(url.text.utf8.count + userAgent.utf8.count + 1)
        text.append(contentsOf: url.text.utf8)
        text.append(0x0A)
        text.append(contentsOf: userAgent.utf8)
        for field in fields { text += "\n\(field.location) \(field.name.lowercased()): \(field.value)".utf8 }
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
