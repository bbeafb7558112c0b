// What a service sends for a token (RFC 6749, sections 5.1 and 5.2), or for a login.
//
//     {"access_token": "…", "token_type": "Bearer", "expires_in": 3600, "refresh_token": "…"}
//     {"error": "invalid_grant"}

import PipelineCore
import PipelineHTTP

/// A token that was received.
struct TokenResponse {
    /// No service has a longer one: a header has to carry it.
    private static let limitBytes = 65_536
    /// Longer lifetimes count as this one.
    private static let mostSeconds = 1_000_000_000.0

    let access: String
    /// A refresh token that takes the place of the one that was sent.
    let refresh: String?
    let lifetimeSeconds: Double?

    /// - Throws: status 76 without a token.
    init(_ response: HTTPResponse, _ way: Source.Token.Way, _ subject: String) throws(ToolFailure) {
        let body = response.body
        let tree: JSONTree
        do throws(JSONError) {
            tree = try JSONTree.read(body.span)
        } catch {
            throw Self.missing(subject, "its answer is no JSON")
        }
        let found: String?
        switch way {
        case .clientCredentials, .refreshToken:
            found = tree["access_token"]?.string
            refresh = tree["refresh_token"]?.string.flatMap { $0.isEmpty ? nil : $0 }
            lifetimeSeconds = Self.seconds(tree["expires_in"])
        case .login(_, _, let path, let lifetime):
            var evaluator = JSONPathEvaluator(path)
            do throws(JSONError) { try evaluator.evaluate(body.span, limit: 1) } catch {
                throw Self.missing(subject, "\(path.text) can't be followed in its answer")
            }
            found = evaluator.firstText(in: body.span)
            refresh = nil
            lifetimeSeconds = lifetime
        }
        guard let found, !found.isEmpty else { throw Self.missing(subject, "its answer has none") }
        let isSendable = found.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && found.utf8.count <= Self.limitBytes
        guard isSendable, refresh.map({ $0.utf8.count <= Self.limitBytes }) ?? true else {
            throw Self.missing(subject, "what it sent can't be one")
        }
        access = found
    }

    /// A number, which some services send as text.
    private static func seconds(_ value: JSONTree?) -> Double? {
        let number: Double? =
            switch value {
            case .integer(let number): Double(number)
            case .number(let text), .string(let text): Double(text)
            case .object, .array, .boolean, .null, nil: nil
            }
        guard let number, !number.isNaN else { return nil }
        return min(max(0, number), mostSeconds).rounded(.down)
    }

    private static func missing(_ subject: String, _ finding: String) -> ToolFailure {
        ToolFailure(.protocolError, "\(subject) gave no token: \(finding); check the description's token")
    }

    // MARK: Refusals

    /// The failure of a request that was answered with 400 or 401.
    /// - Parameter variables: that were sent.
    static func refusal(
        _ response: HTTPResponse, _ token: Source.Token, _ subject: String
    ) -> ToolFailure {
        let cause = cause(response)
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

    /// The error's code, if it is one of the standard's: anything else may repeat what was sent.
    private static func cause(_ response: HTTPResponse) -> String? {
        let body = response.body
        do throws(JSONError) {
            let code = try JSONTree.read(body.span)["error"]?.string
            return code.flatMap { (faultsOfRequest + faultsOfClient).contains($0) ? $0 : nil }
        } catch {
            return nil
        }
    }
}
