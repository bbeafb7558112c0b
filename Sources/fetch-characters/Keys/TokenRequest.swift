// The request for a token. Its body or its header has the secrets, so it never leaves the origin that it was made for.
//
//     POST /token        Authorization: Basic base64(X_ID:X_SECRET)
//     grant_type=client_credentials&scope=read

import PipelineCore
import PipelineHTTP

struct TokenRequest {
    /// A token and what else is in the response take a few thousand bytes.
    private static let limitBytes = 1 << 20

    let token: Source.Token
    let url: HTTPURL
    /// By the names of their variables.
    let secrets: [String: HTTPSecret]
    /// Those of a login.
    let keys: [SentKey]

    /// - Parameter refresh: the refresh token that takes the place of the first one.
    func made(refresh: String?) throws(HTTPFailure) -> HTTPRequest {
        switch token.way {
        case .login(let login): try made(login)
        case .grant(let variable, let client, let scope): try made(variable, refresh, client, scope)
        }
    }

    private func made(
        _ variable: String?, _ refresh: String?, _ client: Source.Token.Client?, _ scope: String?
    ) throws(HTTPFailure) -> HTTPRequest {
        var secrets = secrets
        if let variable, let refresh {
            let shellText = secrets[variable]?.shellText ?? "$\(variable)"
            secrets[variable] = HTTPSecret(key: variable, HTTPSecret.Value(refresh), shellText: shellText)
        }
        var request = Self.empty(url)
        try request.add("Accept", "application/json")
        let grant = variable == nil ? "client_credentials" : "refresh_token"
        var fields = [Source.Parameter("grant_type", grant)] + token.form
        if let scope { fields.append(Source.Parameter("scope", scope)) }
        let secret = client?.secret.flatMap { secrets[$0] }
        if let client, let id = secrets[client.id] {
            if client.isBasic, let secret {
                // Id and secret, each form-encoded and then both in base64 (section 2.3.1).
                let texts = [id, secret].map { HTTPURL.percentEncoded($0.text ?? "") }
                let encoded = Base64.encoded(texts.joined(separator: ":").utf8Bytes.span)
                let both = HTTPSecret(
                    key: client.variables.joined(separator: "-"),
                    HTTPSecret.Value(encoded.span.text, parts: [secret.text ?? ""]),
                    shellText: "$(printf %s \"\(id.shellText):\(secret.shellText)\" | base64 | tr -d '\\n')")
                request.add(both)
                try request.add("Authorization", "Basic \(both.placeholder)", isSecret: true)
            } else {
                fields.append(Source.Parameter("client_id", id.placeholder))
                if let secret { fields.append(Source.Parameter("client_secret", secret.placeholder)) }
            }
        }
        if let variable, let secret = secrets[variable] {
            fields.append(Source.Parameter("refresh_token", secret.placeholder))
        }
        for secret in secrets.values where fields.contains(where: { $0.value == secret.placeholder }) {
            request.add(secret)
        }
        try request.post(RequestContent.form(fields).body)
        return request
    }

    private static func empty(_ url: HTTPURL) -> HTTPRequest {
        var request = HTTPRequest(url, limitBytes: limitBytes)
        request.redirectOrigins = []
        // The body says why (section 5.2).
        request.readableStatuses = [400, 401]
        return request
    }

    private func made(_ login: Source.Token.Login) throws(HTTPFailure) -> HTTPRequest {
        let secrets = secrets.values.filter { secret in
            !keys.contains { $0.secret.placeholder == secret.placeholder }
        }
        let isSecret = { (text: String) in secrets.contains { text.contains($0.placeholder) } }
        let plain = login.query.filter { !isSecret($0.value) }
        var request = Self.empty(try HTTPURL(RequestDraft.url(url.text, plain)))
        for secret in secrets { request.add(secret) }
        if !login.headers.contains(where: { HTTPHeaders.areEqual($0.name, "Accept") }) {
            try request.add("Accept", "application/json")
        }
        for header in login.headers { try request.add(header.name, header.value, isSecret: isSecret(header.value)) }
        for parameter in login.query where isSecret(parameter.value) {
            request.addSecretParameter(parameter.name, parameter.value)
        }
        var draft = RequestDraft([], [:])
        draft.content = login.content
        for key in keys { try SourceRequests.add(key, to: &request, &draft) }
        if login.isPost { try request.post((draft.content ?? .form([])).body) }
        return request
    }
}

/// What a service sends for a token (RFC 6749, sections 5.1 and 5.2), or for a login.
///
///     {"access_token": "…", "token_type": "Bearer", "expires_in": 3600, "refresh_token": "…"}
///     {"error": "invalid_grant"}
enum TokenResponse {
    /// No service has a longer one: a header has to carry it.
    private static let limitBytes = 65_536
    /// Longer lifetimes count as this one.
    private static let mostSeconds = 1_000_000_000.0

    /// - Throws: status 76 without a token.
    static func token(
        _ response: HTTPResponse, _ way: Source.Token.Way, gotSeconds: Double, _ subject: String
    ) throws(ToolFailure) -> KeptToken {
        guard let tree = try? JSONTree.read(response.body.span) else {
            throw Self.missing(subject, "its response isn't JSON")
        }
        var token = KeptToken()
        token.gotSeconds = gotSeconds
        switch way {
        case .grant:
            token.access = tree["access_token"]?.string
            token.refresh = tree["refresh_token"]?.string.flatMap { $0.isEmpty ? nil : $0 }
            // A number, which some services send as text.
            if let number = tree["expires_in"].flatMap({ Double($0.text) }), !number.isNaN {
                token.lifetimeSeconds = min(max(0, number), mostSeconds).rounded(.down)
            }
        case .login(let login):
            var evaluator = JSONPathEvaluator(login.token)
            guard (try? evaluator.evaluate(response.body.span, limit: 1)) != nil else {
                throw Self.missing(subject, "\(login.token.text) can't be followed in its response")
            }
            token.access = evaluator.firstText(in: response.body.span)
            token.lifetimeSeconds = login.lifetimeSeconds
        }
        guard let found = token.access, !found.isEmpty else { throw Self.missing(subject, "its response has none") }
        let isSendable = found.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && found.utf8.count <= Self.limitBytes
        guard isSendable, token.refresh.map({ $0.utf8.count <= Self.limitBytes }) ?? true else {
            throw Self.missing(subject, "what it sent can't be one")
        }
        return token
    }

    private static func missing(_ subject: String, _ finding: String) -> ToolFailure {
        ToolFailure(.protocolError, "\(subject) sent no token: \(finding); check the description's token")
    }

    static func refusal(_ response: HTTPResponse, _ token: Source.Token, _ subject: String) -> ToolFailure {
        let code = (try? JSONTree.read(response.body.span))?["error"]?.string
        // Anything but a code of the standard may repeat what was sent.
        let cause = code.flatMap { (faultsOfRequest + faultsOfClient).contains($0) ? $0 : nil }
        let words = cause.map { ", \($0)" } ?? ""
        // The request is wrong rather than those who send it.
        if response.status == 400, let cause, faultsOfRequest.contains(cause) {
            return ToolFailure(
                .protocolError, "\(subject) answered \(response.status)\(words); check the description's token")
        }
        let cure =
            token.refreshVariable.map { "log in again and set \($0) to the new refresh token" }
            ?? "check \(token.variables.joined(separator: " and "))"
        return ToolFailure(.refused, "\(subject) refused to give a token: \(response.status)\(words); \(cure)")
    }

    private static let faultsOfRequest = ["invalid_request", "invalid_scope", "unsupported_grant_type"]
    private static let faultsOfClient = ["invalid_client", "invalid_grant", "unauthorized_client", "access_denied"]
}
