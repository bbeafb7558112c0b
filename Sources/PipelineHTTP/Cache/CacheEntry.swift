// A response as the cache keeps it: one file, a head of text and the body as it came, with a digest that tells a damaged
// one.
//
//     castline-cache 1 200 1732200000123 body 8211     status, when it was asked for in milliseconds, what follows
//     Content-Type: application/json
//     ETag: W/"2a"
//
//     {"data":[…
//     …the 32 bytes of the SHA-256 of all that
//
// A note in place of the body is for those who keep bodies themselves: it says where.

import PipelineCore

/// A stored response.
package struct CacheEntry: Equatable, Sendable {
    package enum Content: Equatable, Sendable {
        case body([UInt8])
        case note([UInt8])
    }

    package let status: Int
    package internal(set) var headers: HTTPHeaders
    /// When it was asked for, or last confirmed, in seconds since 1970. The moment of asking and not that of the
    /// answer, so that the time on the way counts as age (RFC 9111, section 4.2.3).
    package internal(set) var askedSeconds: Double
    package let content: Content

    private static let mark: StaticString = "castline-cache 1"
    private static let usualHeadBytes = 512

    package init(status: Int, headers: HTTPHeaders, askedSeconds: Double, content: Content) {
        self.status = status
        self.headers = headers
        self.askedSeconds = askedSeconds
        self.content = content
    }

    // MARK: As a file

    /// The file's bytes.
    package func encoded(_ digest: SHA256) -> [UInt8] {
        let (kind, bytes): (StaticString, [UInt8]) =
            switch content {
            case .body(let bytes): (" body ", bytes)
            case .note(let bytes): (" note ", bytes)
            }
        var file = ByteBuffer(capacity: Self.usualHeadBytes + bytes.count)
        file.append(Self.mark)
        for number in [status, Int(askedSeconds * 1000)] {
            file.append(0x20)
            file.appendDecimal(UInt64(max(0, number)))
        }
        file.append(kind)
        file.appendDecimal(UInt64(bytes.count))
        file.append(0x0A)
        for field in headers.fields {
            file.append(field.name.utf8Span.span)
            file.append(": ")
            file.append(field.value.utf8Span.span)
            file.append(0x0A)
        }
        file.append(0x0A)
        file.append(bytes.span)
        file.append(digest.digest(file.span).span)
        return file.span.array
    }

    /// Reads a file; nil for one that isn't whole, or another version's.
    package init?(_ file: [UInt8], _ digest: SHA256) {
        let end = file.count - SHA256.count
        guard end > 0, digest.digest(file.span.extracting(..<end))[...] == file[end...] else { return nil }
        var lines = FieldReader(file.span.extracting(..<end))
        guard lines.skip(Self.mark), let status = lines.number(), let milliseconds = lines.number(),
            let kind = lines.word(), let count = lines.number(), lines.endLine()
        else { return nil }
        let isNote = lines.bytes.extracting(kind).equals("note")
        var headers = HTTPHeaders()
        while !lines.endLine() {
            guard let (name, value) = lines.field() else { return nil }
            headers.append(name, value)
        }
        guard lines.position + count == end else { return nil }
        let bytes = Array(file[lines.position..<end])
        self.init(
            status: status, headers: headers, askedSeconds: Double(milliseconds) / 1000,
            content: isNote ? .note(bytes) : .body(bytes))
    }
}

extension FieldReader {
    /// The name and the value of the line that stands here.
    @_lifetime(self: copy self)
    fileprivate mutating func field() -> (name: String, value: String)? {
        guard let line = line(), let colon = bytes.firstIndex(of: UInt8(ascii: ":"), from: line.lowerBound),
            colon + 2 <= line.upperBound
        else { return nil }
        return (
            bytes.extracting(line.lowerBound..<colon).text, bytes.extracting(colon + 2..<line.upperBound).text
        )
    }
}

// What may be kept, and what a confirmation changes.
extension CacheEntry {
    /// Fields of the connection and not of the response (RFC 9111, section 3.1), and those that hold secrets.
    private static let unkept = [
        "Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authenticate", "Proxy-Authentication-Info",
        "Proxy-Authorization", "Authentication-Info", "TE", "Trailer", "Transfer-Encoding", "Upgrade", "Set-Cookie",
        "Set-Cookie2",
    ]
    /// Fields that belong to the stored body and that a confirmation without one must not change (section 3.2).
    private static let bodyFields = ["Content-Length", "Content-Encoding", "Content-Range"]

    /// The fields of a response that are kept.
    static func kept(_ headers: HTTPHeaders) -> HTTPHeaders {
        let named = headers.values("Connection").flatMap { $0.split(separator: ",") }
            .map { String($0.drop { $0 == " " }.prefix { $0 != " " }) }
        var kept = HTTPHeaders()
        for field in headers.fields where !HTTPHeaders.isOne(field.name, of: unkept + named) { kept.append(field) }
        return kept
    }

    /// Fields that tell how long a response holds and where it leads; the others of a response whose body isn't kept
    /// nobody reads.
    private static let noteFields = [
        "Age", "Cache-Control", "Date", "ETag", "Expires", "Last-Modified", "Location", "Vary",
    ]

    /// The fields that are kept of a response without its body.
    static func keptForNote(_ headers: HTTPHeaders) -> HTTPHeaders {
        var kept = HTTPHeaders()
        for field in headers.fields where HTTPHeaders.isOne(field.name, of: noteFields) { kept.append(field) }
        return kept
    }

    /// The entry with the fields of a response that confirms it in place of its own (section 4.3.4); nil where that
    /// answer is about another version: its strong validator differs.
    package func confirmed(by headers: HTTPHeaders, askedSeconds: Double) -> CacheEntry? {
        if let tag = headers["ETag"], !tag.hasPrefix("W/"), let own = self.headers["ETag"], tag != own,
            "W/" + tag != own
        {
            return nil
        }
        let isNote = if case .note = content { true } else { false }
        let new = isNote ? Self.keptForNote(headers) : Self.kept(headers)
        var merged = HTTPHeaders()
        for field in self.headers.fields
        where !new.contains(field.name) || HTTPHeaders.isOne(field.name, of: Self.bodyFields) {
            merged.append(field)
        }
        for field in new.fields where !HTTPHeaders.isOne(field.name, of: Self.bodyFields) { merged.append(field) }
        var entry = self
        entry.headers = merged
        entry.askedSeconds = askedSeconds
        return entry
    }
}
