// The requests to a source: base, path, query, header fields and body combined, all values on every page, the key to
// its origin.
//
//     https://api.disneyapi.dev/character?page=2&pageSize=50&name=Mr%5C.%20X

import PipelineCore
import PipelineHTTP

struct SourceRequests: Sendable {
    let source: Source
    private let base: String
    let baseURL: HTTPURL
    let keys: [SentKey]
    private let placeholders: [String: String]
    /// The values of every page, without those of the pagination.
    private var values: [(placement: Placement, value: JSONTree)] = []
    /// Where requests have the time of the run.
    private var timed: Placement?
    /// Parameters that the user gives, and whose names say that they are keys.
    private var ownSecrets: [Source.Parameter] = []

    /// - Parameters:
    ///   - base: replaces the source's own; without a query.
    ///   - search: the text to find, unescaped. Empty finds everything.
    ///   - parameters: the user's own, which set placeholders and replace parameters of the description.
    /// - Throws: `.invalidRequest` or `.refusedScheme` for a base that can't be requested.
    init(
        _ source: Source, base: String? = nil, search: String = "", parameters: [Source.Parameter] = [],
        since: Instant? = nil, keys: [SentKey] = []
    ) throws(HTTPFailure) {
        let source = search.isEmpty ? source : source.searched
        let names = source.placeholders
        let placeholders = source.placeholderValues(parameters)
        self.base = try Self.base(base ?? source.baseURL, placeholders)
        baseURL = try HTTPURL(self.base)
        self.source = source
        self.keys = keys
        self.placeholders = placeholders
        if !search.isEmpty, let described = source.search {
            // Escaped so that the API finds it literally.
            let special = (described.isRegex ? #"\^$.|?*+()[]{}"# : "").unicodeScalars
            let text = search.unicodeScalars.map { special.contains($0) ? "\\\($0)" : "\($0)" }.joined()
            set(.string(text), at: described.parameter)
        }
        if let since, let described = source.since, let placement = described.placement {
            set(described.format.value(since.earlier(by: described.lagSeconds)), at: placement)
            if let until = described.until { set(described.format.value(.now), at: until) }
            timed = described.until
        }
        for own in parameters where !names.contains(own.name) {
            if SecretNames.isSecret(own.name), !own.value.isEmpty {
                ownSecrets.append(own)
            } else {
                values.append((.query(own.name), .string(own.value)))
            }
        }
    }

    static func base(_ text: String, _ placeholders: [String: String]) throws(HTTPFailure) -> String {
        guard !text.contains(where: { $0 == "?" || $0 == "#" }) else {
            throw HTTPFailure(
                .invalidRequest(
                    "a base URL has no query and no fragment: write those in the description, or take --param"))
        }
        guard !text.contains("@") else {
            throw HTTPFailure(.invalidRequest("a base URL has no user and no password"))
        }
        // The part up to the path names the host.
        let path = text.firstRange(of: "://").flatMap { text[$0.upperBound...].firstIndex(of: "/") }
        let host = Placeholders.filled(String(text[..<(path ?? text.endIndex)])) { placeholders[$0] }
        let base = host + (try Placeholders.checkedPath(String(text[(path ?? text.endIndex)...]), placeholders))
        return path != nil && base.hasSuffix("/") ? String(base.dropLast()) : base
    }

    func setting(_ placement: Placement, to value: JSONTree) -> SourceRequests {
        var requests = self
        requests.set(value, at: placement)
        return requests
    }

    private mutating func set(_ value: JSONTree, at placement: Placement) {
        values.removeAll { $0.placement.clashes(with: placement) }
        ownSecrets.removeAll { placement == .query($0.name) }
        values.append((placement, value))
    }

    /// The values of the placeholders, those of `--each` included.
    var placeholderValues: [String: String] {
        var filled = placeholders
        for (placement, value) in values { if let name = placement.placeholder { filled[name] = value.text } }
        return filled
    }

    /// A page of a list. If that may have others, it is asked for anew even if the cache has it.
    func page(_ position: PagePosition, size: Int?) throws(HTTPFailure) -> HTTPRequest {
        var request = try sentPage(position, size: size)
        if let timed { request.recordedAs = try timeless(timed, position, size: size) }
        return request
    }

    /// What is the same for that page in another run.
    private func timeless(
        _ timed: Placement, _ position: PagePosition, size: Int?
    ) throws(HTTPFailure) -> HTTPRequest.Identity {
        let requests = setting(timed, to: .string("until"))
        guard case .link(let link) = position, case .query(let name) = timed else {
            return try requests.sentPage(position, size: size).identity
        }
        let others = try HTTPURL(link).removing(HTTPURL.percentEncoded(name))
        return try requests.sentPage(.link(others.text), size: size).identity
    }

    private func sentPage(_ position: PagePosition, size: Int?) throws(HTTPFailure) -> HTTPRequest {
        let pagination = source.pagination
        let later = position == pagination.first ? nil : pagination.later
        // For each of the pagination's places. None if the page's URL requests it, or nothing.
        let positions: [JSONTree?] =
            switch position {
            case .start, .link: []
            case .number(let number), .offset(let number): [.integer(number)]
            case .cursor(let values): values
            }
        var paging: [(placement: Placement, value: JSONTree?)] = Array(zip(pagination.pagePlacements, positions))
        if let size, let parameter = pagination.size?.parameter { paging.append((parameter, .integer(size))) }
        // Later cursors replace a first one, such as `*`, which is a parameter of the description.
        let others = values.filter { other in !paging.contains { $0.placement.clashes(with: other.placement) } }
        let set =
            paging.map(\.placement) + others.map(\.placement) + ownSecrets.map { Placement.query($0.name) }
        var filling = placeholderValues
        for (placement, value) in paging {
            if let name = placement.placeholder, let value { filling[name] = value.text }
        }
        var draft = RequestDraft(source.headers, filling)
        let content = later?.content ?? source.content
        draft.content = content?.filled(
            filling.filter { name, _ in
                set.contains(.path(name)) || source.params.contains { $0.name == name }
            }, files: source.files)
        // The first page has a body too, though its cursor has no value yet.
        for case .body in pagination.placements where draft.content == nil { draft.content = .json(.object([])) }
        for (placement, value) in paging { if let value { draft.set(value, at: placement) } }
        for fixed in later?.query ?? source.query where !set.contains(.query(fixed.name)) {
            draft.add(fixed, filling)
        }
        for secret in ownSecrets { draft.add(secret, [:]) }
        for (placement, value) in others { draft.set(value, at: placement) }
        do throws(HTTPFailure) {
            let link: HTTPURL? = if case .link(let text) = position { try HTTPURL(text) } else { nil }
            // A link is sent the keys that the path has in its query, too.
            let path = path(later?.path ?? source.path, &draft)
            let url: HTTPURL
            if let link { url = link } else { url = try self.url(path, draft) }
            var request = try request(url, draft, isPost: source.isPost)
            if link != nil { request.redirectOrigins = [] }
            if !pagination.hasOnePage {
                request.cacheUse = .revalidated
                if !draft.headers.contains(where: { HTTPHeaders.areEqual($0.name, "Range") }) {
                    request.readableStatuses.append(206)
                }
            }
            return request
        } catch {
            guard case .cursor = position else { throw error }
            throw error.ofService("a cursor for the next page that no request can hold")
        }
    }

    /// The path without the parameters of its query that the user replaces, and without keys.
    private func path(_ text: String, _ draft: inout RequestDraft) -> String {
        let query = Self.query(of: text).filter { parameter in
            let name = HTTPURL.percentDecoded(Self.name(of: parameter))
            return !values.contains { $0.placement == .query(name) } && !ownSecrets.contains { $0.name == name }
        }
        let kept = text.prefix { $0 != "?" } + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        return draft.takingSecrets(of: String(kept))
    }

    func item(_ id: String) throws(HTTPFailure) -> HTTPRequest {
        var draft = RequestDraft(source.headers, placeholders.merging(["id": id]) { $1 })
        let path = draft.takingSecrets(of: source.item ?? "")
        return try request(try url(path, draft), draft)
    }

    private func url(_ path: String, _ draft: RequestDraft) throws(HTTPFailure) -> HTTPURL {
        if let name = Placeholders.names(in: path).first(where: { draft.placeholders[$0] == nil }) {
            throw HTTPFailure(.invalidRequest("{\(name)} in the path has no value"))
        }
        let filled = try Placeholders.checkedPath(path, draft.placeholders)
        return try HTTPURL(base + RequestDraft.url(filled, draft.query))
    }

    /// - Returns: nil if the step may not request that origin.
    func step(_ step: Source.Step, _ text: String, from response: HTTPURL) throws(HTTPFailure)
        -> HTTPRequest?
    {
        var url = upgraded(try response.resolving(text))
        let origins = [baseURL.origin] + step.origins
        guard origins.contains(url.origin) else { return nil }
        let query = Self.query(of: url.text).map(HTTPURL.percentDecoded)
        let keys = step.keys.filter { query.contains("\($0.name)=\($0.value)") }
        for key in keys { url = try url.removing(HTTPURL.percentEncoded(key.name)) }
        var request = try request(url, RequestDraft(source.headers, placeholders))
        for key in keys { request.addSecretParameter(key.name, key.value) }
        request.keyParameters += keys.map { HTTPURL.percentEncoded($0.name) }
        request.redirectOrigins = origins
        return request
    }

    /// A draft as a request to any URL, with the key if the origin is the key's.
    private func request(_ url: HTTPURL, _ draft: RequestDraft, isPost: Bool = false) throws(HTTPFailure)
        -> HTTPRequest
    {
        var request = HTTPRequest(url)
        request.needsEnd = !source.records.format.hasEnvelope
        // Services that have XML too send it to whoever takes anything. Of lines no type is the usual one.
        if source.records.format.hasEnvelope { request.usualAccept = "application/json, */*;q=0.5" }
        // A description that says it itself has the last word.
        request.takesGzip = !draft.headers.contains { HTTPHeaders.areEqual($0.name, "Accept-Encoding") }
        for header in draft.headers {
            let isSecret = SecretNames.isSecret(header.name)
            let isOwn = isSecret || HTTPHeaders.areEqual(header.name, "Host")
            if isOwn, url.origin != baseURL.origin { continue }
            try request.add(header.name, header.value, isSecret: isSecret)
        }
        var draft = draft
        // With a key's placeholder as a value, the key would be sent where the service may show it.
        let body = draft.content.map { String(decoding: $0.body.bytes, as: UTF8.self) } ?? ""
        let texts = [body] + draft.headers.map(\.value)
        for key in keys where texts.contains(where: { $0.contains(key.secret.placeholder) }) {
            throw HTTPFailure(
                .invalidRequest("a value contains '\(key.secret.placeholder)', which is reserved for a key"))
        }
        if url.origin == baseURL.origin {
            for key in keys { try Self.add(key, to: &request, &draft) }
            for secret in draft.secretQuery { request.addSecretParameter(secret.name, secret.value) }
            request.keyParameters = keyParameters + draft.secretQuery.map { HTTPURL.percentEncoded($0.name) }
        }
        if isPost { try request.post((draft.content ?? .form([])).body) }
        return request
    }

    static func add(
        _ key: SentKey, to request: inout HTTPRequest, _ draft: inout RequestDraft
    ) throws(HTTPFailure) {
        request.add(key.secret)
        switch key.placement {
        case .header(let name): try request.add(name, key.value, isSecret: true)
        case .query(let name): request.addSecretParameter(name, key.value)
        case .path, .body, .form: draft.set(.string(key.value), at: key.placement)
        }
    }

    /// The names of the parameters for keys, percent-encoded.
    var keyParameters: [String] {
        source.keys.compactMap { key in
            if case .query(let name) = key.placement { HTTPURL.percentEncoded(name) } else { nil }
        }
    }
}

extension SourceRequests {
    struct LinkError: Error {
        /// The other scheme, host or port that the link leads to, such as `https://host:port`. Nil if it isn't a URL.
        var origin: String?
    }

    func next(_ lead: PageLead, from url: HTTPURL, size: Int?) throws(LinkError) -> PagePosition? {
        guard case .link(let text)? = lead.next else { return lead.next }
        return .link(try link(text, from: url, size: size).text)
    }

    /// The target of the link to the next page: within the API's origin, without a key that the API may have added.
    func link(_ text: String, from response: HTTPURL, size: Int?) throws(LinkError) -> HTTPURL {
        let found: HTTPURL
        do throws(HTTPFailure) { found = upgraded(try response.resolving(text)) } catch {
            if case .refusedScheme(let scheme) = error.reason { throw LinkError(origin: "\(scheme):") }
            throw LinkError()
        }
        guard found.origin.lowercased() == baseURL.origin.lowercased() else {
            throw LinkError(origin: found.origin)
        }
        guard let url = try? HTTPURL(mended(found.text, size)) else { throw LinkError() }
        return url
    }

    /// A proxy in front of the API may turn `https` URLs of its own host into `http`.
    func upgraded(_ url: HTTPURL) -> HTTPURL {
        guard baseURL.scheme == "https", url.scheme == "http", url.host == baseURL.host,
            url.port == baseURL.port || url.port == 80 && baseURL.port == 443
        else { return url }
        return (try? HTTPURL("https" + url.text.dropFirst(4))) ?? url
    }

    /// Removes the key from a link's query, and adds our parameters that it lacks.
    ///
    /// An API that builds its links from the request keeps at least one parameter, which shows that others are missing.
    /// One that keeps none has put them all into a token, and accepts nothing else. `keepQuery` overrules that.
    private func mended(_ text: String, _ size: Int?) -> String {
        var query = Self.query(of: text)
        let secrets = keys.flatMap(\.secret.hidden)
        let first = try? page(source.pagination.first, size: size)
        let keyNames = Set((first?.keyParameters ?? keyParameters).map(HTTPURL.percentDecoded))
        query.removeAll { parameter in
            let value = parameter.split(separator: "=", maxSplits: 1).dropFirst().joined()
            let text = HTTPURL.percentDecoded(value).utf8
            let name = Self.decodedName(of: parameter)
            // A short key may be the number of a page, unless its own name says what it is.
            let mayBeKey = SecretNames.isSecret(name)
            return keyNames.contains(name) || secrets.contains { ($0.isLong || mayBeKey) && $0.isEqual(to: text) }
        }
        let names = Set(query.map { Self.decodedName(of: $0) })
        let ours = Self.query(of: first?.url.text ?? "")
        if source.pagination.keepsQuery ?? ours.contains(where: { names.contains(Self.decodedName(of: $0)) }) {
            query += ours.filter { !names.contains(Self.decodedName(of: $0)) }
        }
        return text.prefix { $0 != "?" } + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    private static func query(of url: String) -> [String] {
        url.drop { $0 != "?" }.dropFirst().split(separator: "&").map(String.init)
    }

    /// `page%5Bnumber%5D` and `page[number]` are one.
    private static func decodedName(of parameter: String) -> String {
        HTTPURL.percentDecoded(name(of: parameter).replacing("+", with: " "))
    }

    static func name(of parameter: String) -> String {
        String(parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)[0])
    }
}

/// A request while its values are put in: placeholders of its path, a query, header fields, and a body.
struct RequestDraft {
    let placeholders: [String: String]
    var query: [Source.Parameter] = []
    /// Parameters of the description whose names say that they are keys.
    private(set) var secretQuery: [Source.Parameter] = []
    private(set) var headers: [Source.Parameter]
    var content: RequestContent?

    /// - Parameter headers: with placeholders.
    init(_ headers: [Source.Parameter], _ placeholders: [String: String]) {
        self.placeholders = placeholders
        self.headers = headers.map { $0.filled(placeholders) }
    }

    /// A value with placeholders may differ from request to request, so it has to tell requests from each other.
    mutating func add(_ fixed: Source.Parameter, _ filling: [String: String]) {
        if !takeSecret(fixed) { query.append(fixed.filled(filling)) }
    }

    /// - Returns: whether it is one.
    mutating func takeSecret(_ fixed: Source.Parameter) -> Bool {
        guard SecretNames.isSecret(fixed.name), !fixed.value.isEmpty, Placeholders.names(in: fixed.value).isEmpty
        else { return false }
        secretQuery.append(fixed)
        return true
    }

    /// A URL or path of the description without the keys in its query, which are kept apart.
    mutating func takingSecrets(of text: String) -> String {
        guard let mark = text.firstIndex(of: "?") else { return text }
        var others: [Substring] = []
        for parameter in text[mark...].dropFirst().split(separator: "&") {
            let pair = parameter.split(separator: "=", maxSplits: 1).map { HTTPURL.percentDecoded(String($0)) }
            let isSecret = pair.count == 2 && takeSecret(Source.Parameter(pair[0], pair[1]))
            if !isSecret { others.append(parameter) }
        }
        return text[..<mark] + (others.isEmpty ? "" : "?" + others.joined(separator: "&"))
    }

    /// A parameter of the query may have several values. In a JSON body a number is a number, and a cursor what it was in
    /// the response; everywhere else it is text.
    mutating func set(_ value: JSONTree, at placement: Placement) {
        switch placement {
        case .query(let name): query.append(Source.Parameter(name, value.text))
        case .header(let name): headers.append(Source.Parameter(name, value.text))
        // It is one of the placeholders.
        case .path: break
        case .body(let names):
            let tree = if case .json(let tree)? = content { tree } else { JSONTree.object([]) }
            content = .json(tree.setting(value, at: names[...]))
        case .form(let name):
            let fields = if case .form(let fields)? = content { fields } else { [Source.Parameter]() }
            content = .form(fields.setting(name, to: value.text))
        }
    }

    static func url(_ path: String, _ parameters: [Source.Parameter]) -> String {
        guard !parameters.isEmpty else { return path }
        return path + (path.contains("?") ? "&" : "?") + Source.Parameter.encoded(parameters)
    }
}

extension [Source.Parameter] {
    /// A value that is there already keeps its place among the others.
    func setting(_ name: String, to value: String) -> [Source.Parameter] {
        var fields = self
        let index = firstIndex { $0.name == name } ?? count
        fields.removeAll { $0.name == name }
        fields.insert(Source.Parameter(name, value), at: index)
        return fields
    }
}

/// A key in its place: what a request carries so that the service lets it in.
///
///     {"header": "Authorization", "prefix": "Bearer ", "env": "X_TOKEN"}      Authorization: Bearer castline-X_TOKEN-key
struct SentKey: Sendable {
    let placement: Placement
    /// What is sent, with a placeholder for the secret part. Add `secret` to the request too.
    let value: String
    let secret: HTTPSecret

    init(_ key: Source.Key, _ secret: HTTPSecret) {
        placement = key.placement
        self.secret = secret
        value = key.prefix + secret.placeholder
    }

    /// The same key with another secret of the same name.
    init(_ other: SentKey, _ secret: HTTPSecret) {
        placement = other.placement
        self.secret = secret
        value = other.value
    }
}
