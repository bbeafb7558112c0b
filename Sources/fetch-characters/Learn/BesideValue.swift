// Decides what of the values beside the records may lead to another page, or count the records.
//
//     {"info":{"count":900,"next":"https://…"},"data":[…]}      X-Pagination: {"total":900}
//     $.info.count, $.info.next                                 $.total in the header X-Pagination

import PipelineCore
import PipelineHTTP

struct BesideValue: Sendable {
    /// What leads to it; for a header field its name first.
    let names: [String]
    /// A scalar. Containers are null.
    let value: JSONTree
    /// Nil for the whole of a header field.
    let path: String?
    var header: String?
    /// Its place in the body of the next page's request, of which the response has the body.
    var place: Placement?

    /// A response with more than this has data here, not structure.
    private static let (deepest, most) = (6, 2000)

    var name: String { names.last ?? "" }

    /// For messages.
    var text: String {
        guard let header else { return path ?? "$" }
        return path.map { "\($0) in the header \(header)" } ?? "the header \(header)"
    }

    /// As a description has it where it takes a header field too.
    var location: JSONTree {
        let path = path.map { ("path", JSONTree.string($0)) }
        return .object([header.map { ("header", .string($0)) }, path].compactMap(\.self))
    }

    var next: JSONTree {
        guard header == nil, let path else { return location }
        return .string(path)
    }

    /// In the response's order, without those of the records, then those of the header.
    static func all(in answer: JSONTree, besides place: [JSONTree.Step], _ headers: HTTPHeaders) -> [BesideValue] {
        // `Link` is read as RFC 8288 has it.
        let fields = headers.fields.filter { !HTTPHeaders.areEqual($0.name, "Link") }
        return all(in: answer, besides: place)
            + fields.flatMap { field in
                let isObject = field.value.hasPrefix("{")
                guard isObject, let tree = try? JSONTree.shape(of: field.value.utf8Bytes.span) else {
                    let value = JSONTree.string(field.value)
                    return [BesideValue(names: [field.name], value: value, path: nil, header: field.name)]
                }
                return all(in: tree, besides: nil).map {
                    let names = [field.name] + $0.names
                    return BesideValue(names: names, value: $0.value, path: $0.path, header: field.name)
                }
            }
    }

    private static func all(in tree: JSONTree, besides place: [JSONTree.Step]?) -> [BesideValue] {
        var values: [BesideValue] = []
        tree.walk { steps, value in
            guard values.count < most, steps != place else { return false }
            let own = BesideValue(names: steps.names, value: value.scalarOrNull, path: steps.path)
            switch value {
            case .object(let members) where !members.isEmpty && steps.count < deepest: return true
            case .array(let elements):
                // The World Bank has an object and the list in an array.
                if steps.isEmpty, place != nil, elements.first?.isObject == true { return true }
                let links = elements.flatMap { Self.links(in: $0, steps) }
                values += links.nonEmpty ?? [own]
            case .object, .string, .integer, .number, .boolean, .null: values.append(own)
            }
            return false
        }
        return values
    }

    /// `{"rel":"next","href":"https://…"}`, an element of the array that the steps lead to. What tells it from others is its
    /// relation. Where the next request is a POST, the values of its body follow, as STAC has them.
    private static func links(in element: JSONTree, _ steps: [JSONTree.Step]) -> [BesideValue] {
        guard let (kind, relation) = text(in: element, of: ["rel", "relation", "name", "type", "label"]),
            let (target, link) = text(in: element, of: ["href", "url", "uri", "link", "target"]),
            !relation.contains("'")
        else { return [] }
        let names = steps.names + [relation]
        let path = "\(steps.path)[?@.\(kind) == '\(relation)']"
        var found = [BesideValue(names: names, value: .string(link), path: path + "." + target)]
        guard element["method"]?.string == "POST", let body = element["body"] else { return found }
        for value in all(in: body, besides: nil) {
            let place = Placement.body(value.names.map { .name($0) })
            let own = path + ".body" + (value.path ?? "$").dropFirst()
            found.append(
                BesideValue(names: names + ["body"] + value.names, value: value.value, path: own, place: place))
        }
        return found
    }

    private static func text(in element: JSONTree, of names: [String]) -> (String, String)? {
        let texts = names.map { ($0, element[$0]?.string ?? "") }
        return texts.first { !$0.1.isEmpty }
    }

    // MARK: What it may be

    var isNothing: Bool { [.null, .string("")].contains(value) }

    var flag: Bool? { value.boolean }

    var number: Int? { value.wholeNumber }

    /// Whether it is a number of more than that.
    func counts(beyond number: Int) -> Bool { self.number ?? 0 > number }

    /// A URL as written, absolute or relative.
    var link: String? {
        guard let text = value.string, !text.isEmpty, !text.contains(" ") else { return nil }
        let isURL = ["http://", "https://", "/", "?"].contains(where: text.hasPrefix)
        guard isURL || ["?", "="].allSatisfy(text.contains) else { return nil }
        return text
    }

    /// A text that may be a position: one word without a meaning of its own.
    var token: String? {
        guard link == nil, let text = value.string, !text.isEmpty, !text.contains("://"),
            !text.contains(where: \.isWhitespace),
            !["true", "false", "yes", "no"].contains(text.lowercased())
        else { return nil }
        return text
    }

    /// How likely its name says that it leads to the next page: the lower, the likelier.
    var rank: Int {
        let (own, whole) = (UsualNames.plain(name), names.suffix(2).map(UsualNames.plain).joined(separator: " "))
        if ["prev", "first", "last", "self"].contains(where: own.hasPrefix) { return 3 }
        if whole.contains("next") || UsualNames.is(name, .cursor) { return 0 }
        let parts = ["cursor", "token", "after", "continu", "mark", "scroll", "more", "older", "offset"]
        if parts.contains(where: whole.contains) { return 1 }
        return 2
    }
}

extension JSONTree {
    fileprivate var scalarOrNull: JSONTree {
        switch self {
        case .object, .array: .null
        case .string, .integer, .number, .boolean, .null: self
        }
    }
}

/// A number that may count the records, or the pages, of a list.
struct LearntTotal: Sendable {
    let place: BesideValue
    let value: Int
    let unit: Pagination.Unit
    /// The place of its name among those of totals.
    let rank: Int
    /// The path of what is there where the number is exact, if the response says that.
    var exact: String?

    var isUsual: Bool { rank < UsualNames.unknown }

    /// What services say beside a total that is exact. Where they say anything else there, it is a least number.
    private static let signs: [(name: String, beside: String, exact: JSONTree, test: String)] = [
        ("value", "relation", .string("eq"), "== 'eq'"), ("numFound", "numFoundExact", .boolean(true), "== true"),
        ("nbHits", "exhaustiveNbHits", .boolean(true), "== true"),
    ]

    /// Those that a response may have, the likeliest first.
    /// - Parameter values: what stands beside its records.
    static func all(in values: [BesideValue], atLeast count: Int) -> [LearntTotal] {
        var found: [LearntTotal] = []
        for place in values {
            guard let value = place.number, value > 0 else { continue }
            var exact: String?
            let outer = place.names.dropLast()
            if let sign = signs.first(where: { $0.name == place.name }),
                let beside = values.first(where: { $0.names == outer + [sign.beside] })
            {
                guard beside.value == sign.exact else { continue }
                let parent = outer.dropLast().map { JSONTree.Step.name($0) }
                if !outer.isEmpty { exact = "\(parent.path)[?@.\(sign.beside) \(sign.test)]" }
            }
            // What counts is often the parent: `hits.total.value`.
            let names = place.name == "value" ? outer : place.names[...]
            let spellings = [names.last ?? "", names.suffix(2).joined()]
            let rank = { (meaning: UsualNames.Meaning) in spellings.map { UsualNames.rank($0, meaning) }.min() ?? 0
            }
            if value > count {
                found.append(
                    LearntTotal(place: place, value: value, unit: .records, rank: rank(.total), exact: exact))
            }
            if value > 1 { found.append(LearntTotal(place: place, value: value, unit: .pages, rank: rank(.pages))) }
        }
        return found.stablySorted(by: \.rank)
    }
}

extension Array {
    func stablySorted(by rank: (Element) -> Int) -> [Element] {
        enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }.map(\.element)
    }
}
