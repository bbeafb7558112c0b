// Decides how what was found out is written as a description, as a person would write it.

import PipelineCore
import PipelineHTTP

struct LearntDescription: Sendable {
    let name: String
    var request: ListRequest
    /// Whether the list is whole by it. Until then a person has to decide.
    var isProved = false
    var records: RecordsPlace?
    var pagination = LearntPagination(type: .none)
    /// What stood beside the records of a list of one response.
    var beside: BesideShape?
    var item: String?
    var members: [(name: Source.CommonName, path: String)] = []

    init(_ request: ListRequest) {
        name = Self.name(of: request)
        self.request = request
        self.request.keys = LearntKey.named(request.keys, of: name)
    }

    /// `api.example.org/v2/cards` is called example-cards.
    private static func name(of request: ListRequest) -> String {
        let host = request.baseURL.drop { $0 != "/" }.drop { $0 == "/" }.prefix { !":[".contains($0) }
        let labels = host.split(separator: ".")
        let isName = labels.contains { !$0.allSatisfy(\.isNumber) }
        let owner = isName ? labels.dropLast().last : nil
        var path = request.ownPath.split(separator: "/").map { $0.prefix { $0 != "." } }
        // What many lists end with says little alone.
        while path.count > 1, ["search", "all", "list", "index", "api", "query"].contains(path.last) {
            path.removeLast()
        }
        let words = [owner, path.last].compactMap(\.self).joined(separator: "-").lowercased()
            .split { !$0.isASCII || !ShellText.isName($0) || $0 == "_" }
        return words.nonEmpty.map { String($0.joined(separator: "-").prefix(60)) } ?? "source"
    }

    var place: RecordsPlace { records ?? RecordsPlace(linesOf: 0) }

    /// - Throws: where a path or a name is one that no description can have.
    func source() throws(DescriptionError) -> Source {
        try Source(description: tree(isProved: true).json.utf8Bytes.span)
    }

    /// - Throws: status 76 where the response has names that no description can have.
    func readable() throws(ToolFailure) -> Source {
        do throws(DescriptionError) { return try source() } catch {
            throw .unlearnt("the response has names that a description can't have; write it by hand")
        }
    }

    var text: String { tree(isProved: isProved).text(indent: 0, room: 0) + "\n" }

    private func tree(isProved: Bool) -> JSONTree {
        let plain = pagination.size.map { request.removing([$0.parameter]) } ?? request
        let texts = { (parameters: [Source.Parameter]) -> JSONTree? in
            parameters.nonEmpty.map { .object($0.map { ($0.name, .string($0.value)) }) }
        }
        var (body, form): (JSONTree?, JSONTree?)
        if case .json(let tree)? = request.content { body = tree }
        if case .form(let fields)? = plain.content { form = texts(fields) }
        let format = records?.format ?? .json
        var (formatName, list): (JSONTree?, JSONTree?) = (nil, records?.tree ?? .string("$"))
        if !format.hasEnvelope { (formatName, list) = (.string(format.rawValue), nil) }
        let keys = request.keys.map(\.tree)
        return .object(of: [
            ("name", .string(name)), ("baseURL", .string(request.baseURL)), ("path", .string(request.path)),
            ("headers", texts(request.headers)), ("query", texts(plain.query)),
            ("method", request.content.map { _ in .string("POST") }), ("body", body), ("form", form),
            ("format", formatName), ("records", list),
            ("pagination", isProved ? pagination.tree : LearntPagination.assumed),
            ("beside", beside?.json),
            ("errors", request.isGraphQL ? .string("$.errors") : nil), ("item", item.map { .string($0) }),
            ("key", keys.count > 1 ? .array(keys) : keys.first),
            ("members", texts(members.map { Source.Parameter($0.name.rawValue, $0.path) })),
        ])
    }
}

/// How a list is paged, as far as it was found out, in the words of a description.
struct LearntPagination: Sendable {
    let type: Pagination.Word
    var places: [Placement] = []
    var next: JSONTree?
    var first = 0
    var size: Pagination.Size?
    var total: LearntTotal?
    var ends: [Pagination.End] = []
    /// The path of a flag that is true as long as another page follows.
    var more: String?
    /// The path of one that is true on the last page.
    var done: String?
    /// The links to the next page lack parameters of the list.
    var keepsQuery: Bool?

    var leads: Bool { [.linkHeader, .nextURL, .cursor].contains(type) }

    /// Of a list of which nothing shows that one response has all.
    fileprivate static let assumed = JSONTree.object([
        ("type", .string(Pagination.Word.none.rawValue)), ("assumed", .boolean(true)),
    ])

    fileprivate var tree: JSONTree {
        let ends =
            ends.map { JSONTree.string($0.rawValue) }
            + [done.map { .object([("where", .string($0))]) }]
            .compactMap(\.self)
        let size = size.map { size in
            JSONTree.object(of: [
                ("parameter", size.parameter.tree), ("value", .integer(size.value)),
                ("max", size.limit.map { .integer($0) }),
            ])
        }
        // Several values name their parameters.
        let parameter = next?["values"] == nil ? places.first?.tree : nil
        return .object(of: [
            ("type", .string(type.rawValue)), ("parameter", parameter), ("next", next),
            ("first", first > 0 || type == .page ? .integer(first) : nil), ("size", size),
            ("keepQuery", keepsQuery.map { .boolean($0) }),
            (total?.unit == .pages ? "pages" : "total", total?.tree), ("more", more.map { .string($0) }),
            ("end", ends.nonEmpty.map { .array($0) }),
        ])
    }
}

extension LearntTotal {
    fileprivate var tree: JSONTree { .object(of: place.location.members + [("exact", exact.map { .string($0) })]) }
}

extension LearntKey {
    fileprivate var tree: JSONTree {
        .object(of: [
            placement?.member ?? ("basic", .boolean(true)), ("prefix", prefix.nonEmpty.map { .string($0) }),
            ("env", .string(variable ?? "")), ("required", .boolean(true)),
        ])
    }
}

extension Placement {
    fileprivate var member: (name: String, value: JSONTree?) {
        switch self {
        case .query(let name): ("query", .string(name))
        case .header(let name): ("header", .string(name))
        case .path(let name): ("path", .string(name))
        case .form(let name): ("form", .string(name))
        case .body(let steps): ("body", .string(steps.path))
        }
    }

    /// A query parameter by its name, anything else as an object.
    fileprivate var tree: JSONTree {
        if case .query(let name) = self { .string(name) } else { .object(of: [member]) }
    }
}

extension JSONTree {
    private static let lineLimit = 110

    fileprivate static func object(of members: [(name: String, value: JSONTree?)]) -> JSONTree {
        .object(members.compactMap { name, value in value.map { (name, $0) } })
    }

    /// JSON as people write descriptions: each member of the whole on a line of its own, and what fits stays on its line.
    /// - Parameter room: for the value on its first line, in characters.
    fileprivate func text(indent: Int, room: Int) -> String {
        let parts =
            members.map { (JSONTree.string($0.name).json + ": ", $0.value) } + (elements ?? []).map { ("", $0) }
        guard isObject || elements != nil else { return json }
        let (open, close) = isObject ? ("{", "}") : ("[", "]")
        let line = parts.map { $0.0 + $0.1.text(indent: 0, room: .max) }.joined(separator: ", ")
        if parts.isEmpty || line.count + 2 <= room { return open + line + close }
        let inner = String(repeating: " ", count: indent + 2)
        let lines = parts.map { start, value in
            inner + start + value.text(indent: indent + 2, room: Self.lineLimit - inner.count - start.count)
        }
        return open + "\n" + lines.joined(separator: ",\n") + "\n" + inner.dropLast(2) + close
    }
}
