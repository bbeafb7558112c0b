// The final response, after redirects and retries.

import PipelineCore

package struct HTTPResponse: Equatable, Sendable {
    /// The successful statuses. 202 comes before the content, 204 and 205 have none, and 206 is a part that wasn't requested.
    static let statuses: Set = [200, 201, 203]

    package let status: Int
    package let headers: HTTPHeaders
    package var body: [UInt8]
    /// The URLs requested in sequence. The last one gave the response.
    package let redirectChain: [HTTPURL]

    /// It says that it is a part, and the request asked for no range. A range of another unit than bytes, as PostgREST has
    /// `Content-Range: 0-24/250`, counts records, and is whole.
    package var isUnaskedPart: Bool {
        status == 206 && headers["Content-Range"]?.hasPrefix("bytes") ?? true
    }

    package var url: HTTPURL { redirectChain[redirectChain.count - 1] }

    package init(status: Int, headers: HTTPHeaders, body: [UInt8], redirectChain: [HTTPURL]) {
        self.status = status
        self.headers = headers
        self.body = body
        self.redirectChain = redirectChain
    }
}

/// Where a response came from: the service, the cache, or both.
package enum HTTPProvenance: String, CaseIterable, Sendable {
    case fetched
    case cached
    /// From the cache, after the service was asked whether it is still current, or where it is.
    case revalidated
    /// From the cache, as the service failed.
    case stale

    func followed(by next: HTTPProvenance) -> HTTPProvenance {
        switch (self, next) {
        case (.stale, _), (_, .stale): .stale
        case (_, .fetched): .fetched
        case (.cached, .cached): .cached
        case (_, .revalidated), (.revalidated, .cached), (.fetched, .cached): .revalidated
        }
    }
}

/// The status line and the header fields of a response, line by line as libcurl passes them on, and the checks that
/// decide where its body ends.
///
///     HTTP/1.1 103 Early Hints    an interim response: dropped, at most 16 of them
///     Link: </a>
///
///     HTTP/1.1 200 OK             the response
///     Content-Length: 2
///
///     …body…
///     Digest: x                   a trailer: counted and dropped
package struct ResponseHead {
    private static let interimLimit = 16

    package private(set) var status = 0
    package private(set) var headers = HTTPHeaders()
    package private(set) var isComplete = false
    /// The value of `Content-Length`, nil if it is absent. It counts what is sent, compressed or not (RFC 9112,
    /// section 6.3).
    package private(set) var contentLength: Int?
    /// How the body is compressed. The fields of a complete head no longer say so: what is kept is the body itself.
    package private(set) var coding = ContentCoding.identity
    /// Whether the body says where it ends: by its length or in chunks; in HTTP/2 every body does.
    package var hasEnd: Bool { !isHTTP1 || contentLength != nil || headers["Transfer-Encoding"] != nil }
    private(set) var isHTTP1 = false
    private var interimCount = 0
    private var lineCount = 0
    private var byteCount = 0

    package init() {}

    mutating func take(status: Int, _ headers: HTTPHeaders) {
        self.status = status
        self.headers = headers
        isComplete = true
    }

    /// Takes the next line, with or without its line end.
    /// - Returns: what is wrong with the response, if anything.
    package mutating func accept(_ line: Span<UInt8>) -> HTTPFailure.Reason? {
        byteCount += line.count
        lineCount += 1
        guard byteCount <= HTTPHeaders.limitBytes, lineCount <= 2 * HTTPHeaders.limitCount else {
            return .malformed("its header never ends")
        }
        guard !isComplete else { return nil }
        var count = line.count
        if count > 0, line[count - 1] == 0x0A { count -= 1 }
        if count > 0, line[count - 1] == 0x0D { count -= 1 }
        let text = line.extracting(..<count)
        if status == 0 || (100..<200).contains(status) && Self.isStatusLine(text) { return begin(text) }
        if text.isEmpty { return end() }
        return addField(text)
    }

    private mutating func begin(_ line: Span<UInt8>) -> HTTPFailure.Reason? {
        guard Self.isStatusLine(line), let space = line.firstIndex(of: 0x20), line.count >= space + 4 else {
            return .malformed("no status line")
        }
        guard let number = UTCCalendar.digits(line, space + 1, 3) else { return .malformed("no status") }
        status = number
        isHTTP1 = line[5] == UInt8(ascii: "1")
        headers = HTTPHeaders()
        return number < 100 ? .malformed("a status below 100") : nil
    }

    private mutating func end() -> HTTPFailure.Reason? {
        if (100..<200).contains(status) {
            interimCount += 1
            headers = HTTPHeaders()
            return interimCount > Self.interimLimit ? .malformed("only interim (1xx) responses") : nil
        }
        isComplete = true
        // Chunks say themselves where the body ends, whatever a length beside them says (RFC 9112, section 6.3).
        if isHTTP1, isChunked { headers.remove("Content-Length") }
        return checkLength() ?? checkCodings()
    }

    private mutating func addField(_ line: Span<UInt8>) -> HTTPFailure.Reason? {
        if line[0] == 0x20 || line[0] == 0x09 {
            headers.continueLast(Self.trimmed(line))
            return nil
        }
        guard let colon = line.firstIndex(of: 0x3A), colon > 0 else { return nil }
        guard headers.fields.count < HTTPHeaders.limitCount else { return .malformed("too many header fields") }
        let name = Self.trimmed(line.extracting(..<colon))
        let value = line.extracting((colon + 1)...)
        // A Latin-1 URL is requested byte for byte as it was sent: a repaired one would be different.
        let isForeign = HTTPHeaders.areEqual(name, "Location") && UTF8Sequence.firstFault(in: value) != nil
        let bytes = isForeign ? Array(HTTPURL.percentEncoded(value.array) { $0 >= 0x80 }.utf8) : value.array
        headers.append(name, Self.trimmed(bytes.span))
        return nil
    }

    /// Different lengths leave the end of the body unclear: it may be cut short, or be two (RFC 9112, section 6.3).
    private mutating func checkLength() -> HTTPFailure.Reason? {
        let values = headers.values("Content-Length")
        if values.isEmpty { return nil }
        for value in values.flatMap({ $0.split(separator: ",") }) {
            let text = Self.trimmed(String(value).utf8Bytes.span)
            guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(text) else {
                return .malformed("a content length that isn't a number")
            }
            guard contentLength == nil || contentLength == length else {
                return .malformed("two different content lengths")
            }
            contentLength = length
        }
        return contentLength == nil ? .malformed("a content length that isn't a number") : nil
    }

    /// What is wrong with the length of a body that libcurl considers complete. libcurl ignores `Content-Length`
    /// with white space before the colon (RFC 9112, section 5.1).
    package func fault(ofBody count: Int) -> HTTPFailure.Reason? {
        guard let contentLength, contentLength != count else { return nil }
        return count < contentLength ? .truncated : .malformed("a body longer than its content length")
    }

    private var isChunked: Bool {
        headers.values("Transfer-Encoding").contains { $0.lowercased() == "chunked" }
    }

    /// No coding was requested but gzip, which some send unasked.
    private mutating func checkCodings() -> HTTPFailure.Reason? {
        guard headers["Content-Encoding"] != nil || headers["Transfer-Encoding"] != nil else { return nil }
        coding = ContentCoding(headers)
        if coding == .other, HTTPResponse.statuses.contains(status) {
            return .malformed("a content coding that wasn't requested")
        }
        if coding != .identity {
            headers.remove("Content-Encoding")
            headers.remove("Content-Length")
        }
        for value in headers.values("Transfer-Encoding") {
            let isKnown = value.isEmpty || ["chunked", "identity"].contains(value.lowercased())
            guard isKnown else { return .malformed("a transfer coding that wasn't requested") }
        }
        return nil
    }

    private static func isStatusLine(_ line: Span<UInt8>) -> Bool {
        line.count >= 5 && line.extracting(..<5).equals("HTTP/")
    }

    /// The text without white space around it. Invalid UTF-8 becomes U+FFFD.
    private static func trimmed(_ bytes: Span<UInt8>) -> String {
        var (start, end) = (0, bytes.count)
        while start < end, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
        while start < end, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        return bytes.extracting(start..<end).text
    }
}

/// The coding of a body, as `Content-Encoding` names it (RFC 9110, section 8.4).
///
///     Content-Encoding: x-gzip          gzip
///     Content-Encoding: gzip, gzip      other: coded twice
///     Content-Encoding: utf-8           identity: the name of no coding
package enum ContentCoding: Equatable, Sendable {
    case identity
    case gzip
    /// One that is never requested, or several.
    case other

    /// The names that IANA has registered for codings. Services put other words there, which change nothing.
    private static let names: Set = [
        "aes128gcm", "br", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "pack200-gzip", "x-compress",
        "x-gzip", "zstd",
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
