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
