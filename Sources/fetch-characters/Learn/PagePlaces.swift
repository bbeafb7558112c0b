// What may lead from one page to the next: a Link header, a URL, a cursor.

import PipelineCore
import PipelineHTTP

/// Such a place, as a description has it, and what it is called in messages.
struct NextPlace: Sendable {
    let kind: LearntPagination.Kind
    /// What it is called: `the URL at $.next`, or `cursor, from $.meta.next_cursor`.
    let text: String

    /// How the next page is got, in words.
    var sentence: String {
        switch kind {
        case .linkHeader, .nextURL: "the next page is \(text)"
        case .none, .cursor, .cursors, .page, .offset: "the next page is requested by \(text)"
        }
    }

    /// The places of an answer in the order in which they are tried.
    /// - Parameter typed: the parameter of the list's URL that says which page is meant.
    static func all(
        in answer: AnswerValue, beside place: RecordsPlace, _ headers: HTTPHeaders, typed: PageParameter?
    ) -> [NextPlace] {
        var places: [NextPlace] = []
        if linkHeader(headers) != nil {
            places.append(NextPlace(kind: .linkHeader, text: "the URL in the header Link"))
        }
        let values = EnvelopeValue.all(in: answer, beside: place)
        let leading = values.filter { $0.leadsOn }
        for value in leading where value.value.text.map(isLink) ?? false {
            places.append(NextPlace(kind: .nextURL(.string(value.path)), text: "the URL at \(value.path)"))
        }
        for field in headers.fields where LearntNames.plain(field.name).hasSuffix("next") && isLink(field.value) {
            let header = JSONTree.object([("header", .string(field.name))])
            places.append(NextPlace(kind: .nextURL(header), text: "the URL in the header \(field.name)"))
        }
        if let several = cursors(values) { places.append(several) }
        for value in leading where value.isCursor && !value.isPartOfSeveral {
            let own = typed.map { $0.kind == .cursor ? [$0.name] : [] } ?? []
            for name in (own + parameterNames(value.name)).prefix(2) {
                places.append(
                    NextPlace(
                        kind: .cursor(parameter: name, next: value.path),
                        text: "\(name), from \(value.path)"
                    ))
            }
        }
        return places
    }

    /// The links to the next page, as they are written.
    static func links(
        in answer: AnswerValue, beside place: RecordsPlace, _ headers: HTTPHeaders
    ) -> [String] {
        let header = linkHeader(headers).map { [$0] } ?? []
        let values = EnvelopeValue.all(in: answer, beside: place).filter(\.leadsOn)
        return header + values.compactMap { value in value.value.text.flatMap { isLink($0) ? $0 : nil } }
    }

    /// The next page by the header Link. Nil also for a header that can't be read: nothing is learnt from it.
    private static func linkHeader(_ headers: HTTPHeaders) -> String? {
        do throws(WebLink.Unreadable) { return try WebLink.next(in: headers.values("Link")) } catch { return nil }
    }

    /// Whether a text may be a URL, absolute or relative.
    private static func isLink(_ text: String) -> Bool {
        let start = text.prefix(9).lowercased()
        if start.hasPrefix("http://") || start.hasPrefix("https://") || text.hasPrefix("/") { return true }
        // A relative one, as OData writes it.
        return text.contains("?") && text.contains("=") && !text.contains(" ")
    }

    /// MediaWiki's `"continue":{"gcmcontinue":"…","continue":"…"}`, all of which go on together.
    private static func cursors(_ values: [EnvelopeValue]) -> NextPlace? {
        let parts = values.filter(\.isPartOfSeveral)
        guard !parts.isEmpty, parts.allSatisfy({ $0.value.isScalar }) else { return nil }
        // More would be no cursor.
        guard parts.count <= 8 else { return nil }
        let names = parts.map(\.name).joined(separator: " and ")
        return NextPlace(
            kind: .cursors(parts.map { ($0.name, $0.path) }), text: "\(names), from $.continue")
    }

    /// The parameters that a cursor may belong to: `nextPageToken` to `pageToken`, `endCursor` to `after`.
    private static func parameterNames(_ name: String) -> [String] {
        var rest = name
        for prefix in ["next", "Next", "end"] where rest.hasPrefix(prefix) { rest.removeFirst(prefix.count) }
        rest = String(rest.drop { $0 == "_" || $0 == "-" || $0 == "." })
        let lowered = rest.prefix(1).lowercased() + rest.dropFirst()
        if LearntNames.plain(name) == "endcursor" { return ["after", "cursor"] }
        let names = lowered.isEmpty ? ["cursor", "next"] : lowered == name ? [name] : [lowered, name]
        return names
    }
}

extension AnswerValue {
    fileprivate var isScalar: Bool {
        switch self {
        case .text, .number: true
        case .object, .array, .boolean, .null: false
        }
    }
}

extension EnvelopeValue {
    /// Whether its names say that it leads on.
    fileprivate var leadsOn: Bool { LearntNames.leadsOn(names) }

    /// What a cursor is called within something that is next.
    private static let cursorNames = ["cursor", "token", "after", "value", "key", "position", "offset"]

    /// Whether it goes on together with others.
    fileprivate var isPartOfSeveral: Bool { names.count >= 2 && names[names.count - 2] == "continue" }

    private var isNamedCursor: Bool { LearntNames.cursors.contains(LearntNames.plain(name)) }

    private var isNamedAsNext: Bool {
        let plain = LearntNames.plain(name)
        return isNamedCursor || plain.contains("next") || Self.cursorNames.contains(plain)
    }

    /// Whether it may be a cursor: a text or a number, but not a URL or a page's number.
    fileprivate var isCursor: Bool {
        switch value {
        case .text(let text):
            !text.isEmpty && isNamedAsNext && !text.contains("://") && !text.contains("?")
                && (Int(text) == nil || isNamedCursor)
        case .number: isNamedCursor
        case .object, .array, .boolean, .null: false
        }
    }
}

/// Where an answer may say how many records or pages there are.
struct TotalPlace: Sendable {
    /// As a description has it: `{"path": …}` or `{"header": …}`.
    let location: JSONTree
    /// As messages call it.
    let text: String
    let value: Int
    let unit: Pagination.Unit
    /// Whether its name says that it counts the whole list.
    let isSure: Bool

    /// The places of an answer, the likeliest first.
    static func all(
        in answer: AnswerValue, beside place: RecordsPlace, _ headers: HTTPHeaders
    ) -> [TotalPlace] {
        var places: [(place: TotalPlace, rank: Int)] = []
        for value in EnvelopeValue.all(in: answer, beside: place) {
            guard let number = value.value.wholeNumber, number > 0, let (unit, rank) = meaning(of: value.names)
            else {
                continue
            }
            let location = JSONTree.object([("path", .string(value.path))])
            places.append(
                (
                    TotalPlace(location: location, text: value.path, value: number, unit: unit, isSure: rank == 0),
                    rank
                ))
        }
        for field in headers.fields {
            guard let number = Int(field.value), number > 0, let (unit, rank) = meaning(of: [field.name]) else {
                continue
            }
            let location = JSONTree.object([("header", .string(field.name))])
            let text = "the header \(field.name)"
            places.append(
                (TotalPlace(location: location, text: text, value: number, unit: unit, isSure: rank == 0), rank))
        }
        // Of those that are as likely the first one in the answer.
        return places.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
            .map(\.element.place)
    }

    /// What a name says that a number counts, and how surely.
    private static func meaning(of names: [String]) -> (Pagination.Unit, rank: Int)? {
        var name = LearntNames.plain(names.last ?? "")
        // Elasticsearch's `hits.total.value`.
        if name == "value", names.count > 1 { name = LearntNames.plain(names[names.count - 2]) }
        let parts = ["per", "current", "size", "next", "prev", "this", "length", "limit", "remaining", "ratelimit"]
        guard !parts.contains(where: name.contains) || name.hasPrefix("total") else { return nil }
        if name.contains("page") {
            let words = ["total", "last", "count", "num", "nb", "max"]
            return words.contains(where: name.contains) || name == "pages" ? (.pages, 2) : nil
        }
        if name.contains("total") { return (.records, 0) }
        let counts = [
            "count", "numfound", "nbhits", "found", "resultcount", "recordcount", "rowcount", "hits", "records",
            "numresults", "nbresults",
        ]
        if counts.contains(name) || name.hasSuffix("count") { return (.records, 1) }
        return nil
    }
}

/// What an answer says about whether its list goes on, for lists of which nothing leads to a second page. Whoever says
/// anything about pages, and doesn't say that this is all, may have more.
///
///     {"items":[…],"isLast":false}     {"items":[…],"size":200}     Content-Range: items 0-12/45
struct ListEnd {
    /// What says, or may say, that more follows, in words.
    private(set) var more: String?
    /// Something says that nothing follows.
    private(set) var saysEnd = false

    private let count: Int

    private static let moreWords = ["incomplete", "more", "next", "truncated", "partial", "continue"]
    private static let lastWords = ["last", "done", "finished", "complete", "exhausted", "eof", "end"]
    private static let sizeWords = ["per", "limit", "size"]
    /// What a number beside the records may be that doesn't count them.
    private static let otherWords = [
        "took", "time", "version", "year", "status", "code", "duration", "elapsed", "date", "rate", "expire", "ttl",
        "second",
        "millis", "created", "updated",
    ]
    /// Where a list goes on, in words of some services.
    private static let markWords = [
        "scroll", "position", "offset", "state", "sync", "resume", "lastid", "maxid", "sinceid",
    ]

    /// - Parameters:
    ///   - answer: that has the list.
    ///   - count: the number of its records.
    init(_ answer: AnswerValue, beside place: RecordsPlace, _ headers: HTTPHeaders, count: Int) {
        self.count = count
        if Self.isCut(answer, [], place.names) { more = "the answer has more beside its records than is read" }
        for value in EnvelopeValue.all(in: answer, beside: place) { look(at: value) }
        for field in headers.fields { look(at: field) }
    }

    /// Whether a list may be one page of several by its length alone.
    static func isUsualPageSize(_ count: Int) -> Bool {
        if count <= 12 || count % 500 == 0 || count & (count - 1) == 0 { return true }
        if count % 10 == 0, count <= 100 || count % 50 == 0 && count <= 1000 { return true }
        return [15, 18, 24, 25, 36, 48, 72, 75, 96, 99, 120, 125, 144, 175, 180, 240].contains(count)
    }

    private mutating func doubt(_ value: EnvelopeValue, _ words: String) { more = more ?? "\(value.path) \(words)" }

    private mutating func look(at value: EnvelopeValue) {
        let name = LearntNames.plain(value.name)
        let outer = value.names.dropLast().last.map(LearntNames.plain) ?? ""
        let all = outer + name
        let has: ([String]) -> Bool = { $0.contains(where: all.contains) }
        switch value.value {
        case .null: if LearntNames.isNext(name) { saysEnd = true }
        case .text("") where LearntNames.isNext(name): saysEnd = true
        case .boolean(let isTrue):
            guard has(Self.moreWords) || Self.lastWords.contains(where: name.contains) else { return }
            if has(Self.moreWords) == isTrue {
                doubt(value, "says that there are more than the \(count) that came")
            }
            if has(Self.moreWords) != isTrue { saysEnd = true }
        case .text(let text):
            if LearntNames.leadsOn(value.names) { return doubt(value, "leads on") }
            if name.hasPrefix("has") && text == "true" || Self.markWords.contains(name) && !text.isEmpty {
                return doubt(value, "says that there are more")
            }
            if let number = Self.number(text) { look(at: number, value, name, all) }
        case .number(let text): if let number = Self.number(text) { look(at: number, value, name, all) }
        case .object, .array: break
        }
    }

    private mutating func look(at number: Int, _ value: EnvelopeValue, _ name: String, _ all: String) {
        let isMark = Self.markWords.contains(name) && name != "offset" && name != "position"
        if LearntNames.leadsOn(value.names) || isMark || name.hasPrefix("has") && number > 0 {
            return doubt(value, "leads on")
        }
        let isSize = !all.contains("total") && Self.sizeWords.contains(where: name.contains)
        if isSize {
            if number == count || number > count && name == "size" {
                doubt(value, "is \(number), and \(count) came")
            }
        } else if number > count, !Self.otherWords.contains(where: all.contains) {
            doubt(value, "says \(number), and \(count) came")
        }
    }

    private mutating func look(at field: HTTPHeaders.Field) {
        let name = LearntNames.plain(field.name)
        let words = ["total", "count", "paginat", "contentrange", "next", "more", "record", "page"]
        guard words.contains(where: name.contains), !name.contains("ratelimit"), !name.contains("access") else {
            return
        }
        if let number = Self.number(field.value), number <= count, !name.contains("next") || number == 0 { return }
        guard !field.value.isEmpty else { return }
        more = more ?? "the header \(field.name) says \(field.value.prefix(80)), and \(count) came"
    }

    /// `45`, `45.0` and `1,045`.
    private static func number(_ text: String) -> Int? {
        let plain = text.replacing(",", with: "")
        return Int(plain) ?? Double(plain).flatMap { abs($0) < 1e15 ? Int(exactly: $0) : nil }
    }

    /// Whether a part of the answer outside of the records wasn't kept.
    private static func isCut(_ value: AnswerValue, _ names: [String], _ records: [String]) -> Bool {
        guard names != records, case .object(let members, let count, _) = value else { return false }
        return members.count < count || members.contains { isCut($0.value, names + [$0.name], records) }
    }
}
