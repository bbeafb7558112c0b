// A value beside the records of a response: what may lead to another page, or count the records.
//
//     {"info":{"count":900,"next":"https://…"},"data":[…]}      X-Pagination: {"total":900}
//     $.info.count, $.info.next                                 $.total in the header X-Pagination

import PipelineCore
import PipelineHTTP

struct BesideValue: Sendable {
    /// What leads to it; for a header field its name first.
    let names: [String]
    let value: AnswerValue
    /// Nil for the whole of a header field.
    let path: String?
    var header: String?
    /// Its place in the body of the next page's request, of which the response has the body.
    var place: Placement?

    /// A response with more than this has data here, not structure.
    private static let (depthLimit, countLimit) = (6, 2000)

    var name: String { names.last ?? "" }

    /// For messages.
    var text: String {
        switch (header, path) {
        case (let header?, let path?): "\(path) in the header \(header)"
        case (let header?, nil): "the header \(header)"
        case (nil, let path): path ?? "$"
        }
    }

    /// As a description has it where it takes a header field too.
    var location: JSONTree {
        guard let header else { return .object([("path", .string(path ?? ""))]) }
        return .object([("header", .string(header))] + (path.map { [("path", .string($0))] } ?? []))
    }

    var next: JSONTree { header == nil ? .string(path ?? "") : location }

    /// In the response's order, without those of the records, then those of the header. Empty ones are null.
    static func all(in answer: AnswerValue, besides place: [String], _ headers: HTTPHeaders) -> [BesideValue] {
        var values: [BesideValue] = []
        collect(answer, [], place, &values)
        // `Link` is read as RFC 8288 has it.
        for field in headers.fields where !HTTPHeaders.areEqual(field.name, "Link") {
            guard field.value.hasPrefix("{"), let tree = try? AnswerValue.read(field.value.utf8Bytes.span) else {
                values.append(
                    BesideValue(names: [field.name], value: .text(field.value), path: nil, header: field.name))
                continue
            }
            var parts: [BesideValue] = []
            collect(tree, [], [""], &parts)
            values += parts.map {
                BesideValue(names: [field.name] + $0.names, value: $0.value, path: $0.path, header: field.name)
            }
        }
        return values
    }

    static func path(_ names: [String]) -> String {
        JSONLocation.path(
            of: names.map { ["[0]": .index(0), "[1]": .index(1)][$0] ?? .name($0) }, style: .rooted)
    }

    private static func collect(
        _ value: AnswerValue, _ names: [String], _ place: [String], _ values: inout [BesideValue]
    ) {
        guard values.count < countLimit, names != place else { return }
        switch value {
        case .object(let members, _, _) where members.isEmpty || names.count >= depthLimit:
            values.append(BesideValue(names: names, value: .null, path: path(names)))
        case .object(let members, _, _):
            for member in members { collect(member.value, names + [member.name], place, &values) }
        case .array(let elements, _, _):
            let links = elements.flatMap { element in
                link(element, names).map { [$0] + bodyValues(of: element, $0) } ?? []
            }
            values += links.isEmpty ? [BesideValue(names: names, value: .null, path: path(names))] : links
        case .text, .number, .boolean, .null:
            values.append(BesideValue(names: names, value: value, path: path(names)))
        }
    }

    /// `{"rel":"next","href":"https://…"}`, an element of the array that the names lead to. What tells it from others is its
    /// relation.
    private static func link(_ element: AnswerValue, _ names: [String]) -> BesideValue? {
        for kind in ["rel", "relation", "name", "type", "label"] {
            guard let relation = element[kind]?.text, !relation.contains("'") else { continue }
            for target in ["href", "url", "uri", "link", "target"] {
                guard let link = element[target], link.text != nil else { continue }
                let path = "\(path(names))[?@.\(kind) == '\(relation)'].\(target)"
                return BesideValue(names: names + [relation], value: link, path: path)
            }
        }
        return nil
    }

    /// `{"rel":"next","href":"…","method":"POST","body":{"limit":10,"token":"next:10"}}`, as STAC has it: the values of the body.
    private static func bodyValues(of element: AnswerValue, _ link: BesideValue) -> [BesideValue] {
        guard element["method"]?.text == "POST", let body = element["body"],
            let end = link.path?.lastIndex(of: "]"), let outer = link.path?.prefix(through: end)
        else { return [] }
        var values: [BesideValue] = []
        collect(body, [], [""], &values)
        return values.map { value in
            let steps = value.names.map { JSONLocation.PathStep.name($0) }
            return BesideValue(
                names: link.names + ["body"] + value.names, value: value.value,
                path: outer + ".body" + (value.path ?? "$").dropFirst(), place: .body(steps))
        }
    }

    // MARK: What it may be

    var isNothing: Bool {
        switch value {
        case .null, .text(""): true
        default: false
        }
    }

    /// A URL as written, absolute or relative.
    var link: String? {
        guard let text = value.text, !text.contains(" ") else { return nil }
        let starts = ["http://", "https://", "/", "?"]
        return starts.contains(where: text.hasPrefix) || text.contains("?") && text.contains("=") ? text : nil
    }

    /// A text that may be a position: one word without a meaning of its own.
    var token: String? {
        guard link == nil, let text = value.text, !text.contains(where: \.isWhitespace), !text.contains("://"),
            !["true", "false", "yes", "no"].contains(text.lowercased())
        else { return nil }
        return text
    }

    /// How likely its name says that it leads to the next page: the lower, the likelier.
    var rank: Int {
        let plain = names.suffix(2).map(UsualNames.plain)
        let whole = plain.joined(separator: " ")
        if ["prev", "first", "last", "self"].contains(where: { plain.last?.hasPrefix($0) ?? false }) { return 3 }
        if whole.contains("next") || UsualNames.is(name, .cursor) { return 0 }
        let parts = ["cursor", "token", "after", "continu", "mark", "scroll", "more", "older", "offset"]
        return parts.contains(where: whole.contains) ? 1 : 2
    }
}

/// A number that may count the records, or the pages, of a list.
struct LearntTotal: Sendable {
    let place: BesideValue
    let value: Int
    let unit: Pagination.Unit
    /// The path of what is there where the number is exact, if the response says that.
    var exact: String?

    /// What services say beside a total that is exact. Where they say anything else there, it is a least number.
    private static let signs = [
        (name: "value", beside: "relation", exact: AnswerValue.text("eq"), test: "== 'eq'"),
        (name: "numFound", beside: "numFoundExact", exact: .boolean(true), test: "== true"),
        (name: "nbHits", beside: "exhaustiveNbHits", exact: .boolean(true), test: "== true"),
    ]

    /// Those that a response may have, the likeliest first.
    /// - Parameter values: what stands beside its records.
    static func all(in values: [BesideValue], atLeast count: Int) -> [LearntTotal] {
        var found: [(rank: Int, total: LearntTotal)] = []
        for place in values {
            guard let value = place.value.wholeNumber, value > 0 else { continue }
            var exact: String?
            if let sign = signs.first(where: { $0.name == place.name }),
                let beside = values.first(where: { $0.names == place.names.dropLast() + [sign.beside] })
            {
                guard beside.value.scalarText == sign.exact.scalarText else { continue }
                let outer = place.names.dropLast(2)
                if place.names.count > 1 {
                    exact = "\(BesideValue.path(Array(outer)))[?@.\(sign.beside) \(sign.test)]"
                }
            }
            // What counts is often the parent: `hits.total.value`.
            let names = place.name == "value" ? place.names.dropLast() : place.names[...]
            let (own, joined) = (names.last ?? "", names.suffix(2).joined())
            if value > count {
                let rank = min(UsualNames.rank(own, .total), UsualNames.rank(joined, .total))
                found.append((rank, LearntTotal(place: place, value: value, unit: .records, exact: exact)))
            }
            if value > 1 {
                let rank = min(UsualNames.rank(own, .pages), UsualNames.rank(joined, .pages))
                found.append((rank, LearntTotal(place: place, value: value, unit: .pages)))
            }
        }
        let sorted = found.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
        return sorted.map(\.element.total)
    }
}
