// An answer as bytes on the wire: the head, the body in its framing, and whether the connection ends with it.

import Foundation

/// What is sent for one request.
struct Delivery {
    let head: [UInt8]
    let body: [UInt8]
    let closes: Bool

    /// - Parameter compresses: whether to compress for clients that ask for it.
    init(_ response: Response, to request: Request, fault: Fault?, compresses: Bool = false) {
        var writer = HeadWriter(response, fault)
        let isBodiless = response.status == 304 || response.status == 204
        let framing = isBodiless ? .none : fault?.framing ?? .length
        var wire = response.body
        let coding = fault?.coding ?? (compresses && request.takesGzip ? .whole : nil)
        if let coding, !isBodiless {
            wire = Gzip.encoded(wire, coding)
            writer.setCoding(Gzip.name(coding))
        }
        switch framing {
        case .none: break
        case .length: writer.setLength(wire.count)
        case .doubleLength:
            writer.setLength(wire.count)
            writer.add("Content-Length", "\(wire.count + 1)")
        case .truncated:
            writer.setLength(wire.count)
            wire.removeLast((wire.count + 1) / 2)
        case .chunked, .truncatedChunked:
            writer.add("Transfer-Encoding", "chunked")
            if case .chunked = framing { writer.add("Trailer", "X-Body-Checksum") }
            wire = Self.chunks(wire) + (framing == .chunked ? Self.lastChunk(wire) : [])
        case .close: break
        case .endless:
            writer.add("Transfer-Encoding", "chunked")
            wire = Self.chunks(wire)
        }
        let endsByItself: Bool
        switch framing {
        case .none: endsByItself = true
        case .length, .chunked: endsByItself = !writer.hasOwnLength
        case .doubleLength, .truncated, .truncatedChunked, .close, .endless: endsByItself = false
        }
        closes = !endsByItself || !request.keepsConnection
        if closes { writer.add("Connection", "close") }
        head = writer.bytes()
        body = isBodiless || request.method == "HEAD" ? [] : wire
    }

    /// The body as chunks of about a thousand bytes (RFC 9112, 7.1), without the last one.
    private static func chunks(_ body: [UInt8]) -> [UInt8] {
        var wire: [UInt8] = []
        for start in stride(from: 0, to: body.count, by: 1000) {
            let part = body[start..<min(start + 1000, body.count)]
            wire += Array("\(String(part.count, radix: 16))\r\n".utf8) + part + [0x0D, 0x0A]
        }
        return wire
    }

    private static func lastChunk(_ body: [UInt8]) -> [UInt8] {
        Array("0\r\nX-Body-Checksum: \(String(Checksum.fnv(body), radix: 16))\r\n\r\n".utf8)
    }

    /// A chunk of 64 KiB of spaces, of which an endless body is made after its real part.
    static let endlessChunk = Array("10000\r\n".utf8) + [UInt8](repeating: 0x20, count: 65_536) + [0x0D, 0x0A]
    static let endlessLimitBytes = 256 << 20
    static let endlessHeadBytes = 16 << 20
}

/// The status line and the headers, in the style that a fault may ask for.
private struct HeadWriter {
    private let lineEnd: String
    private let statusLine: String
    private let hasEarlyHints: Bool
    private var headers: [Header]
    /// A fault's own Content-Length, right or wrong, stands in for the true one.
    let hasOwnLength: Bool

    init(_ response: Response, _ fault: Fault?) {
        lineEnd = fault?.endsLinesWithLF == true ? "\n" : "\r\n"
        hasEarlyHints = fault?.hasEarlyHints ?? false
        headers = response.headers
        hasOwnLength = headers.contains { $0.name.lowercased() == "content-length" }
        let version = if case .close? = fault?.framing { "HTTP/1.0" } else { "HTTP/1.1" }
        let reason = fault?.hasNoReason == true ? "" : Response.reason(response.status)
        statusLine = "\(version) \(response.status) \(reason)"
        if !headers.contains(where: { $0.name.lowercased() == "date" }) { add("Date", HTTPDate.text()) }
    }

    mutating func add(_ name: String, _ value: String) { headers.append(Header(name, value)) }

    mutating func setLength(_ count: Int) {
        if !hasOwnLength { add("Content-Length", "\(count)") }
    }

    /// A fault's own name for the coding stands in for the true one, too.
    mutating func setCoding(_ name: String) {
        if !headers.contains(where: { $0.name.lowercased() == "content-encoding" }) {
            add("Content-Encoding", name)
        }
        add("Vary", "Accept-Encoding")
    }

    func bytes() -> [UInt8] {
        var head: [UInt8] = []
        if hasEarlyHints {
            head += "HTTP/1.1 103 Early Hints\(lineEnd)Link: </style.css>; rel=preload\(lineEnd)\(lineEnd)".utf8
        }
        head += "\(statusLine)\(lineEnd)".utf8
        for header in headers {
            head += "\(header.name): ".utf8
            head += header.value
            head += lineEnd.utf8
        }
        head += lineEnd.utf8
        return head
    }
}

/// Dates as HTTP writes them (RFC 9110, 5.6.7): "Sun, 06 Nov 1994 08:49:37 GMT".
enum HTTPDate {
    static func text(_ date: Date = Date()) -> String {
        var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
        var parts = unsafe tm()
        unsafe gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 64)
        // Names of days and months are in English, as this process sets no locale.
        let count = unsafe strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
