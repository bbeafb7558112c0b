// What an answer says of its list beside the records: what may lead to the next page, how many there are, and whether this
// is all.

import PipelineCore
import PipelineHTTP

/// What may lead from one page to the next: a Link header, a URL, a cursor.
struct NextPlace: Sendable {
    let kind: LearntPagination.Kind
    /// What it is called: `the URL at $.next`, or `cursor, from $.meta.next_cursor`.
    let text: String
    /// It is the number of the next page or record, which a parameter may do without it.
    var isNumber = false

    /// How the next page is got, in words.
    var sentence: String {
        switch kind {
        case .linkHeader, .nextURL: "the next page is \(text)"
        case .none, .cursor, .cursors, .page, .offset: "the next page is requested by \(text)"
        }
    }

    /// The places among the values of an answer in the order in which they are tried.
    /// - Parameter typed: the parameter of the list's request that says which page is meant.
    static func all(
        in values: [EnvelopeValue], _ headers: HTTPHeaders, _ request: ListRequest, typed: PageParameter?
    ) -> [NextPlace] {
        var places: [NextPlace] = []
        if linkHeader(headers) != nil {
            places.append(NextPlace(kind: .linkHeader, text: "the URL in the header Link"))
        }
        for value in values where !value.isElement && value.isDescribable && value.isLink(within: request) {
            let text = value.header == nil ? "the URL at \(value.text)" : "the URL in \(value.text)"
            places.append(
                NextPlace(kind: .nextURL(value.header == nil ? .string(value.path) : value.location), text: text))
        }
        if let several = cursors(values) { places.append(several) }
        for value in values
        where value.isCursor && value.header == nil && !value.isElement && !value.isPartOfSeveral {
            let own = typed.map { $0.kind == .cursor ? [$0.place] : [] } ?? []
            for place in own + request.places(parameterNames(value.name)) where !own.dropFirst(1).contains(place) {
                places.append(
                    NextPlace(
                        kind: .cursor(place, next: value.path), text: "\(place.name), from \(value.path)",
                        isNumber: value.value.wholeNumber != nil))
            }
        }
        return places
    }

    /// The links to the next page, as they are written.
    static func links(in values: [EnvelopeValue], _ headers: HTTPHeaders, _ request: ListRequest) -> [String] {
        let header = linkHeader(headers).map { [$0] } ?? []
        return header + values.filter { $0.isLink(within: request) }.compactMap(\.value.text)
    }

    /// The next page by the header Link. Nil also for a header that can't be read: nothing is learnt from it.
    private static func linkHeader(_ headers: HTTPHeaders) -> String? {
        try? WebLink.next(in: headers.values("Link"))
    }

    /// MediaWiki's `"continue":{"gcmcontinue":"…","continue":"…"}`, all of which go on together.
    private static func cursors(_ values: [EnvelopeValue]) -> NextPlace? {
        let parts = values.filter(\.isPartOfSeveral)
        // More would be no cursor.
        guard !parts.isEmpty, parts.count <= 8, parts.allSatisfy({ $0.value.scalar != nil }) else { return nil }
        let names = parts.map(\.name).joined(separator: " and ")
        return NextPlace(
            kind: .cursors(parts.map { ($0.name, $0.path) }), text: "\(names), from $.continue")
    }

    /// The parameters that a cursor may belong to: `nextPageToken` to `pageToken`, `endCursor` to `after`.
    private static func parameterNames(_ name: String) -> [String] {
        let plain = LearntNames.plain(name)
        guard plain != "endcursor" else { return ["after", "cursor"] }
        // What the end of a name stands for most often comes before the other usual ones.
        let likely = plain.hasSuffix("batch") ? ["since"] : plain.hasSuffix("token") ? ["page_token", "from"] : []
        let usual = likely + ["cursor", "after", "from", "since", "page_token", "page", "start_cursor"]
        var rest = name
        for prefix in ["next", "Next", "end"] where rest.hasPrefix(prefix) { rest.removeFirst(prefix.count) }
        rest = String(rest.drop { $0 == "_" || $0 == "-" || $0 == "." })
        let lowered = rest.prefix(1).lowercased() + rest.dropFirst()
        return ([lowered, name] + usual).reduce(into: []) { if !$1.isEmpty, !$0.contains($1) { $0.append($1) } }
    }
}

extension EnvelopeValue {
    /// Whether it leads to a page of the list before this one.
    var leadsBack: Bool {
        let names = names.suffix(2).map(LearntNames.plain)
        guard header == nil, !isElement, names.contains(where: { $0.hasPrefix("prev") || $0.hasSuffix("previous") })
        else { return false }
        return value.text != nil || value.wholeNumber ?? 0 > 0
    }

    /// Whether it is true as long as another page follows.
    var isMoreFlag: Bool {
        guard header == nil, case .boolean(true) = value else { return false }
        return ["more", "next", "truncated"].contains(where: plain.contains)
    }

    /// Whether it goes on together with others.
    fileprivate var isPartOfSeveral: Bool {
        header == nil && names.count >= 2 && names[names.count - 2] == "continue"
    }

    /// What leads elsewhere in a list than to its next page.
    private static let otherLinks = ["prev", "first", "last", "self", "newer", "back", "current"]

    /// Whether it is a URL that may be the next page's: its names say so, or it is one of the list's own path.
    fileprivate func isLink(within request: ListRequest) -> Bool {
        guard let text = value.text, header.map({ $0.lowercased() != "link" }) ?? true else { return false }
        let start = text.prefix(9).lowercased()
        let isURL =
            start.hasPrefix("http://") || start.hasPrefix("https://") || text.hasPrefix("/")
            // A relative one, as OData writes it.
            || text.contains("?") && text.contains("=") && !text.contains(" ")
        let isNamed =
            header == nil ? LearntNames.leadsOn(names) : plain.hasSuffix("next") || LearntNames.isNext(plain)
        guard isURL, !isNamed else { return isURL }
        let last = names.suffix(2).map(LearntNames.plain)
        return request.leadsWithin(text)
            && !last.contains { name in Self.otherLinks.contains(where: name.contains) }
    }

    /// Whether it may be a cursor: a text or a number, but not a URL.
    fileprivate var isCursor: Bool {
        let isNamed = LearntNames[.cursor].contains(plain)
        let isNext =
            isNamed || plain.contains("next")
            || LearntNames.leadsOn(names)
                && ["cursor", "token", "after", "value", "key", "position", "offset"].contains(plain)
        switch value {
        case .text(let text):
            return !text.isEmpty && isNext && !text.contains("://") && !text.contains("?") && !text.hasPrefix("/")
                && (Int(text) == nil || isNamed || LearntNames.isNext(plain))
        case .number: return isNamed || LearntNames.isNext(plain)
        case .object, .array, .boolean, .null: return false
        }
    }
}

/// Where an answer may say how many records or pages there are.
struct TotalPlace: Sendable {
    /// As a description has it: `{"path": …}`, `{"header": …}` or both.
    let location: JSONTree
    /// As messages call it.
    let text: String
    let value: Int
    let unit: Pagination.Unit

    /// A round number of records may be the most that the service counts.
    var isRound: Bool {
        guard unit == .records, value >= 1000 else { return false }
        var rest = value
        while rest % 10 == 0 { rest /= 10 }
        return rest == 1
    }

    /// The places among the values of an answer, the likeliest first, and of those that are as likely the first one.
    static func all(in values: [EnvelopeValue]) -> [TotalPlace] {
        var places: [[TotalPlace]] = [[], [], []]
        for value in values where !value.isElement && value.isDescribable {
            guard let number = value.value.wholeNumber, number > 0, let (unit, rank) = meaning(of: value.names),
                !isCapped(value, values)
            else { continue }
            places[rank].append(
                TotalPlace(location: value.location, text: value.text, value: number, unit: unit))
        }
        return Array(places.joined())
    }

    /// Whether a value beside it says that there are at least so many: Elasticsearch's `"relation":"gte"`.
    static func isCapped(_ value: EnvelopeValue, _ values: [EnvelopeValue]) -> Bool {
        values.contains { other in
            guard other.names.dropLast() == value.names.dropLast() else { return false }
            switch other.value {
            case .text(let text):
                return other.plain.hasSuffix("relation") && ["gte", "gt"].contains(text.lowercased())
            case .boolean(true): return ["approx", "estimat", "capped"].contains(where: other.plain.contains)
            default: return false
            }
        }
    }

    /// What a name says that a number counts, and how surely.
    static func meaning(of names: [String]) -> (unit: Pagination.Unit, rank: Int)? {
        var name = LearntNames.plain(names.last ?? "")
        let outer = names.count > 1 ? LearntNames.plain(names[names.count - 2]) : ""
        // Elasticsearch's `hits.total.value`.
        if name == "value" { name = outer }
        guard !LearntNames.has(name, .notTotal) || name.hasPrefix("total") else { return nil }
        if name.contains("page") {
            return LearntNames.has(name, .lastPage) || name == "pages" ? (.pages, 2) : nil
        }
        if ["page", "pages"].contains(outer), ["last", "count"].contains(name) { return (.pages, 2) }
        if name.contains("total") { return (.records, 0) }
        if LearntNames[.total].contains(name) || LearntNames[.count].contains(name) || name.hasSuffix("count") {
            return (.records, 1)
        }
        return nil
    }
}

/// What an answer says about whether its list goes on, for lists of which nothing leads to a second page. Such a list is
/// whole if the answer says so, or if nothing stands beside the records that isn't known to be harmless.
///
///     {"items":[…],"isLast":true}      {"items":[…],"took":3,"count":45}      {"items":[…],"size":200}
///     it ends here                     nothing is said                        there may be more
struct ListEnd {
    /// What says that more follows, in words.
    private(set) var more: String?
    /// What may say it.
    private(set) var unknown: String?
    /// Something says that nothing follows.
    private(set) var saysEnd = false
    /// Nothing but the records is there.
    private(set) var isBare = true

    private let count: Int
    private let request: ListRequest
    private let values: [EnvelopeValue]

    /// - Parameter count: the number of the records.
    init(
        _ answer: AnswerValue, beside place: RecordsPlace, _ headers: HTTPHeaders, _ request: ListRequest,
        count: Int
    ) {
        self.count = count
        self.request = request
        values = EnvelopeValue.all(in: answer, beside: place, headers)
        if Self.isCut(answer, [], place.names) { more = "the response has more than the records that are read" }
        for value in values {
            if value.header == nil { isBare = false }
            switch value.header == nil ? sign(of: value) : headerSign(of: value) {
            case .more(let words): more = more ?? "\(value.text) \(words)"
            case .end: saysEnd = true
            case .harmless: break
            case .unknown(let words): unknown = unknown ?? "\(value.text) \(words)"
            }
        }
    }

    private enum Sign: Equatable {
        case more(String)
        case end, harmless
        case unknown(String)

        static let unknown = unknown("is beside the records, and may mean that there are more")
    }

    /// Whether a list may be one page of several by its length alone.
    static func isUsualPageSize(_ count: Int) -> Bool {
        if count <= 12 || count % 500 == 0 || count & (count - 1) == 0 { return true }
        if count % 10 == 0, count <= 100 || count % 50 == 0 && count <= 1000 { return true }
        return [15, 18, 24, 25, 36, 48, 72, 75, 96, 99, 120, 125, 144, 175, 180, 240].contains(count)
    }

    // MARK: Values

    private func sign(of value: EnvelopeValue) -> Sign {
        let words = value.names.suffix(2).flatMap(LearntNames.words)
        if words.contains(where: ["rate", "ratelimit", "quota", "credits"].contains) { return .harmless }
        if value.isElement {
            let text = value.value.text ?? ""
            let isLink =
                request.leadsWithin(text) || text.hasPrefix("/") && text.contains("?") || Self.saysMore(text)
            return isLink || LearntNames.has(value.plain, .more) ? .more("leads on") : .harmless
        }
        switch value.value {
        case .null, .text(""): return LearntNames.isNext(value.plain) ? .end : .harmless
        case .boolean(let isTrue): return sign(of: isTrue, value)
        case .number(let text): return Self.number(text).map { sign(of: $0, value) } ?? known(value)
        case .text(let text): return sign(of: text, value)
        case .object, .array: return .harmless
        }
    }

    /// Harmless by the words of its name, else unknown.
    private func known(_ value: EnvelopeValue) -> Sign {
        let words = LearntNames.words(of: value.name) + [value.plain]
        let isInner = value.names.dropLast().contains {
            LearntNames.is($0, .beside) || LearntNames.is($0, .harmless)
        }
        return isInner || words.contains(where: LearntNames[.harmless].contains) ? .harmless : .unknown
    }

    private func sign(of isTrue: Bool, _ value: EnvelopeValue) -> Sign {
        let isMore = LearntNames.has(value.names.suffix(2).map(LearntNames.plain).joined(), .more)
        guard isMore || LearntNames.has(value.plain, .last) else { return known(value) }
        return isTrue == isMore ? .more("means that there are more than these \(count)") : .end
    }

    private func sign(of text: String, _ value: EnvelopeValue) -> Sign {
        if ["true", "false"].contains(text.lowercased()) { return sign(of: text.lowercased() == "true", value) }
        let words = LearntNames.words(of: value.name)
        if LearntNames.leadsOn(value.names) || words.contains(where: isMark) { return .more("leads on") }
        if let number = Self.number(text) { return sign(of: number, value) }
        if text.hasSuffix("+"), let number = Self.number(String(text.dropLast())), number >= count {
            return .more("is \(text), and the response has \(RecordStream.count(count))")
        }
        if let (last, whole) = Self.part(text) {
            return last < whole ? .more("is \(text), and the response has \(RecordStream.count(count))") : .end
        }
        if Self.saysMore(text) { return .more("says that there are more") }
        if request.leadsWithin(text) {
            let isOther = words.contains(where: ["self", "first", "prev", "previous"].contains)
            return isOther ? .harmless : .more("leads on")
        }
        if text.contains("://") || text.hasPrefix("/") {
            return LearntNames.has(value.plain, .more) ? .more("leads on") : .harmless
        }
        let isEcho = request.parameters.contains { $0.value == text } || request.path == text
        return isEcho || Self.isTime(text) ? .harmless : known(value)
    }

    private func isMark(_ word: String) -> Bool { LearntNames[.mark].contains(word) || word.hasSuffix("token") }

    private func sign(of number: Int, _ value: EnvelopeValue) -> Sign {
        let name = value.plain
        let says = Sign.more("is \(number), and the response has \(RecordStream.count(count))")
        if TotalPlace.isCapped(value, values) { return says }
        let total = TotalPlace.meaning(of: value.names)
        if let total, total.unit == .pages { return number > 1 ? says : number == 1 ? .end : .unknown }
        // `limit` is the most that was asked for.
        let isSize = total == nil && ["per", "limit", "size"].contains(where: name.contains) && name != "size"
        if isSize || LearntNames[.size].contains(name) && number <= count && name != "count" && name != "num" {
            return number > count
                ? .harmless
                : number == count
                    ? .unknown("is \(number), and the response has \(RecordStream.count(count))") : .unknown
        }
        if total != nil {
            return number > count ? says : number < count ? .unknown : total?.rank == 0 ? .end : .harmless
        }
        if LearntNames.has(name, .more) || name.hasPrefix("has") {
            return number > 0 ? .more("leads on") : .end
        }
        if LearntNames.leadsOn(value.names) || LearntNames[.mark].contains(name) && number != 0 {
            return .more("leads on")
        }
        if ["last", "done", "final", "complete", "islast"].contains(name), number == 0 { return .more("says 0") }
        if number == count { return .harmless }
        return known(value)
    }

    /// Of header fields only hints count.
    private func headerSign(of value: EnvelopeValue) -> Sign {
        let names = value.names.map(LearntNames.plain)
        let all = names.joined()
        guard !all.contains("ratelimit"), !all.contains("access"), names[0] != "contentlength",
            names[0] != "acceptranges",
            names[0] != "link", let text = value.value.text ?? value.value.wholeNumber.map({ "\($0)" })
        else { return .harmless }
        if names[0] == "warning" { return sign(of: text, value) == .harmless ? .harmless : .more("says \(text)") }
        let hints = [
            "total", "count", "paginat", "contentrange", "next", "more", "record", "page", "continuation", "cursor",
            "truncated", "limited",
        ]
        guard hints.contains(where: all.contains), !text.isEmpty, text.lowercased() != "false" else {
            return .harmless
        }
        if let number = Self.number(text), number <= count, !all.contains("next") || number == 0 {
            return number == count && all.contains("total") ? .end : .harmless
        }
        if let (last, whole) = Self.part(text), last >= whole { return .end }
        return .more("is \(text.prefix(80)), and the response has \(RecordStream.count(count))")
    }

    // MARK: Texts

    /// `45`, `45.0` and `1,045`.
    private static func number(_ text: String) -> Int? {
        let plain = text.replacing(",", with: "")
        guard plain.utf8.allSatisfy({ (0x2D...0x39).contains($0) }) else { return nil }
        return Int(plain) ?? Double(plain).flatMap { abs($0) < 1e15 ? Int(exactly: $0) : nil }
    }

    /// The last number and the whole of `1 of 2`, `1-45 of 90` and `items 0-44/90`; the last one counts from 1.
    private static func part(_ text: String) -> (last: Int, whole: Int)? {
        guard text.utf8.count < 100, text.contains(" of ") || text.contains("/") else { return nil }
        let isFromZero = text.contains("/")
        let numbers = text.replacing(",", with: "").split { !$0.isNumber }.compactMap { Int($0) }
        guard numbers.count == 2 || numbers.count == 3, let whole = numbers.last else { return nil }
        // A date has slashes too.
        guard numbers.count == 3 || text.contains(" of "), !isFromZero || text.contains("-") else { return nil }
        return (numbers[numbers.count - 2] + (isFromZero ? 1 : 0), whole)
    }

    /// `results truncated`
    private static func saysMore(_ text: String) -> Bool {
        let words = LearntNames.words(of: text)
        return ["truncated", "incomplete", "partial", "omitted"].contains(where: words.contains)
            || words.contains("more") && (words.contains("results") || words.contains("records"))
    }

    /// `2026-03-01`, and what else begins so.
    private static func isTime(_ text: String) -> Bool {
        let bytes = Array(text.utf8.prefix(5))
        return bytes.count == 5 && bytes[4] == UInt8(ascii: "-")
            && bytes.prefix(4).allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Whether a part of the answer outside of the records wasn't kept.
    private static func isCut(_ value: AnswerValue, _ names: [String], _ records: [String]) -> Bool {
        guard names != records, case .object(let members, let count, _) = value else { return false }
        return members.count < count || members.contains { isCut($0.value, names + [$0.name], records) }
    }
}
