// What a response says of its list beside the records: what may lead to the next page, and how many there are.

import PipelineCore
import PipelineHTTP

/// A value beside the records: of the body, of a header field, or of what a header field holds as JSON.
///
///     {"info":{"count":900,"next":"https://…"},"data":[…]}      X-Pagination: {"total":900}
///     $.info.count, $.info.next                                 the header X-Pagination at $.total
struct EnvelopeValue: Sendable {
    /// What leads to it; for a header field its name first.
    let names: [String]
    let value: AnswerValue
    /// Nil for the whole of a header field.
    let path: String?
    var header: String?
    /// A description can have it. A part of a header field or an element of an array only says that there is more.
    var isUsable = true

    var name: String { names.last ?? "" }

    var plain: String { WellKnownNames.plain(name) }

    var text: String { [header.map { "the header \($0)" }, path].compactMap(\.self).joined(separator: " at ") }

    var location: JSONTree { .object([header.map { ("header", .string($0)) } ?? ("path", .string(path ?? ""))]) }

    /// More would be data.
    private static let (depthLimit, countLimit) = (6, 2000)

    /// In the response's order, without those of the records, then those of the header.
    static func all(in answer: AnswerValue, beside place: RecordsPlace, _ headers: HTTPHeaders) -> [EnvelopeValue] {
        var values: [EnvelopeValue] = []
        collect(answer, [], place.names, &values)
        for field in headers.fields {
            let name = field.name
            guard field.value.hasPrefix("{"), let tree = try? AnswerValue.read(field.value.utf8Bytes.span) else {
                values.append(EnvelopeValue(names: [name], value: .text(field.value), path: nil, header: name))
                continue
            }
            var parts: [EnvelopeValue] = []
            collect(tree, [], [""], &parts)
            values += parts.map {
                EnvelopeValue(
                    names: [name] + $0.names, value: $0.value, path: $0.path, header: name, isUsable: false)
            }
        }
        return values
    }

    private static func collect(
        _ value: AnswerValue, _ names: [String], _ records: [String], _ values: inout [EnvelopeValue]
    ) {
        guard values.count < countLimit, names != records else { return }
        switch value {
        case .object(let members, _, _):
            guard names.count < depthLimit else { return }
            for member in members { collect(member.value, names + [member.name], records, &values) }
        case .array(let elements, _, _):
            if let last = names.last, WellKnownNames.isFault(last), elements.contains(where: \.isObject) {
                let path = RecordsPlace.path(names)
                values.append(EnvelopeValue(names: names, value: .boolean(true), path: path, isUsable: false))
            }
            for (index, element) in elements.enumerated() {
                if case .text = element {
                    let path = "\(RecordsPlace.path(names))[\(index)]"
                    values.append(EnvelopeValue(names: names, value: element, path: path, isUsable: false))
                } else if let link = link(element, names) {
                    values.append(link)
                }
            }
        case .text, .number, .boolean, .null:
            values.append(EnvelopeValue(names: names, value: value, path: RecordsPlace.path(names)))
        }
    }

    /// `{"rel":"next","href":"https://…"}`, an element of the array that the names lead to.
    private static func link(_ element: AnswerValue, _ names: [String]) -> EnvelopeValue? {
        for kind in ["rel", "relation", "name", "type", "label"] {
            if case .array(let all, _, _)? = element[kind], all.contains(where: { $0.text?.lowercased() == "next" })
            {
                // No path leads to it alone, but a next page follows.
                return EnvelopeValue(
                    names: names + ["next"], value: .boolean(true), path: RecordsPlace.path(names + ["next"]))
            }
            guard let relation = element[kind]?.text, relation.lowercased() == "next" else { continue }
            for target in ["href", "url", "uri", "link", "target"] {
                guard let link = element[target], link.text != nil else { continue }
                let path = "\(RecordsPlace.path(names))[?@.\(kind) == '\(relation)'].\(target)"
                return EnvelopeValue(names: names + ["next"], value: link, path: path)
            }
        }
        return nil
    }

    var leadsBack: Bool {
        let names = names.suffix(2).map(WellKnownNames.plain)
        guard header == nil, isUsable, names.contains(where: { $0.hasPrefix("prev") || $0.hasSuffix("previous") })
        else { return false }
        return value.text != nil || value.wholeNumber ?? 0 > 0
    }

    /// Whether it is true as long as another page follows, and whether it is.
    var moreFlag: Bool? {
        guard header == nil, case .boolean(let isTrue) = value, WellKnownNames.has(plain, .moreFlag) else {
            return nil
        }
        return isTrue
    }

    fileprivate var isPartOfSeveral: Bool { header == nil && names.dropLast().last == "continue" }

    private static let otherLinks = ["prev", "first", "last", "self", "newer", "back", "current"]

    /// Whether it is a URL that may be the next page's: its names say so, or it is one of the list's own path.
    fileprivate func isLink(within request: ListRequest) -> Bool {
        guard let text = value.text, header?.lowercased() != "link" else { return false }
        let start = text.prefix(9).lowercased()
        // OData writes relative ones.
        let isRelative = text.contains("?") && text.contains("=") && !text.contains(" ")
        let isURL = ["http://", "https://", "/"].contains(where: start.hasPrefix) || isRelative
        let isNamed =
            header == nil ? WellKnownNames.leadsOn(names) : plain.hasSuffix("next") || WellKnownNames.isNext(plain)
        guard isURL, !isNamed, names != ["href"] else { return isURL && isNamed }
        let last = names.suffix(2).map(WellKnownNames.plain)
        return request.leadsWithin(text)
            && !last.contains { name in Self.otherLinks.contains(where: name.contains) }
    }

    /// Whether it may be a cursor: a text or a number, but not a URL.
    fileprivate var isCursor: Bool {
        guard !isPartOfSeveral else { return false }
        let isNamed = WellKnownNames[.cursor].contains(plain) || WellKnownNames.isNext(plain)
        if case .number = value { return isNamed }
        guard let text = value.text, !text.contains("://"), !text.contains("?"), !text.hasPrefix("/"),
            !["y", "n", "yes", "no", "true", "false"].contains(text.lowercased())
        else { return false }
        let parts = ["cursor", "token", "after", "value", "key", "position", "offset"]
        let isPart = WellKnownNames.leadsOn(names) && parts.contains(plain)
        // Airtable's `offset` is one.
        let isOffset = WellKnownNames[.offset].contains(plain)
        return isNamed || Int(text) == nil && (plain.contains("next") || isPart || isOffset)
    }
}

struct NextPlace: Sendable {
    let pagination: LearntPagination
    let text: String
    /// It is the number of the next page or record, which a parameter may do without it.
    var isNumber = false

    var sentence: String {
        pagination.type == .cursor ? "the next page is requested by \(text)" : "the next page is \(text)"
    }
}

struct TotalPlace: Sendable {
    let place: EnvelopeValue
    let value: Int
    let unit: Pagination.Unit

    /// A round number of records may be the most that the service counts.
    var isRound: Bool {
        let digits = "\(value)"
        return unit == .records && value >= 1000 && digits.first == "1"
            && digits.dropFirst().allSatisfy { $0 == "0" }
    }

    /// What a name says that a number counts, and how surely.
    static func meaning(of names: [String]) -> (unit: Pagination.Unit, rank: Int)? {
        var name = WellKnownNames.plain(names.last ?? "")
        let outer = WellKnownNames.plain(names.dropLast().last ?? "")
        if ["shards", "timing"].contains(where: outer.contains) { return nil }
        // Elasticsearch's `hits.total.value`.
        if name == "value" { name = outer }
        guard !WellKnownNames.has(name, .notTotal) || name.hasPrefix("total") else { return nil }
        if name.contains("page") {
            return WellKnownNames.has(name, .lastPage) || name == "pages" ? (.pages, 2) : nil
        }
        if ["page", "pages"].contains(outer), ["last", "count"].contains(name) { return (.pages, 2) }
        if name.contains("total") { return (.records, 0) }
        if WellKnownNames[.total].contains(name) || WellKnownNames[.count].contains(name) || name.hasSuffix("count")
        {
            return (.records, 1)
        }
        return nil
    }
}

struct AnswerSigns {
    let values: [EnvelopeValue]
    let request: ListRequest
    let count: Int
    let isCut: Bool
    private let linkFields: [String]

    init(
        _ answer: AnswerValue, beside place: RecordsPlace, _ headers: HTTPHeaders, _ request: ListRequest,
        count: Int
    ) {
        values = EnvelopeValue.all(in: answer, beside: place, headers)
        isCut = Self.isCut(answer, [], place.names)
        linkFields = headers.values("Link")
        (self.request, self.count) = (request, count)
    }

    /// A link of the header that leads to a page of the list in words of its own: `rel="more"`.
    var otherLink: String? {
        let known = ["self", "first", "last", "prev", "previous", "up", "canonical", "alternate", "empty"]
        return linkFields.flatMap { WebLink.links(in: $0).links }.first { link in
            request.leadsWithin(link.target) && !link.relations.contains { known.contains($0) }
        }?.target
    }

    private static func isCut(_ value: AnswerValue, _ names: [String], _ records: [String]) -> Bool {
        guard names != records, case .object(let members, let count, _) = value else { return false }
        return members.count < count || members.contains { isCut($0.value, names + [$0.name], records) }
    }

    // MARK: What leads on

    /// What may lead to the next page, in the order in which it is tried.
    /// - Parameter recorded: requests of a recording. A parameter of theirs with a value of this answer got it from there.
    func nexts(typed: PageParameter? = nil, recorded: [ListRequest] = []) -> [NextPlace] {
        var places: [NextPlace] = []
        if linkTarget != nil {
            places.append(NextPlace(pagination: LearntPagination(.linkHeader), text: "the URL in the header Link"))
        }
        for value in values where value.isUsable && value.isLink(within: request) {
            let next = value.header == nil ? .string(value.path ?? "") : value.location
            places.append(
                NextPlace(
                    pagination: LearntPagination(.nextURL, next: next),
                    text: "the URL \(value.header == nil ? "at" : "in") \(value.text)"))
        }
        if let several { places.append(several) }
        let own = typed.flatMap { $0.kind == .cursor ? [$0.place] : nil } ?? []
        for value in values where value.header == nil && value.isUsable {
            let known = value.value.text.map { recorded.places(of: $0) } ?? []
            guard value.isCursor || !known.isEmpty else { continue }
            let path = value.path ?? ""
            places += (known + own + request.places(Self.parameterNames(value.name))).withoutRepeats.map {
                NextPlace(
                    pagination: LearntPagination(.cursor, [$0], next: .string(path)),
                    text: "\($0.name), from \(path)", isNumber: value.value.wholeNumber != nil)
            }
        }
        return places
    }

    /// `"object":"list"`
    var isNamedList: Bool { values.contains { $0.plain == "object" && $0.value.text == "list" } }

    var isFlaggedEnd: Bool { moreFlag == nil && values.contains { $0.moreFlag == false } }

    var moreFlag: EnvelopeValue? { values.first { $0.moreFlag == true } }

    /// What says that no other page follows, and would tell of one, as `more` of a description.
    var growth: String? {
        let own = values.filter { $0.header == nil && $0.isUsable }
        if let flag = own.first(where: { $0.moreFlag == false }) { return flag.path }
        for value in own {
            guard case .boolean(true) = value.value, WellKnownNames.is(value.name, .last) else { continue }
            return "$[?\(value.path ?? "$") == false]"
        }
        return own.first { WellKnownNames.isNext($0.plain) && !$0.value.isSomething }?.path
    }

    var links: [String] {
        [linkTarget].compactMap(\.self) + values.filter { $0.isLink(within: request) }.compactMap(\.value.text)
    }

    /// The next page by the header Link. Nil also for a header that can't be read: nothing is learnt from it.
    private var linkTarget: String? { try? WebLink.next(in: linkFields) }

    /// MediaWiki's `"continue":{"gcmcontinue":"…","continue":"…"}`, all of which go on together.
    private var several: NextPlace? {
        let parts = values.filter(\.isPartOfSeveral)
        // More would be no cursor.
        guard !parts.isEmpty, parts.count <= 8, parts.allSatisfy({ $0.value.scalar != nil }) else { return nil }
        let paths = parts.map { (name: $0.name, value: JSONTree.string($0.path ?? "")) }
        return NextPlace(
            pagination: LearntPagination(
                .cursor, parts.map { .query($0.name) }, next: .object([("values", .object(paths))])),
            text: "\(parts.map(\.name).joined(separator: " and ")), from $.continue")
    }

    /// The parameters that a cursor may belong to: `nextPageToken` to `pageToken`, `endCursor` to `after`.
    private static func parameterNames(_ name: String) -> [String] {
        let plain = WellKnownNames.plain(name)
        guard plain != "endcursor" else { return ["after", "cursor"] }
        // What the end of a name stands for most often comes before the other usual ones.
        let likely =
            plain.hasSuffix("batch")
            ? ["since"]
            : plain.hasSuffix("token")
                ? ["page_token", "pagination_token", "from"] : plain == "nextcursor" ? ["start_cursor"] : []
        let usual = likely + ["cursor", "after", "from", "since", "page_token", "page", "start_cursor"]
        var rest = name
        for prefix in ["next", "Next", "end"] where rest.hasPrefix(prefix) { rest.removeFirst(prefix.count) }
        rest = String(rest.drop { $0 == "_" || $0 == "-" || $0 == "." })
        let lowered = rest.prefix(1).lowercased() + rest.dropFirst()
        return ([lowered, name] + usual).filter { !$0.isEmpty }.withoutRepeats
    }

    /// The parameters that the links of the response have, and those that it repeats.
    var parameters: [PageParameter] {
        let targets = linkFields.flatMap { WebLink.links(in: $0).links.map(\.target) }
        let written = (targets + values.compactMap(\.value.text)).flatMap(PageParameter.all)
        let echoed = values.flatMap { value -> [PageParameter] in
            guard value.isUsable || value.header != nil, let number = value.value.wholeNumber, number <= 1 else {
                return []
            }
            let isPage = WellKnownNames[.page].contains(value.plain) || value.plain == "number"
            guard isPage || WellKnownNames[.offset].contains(value.plain) else { return [] }
            // Strapi and Magento have the names of objects in those of parameters.
            let outer = value.names.dropLast().last ?? ""
            let names =
                outer == "search_criteria"
                ? ["searchCriteria[currentPage]"]
                : (["currentpage", "number"].contains(value.plain) ? ["page"] : [])
                    + (outer == "pagination" ? ["pagination[\(value.name)]"] : []) + [value.name]
            return request.places(names).prefix(2).map { PageParameter($0, isPage ? .page : .offset) }
        }
        return written + echoed
    }

    /// The places of totals, the likeliest first, and of those that are as likely the first one.
    var totals: [TotalPlace] {
        var places: [[TotalPlace]] = [[], [], []]
        for place in values where place.isUsable {
            guard let value = place.value.wholeNumber, value > 0,
                let (unit, rank) = TotalPlace.meaning(of: place.names), !isCapped(place)
            else { continue }
            places[rank].append(TotalPlace(place: place, value: value, unit: unit))
        }
        return Array(places.joined())
    }

    /// Whether a value beside it says that there are at least so many: Elasticsearch's `"relation":"gte"`.
    func isCapped(_ value: EnvelopeValue) -> Bool {
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
}

extension [ListRequest] {
    func places(of value: String) -> [Placement] {
        flatMap(\.parameters).filter { $0.value == value }.map(\.place).withoutRepeats
    }
}
