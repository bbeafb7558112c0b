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
        let target = ListTarget.text(of: url.plainText) ?? ""
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

    private var target: String { ownPath + "?" + parts.joined(separator: "&") }

    var list: ListTarget { ListTarget(path: ownPath, text: target, values: parameters.map(\.value)) }

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

    var positions: [PageParameter] {
        parameters.compactMap { $0.value.isEmpty ? nil : PageParameter(at: $0.place, $0.value) }
    }

    /// What may select a page, where no parameter does: `/list/page/2`, or a header field such as `X-Page`.
    var pageBeside: String? {
        let words = ownPath.lowercased().split { !$0.isLetter && !$0.isNumber }
        if zip(words, words.dropFirst()).contains(where: { $0 == "page" && Int($1) != nil }) { return "the path" }
        let ends = ["page", "offset", "cursor"]
        return headers.first { ends.contains(where: WellKnownNames.plain($0.name).hasSuffix) }?.name
    }

    /// Zendesk's pages of cursors have a link back on the first one too.
    var maySelectPage: Bool {
        pageBeside != nil || parameters.contains { !WellKnownNames.is($0.name, .size) }
            || ownPath.split(separator: "/").last?.contains(where: \.isNumber) == true
    }

    /// What requests this many records: a parameter, or a number in the path, in a query's text or in a body.
    func number(equalTo count: Int) -> String? {
        let own = parameters.first { parameter in
            parameter.value == "\(count)" && (count > 3 || WellKnownNames.is(parameter.name, .size))
        }
        if let own { return "\(own.name)=\(count) asks for \(count)" }
        guard count > 12 else { return nil }
        let texts = parameters.map(\.value) + (content?.texts ?? [])
        let words = texts.flatMap { $0.split { !$0.isLetter && !$0.isNumber } } + ownPath.split(separator: "/")
        return words.contains("\(count)") ? "the request has the number \(count)" : nil
    }

    var number: PageParameter? { positions.first { $0.kind != .cursor } }

    /// The parameters that have other values in the link to the next page: they say which page is meant.
    func moved(to next: ListRequest) -> [PageParameter] {
        parameters.compactMap { parameter in
            let others = next.parameters.filter { $0.place == parameter.place }
            guard case .query = parameter.place, !others.isEmpty,
                others.allSatisfy({ $0.value != parameter.value })
            else { return nil }
            return PageParameter(at: parameter.place, parameter.value)
                ?? PageParameter(parameter.place, Int(parameter.value) == nil ? .cursor : .page)
        }
    }

    func hasFirst(_ position: PageParameter) -> Bool {
        parameters.contains { $0.place == position.place && position.firstValues.contains($0.value) }
    }

    var size: (place: Placement, value: Int)? {
        guard isPlain else { return nil }
        return parameters.filter { WellKnownNames.is($0.name, .size) }
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
                WellKnownNames.plain($0.name) == WellKnownNames.plain(name)
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

    fileprivate func url(setting place: Placement, to number: Int) -> HTTPURL? {
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

/// A parameter that says which page is meant: a page's number, the number of records before it, or a cursor.
struct PageParameter: Hashable, Sendable {
    let place: Placement
    let kind: Pagination.Word

    init(_ place: Placement, _ kind: Pagination.Word) { (self.place, self.kind) = (place, kind) }

    init?(at place: Placement, _ value: String) {
        guard place.name.utf8.count <= 100 else { return nil }
        let isNumber = Int(value).map { $0 >= 0 } ?? false
        if isNumber, WellKnownNames.is(place.name, .page) {
            self.init(place, .page)
        } else if isNumber, WellKnownNames.is(place.name, .offset) {
            self.init(place, .offset)
        } else if WellKnownNames.is(place.name, .cursor)
            || !isNumber && WellKnownNames.plain(place.name).hasSuffix("offset")
        {
            self.init(place, .cursor)
        } else {
            return nil
        }
    }

    var name: String { place.name }

    /// What requests the first page, where something has to.
    var firstValues: [String] {
        switch kind {
        case .page: ["0", "1"]
        case .offset: ["0"]
        default: ["*", "-1"]
        }
    }

    /// The link to the second page, changed to lead to another one, counted from 1.
    /// - Returns: nil if the link doesn't have what the second page's has to have.
    func link(_ second: HTTPURL, to number: Int, size: Int) -> HTTPURL? {
        let request = ListRequest(second)
        guard let value = request.parameters.first(where: { $0.place == place }).flatMap({ Int($0.value) }) else {
            return nil
        }
        switch kind {
        case .page where value < 1_000_000: return request.url(setting: place, to: value + number - 2)
        case .offset where value == size: return request.url(setting: place, to: size * (number - 1))
        default: return nil
        }
    }

    /// Those of the parameters in the text of a URL that have a number.
    static func all(in link: String) -> [PageParameter] {
        let query = link.prefix(4096).drop { $0 != "?" }.dropFirst()
        return query.split(separator: "&", maxSplits: 50).map(ListRequest.parameter).compactMap { parameter in
            Int(parameter.value).flatMap { _ in PageParameter(at: .query(parameter.name), parameter.value) }
        }
    }
}
