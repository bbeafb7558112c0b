// The requests to a source: base, path and query combined, all parameters on every page, the key to its origin.
//
//     https://api.disneyapi.dev/character?page=2&pageSize=50&name=Mr%5C.%20X

/// Makes the requests to a source.
package struct SourceRequests: Sendable {
    private let source: Source
    private let base: String
    private let baseURL: HTTPURL
    private let path: String
    private let key: String?
    /// The parameters of every page, without those of the pagination.
    private let parameters: [Source.Parameter]

    /// - Parameters:
    ///   - base: replaces the source's own; without a query.
    ///   - search: the text to find, unescaped. Empty finds everything.
    ///   - parameters: the user's own. They replace those of the same name in the description.
    ///   - key: sent if the source takes one.
    /// - Throws: `.invalidRequest` or `.refusedScheme` for a base that can't be requested.
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

    /// The same requests, with the parameter of `--each` set.
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
        // A first cursor, such as `*`, is a parameter of the description, which later cursors replace.
        let others = parameters.filter { parameter in !own.contains { $0.name == parameter.name } }
        return try request(try HTTPURL(Self.url(base + path, own + others)))
    }

    /// One record, nil if the source has no requests by id.
    package func item(_ id: String) throws(HTTPFailure) -> HTTPRequest? {
        guard let item = source.item, let location = item.firstRange(of: "{id}") else { return nil }
        // A segment of dots would change the path instead of naming a record.
        let segment = id == "." || id == ".." ? id.map { _ in "%2E" }.joined() : Self.encoded(id)
        return try request(
            try HTTPURL(base + item[..<location.lowerBound] + segment + item[location.upperBound...]))
    }

    /// The request of a step of `expand`, to a URL found in a response.
    /// - Returns: nil if the step may not request that origin.
    package func step(_ step: Source.Step, _ text: String, from response: HTTPURL) throws(HTTPFailure)
        -> HTTPRequest?
    {
        let url = upgraded(try response.resolving(text))
        guard url.origin == baseURL.origin || step.origins.contains(url.origin) else { return nil }
        return try request(url)
    }

    /// Any URL, with the key if the origin is the key's.
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

    /// Whether a header of a description may be secret. Such a header is sent to no other origin.
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

    /// The text with everything but unreserved characters percent-encoded as UTF-8 (RFC 3986, section 2.3).
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
        /// The link leads to another scheme, host or port, such as `https://host:port`.
        case elsewhere(String)
        case noURL
    }

    /// The target of the link to the next page: within the API's origin, without a key that the API may have added.
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

    /// A proxy in front of the API may turn `https` URLs of its own host into `http`.
    private func upgraded(_ url: HTTPURL) -> HTTPURL {
        guard baseURL.scheme == "https", url.scheme == "http", url.host == baseURL.host,
            url.port == baseURL.port || url.port == 80 && baseURL.port == 443
        else { return url }
        do throws(HTTPFailure) { return try HTTPURL("https" + url.text.dropFirst(4)) } catch { return url }
    }

    /// Removes the key from a link's query, and adds our parameters that it lacks.
    ///
    /// An API that builds its links from the request keeps at least one parameter, which shows that others are
    /// missing. One that keeps none has put them all into a token, and accepts nothing else, unless `keepQuery` is
    /// set.
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
    /// The text, escaped so that the API finds it literally.
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
