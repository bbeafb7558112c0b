// The requests of a source: base, path and query put together, every parameter on every page, the key where it belongs.
//
//     https://api.disneyapi.dev/character?page=2&pageSize=50&name=Mr%5C.%20X

/// Makes the requests that a source is asked with.
package struct SourceRequests: Sendable {
    private let source: Source
    private let base: String
    private let baseURL: HTTPURL
    private let path: String
    private let key: String?
    /// The parameters of every page, those of the pagination left out.
    private let parameters: [Source.Parameter]

    /// - Parameters:
    ///   - base: in place of the source's own, without a query.
    ///   - search: a text to find, unescaped; empty finds everything.
    ///   - parameters: the user's own. They take the place of those of the same name in the description.
    ///   - key: what lets the client in, where the source has a place for it.
    /// - Throws: `.invalidRequest` or `.refusedScheme` for a base that can't be asked.
    package init(
        _ source: Source, base: String? = nil, search: String = "", parameters: [Source.Parameter] = [],
        key: String? = nil
    ) throws(HTTPFailure) {
        let base = base ?? source.baseURL
        guard !base.contains(where: { $0 == "?" || $0 == "#" }) else {
            throw HTTPFailure(.invalidRequest("a base URL has no query and no fragment"))
        }
        guard !base.contains("@") else {
            throw HTTPFailure(.invalidRequest("a base URL has no user and no password"))
        }
        self.source = source
        baseURL = try HTTPURL(base)
        self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
        self.key = key
        let search = search.isEmpty ? nil : source.search.map { ($0, $0.escaped(search)) }
        path = search?.0.path ?? source.path
        let fixed = source.query.filter { own in !parameters.contains { $0.name == own.name } }
        let searched = search.map { [Source.Parameter($0.0.parameter, $0.1)] } ?? []
        self.parameters = fixed + searched + parameters
    }

    private init(_ other: SourceRequests, parameters: [Source.Parameter]) {
        source = other.source
        base = other.base
        baseURL = other.baseURL
        path = other.path
        key = other.key
        self.parameters = parameters
    }

    /// The same requests with the parameter of `--each` set.
    package func setting(_ parameter: String, to value: String) -> SourceRequests {
        let others = parameters.filter { $0.name != parameter }
        return SourceRequests(self, parameters: others + [Source.Parameter(parameter, value)])
    }

    /// A page of the list.
    package func page(_ position: PagePosition, size: Int?) throws(HTTPFailure) -> HTTPRequest {
        let pagination = source.pagination
        let value: String?
        switch position {
        case .link(let url): return try request(url)
        case .start: value = nil
        case .number(let number), .offset(let number): value = "\(number)"
        case .cursor(let text): value = text
        }
        var own: [Source.Parameter] = []
        if let value, let parameter = pagination.parameter { own.append(Source.Parameter(parameter, value)) }
        if let size, let parameter = pagination.size?.parameter {
            own.append(Source.Parameter(parameter, "\(size)"))
        }
        // A first cursor, as `*` is for some, is a parameter of the description that later ones take the place of.
        let others = parameters.filter { parameter in !own.contains { $0.name == parameter.name } }
        return try request(try HTTPURL(Self.url(base + path, own + others)))
    }

    /// One record, nil where the source gives none by id.
    package func item(_ id: String) throws(HTTPFailure) -> HTTPRequest? {
        guard let item = source.item, let location = item.firstRange(of: "{id}") else { return nil }
        // A segment of dots would climb up the path instead of naming a record.
        let segment = id == "." || id == ".." ? id.map { _ in "%2E" }.joined() : Self.encoded(id)
        return try request(
            try HTTPURL(base + item[..<location.lowerBound] + segment + item[location.upperBound...]))
    }

    /// What a step of `expand` follows: a URL found in a response.
    /// - Returns: nil where it leads elsewhere than the step may go.
    package func step(_ step: Source.Step, _ text: String, from response: HTTPURL) throws(HTTPFailure)
        -> HTTPRequest?
    {
        let url = upgraded(try response.resolving(text))
        guard url.origin == baseURL.origin || step.origins.contains(url.origin) else { return nil }
        return try request(url)
    }

    /// Any URL, with the key where that is its origin.
    private func request(_ url: HTTPURL) throws(HTTPFailure) -> HTTPRequest {
        var request = HTTPRequest(url)
        for header in source.headers {
            let isSecret = Self.isSecret(header.name)
            if isSecret, url.origin != baseURL.origin { continue }
            try request.add(header.name, header.value, isSecret: isSecret)
        }
        guard let location = source.key?.location, url.origin == baseURL.origin else { return request }
        if case .query(let name) = location { request.keyParameter = Self.encoded(name) }
        guard let key else { return request }
        switch location {
        case .header(let name): try request.add(name, key, isSecret: true)
        case .query(let name): request.addSecretParameter(Self.encoded(name), Self.encoded(key))
        }
        return request
    }

    /// Whether a header of a description may hold a secret, which no other origin gets.
    private static func isSecret(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["authorization", "cookie", "key", "token", "secret", "password", "session", "auth"].contains {
            name.contains($0)
        }
    }

    private static func url(_ path: String, _ parameters: [Source.Parameter]) -> String {
        guard !parameters.isEmpty else { return path }
        let query = parameters.map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&")
        return path + (path.contains("?") ? "&" : "?") + query
    }

    /// The text with everything but unreserved characters as %XX of its UTF-8 (RFC 3986, section 2.3).
    static func encoded(_ text: String) -> String {
        HTTPURL.percentEncoded(text.utf8) { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: false
            default: true
            }
        }
    }
}

// MARK: Links to the next page

extension SourceRequests {
    /// Why a link isn't followed.
    package enum LinkError: Error, Equatable, Sendable {
        /// It leads to another scheme, host or port, as `https://host:port`.
        case elsewhere(String)
        case noURL
    }

    /// Where the link to the next page leads: within the API's origin, without the key that the API may have put back.
    package func link(_ text: String, from response: HTTPURL) throws(LinkError) -> HTTPURL {
        let found: HTTPURL
        do throws(HTTPFailure) {
            found = upgraded(try response.resolving(text))
        } catch {
            if case .refusedScheme(let scheme) = error.reason { throw .elsewhere("\(scheme):") }
            throw .noURL
        }
        guard found.origin.lowercased() == baseURL.origin.lowercased() else { throw .elsewhere(found.origin) }
        do throws(HTTPFailure) { return try HTTPURL(mended(found.text)) } catch { throw .noURL }
    }

    /// `http` of the API's own host is what a proxy in front of it makes of `https`.
    private func upgraded(_ url: HTTPURL) -> HTTPURL {
        guard baseURL.scheme == "https", url.scheme == "http", url.host == baseURL.host,
            url.port == baseURL.port || url.port == 80 && baseURL.port == 443
        else { return url }
        do throws(HTTPFailure) { return try HTTPURL("https" + url.text.dropFirst(4)) } catch { return url }
    }

    /// Takes the key out of a link's query, and puts those of our parameters in that it has lost.
    ///
    /// Which has lost some shows by the others: an API that builds its links from the request keeps at least one. One
    /// that keeps none has put them all into a token, and takes no more than that; `keepQuery` says otherwise.
    private func mended(_ text: String) -> String {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var query = parts.count > 1 ? parts[1].split(separator: "&").map(String.init) : []
        if case .query(let name)? = source.key?.location {
            query.removeAll { Self.name(of: $0) == Self.encoded(name) }
        }
        let names = Set(query.map { Self.name(of: $0) })
        let sizeName = source.pagination.size.map { [Self.encoded($0.parameter)] } ?? []
        let ours = parameters.map { Self.encoded($0.name) }
        let hasSome = (ours + sizeName).contains { names.contains($0) }
        if hasSome || source.pagination.keepsQuery {
            query += parameters.filter { !names.contains(Self.encoded($0.name)) }
                .map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }
        }
        return String(parts[0]) + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    private static func name(of parameter: String) -> String {
        String(parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)[0])
    }
}

extension Source.Search {
    /// The text as the API wants it: found as it stands, whatever signs it has.
    func escaped(_ text: String) -> String {
        guard escape == .regex else { return text }
        var escaped = ""
        for character in text.unicodeScalars {
            if #"\^$.|?*+()[]{}"#.unicodeScalars.contains(character) { escaped += "\\" }
            escaped.unicodeScalars.append(character)
        }
        return escaped
    }
}
