// How a source lets requests in: its keys, which variables hold them and where they go, and its token, which is obtained
// by a grant of OAuth 2 (RFC 6749), or by logging in.
//
//     "key": {"header": "x-api-key", "env": "CAT_API_KEY"}
//     "key": [{"basic": true, "env": "X_LOGIN"}, {"query": "app", "env": "X_APP"}]

import PipelineCore
import PipelineHTTP

extension Source {
    struct Key: Equatable, Sendable {
        /// The environment variable that holds it. Nil for the token.
        let variable: String?
        /// The variable holds `user:password`, sent as RFC 7617 wants it.
        let isLogin: Bool
        let placement: Placement
        /// A text before it, such as `Bearer `.
        let prefix: String
        let isRequired: Bool
    }

    /// The environment variables that it names, each once, in its order.
    var variables: [String] { (keys.compactMap(\.variable) + (token?.variables ?? [])).withoutRepeats }
}

extension Source.Key {
    init(of object: DescriptionReader, hasToken: Bool) {
        isLogin = object.isTrue("basic")
        isRequired = object.isTrue("required")
        variable = object.text("env") ?? (isLogin ? "" : nil)
        if !object.has("env"), isLogin || !hasToken { object.mistake("env", "is missing") }
        if isLogin {
            if object.has("prefix") { object.mistake("prefix", "is already part of basic; leave it out") }
            placement = .header("Authorization")
            prefix = "Basic "
        } else {
            placement = Placement(of: object)
            prefix = object.text("prefix") ?? ""
            if case .header(let name) = placement, Source.mistake(inHeader: name, prefix) != nil {
                object.mistake("prefix", "can't be sent in a header")
            }
        }
        let place = isLogin ? "basic" : ["query", "header", "path", "body"].first(where: object.has) ?? "form"
        object.findings.uses.append(.init(location: object.location(of: place), placement: placement, role: .key))
    }
}

extension Source {
    struct Token: Sendable {
        /// A client of OAuth 2, by the names of environment variables.
        struct Client: Equatable, Sendable {
            let id: String
            /// Nil for a public client, which has none.
            let secret: String?
            /// It says who it is in a header, and not in the body (section 2.3.1).
            let isBasic: Bool

            var variables: [String] { [id, secret].compactMap(\.self) }

            /// - Parameter named: the variables that the request has in other places.
            fileprivate init?(in object: DescriptionReader, named: [String]) {
                guard let id = object.member("id")?.text("env") else { return nil }
                self.id = id
                secret = object.member("secret")?.text("env")
                let isElsewhere = secret.map(named.contains) ?? true
                isBasic = object.text("client").map { $0 == "basic" } ?? !isElsewhere
            }
        }

        /// A grant of OAuth 2 with its own fields.
        struct Grant: Sendable {
            /// The variable that holds the first refresh token (section 6). Nil for client credentials (section 4.4).
            let refresh: String?
            let client: Client?
            let scope: String?

            var variables: [String] { [refresh].compactMap(\.self) + (client?.variables ?? []) }
        }

        enum Way: Sendable {
            case grant(Grant)
            case login
        }

        /// With placeholders.
        let url: String
        let way: Way
        // What the request has, with placeholders for the variables.
        let isPost: Bool
        let query: [Parameter]
        let headers: [Parameter]
        /// A grant's own fields are added to a form; in JSON it has none.
        let content: RequestContent?
        let keys: [Key]
        /// Where the response has the token, and the next refresh token.
        let token: JSONPath
        let nextRefresh: JSONPath
        /// Nil for what the response to a grant says, and for a login until it is refused.
        let lifetimeSeconds: Double?
        /// The variables that its texts name.
        private let named: [String]

        var grant: Grant? { if case .grant(let grant) = way { grant } else { nil } }

        var variables: [String] { ((grant?.variables ?? []) + keys.compactMap(\.variable) + named).withoutRepeats }

        var refreshVariable: String? { grant?.refresh }

        /// Whether the fields of a grant are sent as a form, as the standard has them.
        var hasForm: Bool { if case .json? = content { false } else { isPost } }
    }
}

// MARK: In a description
//
//     "token": {"url": "https://auth.example.org/token", "grant": "client-credentials",
//               "id": {"env": "X_ID"}, "secret": {"env": "X_SECRET"}, "client": "basic", "scope": "read"}
//     "token": {"url": "https://api.example.org/login", "body": {"user": {"$env": "X_USER"}, "password": {"$env": "X_PASSWORD"}},
//               "token": "$.token", "lifetime": "1h"}
//     "token": {"url": "https://api.example.org/renew", "grant": "refresh-token", "refresh": {"env": "X_REFRESH", "path": "$.next"},
//               "body": {"refreshToken": {"$env": "X_REFRESH"}}, "token": "$.token"}
//     "token": {"url": "https://api.example.org/session", "method": "GET", "key": {"basic": true, "env": "X_LOGIN"},
//               "token": "$.token"}

extension Source.Token {
    /// The object that stands for the value of a variable: `{"$env": "X_PASSWORD"}`.
    private static let variableMember = "$env"

    init(of object: DescriptionReader) {
        url = object.text("url") ?? ""
        let isPost = object.text("method") != "GET"
        self.isPost = isPost
        query = Self.texts("query", object)
        headers = Self.texts("headers", object)
        content = RequestContent(in: object, isPost: isPost) { Self.filled($0) }
        keys = object.elements("key").map { Source.Key(of: $0, hasToken: false) }
        Source.check(headers, object.location(of: "headers"), object.findings)
        lifetimeSeconds = object.duration("lifetime")
        named = object.findings.variables
        let refresh = object.member("refresh")
        nextRefresh = refresh?.path("path") ?? Self.usual("refresh_token")
        guard object.has("grant") else {
            token = object.path("token") ?? .whole
            way = .login
            return
        }
        token = object.path("token") ?? Self.usual("access_token")
        let client = Client(in: object, named: named)
        way = .grant(Grant(refresh: refresh?.text("env"), client: client, scope: object.text("scope")))
        checkGrant(object)
    }

    private static func usual(_ member: String) -> JSONPath { (try? JSONPath(member)) ?? .whole }

    private func checkGrant(_ object: DescriptionReader) {
        if grant?.refresh != nil, grant?.client == nil, object.has("secret") { object.mistake("id", "is missing") }
        for (name, value) in object.members("form") where ["grant_type", "refresh_token"].contains(name) {
            value.findings.add(value.location, "is already set by grant")
        }
        guard !hasForm, let grant else { return }
        if grant.scope != nil {
            object.mistake("scope", "has no place in a request without a form; write it there")
        }
        var needed = [grant.refresh].compactMap(\.self)
        if let client = grant.client, !client.isBasic { needed += client.variables }
        for variable in needed where !named.contains(variable) && !keys.contains(where: { $0.variable == variable })
        {
            object.mistake(
                object.has("body") ? "body" : "method",
                "leaves {\"$env\": \"\(variable)\"} out of the request; write it where the service wants it")
        }
    }

    fileprivate static func texts(_ name: String, _ object: DescriptionReader) -> [Source.Parameter] {
        object.members(name).map { Source.Parameter($0.name, filled($0.value).string ?? "") }
    }

    fileprivate static func filled(_ value: DescriptionReader) -> JSONTree {
        if value.has(variableMember) {
            value.findings.mistakes +=
                DescriptionCheck(value.tree, by: .definition("secret-text"), at: value.location).mistakes
            let name = value.text(variableMember) ?? ""
            if !value.findings.variables.contains(name) { value.findings.variables.append(name) }
            return .string(HTTPSecret.placeholder(key: name))
        }
        switch value.tree {
        case .object: return .object(value.members.map { ($0.name, filled($0.value)) })
        case .array: return .array(value.elements.map { filled($0) })
        case .string, .integer, .number, .boolean, .null: return value.tree
        }
    }
}

// MARK: Places

extension Source.Token {
    private typealias Use = PlacementCheck.Use

    /// What the grant sets by itself.
    var ownUses: [PlacementCheck.Use] {
        guard let grant else { return [] }
        var uses: [Use] = []
        func add(_ name: String, _ placement: Placement) {
            uses.append(Use(location: "$.token.\(name)", placement: placement, role: .fixed))
        }
        if let client = grant.client {
            if client.isBasic {
                add("secret", .header("Authorization"))
            } else if hasForm {
                add("id", .form("client_id"))
                if client.secret != nil { add("secret", .form("client_secret")) }
            }
        }
        if hasForm, grant.scope != nil { add("scope", .form("scope")) }
        return uses
    }

    /// What the description gives a value.
    /// - Parameter keys: whose places in a JSON body are looked at.
    func fixedUses(_ keys: [PlacementCheck.Use]) -> [PlacementCheck.Use] {
        func uses(_ name: String, _ parameters: [Source.Parameter], _ place: (String) -> Placement) -> [Use] {
            parameters.map { parameter in
                let location = DescriptionCheck.location(of: parameter.name, in: "$.token.\(name)")
                return Use(location: location, placement: place(parameter.name), role: .fixed)
            }
        }
        var fixed = uses("query", query) { .query($0) } + uses("headers", headers) { .header($0) }
        switch content {
        case .form(let fields): fixed += uses("form", fields) { .form($0) }
        case .json(let tree):
            for case .body(let steps) in keys.map(\.placement) where tree.value(at: steps[...]) != nil {
                let path = JSONLocation.path(of: steps, style: .rooted).dropFirst()
                fixed.append(Use(location: "$.token.body\(path)", placement: .body(steps), role: .fixed))
            }
        case nil: break
        }
        return fixed
    }
}

extension JSONTree {
    /// What is there, but for null.
    fileprivate func value(at steps: ArraySlice<JSONLocation.PathStep>) -> JSONTree? {
        switch (steps.first, self) {
        case (nil, .null): nil
        case (nil, _): self
        case (.name(let name)?, .object): self[name]?.value(at: steps.dropFirst())
        case (.index(let index)?, .array(let elements)) where index < elements.count:
            elements[index].value(at: steps.dropFirst())
        default: nil
        }
    }
}
