// Keys and tokens in a description.

extension DescriptionValue {
    /// Any way to get a token.
    static let token = Self.anyOf(Source.Token.Grant.allCases.map { .object(.token($0)) } + [.object(.login)])
}

extension DescriptionObject {
    static let key = DescriptionObject(
        "key", "A key: where it goes, and the environment variable that holds it.",
        [
            .optional("query", .text, "The query parameter that it goes into."),
            .optional("header", .text, "The header field that it goes into."),
            .optional("path", .nothing, "A path would show the key to everybody."),
            .optional("body", .path, "The place in the JSON body that it goes to, as a path of names."),
            .optional("form", .text, "The field of the form that it goes into."),
            .optional("prefix", .text, "What stands before it, such as \"Bearer \"."),
            .optional(
                "basic", .boolean, "The variable holds user:password, sent in the header field Authorization."),
            .optional("env", .text, "The environment variable that holds it; without one it is the token."),
            .optional("required", .boolean, "Nothing can be had without it."),
        ])

    /// The members of a grant of OAuth 2.
    static func token(_ grant: Source.Token.Grant) -> DescriptionObject {
        let help =
            switch grant {
            case .clientCredentials: "A token for an id and a secret."
            case .refreshToken: "A token for a refresh token."
            }
        let needsClient = grant == .clientCredentials
        func variable(_ name: String, _ help: String) -> DescriptionMember {
            needsClient
                ? .required(name, .object(.variable), help) : .optional(name, .object(.variable), help)
        }
        let members: [DescriptionMember] = [
            url, .required("grant", .word([grant.rawValue]), help),
            variable("id", "The variable that holds the client's id."),
            variable("secret", "The variable that holds the client's secret."),
            .optional(
                "client", .word(Source.Token.Client.Place.self),
                "How id and secret are sent: by HTTP authentication, or in the body."),
            .optional("scope", .text, "What the token is for."),
        ]
        let refresh = DescriptionMember.required(
            "refresh", .object(.variable), "The variable that holds the first refresh token.")
        return DescriptionObject("token-" + grant.rawValue, help, needsClient ? members : members + [refresh])
    }

    /// Logging in.
    static let login = DescriptionObject(
        "token-login", "A token in the response to a login.",
        [
            url, .optional("grant", .nothing, "A grant of OAuth 2."),
            .optional("method", .word([Source.Method.post.rawValue]), "The method of the login, always POST."),
            .optional("body", .json, "The JSON body; {\"$env\": NAME} in it stands for an environment variable."),
            .optional("form", .object(.loginForm), "The fields of a form that is the body."),
            .required("token", .path, "The path of the token in the response."),
            .optional(
                "lifetime", .text, "How long it can be used, such as 1h; until it is refused if left out."),
        ])

    private static let url = DescriptionMember.required(
        "url", .text, "The URL that a token is requested from, which may be at another service.")

    static let loginForm = DescriptionObject(
        "login-form", "The fields of a form to log in with.",
        others: .optional(
            "NAME", .anyOf([.textOrEmpty, .object(.secretText)]), "A text, or the variable that holds it."))

    static let variable = DescriptionObject(
        "variable", "An environment variable.", [.required("env", .text, "Its name.")])

    static let secretText = DescriptionObject(
        "secret-text", "A text in an environment variable.", [.required("$env", .text, "The variable's name.")])
}
