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

            fileprivate init?(in object: DescriptionReader) {
                guard let id = object.member("id")?.text("env") else { return nil }
                self.id = id
                secret = object.member("secret")?.text("env")
                isBasic = object.text("client").map { $0 == "basic" } ?? (secret != nil)
            }
        }

        /// A request with placeholders for the variables, and where the token is in the response.
        struct Login: Sendable {
            let isPost: Bool
            let query: [Parameter]
            let headers: [Parameter]
            let content: RequestContent?
            let keys: [Key]
            let token: JSONPath
            let lifetimeSeconds: Double?

            fileprivate init(of object: DescriptionReader) {
                isPost = object.text("method") != "GET"
                query = Source.Token.texts("query", object)
                headers = Source.Token.texts("headers", object)
                content = RequestContent(in: object, isPost: isPost) { Source.Token.filled($0) }
                keys = object.elements("key").map { Source.Key(of: $0, hasToken: false) }
                Source.check(headers, object.location(of: "headers"), object.findings)
                token = object.path("token") ?? .whole
                lifetimeSeconds = object.duration("lifetime")
            }
        }

        enum Way: Sendable {
            /// Client credentials (section 4.4), or a refresh token, by the variable that holds the first one (section 6).
            case grant(refresh: String?, Client?, scope: String?)
            case login(Login)
        }

        /// With placeholders.
        let url: String
        let way: Way
        /// Further fields of a grant, with placeholders.
        let form: [Parameter]
        /// The variables that its texts name.
        private let named: [String]

        var login: Login? { if case .login(let login) = way { login } else { nil } }

        var variables: [String] {
            let own =
                switch way {
                case .grant(let refresh, let client, _): [refresh].compactMap(\.self) + (client?.variables ?? [])
                case .login(let login): login.keys.compactMap(\.variable)
                }
            return own + named
        }

        var refreshVariable: String? { if case .grant(let name, _, _) = way { name } else { nil } }
    }
}

// MARK: In a description
//
//     "token": {"url": "https://auth.example.org/token", "grant": "client-credentials",
//               "id": {"env": "X_ID"}, "secret": {"env": "X_SECRET"}, "client": "basic", "scope": "read"}
//     "token": {"url": "https://api.example.org/login", "body": {"user": {"$env": "X_USER"}, "password": {"$env": "X_PASSWORD"}},
//               "token": "$.token", "lifetime": "1h"}
//     "token": {"url": "https://api.example.org/session", "method": "GET", "key": {"basic": true, "env": "X_LOGIN"},
//               "token": "$.token"}

extension Source.Token {
    /// The object that stands for the value of a variable: `{"$env": "X_PASSWORD"}`.
    private static let variableMember = "$env"

    init(of object: DescriptionReader) {
        url = object.text("url") ?? ""
        let client = Client(in: object)
        let scope = object.text("scope")
        let isGrant = object.has("grant")
        if object.text("grant") == "refresh-token", client == nil, object.has("secret") {
            object.mistake("id", "is missing")
        }
        way =
            isGrant
            ? .grant(refresh: object.member("refresh")?.text("env"), client, scope: scope)
            : .login(Login(of: object))
        form = isGrant ? Self.texts("form", object) : []
        for (name, value) in object.members("form")
        where isGrant && ["grant_type", "refresh_token"].contains(name) {
            value.findings.add(value.location, "is already set by grant")
        }
        named = object.findings.variables
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
