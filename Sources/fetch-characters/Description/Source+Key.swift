// A key of a source: which variable holds it, and where it goes.

extension Source {
    /// A key: what it is, and where it goes.
    struct Key: Equatable, Sendable {
        enum Value: Equatable, Sendable {
            /// The environment variable that holds it.
            case variable(String)
            /// The variable that holds `user:password`, sent as RFC 7617 wants it.
            case login(String)
            /// The description's token.
            case token
        }

        let value: Value
        let placement: Placement
        /// What stands before it, such as `Bearer `.
        let prefix: String
        /// The API refuses requests without it.
        let isRequired: Bool
        /// In the description, for messages.
        let location: String

        /// The environment variable that holds it, nil for a token.
        var variable: String? {
            switch value {
            case .variable(let name), .login(let name): name
            case .token: nil
            }
        }
    }
}

extension Source {
    /// The environment variables that it names, each once, in its order.
    var variables: [String] {
        (keys.compactMap(\.variable) + (token?.variables ?? [])).reduce(into: []) {
            if !$0.contains($1) { $0.append($1) }
        }
    }
}
