// What a response says of its list beside the records: what may lead to the next page, and how many there are. It is read
// for two: --learn, and a run of a description whose list has one page, in case the list has grown since.

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

    /// A response with more than this has data here, not structure.
    private static let (depthLimit, countLimit) = (6, 2000)

    /// In the response's order, without those of the records, then those of the header.
    /// - Parameter records: the names that lead to them. Nil if no path of names does: then any array may have some.
    static func all(in answer: AnswerValue, beside records: [String]?, _ headers: HTTPHeaders) -> [EnvelopeValue] {
        var values: [EnvelopeValue] = []
        collect(answer, [], records, &values)
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

    static func path(_ names: [String]) -> String {
        JSONLocation.path(
            of: names.map { ["[0]": .index(0), "[1]": .index(1)][$0] ?? .name($0) }, style: .rooted)
    }

    private static func collect(
        _ value: AnswerValue, _ names: [String], _ records: [String]?, _ values: inout [EnvelopeValue]
    ) {
        guard values.count < countLimit, names != records else { return }
        switch value {
        case .object(let members, _, _):
            guard names.count < depthLimit else { return }
            for member in members { collect(member.value, names + [member.name], records, &values) }
        case .array where records == nil: return
        case .array(let elements, _, _):
            if let last = names.last, WellKnownNames.isFault(last), elements.contains(where: \.isObject) {
                let path = path(names)
                values.append(EnvelopeValue(names: names, value: .boolean(true), path: path, isUsable: false))
            }
            for (index, element) in elements.enumerated() {
                if case .text = element {
                    let path = "\(path(names))[\(index)]"
                    values.append(EnvelopeValue(names: names, value: element, path: path, isUsable: false))
                } else if let link = link(element, names) {
                    values.append(link)
                }
            }
        case .text, .number, .boolean, .null:
            values.append(EnvelopeValue(names: names, value: value, path: path(names)))
        }
    }

    /// `{"rel":"next","href":"https://…"}`, an element of the array that the names lead to.
    private static func link(_ element: AnswerValue, _ names: [String]) -> EnvelopeValue? {
        for kind in ["rel", "relation", "name", "type", "label"] {
            if case .array(let all, _, _)? = element[kind], all.contains(where: { $0.text?.lowercased() == "next" })
            {
                // No path leads to it alone, but a next page follows.
                return EnvelopeValue(
                    names: names + ["next"], value: .boolean(true), path: path(names + ["next"]))
            }
            guard let relation = element[kind]?.text, relation.lowercased() == "next" else { continue }
            for target in ["href", "url", "uri", "link", "target"] {
                guard let link = element[target], link.text != nil else { continue }
                let path = "\(path(names))[?@.\(kind) == '\(relation)'].\(target)"
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

    /// Whether it numbers a page or a record, and counts none.
    var isPlace: Bool {
        WellKnownNames.is(name, .page) || WellKnownNames.is(name, .offset)
            || ["last", "current", "to"].contains(plain)
    }

    /// Whether it is true as long as another page follows, and whether it is.
    var moreFlag: Bool? {
        guard header == nil, case .boolean(let isTrue) = value, WellKnownNames.has(plain, .moreFlag) else {
            return nil
        }
        return isTrue
    }

    var isPartOfSeveral: Bool { header == nil && names.dropLast().last == "continue" }

    private static let otherLinks = ["prev", "first", "start", "last", "self", "newer", "back", "current", "delta"]

    /// Whether it is a URL that may be the next page's: its names say so, or it is one of the list's own path.
    func isLink(within list: ListTarget) -> Bool {
        guard let text = value.text, header?.lowercased() != "link" else { return false }
        let start = text.prefix(9).lowercased()
        // OData writes relative ones.
        let isRelative = text.contains("?") && text.contains("=") && !text.contains(" ")
        let isURL = ["http://", "https://", "/"].contains(where: start.hasPrefix) || isRelative
        let isNamed =
            header == nil ? WellKnownNames.leadsOn(names) : plain.hasSuffix("next") || WellKnownNames.isNext(plain)
        guard isURL, !isNamed, name != "href" || WellKnownNames.has(names.map(WellKnownNames.plain).joined(), .more)
        else { return isURL && isNamed }
        let last = names.suffix(2).map(WellKnownNames.plain)
        return list.leadsWithin(text) && !isOwnAddress
            && !last.contains { name in Self.otherLinks.contains(where: name.contains) }
    }

    /// What an object has for an address of its own.
    var isOwnAddress: Bool { name == "@id" || names.count == 1 && ["href", "uri", "url"].contains(name) }

    /// Whether it may be a cursor: a text or a number, but not a URL.
    var isCursor: Bool {
        guard !isPartOfSeveral, !plain.hasPrefix("nextsync"), !plain.hasPrefix("prev") else { return false }
        let isNamed =
            WellKnownNames[.cursor].contains(plain) || WellKnownNames.isNext(plain) || plain.hasSuffix("continue")
        if case .number = value { return isNamed && value.wholeNumber ?? 1 > 0 }
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

struct TotalPlace: Sendable {
    let place: EnvelopeValue
    let value: Int
    let unit: Pagination.Unit

    /// A round number of records may be the most that the service counts.
    var isRound: Bool { unit == .records && value >= 1000 && value.isRoundLimit }

    /// What a name says that a number counts, and how surely.
    static func meaning(of names: [String]) -> (unit: Pagination.Unit, rank: Int)? {
        var name = WellKnownNames.plain(names.last ?? "")
        let outer = WellKnownNames.plain(names.dropLast().last ?? "")
        if ["shards", "timing"].contains(where: outer.contains) { return nil }
        // Elasticsearch's `hits.total.value`.
        if name == "value" { name = outer }
        let isOther = [
            "perpage", "perquery", "perrequest", "time", "pageresult", "pagerecord", "pageitem", "estimat",
        ]
        .contains(where: name.contains)
        guard !isOther, !WellKnownNames.has(name, .notTotal) || name.hasPrefix("total") else { return nil }
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

/// The list's own URL without the origin, by which a link to another page of it is known.
struct ListTarget: Sendable {
    let path: String
    /// With the query.
    let text: String
    /// Of parameters, which responses repeat.
    let values: [String]

    /// Of a URL or a reference, from its path on. Nil for an origin alone.
    static func text(of url: String) -> Substring? {
        url.firstRange(of: "://").flatMap { url[$0.upperBound...].firstIndex(of: "/") }.map { url[$0...] }
    }

    func leadsWithin(_ link: String) -> Bool {
        guard link.contains("?") else { return false }
        let path = (Self.text(of: link) ?? link[...]).prefix { $0 != "?" }
        let isOwn = path.isEmpty || (path.hasPrefix("/") ? self.path == path : self.path.hasSuffix("/" + path))
        return isOwn && !link.hasSuffix(text)
    }
}

extension ListTarget {
    /// Of the list that a URL requests; nil for that of a file.
    /// - Parameter content: the values in the request's body.
    init(_ url: HTTPURL?, _ content: [String]) {
        let text = url.flatMap { Self.text(of: $0.plainText) } ?? ""
        let query = text.split(separator: "?", maxSplits: 1).dropFirst().flatMap { $0.split(separator: "&") }
        let values = query.map { HTTPURL.percentDecoded(String($0.drop { $0 != "=" }.dropFirst())) }
        self.init(path: String(text.prefix { $0 != "?" }), text: String(text), values: values + content)
    }
}

struct Envelope {
    let values: [EnvelopeValue]
    let list: ListTarget
    let count: Int
    let isCut: Bool
    let linkFields: [String]

    init(
        of answer: AnswerValue, beside records: [String]?, _ headers: HTTPHeaders, _ list: ListTarget,
        count: Int
    ) {
        values = EnvelopeValue.all(in: answer, beside: records, headers)
        isCut = records.map { Self.isCut(answer, [], $0) } ?? false
        linkFields = headers.values("Link")
        (self.list, self.count) = (list, count)
    }

    /// A link of the header that leads to a page of the list in words of its own: `rel="more"`.
    var otherLink: String? {
        let known = ["self", "first", "last", "prev", "previous", "up", "canonical", "alternate", "empty"]
        return linkFields.flatMap { WebLink.links(in: $0).links }.first { link in
            list.leadsWithin(link.target) && !link.relations.contains { known.contains($0) }
        }?.target
    }

    private static func isCut(_ value: AnswerValue, _ names: [String], _ records: [String]) -> Bool {
        guard names != records, case .object(let members, let count, _) = value else { return false }
        return members.count < count || members.contains { isCut($0.value, names + [$0.name], records) }
    }

    var isFlaggedEnd: Bool { moreFlag == nil && values.contains { $0.moreFlag == false } }

    var moreFlag: EnvelopeValue? { values.first { $0.moreFlag == true } }

    /// Whether it is the size that the request asked for, under a name that may count too.
    func isEchoOfSize(_ value: EnvelopeValue) -> Bool {
        WellKnownNames.is(value.name, .size) && list.text.contains("\(value.name)=")
            && value.value.wholeNumber.map { list.values.contains("\($0)") } ?? false
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
