// A description that is being found out: what is known of it so far, and its text as a person would write it.
//
//     {
//       "name": "cards",
//       "baseURL": "https://api.example.org",
//       "path": "/v2/cards",
//       "records": "$.data",
//       "pagination": {"type": "next-url", "next": "$.next_page"},
//       "members": {"id": "id", "name": "name"}
//     }

import PipelineCore
import PipelineHTTP

/// A description in the making.
struct LearntDescription: Sendable {
    let name: String
    var address: ListAddress
    /// Parts that a person has to write: the text leaves them out.
    enum Part: Sendable { case records, pagination }

    var unproved: Set<Part> = []
    /// Nil until they are found.
    var records: RecordsPlace?
    var pagination = LearntPagination(.none)
    /// The path of one record, with `{id}` for its id.
    var item: String?
    /// Where the key goes, and the environment variable that holds it.
    var key: (placement: String, name: String, variable: String)?
    /// The common members with their paths, in their order.
    var members: [(name: Source.CommonName, path: String)] = []

    init(_ address: ListAddress) {
        self.address = address
        name = Self.name(of: address)
    }

    /// What it describes so far.
    /// - Throws: where a path or a name is one that no description can have.
    func source() throws(DescriptionError) -> Source {
        try Source(description: tree(leavingOut: []).json.utf8Bytes.span)
    }

    /// The members in their usual order.
    private func tree(leavingOut unproved: Set<Part>) -> JSONTree {
        var query = address.query
        if let size = pagination.size { query.removeAll { $0.name == size.parameter } }
        var parts: [(name: String, value: JSONTree)] = [
            ("name", .string(name)), ("baseURL", .string(address.baseURL)), ("path", .string(address.path)),
        ]
        if !query.isEmpty { parts.append(("query", .object(query.map { ($0.name, .string($0.value)) }))) }
        if records?.container == .lines {
            parts.append(("format", .string("lines")))
        } else if !unproved.contains(.records) {
            parts.append(("records", records?.tree ?? .string("$")))
        }
        if !unproved.contains(.pagination) { parts.append(("pagination", pagination.tree)) }
        if let item { parts.append(("item", .string(item))) }
        if let key {
            parts.append(
                (
                    "key",
                    .object([
                        (key.placement, .string(key.name)), ("env", .string(key.variable)),
                        ("required", .boolean(true)),
                    ])
                ))
        }
        if !members.isEmpty {
            parts.append(("members", .object(members.map { ($0.name.rawValue, .string($0.path)) })))
        }
        return .object(parts)
    }

    /// The text of the file, with a line end.
    var text: String { DescriptionText.text(of: tree(leavingOut: unproved)) + "\n" }

    /// The environment variable for a key of this source.
    var variable: String {
        (name.first?.isNumber == true ? "API_" : "")
            + name.uppercased().map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined() + "_KEY"
    }

    /// `api.example.org/v2/cards` is called example-cards.
    private static func name(of address: ListAddress) -> String {
        let host = address.baseURL.drop { $0 != "/" }.drop { $0 == "/" }.prefix { $0 != ":" && $0 != "[" }
        let labels = host.split(separator: ".").map(String.init)
        let isNumber = labels.allSatisfy { $0.allSatisfy(\.isNumber) }
        let owner = isNumber || labels.count < 2 ? nil : labels.dropLast().last
        var path = address.path.prefix { $0 != "?" }.split(separator: "/").map { part in
            String(part.prefix { $0 != "." })
        }
        // What many lists end with says little alone.
        while let last = path.last, path.count > 1, ["search", "all", "list", "index", "api"].contains(last) {
            path.removeLast()
        }
        let parts = [owner, path.last].compactMap(\.self)
        let words = parts.joined(separator: "-").lowercased().unicodeScalars.split { scalar in
            !(("a"..."z").contains(scalar) || ("0"..."9").contains(scalar))
        }
        let name = words.map { String($0) }.joined(separator: "-")
        return name.isEmpty ? "source" : String(name.prefix(60))
    }
}

/// How a list is paged, as far as it was found out, in the words of a description.
struct LearntPagination: Sendable {
    enum Kind: Sendable {
        case none
        case linkHeader
        /// A path, or `{"header": NAME}`.
        case nextURL(JSONTree)
        case cursor(parameter: String, next: String)
        /// Parameters that go on together, each with its path.
        case cursors([(parameter: String, path: String)])
        case page(parameter: String, first: Int)
        case offset(parameter: String)
    }

    var kind: Kind
    /// The parameter for the size of a page; `limit` where the service gives no more.
    var size: (parameter: String, value: Int, limit: Int?)?
    var total: TotalPlace?
    /// The path to a flag that says whether another page follows.
    var more: String?
    var ends: [Pagination.End] = []
    /// The links to the next page lack parameters of the list.
    var keepsQuery = false

    init(_ kind: Kind) { self.kind = kind }

    /// As a description has it.
    var tree: JSONTree {
        var members: [(name: String, value: JSONTree)] = kind.members
        if let size {
            var parts: [(name: String, value: JSONTree)] = [
                ("parameter", .string(size.parameter)), ("value", .integer(size.value)),
            ]
            if let limit = size.limit { parts.append(("max", .integer(limit))) }
            members.append(("size", .object(parts)))
        }
        if keepsQuery { members.append(("keepQuery", .boolean(true))) }
        if let total { members.append((total.unit == .records ? "total" : "pages", total.location)) }
        if let more { members.append(("more", .string(more))) }
        if !ends.isEmpty { members.append(("end", .array(ends.map { .string($0.rawValue) }))) }
        return .object(members)
    }
}

extension LearntPagination.Kind {
    fileprivate var members: [(name: String, value: JSONTree)] {
        switch self {
        case .none: [("type", .string("none"))]
        case .linkHeader: [("type", .string("link-header"))]
        case .nextURL(let location): [("type", .string("next-url")), ("next", location)]
        case .cursor(let parameter, let next):
            [("type", .string("cursor")), ("parameter", .string(parameter)), ("next", .string(next))]
        case .cursors(let cursors):
            [
                ("type", .string("cursor")),
                ("next", .object([("values", .object(cursors.map { ($0.parameter, .string($0.path)) }))])),
            ]
        case .page(let parameter, let first):
            [("type", .string("page")), ("parameter", .string(parameter)), ("first", .integer(first))]
        case .offset(let parameter): [("type", .string("offset")), ("parameter", .string(parameter))]
        }
    }
}

/// JSON as people write descriptions: each member of the whole on a line of its own, and what fits stays on its line.
enum DescriptionText {
    private static let lineLimit = 110

    static func text(of tree: JSONTree) -> String { lines(tree, indent: 0, room: 0) }

    /// - Parameters:
    ///   - indent: of the line that the value begins on.
    ///   - room: that the line has for the value on it, in characters.
    private static func lines(_ tree: JSONTree, indent: Int, room: Int) -> String {
        let whole = line(tree)
        if whole.count <= room { return whole }
        let inner = String(repeating: " ", count: indent + 2)
        switch tree {
        case .object(let members) where !members.isEmpty:
            let parts = members.map { name, value in
                let start = inner + JSONTree.string(name).json + ": "
                return start + lines(value, indent: indent + 2, room: lineLimit - start.count)
            }
            return "{\n" + parts.joined(separator: ",\n") + "\n" + inner.dropLast(2) + "}"
        case .array(let elements) where !elements.isEmpty:
            let parts = elements.map { inner + lines($0, indent: indent + 2, room: lineLimit - inner.count) }
            return "[\n" + parts.joined(separator: ",\n") + "\n" + inner.dropLast(2) + "]"
        default: return whole
        }
    }

    /// The value on one line.
    private static func line(_ tree: JSONTree) -> String {
        switch tree {
        case .object(let members):
            "{" + members.map { JSONTree.string($0.name).json + ": " + line($0.value) }.joined(separator: ", ")
                + "}"
        case .array(let elements): "[" + elements.map(line).joined(separator: ", ") + "]"
        default: tree.json
        }
    }
}
