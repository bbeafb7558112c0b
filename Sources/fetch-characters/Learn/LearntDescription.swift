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

    /// Gives each key a variable: `CARDS_KEY`, `CARDS_LOGIN`, `CARDS_COOKIE`.
    init(_ request: ListRequest) {
        name = Self.name(of: request)
        self.request = request
        let words = request.keys.map { key in
            key.placement.map { $0.name.lowercased() == "cookie" ? "COOKIE" : "KEY" } ?? "LOGIN"
        }
        for (index, key) in request.keys.enumerated() where key.variable == nil {
            let isAlone = words.count { $0 == words[index] } == 1
            let word = isAlone ? words[index] : key.placement?.name ?? words[index]
            let letters = "\(name)_\(word)".uppercased().map {
                $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_"
            }
            self.request.keys[index].variable = (name.first?.isNumber == true ? "API_" : "") + String(letters)
        }
    }

    /// What it describes so far.
    /// - Throws: where a path or a name is one that no description can have.
    func source() throws(DescriptionError) -> Source {
        try Source(description: tree(leavingOut: []).json.utf8Bytes.span)
    }

    /// The members in their usual order.
    private func tree(leavingOut unproved: Set<Part>) -> JSONTree {
        let plain = pagination.size.map { request.removing([$0.parameter]) } ?? request
        var parts: [(name: String, value: JSONTree)] = [
            ("name", .string(name)), ("baseURL", .string(request.baseURL)), ("path", .string(request.path)),
        ]
        let add: (String, [Source.Parameter]) -> Void = { name, parameters in
            guard !parameters.isEmpty else { return }
            parts.append((name, .object(parameters.map { ($0.name, .string($0.value)) })))
        }
        add("headers", request.headers)
        add("query", plain.query)
        if request.content != nil { parts.append(("method", .string("POST"))) }
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

    /// The header field that it is in, if it is in one.
    var headerName: String? {
        switch placement {
        case .header(let name)?: name
        case nil: "Authorization"
        case .query?, .path?, .form?, .body?: nil
        }
    }
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
        let prefix = prefix.isEmpty ? [] : [(name: "prefix", value: JSONTree.string(prefix))]
        return .object(
            [placement?.member ?? ("basic", .boolean(true))] + prefix
                + [("env", .string(variable ?? "")), ("required", .boolean(true))])
    }
}

/// How a list is paged, as far as it was found out, in the words of a description.
struct LearntPagination: Sendable {
    let type: Pagination.Word
    /// The parameters that it sets itself.
    let places: [Placement]
    /// Where a response has what leads to the next page.
    let next: JSONTree?
    /// The number of the first page, or of the first record.
    let first: Int
    var size: Pagination.Size?
    var total: TotalPlace?
    var ends: [Pagination.End] = []
    /// The path of a flag that is true as long as another page follows.
    var more: String?
    /// The links to the next page lack parameters of the list.
    var keepsQuery = false

    init(_ type: Pagination.Word, _ places: [Placement] = [], next: JSONTree? = nil, first: Int = 0) {
        (self.type, self.places, self.next, self.first) = (type, places, next, first)
    }

    /// Its parameters go on together, each by a path of its own.
    var hasSeveral: Bool { next?["values"] != nil }

    /// Whether each page leads to the next one.
    var leads: Bool { [.linkHeader, .nextURL, .cursor].contains(type) }

    /// As a description has it.
    var tree: JSONTree {
        var members: [(name: String, value: JSONTree)] = [("type", .string(type.rawValue))]
        if let place = places.first, !hasSeveral { members.append(("parameter", place.tree)) }
        if let next { members.append(("next", next)) }
        if type == .page || first > 0 { members.append(("first", .integer(first))) }
        if let size {
            let limit = size.limit.map { [(name: "max", value: JSONTree.integer($0))] } ?? []
            members.append(
                ("size", .object([("parameter", size.parameter.tree), ("value", .integer(size.value))] + limit)))
        }
        if keepsQuery { members.append(("keepQuery", .boolean(true))) }
        if let total { members.append((total.unit == .records ? "total" : "pages", total.place.location)) }
        if let more { members.append(("more", .string(more))) }
        if !ends.isEmpty { members.append(("end", .array(ends.map { .string($0.rawValue) }))) }
        return .object(members)
    }
}

extension Placement {
    /// As an object has it among its members.
    fileprivate var member: (name: String, value: JSONTree) {
        switch self {
        case .query(let name): ("query", .string(name))
        case .header(let name): ("header", .string(name))
        case .path(let name): ("path", .string(name))
        case .form(let name): ("form", .string(name))
        case .body(let steps): ("body", .string(JSONLocation.path(of: steps, style: .rooted)))
        }
    }

    /// A query parameter by its name, anything else as an object.
    fileprivate var tree: JSONTree {
        if case .query(let name) = self { .string(name) } else { .object([member]) }
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
