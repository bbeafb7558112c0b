// An answer as the cache keeps it: one file, a head of text and the body as it came, with a digest that tells a damaged
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

/// A stored answer.
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

    private static let mark = "castline-cache 1"
    private static let usualHeadBytes = 1024

    package init(status: Int, headers: HTTPHeaders, askedSeconds: Double, content: Content) {
        self.status = status
        self.headers = headers
        self.askedSeconds = askedSeconds
        self.content = content
    }

    // MARK: As a file

    /// The file's bytes.
    package func encoded(_ digest: SHA256) -> [UInt8] {
        let (kind, bytes) =
            switch content {
            case .body(let bytes): ("body", bytes)
            case .note(let bytes): ("note", bytes)
            }
        var file: [UInt8] = []
        file.reserveCapacity(Self.usualHeadBytes + bytes.count)
        file += Self.mark.utf8
        for word in [String(status), String(Int(askedSeconds * 1000)), kind, String(bytes.count)] {
            file.append(0x20)
            file += word.utf8
        }
        file.append(0x0A)
        for field in headers.fields {
            file += field.name.utf8
            file += ": ".utf8
            file += field.value.utf8
            file.append(0x0A)
        }
        file.append(0x0A)
        file.append(contentsOf: bytes)
        file += digest.digest(file.span)
        return file
    }

    /// Reads a file; nil for one that isn't whole, or another version's.
    package init?(_ file: [UInt8], _ digest: SHA256) {
        let end = file.count - SHA256.count
        guard end > 0, digest.digest(file.span.extracting(..<end))[...] == file[end...] else { return nil }
        var lines = CacheLines(file.span.extracting(..<end))
        guard lines.skip(Self.mark), let status = lines.number(), let milliseconds = lines.number(),
            let kind = lines.word(), let count = lines.number(), lines.endLine()
        else { return nil }
        var headers = HTTPHeaders()
        while !lines.endLine() {
            guard let (name, value) = lines.field() else { return nil }
            headers.append(name, value)
        }
        guard lines.position + count == end else { return nil }
        let bytes = Array(file[lines.position..<end])
        self.init(
            status: status, headers: headers, askedSeconds: Double(milliseconds) / 1000,
            content: kind == "note" ? .note(bytes) : .body(bytes))
    }
}

/// The lines of a head, from one end to the other.
private struct CacheLines: ~Escapable {
    private let bytes: Span<UInt8>
    private(set) var position = 0

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    /// Passes over a text that stands here.
    @_lifetime(self: copy self)
    mutating func skip(_ text: String) -> Bool {
        let text = text.utf8Span.span
        guard text.count <= bytes.count - position,
            bytes.extracting(position..<position + text.count).equals(text)
        else { return false }
        position += text.count
        return true
    }

    /// Passes over the end of a line that stands here.
    @_lifetime(self: copy self)
    mutating func endLine() -> Bool {
        guard position < bytes.count, bytes[position] == 0x0A else { return false }
        position += 1
        return true
    }

    /// The word behind the next space.
    @_lifetime(self: copy self)
    mutating func word() -> String? {
        guard position < bytes.count, bytes[position] == 0x20 else { return nil }
        let start = position + 1
        position = start
        while position < bytes.count, bytes[position] > 0x20 { position += 1 }
        return bytes.extracting(start..<position).text
    }

    /// The number behind the next space.
    @_lifetime(self: copy self)
    mutating func number() -> Int? { word().flatMap { Int($0) } }

    /// The name and the value of the line that stands here.
    @_lifetime(self: copy self)
    mutating func field() -> (name: String, value: String)? {
        guard let end = bytes.firstIndex(of: 0x0A, from: position),
            let colon = bytes.firstIndex(of: UInt8(ascii: ":"), from: position), colon + 2 <= end
        else { return nil }
        let name = bytes.extracting(position..<colon).text
        let value = bytes.extracting(colon + 2..<end).text
        position = end + 1
        return (name, value)
    }
}

// What may be kept, and what a confirmation changes.
extension CacheEntry {
    /// Fields of the connection and not of the answer (RFC 9111, section 3.1), and those that hold secrets.
    private static let unkept = [
        "Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authenticate", "Proxy-Authentication-Info",
        "Proxy-Authorization", "Authentication-Info", "TE", "Trailer", "Transfer-Encoding", "Upgrade", "Set-Cookie",
        "Set-Cookie2",
    ]
    /// Fields that belong to the stored body and that a confirmation without one must not change (section 3.2).
    private static let bodyFields = ["Content-Length", "Content-Encoding", "Content-Range"]

    /// The fields of an answer that are kept.
    static func kept(_ headers: HTTPHeaders) -> HTTPHeaders {
        let named = headers.values("Connection").flatMap { $0.split(separator: ",") }
            .map { String($0.drop { $0 == " " }.prefix { $0 != " " }) }
        var kept = HTTPHeaders()
        for field in headers.fields
        where !(unkept + named).contains(where: { HTTPHeaders.areEqual($0, field.name) }) {
            kept.append(field.name, field.value)
        }
        return kept
    }

    /// Fields that tell how long an answer holds and where it leads; the others of an answer whose body isn't kept
    /// nobody reads.
    private static let noteFields = [
        "Age", "Cache-Control", "Date", "ETag", "Expires", "Last-Modified", "Location", "Vary",
    ]

    /// The fields that are kept of an answer without its body.
    static func keptForNote(_ headers: HTTPHeaders) -> HTTPHeaders {
        var kept = HTTPHeaders()
        for field in headers.fields where noteFields.contains(where: { HTTPHeaders.areEqual($0, field.name) }) {
            kept.append(field.name, field.value)
        }
        return kept
    }

    /// The entry with the fields of an answer that confirms it in place of its own (section 4.3.4); nil where that
    /// answer is about another version: its strong validator differs.
    package func confirmed(by headers: HTTPHeaders, askedSeconds: Double) -> CacheEntry? {
        if let tag = headers["ETag"], !tag.hasPrefix("W/"), let own = self.headers["ETag"], tag != own,
            "W/" + tag != own
        {
            return nil
        }
        let isNote = if case .note = content { true } else { false }
        let new = (isNote ? Self.keptForNote(headers) : Self.kept(headers)).fields.filter { field in
            !Self.bodyFields.contains { HTTPHeaders.areEqual($0, field.name) }
        }
        var merged = HTTPHeaders()
        for field in self.headers.fields where !new.contains(where: { HTTPHeaders.areEqual($0.name, field.name) }) {
            merged.append(field.name, field.value)
        }
        for field in new { merged.append(field.name, field.value) }
        var entry = self
        entry.headers = merged
        entry.askedSeconds = askedSeconds
        return entry
    }
}
