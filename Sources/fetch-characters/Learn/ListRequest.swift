// Decides what of a list's request is a parameter, and takes it apart as a description has it.
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

    init(_ url: HTTPURL) { move(to: url) }

    mutating func move(to url: HTTPURL) {
        baseURL = url.origin
        let target = Self.target(of: url.plainText) ?? ""
        ownPath = String(target.prefix { $0 != "?" })
        parts = target.dropFirst(ownPath.count + 1).split(separator: "&").map(String.init)
    }

    /// Of a URL from its path on. Nil for an origin alone.
    private static func target(of url: String) -> String? {
        url.firstRange(of: "://").flatMap { start in
            url[start.upperBound...].firstIndex(of: "/").map { String(url[$0...].prefix { $0 != "#" }) }
        }
    }

    static func parameter(_ part: some StringProtocol) -> Source.Parameter {
        let texts = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
            HTTPURL.percentDecoded(String($0.replacing("+", with: " ")))
        }
        return Source.Parameter(texts[0], texts.dropFirst().first ?? "")
    }

    /// The query of a URL, absolute or relative.
    static func parameters(of link: String) -> [Source.Parameter] {
        let query = link.prefix(4096).drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }
        return query.split(separator: "&", maxSplits: 50).map(parameter)
    }

    /// Whether the query can be an object of names and values.
    private var isPlain: Bool {
        let own = parts.map(Self.parameter)
        guard Set(own.map(\.name)).count == own.count, parts.allSatisfy({ $0.contains("=") }) else { return false }
        // The last sign stands for what isn't UTF-8.
        let texts = own.flatMap { [$0.name, $0.value] }
        return own.allSatisfy { !$0.name.isEmpty } && !texts.joined().contains(where: "{}\u{FFFD}".contains)
    }

    /// From the path on.
    private var target: String { ownPath + "?" + parts.joined(separator: "&") }

    var url: HTTPURL? { try? HTTPURL(baseURL + target) }

    /// With the query, if that can't be an object of names and values.
    var path: String { isPlain ? ownPath : target }

    var query: [Source.Parameter] { isPlain ? parts.map(Self.parameter) : [] }

    /// Without those of keys, which have no values here.
    var parameters: [Parameter] {
        let taken = keys.compactMap(\.placement)
        return allParameters.filter { !taken.contains($0.place) }
    }

    var allParameters: [Parameter] {
        let query = parts.map(Self.parameter).map { Parameter(place: .query($0.name), value: $0.value) }
        switch content {
        case .form(let fields)?: return query + fields.map { Parameter(place: .form($0.name), value: $0.value) }
        case .json(let tree)?: return query + Self.leaves(tree)
        case nil: return query
        }
    }

    private static func leaves(_ tree: JSONTree) -> [Parameter] {
        var found: [Parameter] = []
        tree.walk { steps, value in
            // More values would be data, and longer ones a query in a language of its own.
            let text = value.isNull ? "" : value.scalar
            if let text, text.utf8.count <= 200, found.count < 200 {
                found.append(Parameter(place: .body(steps), value: text))
            }
            return value.isObject && steps.count < 6
        }
        return found
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
        switch content {
        case nil: return names.map { .query($0) }
        case .form?: return names.map { .form($0) }
        case .json?: break
        }
        // A query in GraphQL declares its variables, and takes no others: `query Cats($first: Int, $after: String)`.
        let variables = (graphQL ?? "").split(separator: "$").dropFirst().map { text in
            Placement.body([.name("variables"), .name(String(text.prefix(while: ShellText.isName)))])
        }
        let known = parameters.map(\.place) + variables
        let own = names.flatMap { name in known.filter { UsualNames.plain($0.name) == UsualNames.plain(name) } }
        if isGraphQL { return own.withoutRepeats }
        return (own + names.map { .body([.name($0)]) }).withoutRepeats
    }

    /// Whether a URL may be that of another page: one of the list's own path with another query, or of any path if its
    /// name says that it is the next page's.
    func leadsOn(_ link: String, from response: HTTPURL, rank: Int) -> Bool {
        guard let url = try? response.resolving(link), let target = Self.target(of: url.text) else { return false }
        let own = [Self.target(of: response.text) ?? "", self.target]
        guard !own.contains(target) else { return false }
        let paths = own.map { $0.prefix { $0 != "?" } }
        guard paths.contains(target.prefix { $0 != "?" }) else { return rank == 0 }
        return target.contains("?")
    }

    // MARK: GraphQL

    private var graphQL: String? {
        guard case .json(let tree)? = content, let query = tree["query"]?.string, query.contains("{") else {
            return nil
        }
        return String(query.prefix(1 << 20))
    }

    /// GraphQL says errors in a member of its own, with records beside them or not (GraphQL, section 7.1.2).
    var isGraphQL: Bool { graphQL != nil }

    /// The variables that a query in GraphQL binds to an argument of one of these names: `friends(after: $place)`.
    func variables(of arguments: [String]) -> [Placement] {
        let bound = (graphQL ?? "").matches(of: /([A-Za-z_][A-Za-z_0-9]*)\s*:\s*\$([A-Za-z_][A-Za-z_0-9]*)/)
        return arguments.flatMap { argument in
            bound.filter { $0.1 == argument }.map { Placement.body([.name("variables"), .name(String($0.2))]) }
        }.withoutRepeats
    }

    /// A document may stand in a JSON body, in a form, or in the query of a GET.
    /// - Throws: where it has a mutation, which changes something (GraphQL, section 6.2).
    func checkReadsOnly() throws(UsageError) {
        var texts = allParameters.map(\.value)
        if case .json(let tree)? = content {
            tree.walk { _, value in
                if let text = value.string { texts.append(text) }
                return true
            }
        }
        guard texts.contains(where: Self.isMutation) else { return }
        throw UsageError("a mutation changes something at the service; --learn takes a query")
    }

    /// Whether a definition begins with the word `mutation`: at the start of the text, or behind the brace of another one.
    private static func isMutation(_ document: String) -> Bool {
        guard document.contains("mutation"), document.contains("{") else { return false }
        var (depth, isStart, rest) = (0, true, document[...])
        while let sign = rest.popFirst() {
            switch sign {
            case "#": rest = rest.drop { !$0.isNewline }
            case "\"": skipText(&rest)
            case "{", "(", "[": (depth, isStart) = (depth + 1, false)
            case "}", ")", "]": (depth, isStart) = (max(0, depth - 1), sign == "}")
            case _ where depth == 0 && isStart && ShellText.isName(sign):
                let word = String(sign) + rest.prefix(while: ShellText.isName)
                rest = rest.dropFirst(word.count - 1)
                if word == "mutation", rest.contains("{") { return true }
                isStart = false
            default: break
            }
        }
        return false
    }

    /// The rest of `"…"` or `"""…"""`, behind its first quote.
    private static func skipText(_ rest: inout Substring) {
        if rest.hasPrefix("\"\"") {
            let end = rest.dropFirst(2).firstRange(of: "\"\"\"")
            return rest = end.map { rest[$0.upperBound...] } ?? ""
        }
        while let sign = rest.popFirst(), sign != "\"" {
            if sign == "\\" { _ = rest.popFirst() }
        }
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

    private static func removing(_ places: [Placement], _ steps: [JSONTree.Step], _ tree: JSONTree) -> JSONTree {
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
        case (.form(let name), .form(let fields)?): request.content = .form(fields.setting(name, to: value))
        case (.body(let steps), .json(let tree)?):
            request.content = .json(tree.setting(Int(value).map { .integer($0) } ?? .string(value), at: steps[...]))
        // Positions in others aren't tried, and a body of another kind has no place for one.
        case (.header, _), (.path, _), (.form, _), (.body, _): break
        }
        return request
    }

    // MARK: Header fields of a command, of which a response may need few

    /// Those that may be left out, as they are called; keys of the query and the body stay.
    var cuttableNames: [String] {
        guard isCopied else { return [] }
        return headers.map(\.name) + keys.compactMap(\.headerName)
    }

    mutating func cut(_ names: [String]) {
        headers.removeAll { names.contains($0.name) }
        keys.removeAll { key in key.headerName.map(names.contains) ?? false }
    }

    /// Of two lines the values are one list (RFC 9110, section 5.3).
    mutating func add(header name: String, _ text: String) {
        guard let index = headers.firstIndex(where: { HTTPHeaders.areEqual($0.name, name) }) else {
            return headers.append(Source.Parameter(name, text))
        }
        let other = headers[index]
        guard other.value != text else { return }
        let values = [other.value, text].filter { !$0.isEmpty }
        headers[index] = Source.Parameter(other.name, values.joined(separator: ", "))
    }
}
