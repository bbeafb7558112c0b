// The request for a token. Its body or its header has the secrets, so it never leaves the origin that it was made for.
//
//     POST /token        Authorization: Basic base64(X_ID:X_SECRET)
//     grant_type=client_credentials&scope=read

import PipelineCore
import PipelineHTTP

/// Makes requests for a token.
struct TokenRequest {
    /// A token and what else is in the response take a few thousand bytes.
    private static let limitBytes = 1 << 20

    let token: Source.Token
    let url: HTTPURL
    /// By the names of their variables.
    let secrets: [String: HTTPSecret]

    /// - Parameter refresh: the refresh token that takes the place of the first one.
    func made(refresh: String?) throws(HTTPFailure) -> HTTPRequest {
        var request = HTTPRequest(url, limitBytes: Self.limitBytes)
        request.redirectOrigins = []
        // The body says why (section 5.2).
        request.readableStatuses = [400, 401]
        try request.add("Accept", "application/json")
        let content: RequestContent
        switch token.way {
        case .clientCredentials(let client, let scope):
            content = .form(try fields("client_credentials", scope, client, &request))
        case .refreshToken(let variable, let client, let scope):
            var fields = try fields("refresh_token", scope, client, &request)
            if let secret = refresh.map({ current($0, variable) }) ?? secrets[variable] {
                request.add(secret)
                fields.append(Source.Parameter("refresh_token", secret.placeholder))
            }
            content = .form(fields)
        case .login(let body, let variables, _, _):
            for variable in variables { if let secret = secrets[variable] { request.add(secret) } }
            content = body
        }
        let body = content.body
        try request.post(body.bytes, mediaType: body.mediaType)
        return request
    }

    private func current(_ text: String, _ variable: String) -> HTTPSecret {
        HTTPSecret(
            key: variable, HTTPSecret.Value(text), shellText: secrets[variable]?.shellText ?? "$\(variable)")
    }

    private func fields(
        _ grant: String, _ scope: String?, _ client: Source.Token.Client?, _ request: inout HTTPRequest
    ) throws(HTTPFailure) -> [Source.Parameter] {
        var fields = [Source.Parameter("grant_type", grant)]
        if let scope { fields.append(Source.Parameter("scope", scope)) }
        guard let client, let id = secrets[client.id] else { return fields }
        let secret = client.secret.flatMap { secrets[$0] }
        if client.place == .basic, let secret {
            let both = Self.basic(client, id, secret)
            request.add(both)
            try request.add("Authorization", "Basic \(both.placeholder)", isSecret: true)
            return fields
        }
        request.add(id)
        fields.append(Source.Parameter("client_id", id.placeholder))
        if let secret {
            request.add(secret)
            fields.append(Source.Parameter("client_secret", secret.placeholder))
        }
        return fields
    }

    /// Id and secret, each form-encoded and then both in base64 (section 2.3.1).
    private static func basic(
        _ client: Source.Token.Client, _ id: HTTPSecret, _ secret: HTTPSecret
    ) -> HTTPSecret {
        let texts = [id, secret].map { HTTPURL.percentEncoded($0.text ?? "") }
        var encoded: [UInt8] = []
        Base64.append(Array(texts.joined(separator: ":").utf8).span, to: &encoded)
        return HTTPSecret(
            key: client.variables.joined(separator: "-"),
            HTTPSecret.Value(encoded.span.text, parts: [secret.text ?? ""]),
            shellText: "$(printf %s \"\(id.shellText):\(secret.shellText)\" | base64 | tr -d '\\n')")
    }
}
