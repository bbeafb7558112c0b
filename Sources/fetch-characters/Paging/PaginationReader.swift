// Reads what a response says about its list: how many records or pages there are, and what leads to the next page.
//
//     {"info":{"count":2,"totalPages":149,"nextPage":"https://…","hasMore":true},"data":[…]}
//                                    ^count           ^next                ^more

import PipelineCore
import PipelineHTTP

struct PageLead: Equatable, Sendable {
    /// What leads to the next page, as the API wrote it.
    enum Next: Equatable, Sendable {
        /// The values of the pagination's cursors in their order. At least one isn't nil.
        case cursor([CursorValue?])
        case link(String)
    }

    /// The number of records or pages. Nil if it doesn't say.
    var count: Int?
    var next: Next?
    /// Whether another page follows. Nil if the description doesn't name what says that.
    var hasMore: Bool?
    /// No record on it or before it has further parts on later pages.
    var completesRecords = false
}

/// Reads a page's part of the pagination. Reuses its buffers.
struct PaginationReader: Sendable {
    private let pagination: Pagination
    private var count: LocationReader?
    private var more: JSONPathEvaluator?
    private var done: [JSONPathEvaluator?]
    private var complete: JSONPathEvaluator?
    /// The places of each cursor, or of the link.
    private var next: [[LocationReader]]

    init(_ pagination: Pagination, _ merge: Source.Merge?) {
        self.pagination = pagination
        count = pagination.count.map { LocationReader($0.location) }
        more = pagination.more.map { JSONPathEvaluator($0) }
        done = pagination.done.map { JSONPathEvaluator($0) }
        complete = merge?.complete.map { JSONPathEvaluator($0) }
        let places =
            switch pagination.kind {
            case .cursor(let cursors): cursors.map(\.places)
            case .link(.value(let places)): [places]
            case .none, .page, .offset, .link(.relation): [[Pagination.Location]]()
            }
        next = places.map { $0.map { LocationReader($0) } }
    }

    /// - Parameter body: checked.
    mutating func read(_ body: Span<UInt8>, _ headers: HTTPHeaders) throws(SourcePage.Fault) -> PageLead {
        PageLead(
            count: try count(in: body, headers), next: try next(in: body, headers), hasMore: try hasMore(in: body),
            completesRecords: try completesRecords(body))
    }

    // MARK: Count

    private mutating func count(in body: Span<UInt8>, _ headers: HTTPHeaders) throws(SourcePage.Fault) -> Int? {
        guard let location = pagination.count?.location else { return nil }
        if case .header(let name, _) = location, headers[name] == nil { return nil }
        let found = try count?.json(in: body, headers)
        // Some services say so where they don't count.
        if found == "null" { return nil }
        guard let number = found.flatMap({ Self.number($0) }), number >= 0 else {
            throw .broken("a page that doesn't say how many there are in '\(location.text)'")
        }
        return number
    }

    /// `120`, `"120"`, and `120.0`, as some languages write it.
    private static func number(_ json: String) -> Int? {
        let isText = json.utf8.first == UInt8(ascii: "\"")
        let text = isText ? String(json.dropFirst().dropLast()) : json
        // `Double` would take hexadecimal digits and names too.
        let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
        return isText && !isNumber ? nil : wholeNumber(text)
    }

    private static func wholeNumber(_ text: String) -> Int? {
        Int(text) ?? Double(text).flatMap { abs($0) < 1e15 ? Int(exactly: $0) : nil }
    }

    // MARK: Next page

    private mutating func next(
        in body: Span<UInt8>, _ headers: HTTPHeaders
    ) throws(SourcePage.Fault) -> PageLead.Next? {
        switch pagination.kind {
        case .none, .page, .offset: return nil
        case .link(.relation): return try WebLink.next(in: headers.values("Link")).map { .link($0) }
        case .link(.value(let places)):
            // A URL contains no white space, but a cursor may.
            let found = try value(0, body, headers)
            guard found?.isContainer != true else {
                throw .broken("neither text nor null in '\(places.map(\.text).joined(separator: "' and '"))'")
            }
            let text = Self.trimmed(found?.text ?? "")
            return text.isEmpty ? nil : .link(text)
        case .cursor:
            var values: [CursorValue?] = []
            for index in next.indices {
                let value = try value(index, body, headers)
                // Services that count their cursors down, or from -1, end so.
                values.append(["0", "-1"].contains(value?.text) ? nil : value)
            }
            return values.contains { $0 != nil } ? .cursor(values) : nil
        }
    }

    /// One of the values that lead on, from the first place that has it.
    private mutating func value(
        _ index: Int, _ body: Span<UInt8>, _ headers: HTTPHeaders
    ) throws(SourcePage.Fault) -> CursorValue? {
        for place in next[index].indices {
            if let value = try next[index][place].value(in: body, headers) { return value }
        }
        return nil
    }

    private static func trimmed(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard let first = bytes.firstIndex(where: { $0 > 0x20 }), let last = bytes.lastIndex(where: { $0 > 0x20 })
        else { return "" }
        return bytes.span.extracting(first...last).text
    }

    private mutating func hasMore(in body: Span<UInt8>) throws(SourcePage.Fault) -> Bool? {
        var isOpen: Bool?
        for index in done.indices {
            guard let node = try done[index].nodes(in: body, limit: 1).first else { continue }
            // A filter says yes by what it finds, whatever that holds.
            if pagination.done[index].isFiltered || node.isSomething(in: body) { return false }
            isOpen = true
        }
        guard let path = pagination.more else { return isOpen }
        let node = try more.nodes(in: body, limit: 1).first
        return path.isFiltered ? node != nil : node?.isSomething(in: body) ?? isOpen
    }

    /// An empty text says so too: MediaWiki has a flag that is `""` where it is set.
    private mutating func completesRecords(_ body: Span<UInt8>) throws(SourcePage.Fault) -> Bool {
        let text = try complete.nodes(in: body, limit: 1).first.map { body.extracting($0.range).text }
        return ![nil, "null", "false"].contains(text)
    }
}

private struct LocationReader: Sendable {
    private let location: Pagination.Location
    private var evaluator: JSONPathEvaluator?

    init(_ location: Pagination.Location) {
        self.location = location
        switch location {
        case .path(let path), .header(_, let path?): evaluator = JSONPathEvaluator(path)
        case .header(_, nil): evaluator = nil
        }
    }

    /// What the path finds, or a whole header field; nil for nothing and for an empty field.
    mutating func json(in body: Span<UInt8>, _ headers: HTTPHeaders) throws(SourcePage.Fault) -> String? {
        guard case .header(let name, _) = location else {
            return try evaluator.nodes(in: body, limit: 1).first.map { body.extracting($0.range).text }
        }
        guard let field = headers[name], !field.isEmpty else { return nil }
        guard evaluator != nil else { return field }
        let text = Array(field.utf8)
        guard (try? JSONTree.read(text.span)) != nil else { throw .broken("a header \(name) that isn't JSON") }
        guard let node = try evaluator.nodes(in: text.span, limit: 1).first else {
            throw .broken("a response without \(location.text)")
        }
        return text.span.extracting(node.range).text
    }

    /// A value that leads on. Null, false, an empty text and a missing value mean that there is none.
    mutating func value(in body: Span<UInt8>, _ headers: HTTPHeaders) throws(SourcePage.Fault) -> CursorValue? {
        if case .header(let name, nil) = location {
            guard let text = headers[name], !text.isEmpty else { return nil }
            guard !text.unicodeScalars.contains("\u{FFFD}") else {
                throw .broken("text that isn't UTF-8 in the header \(name), which can't be sent back")
            }
            return CursorValue(text: text)
        }
        guard let json = try json(in: body, headers) else { return nil }
        let bytes = Array(json.utf8)
        switch JSONNode.Kind(firstByte: bytes[0]) {
        case .null: return nil
        case .boolean where json == "true": throw .broken("neither text nor null in '\(location.text)'")
        case .boolean: return nil
        case .string where bytes.count == 2: return nil
        case .object where bytes.span.isEmptyContainer, .array where bytes.span.isEmptyContainer: return nil
        case .string, .number, .object, .array: break
        }
        var text: [UInt8] = []
        guard JSONStringDecoder.append(bytes.span, to: &text) else {
            throw .broken("half of a surrogate pair in '\(location.text)', which can't be sent back")
        }
        return CursorValue(json: json)
    }
}

/// Links in the header of a response (RFC 8288, section 3):
///
///     Link: <https://h/list?page=2>; rel="next last"; title="a, b", </>; rel=index
///
/// A link that can't be parsed ends its field. The links before it count; if the one that is looked for isn't among them,
/// nobody knows whether the field has it.
struct WebLink {
    /// As written between the brackets. It may be relative.
    let target: String
    /// It is what comes after this response.
    let isNext: Bool

    /// The target of the first link to what is next, if there is one.
    /// - Parameter fields: the values of all `Link` headers.
    static func next(in fields: [String]) throws(SourcePage.Fault) -> String? {
        var unreadable: String?
        for field in fields {
            let (links, isWhole) = links(in: field)
            if let next = links.first(where: \.isNext) { return next.target }
            if !isWhole { unreadable = field }
        }
        if let unreadable { throw .broken("a header Link that can't be read: '\(unreadable.prefix(100))'") }
        return nil
    }

    /// The links of one field's value, and whether that is all of it.
    static func links(in field: String) -> (links: [WebLink], isWhole: Bool) {
        var parser = WebLinkParser(field)
        var links: [WebLink] = []
        while let link = parser.next() { links.append(link) }
        return (links, !parser.isBroken)
    }
}

struct WebLinkParser {
    private var rest: Substring.UnicodeScalarView
    /// The rest of the field isn't a link.
    private(set) var isBroken = false

    init(_ field: String) { rest = Substring(field).unicodeScalars }

    mutating func next() -> WebLink? {
        // List elements may be empty (RFC 9110, section 5.6.1).
        skip { $0 == " " || $0 == "\t" || $0 == "," }
        guard !rest.isEmpty, !isBroken else { return nil }
        guard take("<"), let end = rest.firstIndex(of: ">") else {
            isBroken = true
            return nil
        }
        let target = String(rest[..<end])
        rest = rest[rest.index(after: end)...]
        // Only the first `rel` counts. It may name several relations, in any case (section 3.3).
        var relations: String?
        // A link with an anchor has another context and doesn't belong to this response (section 3.2).
        var hasAnchor = false
        skipSpace()
        while take(";") {
            skipSpace()
            if let (name, value) = parameter() {
                if name == "rel" { relations = relations ?? value }
                hasAnchor = hasAnchor || name == "anchor"
            }
            skipSpace()
        }
        isBroken = !rest.isEmpty && rest.first != ","
        let isNext = relations?.lowercased().split { $0 == " " || $0 == "\t" }.contains("next") ?? false
        return WebLink(target: target, isNext: isNext && !hasAnchor)
    }

    /// `name`, `name=token` or `name="quoted"`, with optional white space around the `=`. Nil without a name.
    private mutating func parameter() -> (name: String, value: String)? {
        let name = taken { !Self.isDelimiter($0) }
        guard !name.isEmpty else { return nil }
        skipSpace()
        guard take("=") else { return (name.lowercased(), "") }
        skipSpace()
        if take("\"") { return (name.lowercased(), quoted()) }
        // Apostrophes are no quotes, but some services take them for such.
        if rest.first == "'", rest.dropFirst().contains("'") {
            rest.removeFirst()
            defer { rest.removeFirst() }
            return (name.lowercased(), taken { $0 != "'" })
        }
        return (name.lowercased(), taken { !Self.isDelimiter($0) })
    }

    /// The text up to the closing quote. A backslash escapes the next character (RFC 9110, section 5.6.4).
    private mutating func quoted() -> String {
        var text = String.UnicodeScalarView()
        while let scalar = rest.popFirst(), scalar != "\"" {
            text.append(scalar == "\\" ? rest.popFirst() ?? scalar : scalar)
        }
        return String(text)
    }

    private static func isDelimiter(_ scalar: Unicode.Scalar) -> Bool {
        scalar == ";" || scalar == "," || scalar == "=" || scalar == "\"" || scalar == " " || scalar == "\t"
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func skipSpace() { skip { $0 == " " || $0 == "\t" } }

    private mutating func skip(_ isSkipped: (Unicode.Scalar) -> Bool) { rest = rest.drop { isSkipped($0) } }

    private mutating func taken(_ isTaken: (Unicode.Scalar) -> Bool) -> String {
        let text = rest.prefix { isTaken($0) }
        rest = rest[text.endIndex...]
        return String(text)
    }
}
