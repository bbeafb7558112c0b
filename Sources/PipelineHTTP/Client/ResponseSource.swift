// The responses that the client doesn't get from the service: those in the cache, and those of a recording that is
// replayed. What the service sends is stored in either.
//
//     lookup ─► usable: no request          response ─► usable, says the caller: stored
//            └► known: revalidated                   ├► unusable: what was stored stays
//                                                    └► 304: stored with its new fields

import PipelineCore

/// The cache or the recording of a client. It has one of them or neither.
struct ResponseSource {
    private let cache: LazyCache
    private let policy: CachePolicy
    private let recording: Recording?
    private let userAgent: String
    private let redirectLimit: Int
    private let notedBody: (@Sendable ([UInt8]) -> HTTPClient.NotedBody)?
    /// Names this run in the cache.
    private let run = String(UInt64.random(in: 0 ... .max), radix: 16)

    init(_ options: HTTPClient.Options) throws(HTTPFailure) {
        userAgent = options.userAgent
        redirectLimit = options.redirectLimit
        notedBody = options.notedBody
        var policy = options.cache
        if options.recordPath != nil || options.replayPath != nil { policy.location = .none }
        self.policy = policy
        do throws(ToolFailure) {
            recording =
                if let path = options.recordPath { try .recording(path) } else if let path = options.replayPath {
                    try .played(path)
                } else { nil }
            cache = try LazyCache(policy, keepsNotes: notedBody != nil)
        } catch {
            throw HTTPFailure(.unusable(error))
        }
    }

    // MARK: Before a request

    /// What the cache has for a request, nil without a cache.
    func lookup(_ hop: HTTPRequest.Hop, _ use: HTTPRequest.CacheUse = .policy) -> CacheLookup? {
        guard let (cache, digest) = cache.opened else { return nil }
        let now = WallClock.epochSeconds
        let key = CacheKey(hop, userAgent: userAgent, digest)
        let entry = cache.entry(key, now: now, digest)
        let isUsable =
            switch use {
            case .policy: entry.map { policy.isUsable($0, now: now) } ?? false
            case .revalidated: policy.isOffline
            case .stored: true
            }
        return CacheLookup(key: key, entry: entry, isUsable: isUsable)
    }

    /// The response that an earlier run has for a page of a list, through redirects; nil without one.
    /// - Parameter failure: of the service, for which it would stand in. Nil if the service isn't asked.
    func page(
        _ request: HTTPRequest, standingInFor failure: HTTPFailure.Reason?
    ) -> (response: HTTPResponse, run: String)? {
        let now = WallClock.epochSeconds
        let found = lastEntry(of: request) { entry in
            failure.map { policy.standsIn(entry, for: $0, now: now) } ?? policy.isUsable(entry, now: now)
        }
        guard let (entry, hops) = found, case .body(let body) = entry.content,
            HTTPResponse.statuses.contains(entry.status), let run = entry.headers[CacheEntry.runField]
        else { return nil }
        return (HTTPResponse(status: entry.status, headers: entry.headers, body: body, redirectChain: hops), run)
    }

    /// The note that the cache has for a request, through redirects; nil without one.
    func note(for request: HTTPRequest) -> [UInt8]? {
        guard let (entry, _) = lastEntry(of: request, where: { _ in true }), case .note(let note) = entry.content
        else { return nil }
        return note
    }

    /// The entry at the end of the redirects that the cache has for a request.
    private func lastEntry(
        of request: HTTPRequest, where isUsable: (CacheEntry) -> Bool
    ) -> (entry: CacheEntry, hops: [HTTPURL])? {
        var hops = [request.url]
        var hop = request.firstHop
        while let entry = lookup(hop)?.entry, isUsable(entry) {
            guard Redirect.statuses.contains(entry.status), let location = entry.headers["Location"] else {
                return (entry, hops)
            }
            do throws(HTTPFailure) {
                let target = try Redirect.target(location, after: hops, limit: redirectLimit)
                hops.append(target)
                hop = HTTPRequest(target).firstHop
            } catch { return nil }
        }
        return nil
    }

    func visit(_ transfer: Transfer) -> CacheEntry? {
        guard let lookup = transfer.takeLookup() ?? lookup(transfer.hop, transfer.request.cacheUse) else {
            return nil
        }
        transfer.key = lookup.key
        guard let entry = lookup.entry else { return nil }
        switch body(of: entry) {
        case .lost: return nil
        case .unusable: return policy.isOffline ? entry : nil
        case .held:
            transfer.entry = entry
            return lookup.isUsable ? entry : nil
        }
    }

    func recall(_ transfer: Transfer) {
        guard let lookup = lookup(transfer.hop), let entry = lookup.entry, body(of: entry) == .held else { return }
        transfer.entry = entry
        transfer.key = lookup.key
    }

    private func body(of entry: CacheEntry) -> HTTPClient.NotedBody {
        guard case .note(let note) = entry.content else { return .held }
        return notedBody?(note) ?? .lost
    }

    // MARK: After a request

    /// Stores a response of the service, if the service allows that. One with a body waits for the caller, as only
    /// the caller knows whether it is usable: a page of HTML with status 200 doesn't replace a good response.
    func keep(_ transfer: Transfer) {
        guard let key = transfer.key, let (cache, digest) = cache.opened else { return }
        let status = transfer.response.head.status
        let headers = transfer.response.head.headers
        let mayKeep = CachePolicy.mayKeep(status, headers)
        if transfer.response.hasContent {
            transfer.reservation = CacheReservation(
                cache: cache, key: key, status: status, headers: headers, askedSeconds: transfer.askedSeconds,
                secrets: transfer.request.secrets, run: transfer.request.cacheUse == .policy ? nil : run,
                mayKeep: mayKeep,
                hasContent: transfer.entry.map { HTTPResponse.statuses.contains($0.status) } ?? false)
            return
        }
        guard mayKeep, !transfer.request.containsSecret(in: headers) else {
            // The latest response overrides what is stored; a failure doesn't.
            if CachePolicy.keeps(status) { cache.forget(key) }
            return
        }
        let entry = CacheEntry(
            status: status, headers: notedBody != nil ? CacheEntry.keptForNote(headers) : CacheEntry.kept(headers),
            askedSeconds: transfer.askedSeconds, content: .body([]))
        cache.keep(entry, key, secrets: transfer.request.secrets, digest)
    }

    func keep(_ completion: HTTPClient.Completion) {
        guard let slot = completion.slot, case .success(let response) = completion.result,
            let (_, digest) = cache.opened
        else { return }
        slot.keep(response.body, digest)
    }

    /// Removes an unusable response from the cache, if it came from there.
    func forget(_ completion: HTTPClient.Completion) {
        guard completion.provenance != .fetched, let key = completion.key else { return }
        cache.opened?.cache.forget(key)
    }

    /// The transfer's entry updated with the fields of a 304, nil if the 304 is about another version.
    func confirmed(_ transfer: Transfer) -> CacheEntry? {
        let fields = transfer.response.head.headers
        guard let key = transfer.key, let (cache, digest) = cache.opened,
            var entry = transfer.entry?.confirmed(by: fields, askedSeconds: transfer.askedSeconds)
        else { return nil }
        if transfer.request.cacheUse != .policy {
            entry.headers.remove(CacheEntry.runField)
            entry.headers.append(CacheEntry.runField, run)
        }
        if CachePolicy.mayKeep(entry.status, entry.headers) {
            cache.keep(entry, key, secrets: transfer.request.secrets, digest)
        } else {
            cache.forget(key)
        }
        return entry
    }

    func standIn(_ transfer: Transfer, for reason: HTTPFailure.Reason) -> CacheEntry? {
        guard transfer.request.cacheUse == .policy, let entry = transfer.entry ?? unusableEntry(transfer) else {
            return nil
        }
        return policy.standsIn(entry, for: reason, now: WallClock.epochSeconds) ? entry : nil
    }

    /// The entry with the note that its body was unusable, if that is what the cache has.
    private func unusableEntry(_ transfer: Transfer) -> CacheEntry? {
        guard let entry = lookup(transfer.hop)?.entry, body(of: entry) == .unusable else { return nil }
        return entry
    }

    // MARK: Recordings

    var isPlayed: Bool { recording?.isPlayed == true }

    func played(_ transfer: Transfer) throws(HTTPFailure) -> RecordedResponse {
        let request = transfer.request
        do throws(ToolFailure) {
            if let response = try recording?.response(
                to: transfer.hop, secrets: request.secrets, limitBytes: request.limitBytes)
            {
                return response
            }
        } catch {
            throw HTTPFailure(.unusable(error))
        }
        throw HTTPFailure(.notRecorded(transfer.url.plainText))
    }

    /// Writes the response to the recording, if one is being made.
    /// - Returns: why it can't be written, which ends the request.
    func record(_ transfer: Transfer, failure: HTTPFailure.Reason? = nil) -> HTTPFailure.Reason? {
        guard let recording, failure == nil || failure?.recorded != nil else { return nil }
        let head = transfer.response.head
        let response = RecordedResponse(
            status: head.isComplete ? head.status : nil, headers: head.isComplete ? head.headers : HTTPHeaders(),
            body: transfer.response.body, failure: failure)
        do throws(ToolFailure) {
            try recording.add(response, to: transfer.hop, secrets: transfer.request.secrets)
            return nil
        } catch {
            return .unusable(error)
        }
    }
}
