// How a source's token is obtained: by a grant of OAuth 2 (RFC 6749), or by logging in.

import PipelineCore
import PipelineHTTP

extension Source {
    /// A token: where it is from, and what is sent for it.
    struct Token: Sendable {
        /// A client of OAuth 2, by the names of environment variables.
        struct Client: Equatable, Sendable {
            /// How a client says who it is (section 2.3.1).
            enum Place: String, CaseIterable, Sendable {
                case basic, body
            }

            let id: String
            /// Nil for a public client, which has none.
            let secret: String?
            let place: Place

            var variables: [String] { [id, secret].compactMap(\.self) }
        }

        enum Way: Sendable {
            /// Section 4.4.
            case clientCredentials(Client, scope: String?)
            /// Section 6, by the variable that holds the first refresh token.
            case refreshToken(String, Client?, scope: String?)
            /// A request with placeholders for the variables, and where the token is in the response.
            case login(RequestContent, variables: [String], token: JSONPath, lifetimeSeconds: Double?)
        }

        /// With placeholders.
        let url: String
        let way: Way

        /// The environment variables that it needs.
        var variables: [String] {
            switch way {
            case .clientCredentials(let client, _): client.variables
            case .refreshToken(let refresh, let client, _): [refresh] + (client?.variables ?? [])
            case .login(_, let variables, _, _): variables
            }
        }

        /// The variable that holds the first refresh token.
        var refreshVariable: String? { if case .refreshToken(let name, _, _) = way { name } else { nil } }
    }
}

// MARK: In a description
//
//     "token": {"url": "https://auth.example.org/token", "grant": "client-credentials",
//               "id": {"env": "X_ID"}, "secret": {"env": "X_SECRET"}, "client": "basic", "scope": "read"}
//     "token": {"url": "https://api.example.org/login", "body": {"user": {"$env": "X_USER"}, "password": {"$env": "X_PASSWORD"}},
//               "token": "$.token", "lifetime": "1h"}

extension Source.Token {
    enum Grant: String, CaseIterable {
        case clientCredentials = "client-credentials"
        case refreshToken = "refresh-token"
    }

    /// The object that stands for the value of a variable: `{"$env": "X_PASSWORD"}`.
    private static let variableMember = "$env"

    init(of object: DescriptionReader) {
        url = object.text("url") ?? ""
        let client = Client(in: object)
        let scope = object.text("scope")
        switch object.word("grant") as Grant? {
        case .clientCredentials:
            way = .clientCredentials(client ?? Client(id: "", secret: nil, place: .body), scope: scope)
        case .refreshToken:
            if client == nil, object.has("secret") { object.mistake("id", "is missing") }
            way = .refreshToken(object.member("refresh")?.text("env") ?? "", client, scope: scope)
        case nil:
            var variables: [String] = []
            let content: RequestContent =
                if let body = object.member("body") { .json(Self.filled(body, &variables)) } else {
                    .form(
                        object.member("form")?.members.map { name, value in
                            Source.Parameter(name, Self.filled(value, &variables).string ?? "")
                        } ?? [])
                }
            way = .login(
                content, variables: variables, token: object.path("token") ?? .whole,
                lifetimeSeconds: object.duration("lifetime"))
        }
    }

    /// The tree with placeholders for its variables.
    private static func filled(_ value: DescriptionReader, _ variables: inout [String]) -> JSONTree {
        if value.has(variableMember) {
            let wrong = DescriptionCheck(value.tree, is: .object(.secretText), at: value.location).mistakes
            for mistake in wrong { value.mistakes.add(mistake) }
            let name = value.text(variableMember) ?? ""
            if !variables.contains(name) { variables.append(name) }
            return .string(HTTPSecret.placeholder(key: name))
        }
        switch value.tree {
        case .object: return .object(value.members.map { ($0.name, filled($0.value, &variables)) })
        case .array: return .array(value.elements.map { filled($0, &variables) })
        case .string, .integer, .number, .boolean, .null: return value.tree
        }
    }
}

extension Source.Token.Client {
    fileprivate init?(in object: DescriptionReader) {
        guard let id = object.member("id")?.text("env") else { return nil }
        self.id = id
        secret = object.member("secret")?.text("env")
        place = object.word("client") ?? (secret == nil ? .body : .basic)
    }
}
