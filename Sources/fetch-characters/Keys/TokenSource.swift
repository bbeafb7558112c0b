// Gets the token of a source: from the file that all runs on the machine share, or from the service.
//
//     first request, a minute before the end, or a 401 ──► lock ──► a newer one in the file? ──► use it
//                                                                    └► request ──► keep ──► use it
//
// A service may give a new refresh token with each access token, and accept the old one never again. So a new one is
// on the disk before anything is done with it, and none is spent where the new one could not be kept.

import PipelineCore
import PipelineHTTP
import Synchronization

final class TokenSource: Sendable {
    /// A run that gets a token retries a few times before it gives up.
    private static let lockSeconds = 60.0
    private static let directory = "tokens"

    private let request: TokenRequest
    private let name: String
    private let options: HTTPClient.Options
    /// In seconds of the monotonic clock.
    private let deadline: Double
    private let identity: String
    /// Without a cache only what the user can't do without is kept: a refresh token.
    private let keepsAccess: Bool
    private let tell: @Sendable (HTTPRequest) -> Void
    private let requests = Atomic<Int>(0)

    /// - Throws: status 64 for a URL that can't be requested.
    init(
        _ token: Source.Token, of source: Source, _ settings: FetchSettings, secrets: [String: HTTPSecret],
        keys: [SentKey], tell: @escaping @Sendable (HTTPRequest) -> Void
    ) throws(ToolFailure) {
        let values = source.placeholderValues(settings.parameters)
        let url = try ToolFailure.onHTTPFailure(HTTPURL(SourceRequests.base(token.url, values)))
        let base = settings.baseURL ?? source.baseURL
        let origin = try ToolFailure.onHTTPFailure(HTTPURL(SourceRequests.base(base, values)).origin)
        request = TokenRequest(token: token, url: url, secrets: secrets, keys: keys)
        name = source.name
        self.tell = tell
        keepsAccess = settings.client.cache.location != .none
        // Whoever gets a token doesn't look for one in a cache or a recording, and takes no turn from the list.
        var options = settings.client
        options.cache = CachePolicy()
        options.cache.location = .none
        options.recordPath = nil
        options.replayPath = nil
        options.rate = nil
        options.progress = nil
        self.options = options
        deadline = MonotonicClock.seconds + options.deadlineSeconds
        identity = Self.identity(request, origin: origin)
    }

    var secret: HTTPSecret {
        HTTPSecret(tokenOf: identity, shellText: "$TOKEN") { [self] (refused) throws(HTTPFailure) in
            do throws(ToolFailure) { return try value(refused: refused) } catch {
                throw Signals.isRequested ? HTTPFailure(.interrupted) : HTTPFailure(.unusable(error))
            }
        }
    }

    var requestCount: Int { requests.load(ordering: .relaxed) }

    /// A digest of all that the token depends on, so that another user, another scope or another API has another.
    private static func identity(_ request: TokenRequest, origin: String) -> String {
        var parts = [request.url.text, origin]
        let token = request.token
        let content = token.content?.body.bytes.span.text ?? ""
        if let grant = token.grant {
            let client = grant.client.map { $0.isBasic ? "basic" : "body" } ?? ""
            parts += [grant.refresh == nil ? "client-credentials" : "refresh-token", client, grant.scope ?? ""]
            // Not how its response is read: a corrected path must find the latest refresh token.
            switch token.content {
            case .form(let fields): parts += fields.flatMap { [$0.name, $0.value] }
            case .json: parts.append(content)
            case nil: break
            }
        } else {
            parts += ["login", content, token.token.text]
        }
        parts += (token.query + token.headers).flatMap { [$0.name, $0.value] }
        parts += token.keys.flatMap { ["\($0.placement)", $0.prefix] }
        for variable in request.token.variables { parts += [variable, request.secrets[variable]?.text ?? ""] }
        let text = parts.map { "\($0.utf8.count):\($0)" }.joined()
        return SHA256.hexadecimal(SHA256.digest(text.utf8Bytes.span))
    }

    // MARK: Getting it

    private func value(refused: String?) throws(ToolFailure) -> HTTPSecret.Value {
        guard let file = try lockedFile() else { return Self.value(try fetched(refresh: nil)) }
        let old = file.token
        if keepsAccess, let kept = old, let access = kept.access, access != refused,
            kept.isUsable(now: WallClock.epochSeconds)
        {
            return Self.value(kept)
        }
        if request.token.refreshVariable != nil {
            do throws(SystemError) { try file.checkRoom() } catch { throw Self.noPlace(error.description) }
        }
        let new = try fetched(refresh: old?.refresh)
        var kept = keepsAccess ? new : KeptToken()
        kept.refresh = new.refresh ?? old?.refresh
        do throws(SystemError) { try file.keep(kept) } catch {
            // Any other token is simply got again by the next run.
            guard kept.refresh != nil else { return Self.value(new) }
            throw ToolFailure(
                .inputOutput,
                "the new refresh token of \(name) is lost: \(error); log in again and set "
                    + "\(request.token.refreshVariable ?? "the variable of the refresh token")")
        }
        return Self.value(new)
    }

    private static func value(_ token: KeptToken) -> HTTPSecret.Value {
        HTTPSecret.Value(
            token.access ?? "", parts: [token.refresh].compactMap(\.self), renewalSeconds: token.renewalSeconds)
    }

    /// The file with its lock. Nil where there is none, and the token can be had again at any time.
    private func lockedFile() throws(ToolFailure) -> TokenFile? {
        let isRefreshed = request.token.refreshVariable != nil
        guard isRefreshed || keepsAccess else { return nil }
        guard let directory = HTTPCache.usualDirectory(Self.directory) else {
            if isRefreshed { throw Self.noPlace("neither XDG_CACHE_HOME nor HOME is set") }
            return nil
        }
        let file: TokenFile?
        do throws(SystemError) {
            let rest = max(0, deadline - MonotonicClock.seconds)
            file = try TokenFile.locked(identity, in: directory, waitSeconds: min(Self.lockSeconds, rest))
        } catch {
            if isRefreshed { throw Self.noPlace(error.description) }
            return nil
        }
        guard let file else {
            throw ToolFailure(
                .tryLater, "another run is still getting the token for \(name); try again later")
        }
        return file
    }

    private static func noPlace(_ cause: String) -> ToolFailure {
        ToolFailure(
            .cannotCreate,
            "the new refresh token can't be saved, so the old one isn't used: \(cause); set "
                + "XDG_CACHE_HOME to a directory that can be written")
    }

    private func fetched(refresh: String?) throws(ToolFailure) -> KeptToken {
        var options = options
        options.deadlineSeconds = max(0, deadline - MonotonicClock.seconds)
        let subject = "the token's service \(request.url.authority)"
        let askedSeconds = WallClock.epochSeconds
        let response: HTTPResponse
        var client = try HTTPClient(options)
        do throws(HTTPFailure) {
            let request = try request.made(refresh: refresh)
            tell(request)
            client.submit(request, tag: 0)
            let event = client.next()
            requests.add(client.requestCount, ordering: .relaxed)
            guard case .completed(let completion) = event else { throw HTTPFailure(.interrupted) }
            response = try completion.result.get()
        } catch {
            throw ToolFailure(error, about: "the token of \(name)")
        }
        guard response.status != 400, response.status != 401 else {
            throw TokenResponse.refusal(response, request.token, subject)
        }
        return try TokenResponse.token(response, request.token, gotSeconds: askedSeconds, subject)
    }
}
