// What a response's `Cache-Control` says (RFC 9111, section 5.2.2), as far as it matters to a private cache.
//
//     Cache-Control: private, max-age=3600, no-cache="Set-Cookie"

/// The directives of a response.
package struct CacheControl: Equatable, Sendable {
    package private(set) var isNoStore = false
    /// Revalidate before each use.
    package private(set) var isNoCache = false
    /// Seconds. 0 for a value that isn't a number: what can't be parsed counts as stale.
    package private(set) var maxAgeSeconds: Double?

    package init(_ headers: HTTPHeaders) {
        for value in headers.values("Cache-Control") {
            for directive in Self.directives(value) { add(directive) }
        }
    }

    private mutating func add(_ directive: String) {
        let parts = directive.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        switch parts[0].lowercased() {
        case "no-store": isNoStore = true
        case "no-cache" where parts.count == 1: isNoCache = true
        case "max-age":
            let text = parts.count == 2 ? parts[1].filter { $0 != "\"" } : ""
            let seconds = text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Double(text) ?? 0 : 0
            // Of two values, the shorter one applies.
            maxAgeSeconds = min(maxAgeSeconds ?? .infinity, seconds)
        default: break
        }
    }

    /// The parts between commas, without white space. Commas in quotes don't separate.
    private static func directives(_ value: String) -> [String] {
        var directives: [[UInt8]] = [[]]
        var isQuoted = false
        for byte in value.utf8 {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == UInt8(ascii: ","), !isQuoted {
                directives.append([])
            } else if byte != 0x20, byte != 0x09 {
                directives[directives.count - 1].append(byte)
            }
        }
        return directives.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
    }
}
