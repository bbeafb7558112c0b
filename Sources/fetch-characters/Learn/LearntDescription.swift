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

struct LearntDescription: Sendable {
    let name: String
    var request: ListRequest
    /// Parts that a person has to write: the text leaves them out.
    enum Part: Sendable { case records, pagination }

    var unproved: Set<Part> = []
    /// Nil until they are found.
    var records: RecordsPlace?
    var pagination = LearntPagination(.none)
    /// The path of one record, with `{id}` for its id.
    var item: String?
    /// The common members with their paths, in their order.
    var members: [(name: Source.CommonName, path: String)] = []

    init(_ request: ListRequest) {
        name = Self.name(of: request)
        self.request = request
        for index in request.keys.indices { self.request.keys[index].variable = variable(index, request.keys) }
    }

    /// What it describes so far.
    /// - Throws: where a path or a name is one that no description can have.
    func source() throws(DescriptionError) -> Source {
        try Source(description: tree(leavingOut: []).json.utf8Bytes.span)
    }

    /// The members in their usual order.
    private func tree(leavingOut unproved: Set<Part>) -> JSONTree {
        let plain = pagination.size.map { request.removing([$0.place]) } ?? request
        var parts: [(name: String, value: JSONTree)] = [
            ("name", .string(name)), ("baseURL", .string(request.baseURL)), ("path", .string(request.path)),
        ]
        let add: (String, [Source.Parameter]) -> Void = { name, parameters in
            guard !parameters.isEmpty else { return }
            parts.append((name, .object(parameters.map { ($0.name, .string($0.value)) })))
        }
        add("headers", request.headers)
        add("query", plain.query)
        if request.isPost { parts.append(("method", .string("POST"))) }
        switch request.content {
        case .json(let tree)?: parts.append(("body", tree))
        case .form?: if case .form(let fields)? = plain.content { add("form", fields) }
        case nil: break
        }
        if records?.container == .lines {
            parts.append(("format", .string("lines")))
        } else if !unproved.contains(.records) {
            parts.append(("records", records?.tree ?? .string("$")))
        }
        if !unproved.contains(.pagination) { parts.append(("pagination", pagination.tree)) }
        if let item { parts.append(("item", .string(item))) }
        let keys = request.keys.map(\.tree)
        if let key = keys.first { parts.append(("key", keys.count == 1 ? key : .array(keys))) }
        if !members.isEmpty {
            parts.append(("members", .object(members.map { ($0.name.rawValue, .string($0.path)) })))
        }
        return .object(parts)
    }

    /// The text of the file, with a line end.
    var text: String { DescriptionText.text(of: tree(leavingOut: unproved)) + "\n" }

    /// The environment variable for a key of this source: `CARDS_KEY`, `CARDS_LOGIN`, `CARDS_COOKIE`.
    private func variable(_ index: Int, _ keys: [LearntKey]) -> String {
        let words = keys.map { key in
            guard let name = key.placement?.name else { return "LOGIN" }
            return name.lowercased() == "cookie" ? "COOKIE" : "KEY"
        }
        let isAlone = words.count { $0 == words[index] } == 1
        let word = isAlone ? words[index] : keys[index].placement?.name ?? words[index]
        return keys[index].variable
            ?? (name.first?.isNumber == true ? "API_" : "")
            + "\(name)_\(word)".uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "_" }
            .joined()
    }

    /// `api.example.org/v2/cards` is called example-cards.
    private static func name(of request: ListRequest) -> String {
        let host = request.baseURL.drop { $0 != "/" }.drop { $0 == "/" }.prefix { $0 != ":" && $0 != "[" }
        let labels = host.split(separator: ".").map(String.init)
        let isNumber = labels.allSatisfy { $0.allSatisfy(\.isNumber) }
        let owner = isNumber || labels.count < 2 ? nil : labels.dropLast().last
        var path = request.path.prefix { $0 != "?" }.split(separator: "/").map { part in
            String(part.prefix { $0 != "." })
        }
        // What many lists end with says little alone.
        while let last = path.last, path.count > 1,
            ["search", "all", "list", "index", "api", "query"].contains(last)
        {
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

struct LearntKey: Sendable {
    /// Nil for a user and a password as RFC 7617 has them.
    let placement: Placement?
    var prefix = ""
    /// The environment variable that holds it, once it is known.
    var variable: String?
    /// The key, where a command has it.
    var text: String?
}

extension LearntKey {
    /// - Parameter text: that of `--learn-key`.
    init(option text: String) throws(UsageError) {
        let pair = ArgumentValue.pair(text, at: ":")
        switch (pair?.name, pair?.value.isEmpty) {
        case ("header"?, false?): placement = .header(pair?.value ?? "")
        case ("query"?, false?): placement = .query(pair?.value ?? "")
        case _ where text == "basic": placement = nil
        default: throw UsageError("--learn-key takes header:NAME, query:NAME or basic, not '\(text)'")
        }
    }

    var tree: JSONTree {
        let place: (name: String, value: JSONTree) =
            switch placement {
            case .query(let name)?: ("query", .string(name))
            case .header(let name)?: ("header", .string(name))
            case .path(let name)?: ("path", .string(name))
            case .form(let name)?: ("form", .string(name))
            case .body(let steps)?: ("body", .string(JSONLocation.path(of: steps, style: .rooted)))
            case nil: ("basic", .boolean(true))
            }
        let prefix = prefix.isEmpty ? [] : [(name: "prefix", value: JSONTree.string(prefix))]
        return .object(
            [place] + prefix + [("env", .string(variable ?? "")), ("required", .boolean(true))])
    }
}

/// How a list is paged, as far as it was found out, in the words of a description.
struct LearntPagination: Sendable {
    enum Kind: Sendable {
        case none
        case linkHeader
        /// A path, or `{"header": NAME}`.
        case nextURL(JSONTree)
        case cursor(Placement, next: String)
        /// Query parameters that go on together, each with its path.
        case cursors([(parameter: String, path: String)])
        case page(Placement, first: Int)
        case offset(Placement, first: Int)
    }

    var kind: Kind
    /// The parameter for the size of a page; `limit` where the service gives no more.
    var size: (place: Placement, value: Int, limit: Int?)?
    var total: TotalPlace?
    var ends: [Pagination.End] = []
    /// The path of a flag that is true as long as another page follows.
    var more: String?
    /// The links to the next page lack parameters of the list.
    var keepsQuery = false

    init(_ kind: Kind) { self.kind = kind }

    /// The parameters that it sets itself.
    var places: [Placement] {
        switch kind {
        case .none, .linkHeader, .nextURL: []
        case .cursor(let place, _), .page(let place, _), .offset(let place, _): [place]
        case .cursors(let cursors): cursors.map { .query($0.parameter) }
        }
    }

    /// As a description has it.
    var tree: JSONTree {
        var members: [(name: String, value: JSONTree)] = kind.members
        if let size {
            var parts: [(name: String, value: JSONTree)] = [
                ("parameter", size.place.tree), ("value", .integer(size.value)),
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

extension Placement {
    /// A query parameter by its name, anything else as an object.
    fileprivate var tree: JSONTree {
        if case .query(let name) = self { return .string(name) }
        guard case .object(let members) = LearntKey(placement: self).tree else { return .null }
        return .object(Array(members.prefix(1)))
    }
}

extension LearntPagination.Kind {
    fileprivate var members: [(name: String, value: JSONTree)] {
        switch self {
        case .none: [("type", .string("none"))]
        case .linkHeader: [("type", .string("link-header"))]
        case .nextURL(let location): [("type", .string("next-url")), ("next", location)]
        case .cursor(let place, let next):
            [("type", .string("cursor")), ("parameter", place.tree), ("next", .string(next))]
        case .cursors(let cursors):
            [
                ("type", .string("cursor")),
                ("next", .object([("values", .object(cursors.map { ($0.parameter, .string($0.path)) }))])),
            ]
        case .page(let place, let first):
            [("type", .string("page")), ("parameter", place.tree), ("first", .integer(first))]
        case .offset(let place, 0): [("type", .string("offset")), ("parameter", place.tree)]
        case .offset(let place, let first):
            [("type", .string("offset")), ("parameter", place.tree), ("first", .integer(first))]
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
