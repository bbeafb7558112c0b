// The coding of a body, as `Content-Encoding` names it (RFC 9110, section 8.4).
//
//     Content-Encoding: x-gzip          gzip
//     Content-Encoding: gzip, gzip      other: coded twice
//     Content-Encoding: utf-8           identity: the name of no coding

/// How the body of a response is compressed.
package enum ContentCoding: Equatable, Sendable {
    case identity
    case gzip
    /// One that is never requested, or several.
    case other

    /// The names that IANA has registered for codings. Services put other words there, which change nothing.
    private static let names: Set = [
        "aes128gcm", "br", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "pack200-gzip", "x-compress",
        "x-gzip",
        "zstd",
    ]

    /// The coding that these fields name. A name may be in any case, and an element of a list may be empty.
    init(_ headers: HTTPHeaders) {
        let names = headers.values("Content-Encoding").flatMap { $0.split(separator: ",") }
            .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            .filter { Self.names.contains($0) }
        switch names {
        case []: self = .identity
        // Recipients treat the older name as the same (section 8.4.1.3).
        case ["gzip"], ["x-gzip"]: self = .gzip
        default: self = .other
        }
    }
}
