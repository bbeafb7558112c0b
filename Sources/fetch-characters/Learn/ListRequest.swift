// The request for a list, taken apart as a description has it.
//
//     https://api.example.org/v2/cards?sort=name&page=3&limit=20      {"variables": {"after": "x"}}
//     baseURL                 path     query      position  size                      position

import PipelineCore
import PipelineHTTP

struct ListRequest: Sendable {
    struct Parameter {
        let place: Placement
        let value: String

        var name: String { place.name }
    }

    private(set) var baseURL = ""
    var ownPath = ""
    private var parts: [String] = []
    var headers: [Source.Parameter] = []
    var keys: [LearntKey] = []
    /// It is from a command or a recording, which has more header fields than the list needs.
    var isCopied = false
    var content: RequestContent?

    /// GraphQL says errors in a member of its own, with records beside them or not (GraphQL, section 7.1.2).
    var isGraphQL: Bool {
        guard case .json(let tree)? = content else { return false }
        return tree["query"]?.string?.contains("{") ?? false
    }

    init(_ url: HTTPURL) { move(to: url) }

    mutating func move(to url: HTTPURL) {
        baseURL = url.origin
        let target = Self.target(of: url.plainText) ?? ""
        ownPath = String(target.prefix { $0 != "?" })
        parts = target.dropFirst(ownPath.count + 1).split(separator: "&").map(String.init)
    }

    static func parameter(_ part: some StringProtocol) -> Source.Parameter {
        let texts = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
            HTTPURL.percentDecoded(String($0.replacing("+", with: " ")))
        }
        return Source.Parameter(texts[0], texts.count > 1 ? texts[1] : "")
    }

    private var isPlain: Bool {
        let own = parts.map(Self.parameter)
        return Set(own.map(\.name)).count == own.count && parts.allSatisfy { $0.contains("=") }
            && own.allSatisfy { parameter in
                // The last stands for what isn't UTF-8.
                !parameter.name.isEmpty
                    && !(parameter.name + parameter.value).contains(where: "{}\u{FFFD}".contains)
            }
    }

    /// From the path on.
    var target: String { ownPath + "?" + parts.joined(separator: "&") }

    /// With the query, if that can't be an object of names and values.
    var path: String { isPlain ? ownPath : target }

    var query: [Source.Parameter] { isPlain ? parts.map(Self.parameter) : [] }

    /// Without those of keys, which have no values here.
    var parameters: [Parameter] {
        let taken = keys.compactMap(\.placement)
        return taken.isEmpty ? allParameters : allParameters.filter { !taken.contains($0.place) }
    }

    var allParameters: [Parameter] {
        let query = parts.map(Self.parameter).map { Parameter(place: .query($0.name), value: $0.value) }
        switch content {
        case .form(let fields)?: return query + fields.map { Parameter(place: .form($0.name), value: $0.value) }
        case .json(let tree)?: return query + Self.leaves(tree, [])
        case nil: return query
        }
    }

    private static func leaves(_ tree: JSONTree, _ steps: [JSONLocation.PathStep]) -> [Parameter] {
        // More values would be data, and longer ones a query in a language of its own.
        switch tree {
        case .object(let members) where steps.count < 6:
            Array(members.flatMap { leaves($0.value, steps + [.name($0.name)]) }.prefix(200))
        case .string(let text) where text.utf8.count <= 200: [Parameter(place: .body(steps), value: text)]
        case .integer, .number: [Parameter(place: .body(steps), value: tree.json)]
        case .null: [Parameter(place: .body(steps), value: "")]
        case .object, .array, .string, .boolean: []
        }
    }

    // MARK: What parameters mean

    var size: (place: Placement, value: Int)? {
        guard isPlain else { return nil }
        return parameters.filter { UsualNames.is($0.name, .size) }
            .compactMap { parameter in Int(parameter.value).map { (parameter.place, $0) } }
            .first { Pagination.Size.numbers.contains($0.1) }
    }

    /// Where a parameter of one of these names goes, those first that the request has.
    func places(_ names: [String]) -> [Placement] {
        guard let content else { return names.map { .query($0) } }
        guard case .json(let tree) = content else { return names.map { .form($0) } }
        // A query in GraphQL declares its variables, and takes no others: `query Cats($first: Int, $after: String)`.
        let query = isGraphQL ? tree["query"]?.string : nil
        let variables = (query ?? "").prefix(1 << 20).split(separator: "$").dropFirst().map { text in
            Placement.body([.name("variables"), .name(String(text.prefix(while: ShellText.isName)))])
        }
        let own = names.flatMap { name in
            (parameters.map(\.place) + variables).filter {
                UsualNames.plain($0.name) == UsualNames.plain(name)
            }
        }
        return (own + (query == nil ? names.map { .body([.name($0)]) } : [])).withoutRepeats
    }

    // MARK: Changes

    func removing(_ places: [Placement]) -> ListRequest {
        var request = self
        request.parts.removeAll { places.contains(.query(Self.parameter($0).name)) }
        switch content {
        case .form(let fields)?: request.content = .form(fields.filter { !places.contains(.form($0.name)) })
        case .json(let tree)?: request.content = .json(Self.removing(places, [], tree))
        case nil: break
        }
        return request
    }

    private static func removing(
        _ places: [Placement], _ steps: [JSONLocation.PathStep], _ tree: JSONTree
    ) -> JSONTree {
        guard case .object(let members) = tree else { return tree }
        return .object(
            members.compactMap { name, value in
                let steps = steps + [.name(name)]
                return places.contains(.body(steps)) ? nil : (name, removing(places, steps, value))
            })
    }

    /// What is there already keeps its place among the others.
    func setting(_ place: Placement, to value: String) -> ListRequest {
        var request = self
        switch (place, request.content) {
        case (.query(let name), _):
            let part = HTTPURL.percentEncoded(name) + "=" + HTTPURL.percentEncoded(value)
            let isOwn = { (part: String) in Self.parameter(part).name == name }
            let index = parts.firstIndex(where: isOwn) ?? parts.count
            request.parts.removeAll(where: isOwn)
            request.parts.insert(part, at: index)
        case (.form(let name), .form(let fields)?):
            request.content = .form(fields.setting(name, to: value))
        case (.body(let steps), .json(let tree)?):
            request.content = .json(tree.setting(Int(value).map { .integer($0) } ?? .string(value), at: steps[...]))
        // Positions in others aren't tried, and a body of another kind has no place for one.
        case (.header, _), (.path, _), (.form, _), (.body, _): break
        }
        return request
    }

    func url(setting place: Placement, to number: Int) -> HTTPURL? {
        let changed = parts.map { part in
            place == .query(Self.parameter(part).name) ? "\(part.prefix { $0 != "=" })=\(number)" : part
        }
        return try? HTTPURL(baseURL + ownPath + "?" + changed.joined(separator: "&"))
    }

    // MARK: Header fields of a command, of which a response may need few

    /// Those that may be left out, as they are called; keys of the query and the body stay.
    var cuttableNames: [String] { isCopied ? headers.map(\.name) + keys.compactMap(\.headerName) : [] }

    mutating func cut(_ names: [String]) {
        headers.removeAll { names.contains($0.name) }
        keys.removeAll { key in key.headerName.map(names.contains) ?? false }
    }
}
