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
