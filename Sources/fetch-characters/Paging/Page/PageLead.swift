// What a response says about its list: how many records or pages there are, and what leads to the next page.
//
//     {"info":{"count":2,"totalPages":149,"nextPage":"https://…","hasMore":true},"data":[…]}
//                                    ^count           ^next                ^more

import PipelineCore
import PipelineHTTP

struct PageLead: Equatable, Sendable {
    /// Nil if it doesn't say.
    var count: Int?
    /// As the API wrote it.
    var next: PagePosition?
    /// Nil if the description doesn't name what says that.
    var hasMore: Bool?
    /// That more records follow and what says so, where the description doesn't name it.
    var sign: String?
    /// A page after the next one follows, as the header Link says.
    var leadsFurther = false
    /// No record on it or before it has further parts on later pages.
    var completesRecords = false
}

extension PageLead {
    /// - Parameters:
    ///   - body: checked.
    ///   - url: its own, nil for that of a file.
    ///   - records: the number of records in it.
    ///   - isFirst: it is the first page of its list.
    init(
        _ source: Source, _ body: Span<UInt8>, _ headers: HTTPHeaders, at url: HTTPURL?, records: Int, isFirst: Bool
    ) throws(SourcePage.Fault) {
        if let (unit, place) = source.pagination.count { count = try place.count(in: body, headers, unit) }
        next = try source.pagination.next(in: body, headers)
        leadsFurther = next != nil && WebLink.namesFurther(in: headers.values("Link"))
        hasMore = try source.pagination.hasMore(in: body)
        if hasMore == nil, next == nil, source.records.format.hasEnvelope {
            try judgeEnd(source, body, headers, url, records, isFirst: isFirst)
        }
        // An empty text says so too: MediaWiki has a flag that is `""` where it is set.
        let complete = try source.merge?.complete?.first(in: body).map { body.extracting($0.range).text }
        completesRecords = ![nil, "null", "false"].contains(complete)
    }

    /// Looks beside the records of a page that leads nowhere for what says that more follow.
    private mutating func judgeEnd(
        _ source: Source, _ body: Span<UInt8>, _ headers: HTTPHeaders, _ url: HTTPURL?, _ records: Int,
        isFirst: Bool
    ) throws(SourcePage.Fault) {
        let (pagination, total) = (source.pagination, count ?? 0)
        let isLed = !pagination.isByPosition && !pagination.hasOnePage
        let isUnled = isFirst || pagination.hasOnePage ? try pagination.isUnled(in: body, headers) : false
        guard isLed || isUnled else { return }
        var names = source.isVerbatim ? nil : source.records.path.leadingNames.map { $0.span.text }
        // A list that is the whole response has nothing beside it.
        let answer = names == [] ? .null : (try? AnswerValue.read(body)) ?? .null
        if names == nil, !answer.members.contains(where: { $0.value.isArray }) { names = [] }
        let list = ListTarget(url, source.content?.texts ?? [])
        let envelope = Envelope(of: answer, beside: names, headers, list, count: max(records, total))
        if isLed, envelope.moreFlag != nil {
            hasMore = true
        } else if isUnled {
            // What a description names as its proof, and isn't there, proves nothing.
            let isUnproved =
                pagination.hasOnePage && count == nil && (pagination.count != nil || pagination.more != nil)
            let end = ListEnd(envelope)
            if let link = try WebLink.next(in: headers.values("Link")) {
                sign = "more records follow, as the header Link leads to \(link)"
            } else if pagination.isAssumed || isUnproved {
                sign = total > records ? nil : end.doubt
            } else {
                let mayBePage = pagination.hasOnePage && pagination.count == nil && !end.saysEnd
                sign = (end.growth ?? (mayBePage ? end.full : nil)).map { "more records follow, as \($0)" }
            }
            if sign != nil { hasMore = true }
        }
    }
}

extension Pagination {
    /// Whether a response says that there are no records. It may then lack their list.
    func countsNone(in body: Span<UInt8>, _ headers: HTTPHeaders) -> Bool {
        guard let (unit, place) = count, unit == .records else { return false }
        return (try? place.count(in: body, headers, unit)) == 0
    }

    /// Whether a page has none of the members and fields that lead on, not even null: a service may have renamed them.
    fileprivate func isUnled(in body: Span<UInt8>, _ headers: HTTPHeaders) throws(SourcePage.Fault) -> Bool {
        if isByPosition { return false }
        for place in nextLocations where try place.value(in: body, headers) != nil { return false }
        return true
    }

    fileprivate func next(in body: Span<UInt8>, _ headers: HTTPHeaders) throws(SourcePage.Fault) -> PagePosition? {
        switch kind {
        case .none, .page, .offset: return nil
        case .link(let places) where places.isEmpty:
            return try WebLink.next(in: headers.values("Link")).map { .link($0) }
        case .link(let places):
            switch try Location.lead(places, body, headers) {
            case .object?, .array?:
                throw .broken("neither text nor null in '\(places.map(\.text).joined(separator: "' and '"))'")
            case let found:
                // A URL contains no white space, but a cursor may. Ticketmaster's are templates: `{&sort}` (RFC 6570).
                let link = (found?.text ?? "").replacing(/\{[?&][\w,*.]+\}/, with: "")
                let text = link.unicodeScalars.drop { $0.value <= 0x20 }
                guard let last = text.lastIndex(where: { $0.value > 0x20 }) else { return nil }
                return .link(String(text[...last]))
            }
        case .cursor(let cursors):
            var values: [JSONTree?] = []
            for cursor in cursors {
                let value = try Location.lead(cursor.places, body, headers)
                // Services that count their cursors down, or from -1, end so.
                values.append(["0", "-1"].contains(value?.text) ? nil : value)
            }
            return values.contains { $0 != nil } ? .cursor(values) : nil
        }
    }

    fileprivate func hasMore(in body: Span<UInt8>) throws(SourcePage.Fault) -> Bool? {
        var isOpen: Bool?
        for path in done {
            guard let node = try path.first(in: body) else { continue }
            // A filter says yes by what it finds, whatever that holds.
            if path.isFiltered || node.isSomething(in: body) { return false }
            isOpen = true
        }
        guard let more else { return isOpen }
        let node = try more.first(in: body)
        return more.isFiltered ? node != nil : node?.isSomething(in: body) ?? isOpen
    }
}

extension Pagination.Location {
    /// Nil for a header field that isn't there, and for null, as some services say where they don't count.
    fileprivate func count(
        in body: Span<UInt8>, _ headers: HTTPHeaders, _ unit: Pagination.Unit
    ) throws(SourcePage.Fault) -> Int? {
        if case .header(let name, _) = self, headers[name] == nil { return nil }
        let found = try value(in: body, headers)
        if case .null? = found { return nil }
        guard let number = found?.wholeNumber, number >= 0 else {
            throw .broken(
                found.map { "\($0.json.prefix(40)) in '\(text)', which isn't a number of \(unit)" }
                    ?? "a page without the number of \(unit) at \(text)")
        }
        return try isLeast(in: body) ? nil : number
    }

    /// What says beside a total that there are at least so many, and its text then.
    private static let bounds = [
        ("value", "relation", "\"gte\""), ("numFound", "numFoundExact", "false"),
        ("nbHits", "exhaustiveNbHits", "false"),
    ]

    private func isLeast(in body: Span<UInt8>) throws(SourcePage.Fault) -> Bool {
        guard case .path(let path) = self,
            let bound = Self.bounds.first(where: { path.text.hasSuffix(".\($0.0)") }),
            let beside = try? JSONPath(path.text.dropLast(bound.0.count) + bound.1)
        else { return false }
        return try beside.first(in: body).map { body.extracting($0.range).text == bound.2 } ?? false
    }

    /// A value that leads on, from the first place that has one.
    fileprivate static func lead(
        _ places: [Self], _ body: Span<UInt8>, _ headers: HTTPHeaders
    ) throws(SourcePage.Fault) -> JSONTree? {
        for place in places {
            guard let value = try place.value(in: body, headers) else { continue }
            switch value {
            case .null, .boolean(false), .string(""): continue
            case .object(let members) where members.isEmpty: continue
            case .array(let elements) where elements.isEmpty: continue
            case .boolean: throw .broken("neither text nor null in '\(place.text)'")
            default: return value
            }
        }
        return nil
    }

    /// What the path finds, or a whole header field. Nil for nothing and for an empty field.
    fileprivate func value(in body: Span<UInt8>, _ headers: HTTPHeaders) throws(SourcePage.Fault) -> JSONTree? {
        switch self {
        case .path(let path):
            guard let node = try path.first(in: body) else { return nil }
            return try tree(body.extracting(node.range))
        case .header(let name, let path):
            guard let field = headers[name], !field.isEmpty else { return nil }
            guard !field.unicodeScalars.contains("\u{FFFD}") else {
                throw .broken("text that isn't UTF-8 in \(text), which can't be sent back")
            }
            guard let path else { return .string(field) }
            let json = Array(field.utf8)
            guard JSONDocument.isValid(json.span) else { throw .broken("a header \(name) that isn't JSON") }
            guard let node = try path.first(in: json.span) else { throw .broken("a response without \(text)") }
            return try tree(json.span.extracting(node.range))
        }
    }

    private func tree(_ json: Span<UInt8>) throws(SourcePage.Fault) -> JSONTree {
        var decoded: [UInt8] = []
        guard JSONStringDecoder.append(json, to: &decoded), let tree = try? JSONTree.read(json) else {
            throw .broken("half of a surrogate pair in '\(text)', which can't be sent back")
        }
        return tree
    }
}

extension JSONTree {
    /// `120`, `"120"`, and `120.0`, as some languages write it.
    var wholeNumber: Int? {
        switch self {
        case .integer(let number): number
        case .number(let text): Self.wholeNumber(text)
        // `Double` would take hexadecimal digits and names too.
        case .string(let text) where text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }:
            Self.wholeNumber(text)
        default: nil
        }
    }

    private static func wholeNumber(_ text: String) -> Int? {
        Int(text) ?? Double(text).flatMap { abs($0) < 1e15 ? Int(exactly: $0) : nil }
    }
}
