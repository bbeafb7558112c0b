// The token of a description:
//
//     "token": {"url": "https://auth.example.org/token", "grant": "client-credentials",
//               "id": {"env": "X_ID"}, "secret": {"env": "X_SECRET"}, "client": "basic", "scope": "read"}
//     "token": {"url": "https://api.example.org/login", "body": {"user": {"$env": "X_USER"}, "password": {"$env": "X_PASSWORD"}},
//               "token": "$.token", "lifetime": "1h"}

import PipelineCore
import PipelineHTTP

extension Source.Token {
    enum Grant: String, CaseIterable {
        case clientCredentials = "client-credentials"
        case refreshToken = "refresh-token"
    }

    /// The object that stands for the value of a variable: `{"$env": "X_PASSWORD"}`.
    private static let variableMember = "$env"

    init?(in source: DescriptionReader) {
        guard let object = source.object("token", as: nil) else { return nil }
        let url = object.text("url", isRequired: true)
        if let url { Source.check(base: url, "url", object) }
        guard let way = object.value("grant") == nil ? Self.login(object) : Self.grant(object), let url else {
            return nil
        }
        self.url = url
        self.way = way
    }

    // MARK: Grants

    private static func grant(_ object: DescriptionReader) -> Way? {
        guard let grant: Grant = object.word("grant", isRequired: true) else { return nil }
        object.refuseUnknown(beside: .token(grant))
        let client = Source.Token.Client(in: object, needsSecret: grant == .clientCredentials)
        let scope = object.text("scope")
        switch grant {
        case .clientCredentials: return client.map { .clientCredentials($0, scope: scope) }
        case .refreshToken:
            return variable("refresh", in: object, isRequired: true).map { .refreshToken($0, client, scope: scope) }
        }
    }

    /// `{"env": "X_ID"}`
    fileprivate static func variable(_ name: String, in object: DescriptionReader, isRequired: Bool) -> String? {
        object.object(name, as: .variable, isRequired: isRequired)
            .flatMap { EnvironmentName.read("env", in: $0, isRequired: true) }
    }

    // MARK: Logging in

    private static func login(_ object: DescriptionReader) -> Way? {
        object.refuseUnknown(beside: .login)
        if object.word("method") == Source.Method.get { object.mistake("method", "takes POST only") }
        let token = object.path("token", isRequired: true)
        let lifetime = object.duration("lifetime")
        var variables: [String] = []
        guard let content = content(object, &variables), let token else { return nil }
        return .login(content, variables: variables, token: token, lifetimeSeconds: lifetime)
    }

    private static func content(_ object: DescriptionReader, _ variables: inout [String]) -> RequestContent? {
        switch (object.value("body"), object.value("form")) {
        case (let body?, nil):
            return .json(filled(body, at: object.location(of: "body"), &variables, object.mistakes))
        case (nil, .some):
            guard let form = object.object("form", as: .loginForm) else { return nil }
            return .form(form.members.compactMap { field(of: form, $0.name, $0.value, &variables) })
        case (nil, nil): object.mistakes.add(object.location, "needs a grant, or a body or form to log in with")
        default: object.mistake("form", "is a body too; a request has body or form")
        }
        return nil
    }

    private static func field(
        of form: DescriptionReader, _ name: String, _ value: JSONTree, _ variables: inout [String]
    ) -> Source.Parameter? {
        let filled = filled(value, at: form.location(of: name), &variables, form.mistakes)
        guard case .string(let text) = filled else {
            form.mistake(name, "takes a text or {\"$env\": NAME}, not \(value.kind)")
            return nil
        }
        return Source.Parameter(name, text)
    }

    /// The tree with placeholders for its variables.
    private static func filled(
        _ tree: JSONTree, at location: String, _ variables: inout [String], _ mistakes: DescriptionErrors
    ) -> JSONTree {
        switch tree {
        case .object(let members) where members.contains { $0.name == variableMember }:
            guard let object = DescriptionReader(tree, at: location, as: .secretText, mistakes),
                let name = EnvironmentName.read(variableMember, in: object, isRequired: true)
            else { return .string("") }
            if !variables.contains(name) { variables.append(name) }
            return .string(HTTPSecret.placeholder(key: name))
        case .object(let members):
            return .object(
                members.map { member in
                    let inner = DescriptionReader.location(of: member.name, in: location)
                    return (member.name, filled(member.value, at: inner, &variables, mistakes))
                })
        case .array(let elements):
            return .array(
                elements.enumerated().map {
                    filled($0.element, at: "\(location)[\($0.offset)]", &variables, mistakes)
                })
        case .string, .integer, .number, .boolean, .null: return tree
        }
    }
}

extension Source.Token.Client {
    /// - Parameter needsSecret: a grant that has nothing else to prove who asks.
    fileprivate init?(in object: DescriptionReader, needsSecret: Bool) {
        let id = Source.Token.variable("id", in: object, isRequired: needsSecret)
        let secret = Source.Token.variable("secret", in: object, isRequired: needsSecret)
        let place: Place? = object.word("client")
        guard let id else {
            if secret != nil, !needsSecret { object.mistake("id", "is missing") }
            return nil
        }
        guard secret != nil || !needsSecret else { return nil }
        self.id = id
        self.secret = secret
        self.place = place ?? (secret == nil ? .body : .basic)
    }
}
