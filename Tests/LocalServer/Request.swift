// A request as it was read: method, target, headers, body.

struct Request: Sendable {
    let method: String
    /// As it was sent: `/character?page=2`, or with scheme and host, as to a proxy.
    let target: String
    let isHTTP10: Bool
    let headers: [Header]
    var body: [UInt8] = []
    /// Of the target, as it was sent.
    let path: String
    /// What follows the first `?` of the target, as it was sent.
    let rawQuery: String

    init(method: String, target: String, isHTTP10: Bool, headers: [Header]) {
        self.method = method
        self.target = target
        self.isHTTP10 = isHTTP10
        self.headers = headers
        var local = target[...]
        if local.hasPrefix("http://") {
            let authority = local.dropFirst("http://".count)
            local = authority.firstIndex(of: "/").map { authority[$0...] } ?? "/"
        }
        let parts = local.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts[0])
        rawQuery = parts.count > 1 ? String(parts[1]) : ""
    }

    /// The first header of that name, in any case.
    func header(_ name: String) -> String? {
        let folded = name.lowercased()
        return headers.first { $0.name.lowercased() == folded }.map { FaultSpec.string($0.value) }
    }

    /// Whether the client wants to go on using the connection (RFC 9112, 9.3).
    var keepsConnection: Bool {
        !isHTTP10 && header("connection")?.lowercased() != "close"
    }

    /// Whether the client takes an answer compressed with gzip. Weights aren't looked at.
    var takesGzip: Bool {
        header("accept-encoding")?.lowercased().split(separator: ",").contains { $0.contains("gzip") } ?? false
    }

    /// The parameters of the query, decoded as HTML forms are.
    var query: [(name: String, value: String)] { Self.parameters(rawQuery) }

    static func parameters(_ text: String) -> [(name: String, value: String)] {
        text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (decoded(parts[0]), parts.count > 1 ? decoded(parts[1]) : "")
        }
    }

    /// The first parameter of that name.
    func parameter(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }

    /// Percent escapes and `+` resolved; what isn't an escape stays.
    static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, let value = UInt8(String(Substring(digits)), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// One header line of a request or an answer. Values are bytes: old servers send Latin-1.
struct Header: Sendable {
    let name: String
    var value: [UInt8]

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = Array(value.utf8)
    }

    init(_ name: String, bytes: [UInt8]) {
        self.name = name
        value = bytes
    }
}
