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
        var secrets = secrets
        var keys = keys
        if let variable = token.refreshVariable, let refresh {
            let shellText = secrets[variable]?.shellText ?? "$\(variable)"
            let latest = HTTPSecret(key: variable, HTTPSecret.Value(refresh), shellText: shellText)
            secrets[variable] = latest
            keys = keys.map { $0.secret.placeholder == latest.placeholder ? SentKey($0, latest) : $0 }
        }
        let own = secrets.values.filter { secret in
            !keys.contains { $0.secret.placeholder == secret.placeholder }
        }
        let isSecret = { (parameter: Source.Parameter) in
            SecretNames.isSecret(parameter.name) || own.contains { parameter.value.contains($0.placeholder) }
        }
        let plain = token.query.filter { !isSecret($0) }
        var request = Self.empty(try HTTPURL(RequestDraft.url(url.text, plain)))
        if !token.headers.contains(where: { HTTPHeaders.areEqual($0.name, "Accept") }) {
            try request.add("Accept", "application/json")
        }
        for header in token.headers { try request.add(header.name, header.value, isSecret: isSecret(header)) }
        for parameter in token.query where isSecret(parameter) {
            request.addSecretParameter(parameter.name, parameter.value)
        }
        if let client = token.grant?.client, client.isBasic { try addBasic(client, secrets, to: &request) }
        var draft = RequestDraft([], [:])
        draft.content = content(secrets)
        for key in keys { try SourceRequests.add(key, to: &request, &draft) }
        let body = token.isPost ? (draft.content ?? .form([])).body : nil
        let texts = (token.query + token.headers).map(\.value) + [body.map { $0.bytes.span.text } ?? ""]
        for secret in own where texts.contains(where: { $0.contains(secret.placeholder) }) { request.add(secret) }
        if let body { try request.post(body) }
        return request
    }

    /// What the description has, with the standard's fields if it is a form of a grant.
    private func content(_ secrets: [String: HTTPSecret]) -> RequestContent? {
        guard let grant = token.grant, token.hasForm else { return token.content }
        let name = grant.refresh == nil ? "client_credentials" : "refresh_token"
        var fields = [Source.Parameter("grant_type", name)]
        if case .form(let further)? = token.content { fields += further }
        if let scope = grant.scope { fields.append(Source.Parameter("scope", scope)) }
        if let client = grant.client, !client.isBasic {
            let parts = [
                ("client_id", secrets[client.id]), ("client_secret", client.secret.flatMap { secrets[$0] }),
            ]
            for case (let name, let secret?) in parts { fields.append(Source.Parameter(name, secret.placeholder)) }
        }
        if let secret = grant.refresh.flatMap({ secrets[$0] }) {
            fields.append(Source.Parameter("refresh_token", secret.placeholder))
        }
        return .form(fields)
    }

    /// Id and secret, each form-encoded and then both in base64 (section 2.3.1).
    private func addBasic(
        _ client: Source.Token.Client, _ secrets: [String: HTTPSecret], to request: inout HTTPRequest
    ) throws(HTTPFailure) {
        guard let id = secrets[client.id], let secret = client.secret.flatMap({ secrets[$0] }) else { return }
        let texts = [id, secret].map { HTTPURL.percentEncoded($0.text ?? "") }
        let encoded = Base64.encoded(texts.joined(separator: ":").utf8Bytes.span)
        let both = HTTPSecret(
            key: client.variables.joined(separator: "-"),
            HTTPSecret.Value(encoded.span.text, parts: [secret.text ?? ""]),
            shellText: "$(printf %s \"\(id.shellText):\(secret.shellText)\" | base64 | tr -d '\\n')")
        request.add(both)
        try request.add("Authorization", "Basic \(both.placeholder)", isSecret: true)
    }

    private static func empty(_ url: HTTPURL) -> HTTPRequest {
        var request = HTTPRequest(url, limitBytes: limitBytes)
        request.redirectOrigins = []
        // The body says why (section 5.2).
        request.readableStatuses = [400, 401]
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
        _ response: HTTPResponse, _ described: Source.Token, gotSeconds: Double, _ subject: String
    ) throws(ToolFailure) -> KeptToken {
        guard let tree = try? JSONTree.read(response.body.span) else {
            throw Self.missing(subject, "its response isn't JSON")
        }
        var token = KeptToken()
        token.gotSeconds = gotSeconds
        token.access = try text(described.token, response, subject)
        token.lifetimeSeconds = described.lifetimeSeconds
        if described.grant != nil {
            token.refresh = try text(described.nextRefresh, response, subject).flatMap { $0.isEmpty ? nil : $0 }
            // A number, which some services send as text.
            let number = tree["expires_in"].flatMap { Double($0.text) }
            if token.lifetimeSeconds == nil, let number, !number.isNaN {
                token.lifetimeSeconds = min(max(0, number), mostSeconds).rounded(.down)
            }
        }
        guard let found = token.access, !found.isEmpty else { throw Self.missing(subject, "its response has none") }
        let isSendable = found.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && found.utf8.count <= Self.limitBytes
        guard isSendable, token.refresh.map({ $0.utf8.count <= Self.limitBytes }) ?? true else {
            throw Self.missing(subject, "what it sent can't be one")
        }
        return token
    }

    private static func text(
        _ path: JSONPath, _ response: HTTPResponse, _ subject: String
    ) throws(ToolFailure) -> String? {
        var evaluator = JSONPathEvaluator(path)
        guard (try? evaluator.evaluate(response.body.span, limit: 1)) != nil else {
            throw Self.missing(subject, "\(path.text) can't be followed in its response")
        }
        return evaluator.firstText(in: response.body.span)
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
