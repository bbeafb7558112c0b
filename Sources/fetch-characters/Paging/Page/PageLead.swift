// Decides what a response says about its list, in the places that the description names: how many records or pages there are,
// and what leads to the next page. Of what it doesn't name, two fields count that protocols define: a Link to the next page
// (RFC 8288), and Content-Range with the unit `items`.
//
//     {"info":{"count":2,"totalPages":149,"nextPage":"https://…","hasMore":true},"data":[…]}
//                                    ^count           ^next                ^more

import PipelineCore
import PipelineHTTP

struct PageLead: Equatable, Sendable {
    /// What a flag says of the pages after this one.
    enum Flag: String, Sendable {
        /// `more` says that another follows, or that none does.
        case more, noMore = "no-more"
        /// A condition of `end` is met, or is there and isn't met.
        case done, notDone = "not-done"
    }

    /// Nil if it doesn't say.
    var count: Int?
    /// The total is only a least number.
    var least: Int?
    /// As the API wrote it.
    var next: PagePosition?
    /// Nil if the description doesn't name what says that, or the response doesn't have it.
    var flag: Flag?
    /// What a protocol says of further records, where nothing that the description names leads to them.
    var sign: String?
    /// A page after the next one follows, as the header Link says.
    var leadsFurther = false
    /// No record on it or before it has further parts on later pages.
    var completesRecords = false

    /// Whether another page follows, as a flag says.
    var hasMore: Bool? { flag.map { $0 == .more || $0 == .notDone } }
}

extension PageLead {
    /// - Parameters:
    ///   - text: checked; the response, or what stands beside its records.
    ///   - listed: the number of records in it.
    init(_ source: Source, _ text: [UInt8], _ headers: HTTPHeaders, listed: Int) throws(Page.Fault) {
        let (pagination, body) = (source.pagination, text.span)
        if let (unit, place) = pagination.count { count = try place.count(in: body, headers, unit) }
        if let exact = pagination.exact, count != nil, try exact.first(in: body) == nil {
            (least, count) = (count, nil)
        }
        next = try pagination.next(in: body, headers)
        leadsFurther = next != nil && WebLink.namesFurther(in: headers.values("Link"))
        flag = try pagination.flag(in: body)
        // A page that is asked for by its number needs no link, and services link from the last one to the first.
        if flag == nil, next == nil, !pagination.isByPosition {
            sign = try Self.sign(headers, pagination.hasOnePage ? listed : nil)
                .map { "more records follow, as the header \($0)" }
        }
        // An empty text says so too: MediaWiki has a flag that is `""` where it is set.
        let complete = try source.merge?.complete?.first(in: body).map { body.extracting($0.range).text }
        completesRecords = ![nil, "null", "false"].contains(complete)
    }

    /// - Parameter listed: the records in a response that is the whole list. Nil for a page of several.
    private static func sign(_ headers: HTTPHeaders, _ listed: Int?) throws(Page.Fault) -> String? {
        if let link = try WebLink.next(in: headers.values("Link")) { return "Link leads to \(link)" }
        guard let listed, let whole = ItemRange.whole(in: headers), whole > listed else { return nil }
        return "Content-Range counts \(whole)"
    }
}

extension Pagination {
    /// Whether a response says that there are no records. It may then lack their list.
    func countsNone(in body: Span<UInt8>, _ headers: HTTPHeaders) -> Bool {
        guard let (unit, place) = count, unit == .records else { return false }
        return (try? place.count(in: body, headers, unit)) == 0
    }

    fileprivate func next(in body: Span<UInt8>, _ headers: HTTPHeaders) throws(Page.Fault) -> PagePosition? {
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

    fileprivate func flag(in body: Span<UInt8>) throws(Page.Fault) -> PageLead.Flag? {
        var isOpen = false
        for path in done {
            guard let node = try path.first(in: body) else { continue }
            // A filter says yes by what it finds, whatever that holds.
            if path.isFiltered || node.isSomething(in: body) { return .done }
            isOpen = true
        }
        let open: PageLead.Flag? = isOpen ? .notDone : nil
        guard let more else { return open }
        let node = try more.first(in: body)
        if more.isFiltered { return node == nil ? .noMore : .more }
        guard let node else { return open }
        return node.isSomething(in: body) ? .more : .noMore
    }
}

extension Pagination.Location {
    /// Nil for a header field that isn't there, and for null, as some services say where they don't count.
    fileprivate func count(
        in body: Span<UInt8>, _ headers: HTTPHeaders, _ unit: Pagination.Unit
    ) throws(Page.Fault) -> Int? {
        if case .header(let name, _) = self, headers[name] == nil { return nil }
        let found = try value(in: body, headers)
        if case .null? = found { return nil }
        guard let number = found?.wholeNumber, number >= 0 else {
            throw .broken(
                found.map { "\($0.json.prefix(40)) in '\(text)', which isn't a number of \(unit)" }
                    ?? "a page without the number of \(unit) at \(text)")
        }
        return number
    }

    /// A value that leads on, from the first place that has one.
    fileprivate static func lead(
        _ places: [Self], _ body: Span<UInt8>, _ headers: HTTPHeaders
    ) throws(Page.Fault) -> JSONTree? {
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
    fileprivate func value(in body: Span<UInt8>, _ headers: HTTPHeaders) throws(Page.Fault) -> JSONTree? {
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

    private func tree(_ json: Span<UInt8>) throws(Page.Fault) -> JSONTree {
        var decoded: [UInt8] = []
        guard JSONStringDecoder.append(json, to: &decoded), let tree = try? JSONTree.read(json) else {
            throw .broken("half of a surrogate pair in '\(text)', which can't be sent back")
        }
        return tree
    }
}
