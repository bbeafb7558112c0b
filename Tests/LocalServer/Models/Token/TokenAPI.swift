// A model of an API that wants a token, and of the service that gives it (RFC 6749, sections 4.4, 5 and 6).
//
//     POST /tokens/token     grant_type=client_credentials or refresh_token; ids, secrets and first refresh tokens begin
//                            with live_
//     POST /tokens/login     {"user": "…", "password": "live_…"}, or a form
//     /tokens/renew          a refresh token as refreshToken in JSON, the header X-Refresh or the parameter refresh
//     GET /tokens/session    Basic with mick:live_…, or live_… in the header X-Key or the parameter key
//     /tokens/list?page=2    twenty records, for those with a token in a header, the query, or the body
//
// The scope, or the user's name, says what tokens are like: `uses-3` is refused after three requests, `seconds-2` ends
// after two seconds and says so, `text` says its lifetime as a text, and `silent` doesn't say it. A refresh token is
// accepted once; `patient` gives the same successor again as long as nobody has used that.

import Foundation
import PipelineCore
import Synchronization

/// Gives tokens and demands them.
final class TokenAPI: APIModel {
    static let count = 20
    private static let pageSize = 5

    let prefix = "/tokens"
    private let issued = Mutex(IssuedTokens())

    func window(of request: Request) -> Window? {
        guard segments(request) == ["list"] else { return nil }
        return .page(request.parameter("page").flatMap { Int($0) } ?? 1, size: Self.pageSize)
    }

    func response(to request: Request, window: Window?) -> Response? {
        if let window { return list(request, window) }
        switch (request.method, segments(request)) {
        case ("POST", ["token"]): return token(request)
        case ("POST", ["login"]): return login(request)
        case ("GET", ["session"]): return session(request)
        case (_, ["renew"]): return renew(request)
        default: return .notFound(request)
        }
    }

    // MARK: The list

    private func list(_ request: Request, _ window: Window) -> Response {
        let texts = [
            request.header("authorization").flatMap { $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : nil },
            request.header("x-token"), request.parameter("token"), body(request)["token"],
        ]
        guard let text = texts.compactMap(\.self).first, issued.withLock({ $0.use(text) }) else {
            return .json(["message": "the token is missing, spent or unknown"], status: 401)
        }
        let records = window.range(in: Self.count).map { number -> JSONTree in
            ["id": .integer(number + 1), "name": .string("Token \(number + 1)")]
        }
        return .json(["total": .integer(window.total(Self.count)), "data": .array(records)])
    }

    // MARK: Tokens

    private func token(_ request: Request) -> Response {
        let fields = body(request)
        let client = Self.client(request) ?? (fields["client_id"] ?? "", fields["client_secret"] ?? "")
        guard client.id.hasPrefix("live_") else { return Self.refusal("invalid_client", 401) }
        guard fields["audience"] ?? "api" == "api" else { return Self.refusal("invalid_request", 400) }
        let scope = fields["scope"] ?? ""
        guard scope != "none" else { return Self.refusal("invalid_scope", 400) }
        switch fields["grant_type"] {
        case "client_credentials":
            guard client.secret.hasPrefix("live_") else { return Self.refusal("invalid_client", 401) }
            return answer(issued.withLock { $0.issue(scope, refresh: nil) }, scope)
        case "refresh_token":
            let refresh = fields["refresh_token"] ?? ""
            guard let token = issued.withLock({ $0.rotate(refresh, scope) }) else {
                return Self.refusal("invalid_grant", 400)
            }
            return answer(token, scope)
        default: return Self.refusal("unsupported_grant_type", 400)
        }
    }

    private func login(_ request: Request) -> Response {
        let fields = body(request)
        guard let password = fields["password"], password.hasPrefix("live_") else {
            return .json(["message": "who are you?"], status: 401)
        }
        let token = issued.withLock { $0.issue(fields["user"] ?? "", refresh: nil) }
        return .json(["session": ["token": .string(token.access)]], status: 201)
    }

    private func session(_ request: Request) -> Response {
        let secret = request.header("x-key") ?? request.parameter("key") ?? Self.client(request)?.secret ?? ""
        guard secret.hasPrefix("live_") else { return .json(["message": "who are you?"], status: 401) }
        return .json(["token": .string(issued.withLock { $0.issue("", refresh: nil) }.access)])
    }

    /// As services do that have heard of no standard.
    private func renew(_ request: Request) -> Response {
        let refresh = body(request)["refreshToken"] ?? request.header("x-refresh") ?? request.parameter("refresh")
        let scope = request.parameter("scope") ?? ""
        guard let token = issued.withLock({ $0.rotate(refresh ?? "", scope) }) else {
            return .json(["message": "renewed already"], status: 401)
        }
        let next = token.refresh.map { JSONTree.string($0) } ?? .null
        return .json(["session": ["token": .string(token.access), "next": next]], status: 201)
    }

    private func answer(_ token: IssuedTokens.Token, _ scope: String) -> Response {
        var members: [(name: String, value: JSONTree)] = [
            ("access_token", .string(token.access)), ("token_type", "Bearer"),
        ]
        let seconds = IssuedTokens.number("seconds-", scope) ?? 3600
        if !scope.contains("silent") {
            members.append(("expires_in", scope.contains("text") ? .string("\(seconds)") : .integer(seconds)))
        }
        if let refresh = token.refresh { members.append(("refresh_token", .string(refresh))) }
        return .json(.object(members), headers: [Header("Cache-Control", "no-store")])
    }

    private static func refusal(_ code: String, _ status: Int) -> Response {
        // What was sent comes back, as it does from some services.
        .json(["error": .string(code), "error_description": "check live_what you sent"], status: status)
    }

    // MARK: Requests

    /// Id and secret, form-encoded and then in base64 (section 2.3.1).
    private static func client(_ request: Request) -> (id: String, secret: String)? {
        guard let header = request.header("authorization"), header.hasPrefix("Basic "),
            let bytes = Data(base64Encoded: String(header.dropFirst(6)))
        else { return nil }
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        return (Request.decoded(parts[0]), Request.decoded(parts[1]))
    }

    /// The texts of a body, JSON or a form.
    private func body(_ request: Request) -> [String: String] {
        let isJSON = request.header("content-type")?.hasPrefix("application/json") == true
        guard isJSON, case .object(let members)? = request.json else {
            return Dictionary(request.form.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        }
        let texts = members.compactMap { member in member.value.string.map { (member.name, $0) } }
        return Dictionary(texts, uniquingKeysWith: { first, _ in first })
    }
}
