// A cached response, as stored: one file with a text head, the body as received, and a digest that reveals damage.
//
//     castline-cache 2 200 1732200000123 8211     status, time of the request in milliseconds, size
//     Content-Type: application/json
//     ETag: W/"2a"
//
//     {"data":[…
//     …the 32 bytes of the SHA-256 of all that
//
// Callers that keep bodies themselves store a note instead of the body: it says where the body is.

import PipelineCore

package struct CacheEntry: Equatable, Sendable {
    package let status: Int
    package internal(set) var headers: HTTPHeaders
    /// When it was requested or last revalidated, in seconds since 1970. The time of the request rather than of the
    /// response, so that time in transit counts as age (RFC 9111, section 4.2.3).
    package internal(set) var askedSeconds: Double
    /// The body, or the note.
    package internal(set) var content: [UInt8]
}

// As a file.
extension CacheEntry {
    private static let mark: StaticString = "castline-cache 2"
    private static let usualHeadBytes = 512

    package func encoded() -> [UInt8] {
        var file = ByteBuffer(capacity: Self.usualHeadBytes + content.count)
        file.append(Self.mark)
        file.append(text: " \(status) \(max(0, Int(askedSeconds * 1000))) \(content.count)\n")
        for field in headers.fields { file.append(text: "\(field.name): \(field.value)\n") }
        file.append(0x0A)
        file.append(content.span)
        file.append(SHA256.digest(file.span).span)
        return file.span.array
    }

    /// Parses a file. Nil if it is damaged or of another version.
    package init?(_ file: [UInt8]) {
        let end = file.count - SHA256.count
        guard end > 0, SHA256.digest(file.span.extracting(..<end))[...] == file[end...] else { return nil }
        var lines = FieldReader(file.span.extracting(..<end))
        guard lines.skip(Self.mark), let status = lines.number(), let milliseconds = lines.number(),
            let count = lines.number(), lines.endLine(), let headers = lines.headers()
        else { return nil }
        guard lines.position + count == end else { return nil }
        self.init(
            status: status, headers: headers, askedSeconds: Double(milliseconds) / 1000,
            content: Array(file[lines.position..<end]))
    }
}

extension FieldReader {
    /// Skips header fields, a line each, and the empty line after them. Nil if a line is none.
    @_lifetime(self: copy self)
    mutating func headers() -> HTTPHeaders? {
        var headers = HTTPHeaders()
        while let line = line(), !line.isEmpty {
            let colon = bytes.firstIndex(of: UInt8(ascii: ":"), from: line.lowerBound) ?? line.upperBound
            guard colon < line.upperBound else { return nil }
            var start = colon + 1
            while bytes[start] == 0x20 { start += 1 }
            headers.append(
                bytes.extracting(line.lowerBound..<colon).text, bytes.extracting(start..<line.upperBound).text)
        }
        return headers
    }
}

extension HTTPHeaders {
    fileprivate static let readingField = "castline-reading"
    private static let limitReadings = 16

    /// The readings that got the same body for a page of a list, the latest last. So one that ends early leaves the list of an
    /// earlier one whole. A run isn't enough: it may read a list twice, and give up halfway.
    package internal(set) var readings: [String] {
        get { values(Self.readingField) }
        set {
            remove(Self.readingField)
            for reading in newValue.suffix(Self.limitReadings) { append(Self.readingField, reading) }
        }
    }
}

// What may be stored, and what revalidation changes.
extension CacheEntry {
    /// Fields of the connection rather than of the response (RFC 9111, section 3.1), and fields that hold secrets.
    private static let unkept = [
        "Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authenticate", "Proxy-Authentication-Info",
        "Proxy-Authorization", "Authentication-Info", "TE", "Trailer", "Transfer-Encoding", "Upgrade", "Set-Cookie",
        "Set-Cookie2", HTTPHeaders.readingField,
    ]

    /// Fields that describe the stored body, which a 304 must not change (section 3.2).
    private static let bodyFields = ["Content-Length", "Content-Encoding", "Content-Range"]

    package static func kept(_ headers: HTTPHeaders) -> HTTPHeaders {
        let named = headers.values("Connection").flatMap { $0.split(separator: ",") }
            .map { String($0.drop { $0 == " " }.prefix { $0 != " " }) }
        return HiddenTokens.hidden(in: headers.filter { !HTTPHeaders.isOne($0.name, of: unkept + named) })
    }

    /// Fields that say how long a response is fresh and where it redirects. No others are read without a body.
    static let noteFields = [
        "Age", "Cache-Control", "Date", "ETag", "Expires", "Last-Modified", "Location", "Vary",
    ]

    /// The entry updated with those fields of a 304 that are kept (section 4.3.4). Nil if the 304 is about another version:
    /// its strong validator differs.
    package func confirmed(by new: HTTPHeaders, askedSeconds: Double) -> CacheEntry? {
        if let tag = new["ETag"], !tag.hasPrefix("W/"), let own = self.headers["ETag"], tag != own,
            "W/" + tag != own
        {
            return nil
        }
        var entry = self
        let changed = new.filter { !HTTPHeaders.isOne($0.name, of: Self.bodyFields) }
        entry.headers = headers.filter { changed[$0.name] == nil }
        for field in changed.fields { entry.headers.append(field.name, field.value) }
        entry.askedSeconds = askedSeconds
        return entry
    }
}

/// The key of a stored response: a digest of all that is sent, so that it doesn't reveal the request.
package struct CacheKey: Equatable, Sendable {
    let bytes: [UInt8]

    package init(_ request: HTTPRequest, userAgent: String) {
        var text = Array("\(request.url.text)\n\(userAgent)".utf8)
        for field in request.fields {
            text += "\n\(field.location) \(field.name.lowercased()): \(field.value)".utf8
        }
        for secret in request.hiddenSecrets { text += "\n\(secret.placeholder): \(secret.identity)".utf8 }
        if let body = request.body {
            text += "\n\(request.method) \(body.mediaType)\n".utf8
            text += body.bytes
        }
        bytes = SHA256.digest(text.span)
    }

    /// The name of an entry's file: `7f/03c9…`.
    var fileName: String {
        var digits = Array(SHA256.hexadecimal(bytes).utf8)
        digits.insert(UInt8(ascii: "/"), at: 2)
        return String(decoding: digits, as: UTF8.self)
    }

    /// Whether a name in one of the directories is that of an entry.
    static func isFileName(_ name: String) -> Bool {
        name.utf8.count == 2 * SHA256.count - 2 && name.utf8.areHexadecimal
    }

    /// The first eight bytes as a number, evenly distributed.
    var number: UInt64 { bytes[..<8].reversed().reduce(0) { $0 << 8 | UInt64($1) } }
}
