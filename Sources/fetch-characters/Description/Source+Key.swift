// A key of a source: which variable holds it, and where it goes.
//
//     "key": {"header": "x-api-key", "env": "CAT_API_KEY"}
//     "key": [{"basic": true, "env": "X_LOGIN"}, {"query": "app", "env": "X_APP"}]

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
        /// The API refuses requests without it.
        let isRequired: Bool
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

extension Source.Key {
    /// - Parameter hasToken: it may be the token.
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
