// The responses that the client doesn't get from the service: those in the cache, and those of a recording that is
// replayed. What the service sends is stored in either.
//
//     lookup ─► usable: no request          response ─► usable, says the caller: stored
//            └► known: revalidated                   ├► unusable: what was stored stays
//                                                    └► 304: stored with its new fields

import PipelineCore

/// The cache or the recording of a client. It has one of them or neither. Not thread-safe.
package final class ResponseSource {
    private let options: HTTPClient.Options
    private var policy: CachePolicy { options.cache }
    private let recording: Recording?
    /// Opened for the first request, as a run that sends none needs none. Nil if none is wanted or available.
    private lazy var cache: HTTPCache? = {
        guard policy.location == .usual, let path = HTTPCache.usualDirectory("answers") else { return nil }
        return try? opened(path)
    }()

    /// - Throws: status 73 or 66 if a directory that the user names isn't available; that one is opened at once.
    init(_ options: HTTPClient.Options) throws(ToolFailure) {
        self.options = options
        let path = options.recordPath ?? options.replayPath
        recording = try path.map { path throws(ToolFailure) in
            try Recording(path, isPlayed: options.recordPath == nil)
        }
        if recording != nil {
            cache = nil
        } else if case .directory(let path) = policy.location {
            cache = try opened(path)
        }
    }

    private func opened(_ path: String) throws(ToolFailure) -> HTTPCache {
        try HTTPCache(path, keepsNotes: options.notedBody != nil, isOffline: policy.isOffline)
    }

    private typealias Lookup = (key: CacheKey, entry: CacheEntry?, isUsable: Bool)
    /// Of requests that are going to be sent. Each is used once: later the cache may have something else.
    private var lookups: [HTTPURL: Lookup] = [:]

    /// The status and the note of a response that may be used without a request, if there is one.
    package func fresh(_ request: HTTPRequest) -> (status: Int, note: [UInt8])? {
        guard let found = lookup(request) else { return nil }
        if found.isUsable, let entry = found.entry, HTTPResponse.statuses.contains(entry.status) {
            return (entry.status, entry.content)
        }
        lookups[request.url] = found
        return nil
    }

    /// What the cache has, and whether it may be used without a request; nil without a cache.
    private func lookup(_ hop: HTTPRequest) -> Lookup? {
        guard let cache else { return nil }
        let now = WallClock.epochSeconds
        let key = CacheKey(hop, userAgent: options.userAgent)
        let entry = cache.entry(key, now: now)
        let isUsable =
            switch hop.cacheUse {
            case .policy: entry.map { policy.isUsable($0, now: now) } ?? false
            case .revalidated: policy.isOffline
            case .stored: true
            }
        return (key, entry, isUsable)
    }

    /// The response that earlier readings have for a page of a list, through redirects, and their names. Nil if there is
    /// none that may be used in place of the service's.
    /// - Parameter failure: of the service, for which it would stand in. Nil if the service isn't asked.
    package func page(
        _ request: HTTPRequest, standingInFor failure: HTTPFailure.Reason?
    ) -> (response: HTTPResponse, readings: [String])? {
        let now = WallClock.epochSeconds
        let found = lastEntry(of: request) { entry in
            failure.map { policy.standsIn(entry, for: $0, now: now) } ?? policy.isUsable(entry, now: now)
        }
        guard let (entry, hops) = found, HTTPResponse.statuses.contains(entry.status) else { return nil }
        let response = HTTPResponse(
            status: entry.status, headers: entry.headers, body: entry.content, redirectChain: hops)
        return (response, entry.headers.readings)
    }

    /// The note that the cache has for a request, however old, through redirects, and whether it may stand in for what can't
    /// be had; nil without one.
    package func note(for request: HTTPRequest) -> (content: [UInt8], mayStandIn: Bool)? {
        lastEntry(of: request) { _ in true }.map {
            ($0.entry.content, policy.mayStandIn($0.entry, now: WallClock.epochSeconds))
        }
    }

    /// The entry at the end of the redirects that the cache has for a request.
    private func lastEntry(
        of request: HTTPRequest, where isUsable: (CacheEntry) -> Bool
    ) -> (entry: CacheEntry, hops: [HTTPURL])? {
        var hops = [request.url]
        var hop = request
        while let entry = lookup(hop)?.entry, isUsable(entry) {
            let location = entry.headers["Location"]
            guard let location, HTTPRequest.redirectStatuses.contains(entry.status) else { return (entry, hops) }
            do throws(HTTPFailure) {
                hop = try hop.redirected(to: location, status: entry.status, after: hops)
                hops.append(hop.url)
            } catch { return nil }
        }
        return nil
    }

    func visit(_ transfer: Transfer) -> CacheEntry? {
        let known = transfer.redirectChain.count == 1 ? lookups.removeValue(forKey: transfer.url) : nil
        guard let lookup = known ?? lookup(transfer.hop) else { return nil }
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

    private func body(of entry: CacheEntry) -> HTTPClient.NotedBody {
        // What has no body has no note: a redirect, or that there is nothing.
        guard let notedBody = options.notedBody, !entry.content.isEmpty else { return .held }
        return notedBody(entry.content)
    }

    /// Stores a response of the service, if the service allows that. One with a body waits for the caller, as only
    /// the caller knows whether it is usable: a page of HTML with status 200 doesn't replace a good response.
    func keep(_ transfer: Transfer) {
        guard let cache, let key = transfer.key else { return }
        let head = transfer.response.head
        let entry = CacheEntry(
            status: head.status, headers: cache.kept(head.headers), askedSeconds: transfer.askedSeconds, content: []
        )
        let reservation = reservation(cache, key, entry, transfer)
        if transfer.response.hasContent {
            transfer.reservation = reservation
        } else if CachePolicy.keeps(head.status) {
            // The latest response overrides what is stored; a failure doesn't.
            reservation.keep([])
        }
    }

    /// The transfer's entry updated with the fields of a 304 and stored, nil if the 304 is about another version.
    func confirmed(_ transfer: Transfer) -> CacheEntry? {
        guard let cache, let key = transfer.key,
            let entry = transfer.entry?.confirmed(
                by: cache.kept(transfer.response.head.headers), askedSeconds: transfer.askedSeconds)
        else { return nil }
        let reservation = reservation(cache, key, entry, transfer)
        reservation.keep(entry.content)
        return reservation.entry
    }

    private func reservation(
        _ cache: HTTPCache, _ key: CacheKey, _ entry: CacheEntry, _ transfer: Transfer
    ) -> CacheReservation {
        CacheReservation(
            cache: cache, key: key, entry: entry, secrets: StoredSecrets(of: transfer.request), old: transfer.entry,
            reading: transfer.request.reading)
    }

    package func keep(_ completion: HTTPClient.Completion) {
        if let reservation = completion.reservation, case .success(let response) = completion.result {
            reservation.keep(response.body)
        }
    }

    /// Removes an unusable response from the cache, if it came from there.
    package func forget(_ completion: HTTPClient.Completion) {
        guard completion.provenance != .fetched, let key = completion.key else { return }
        cache?.forget(key)
    }

    /// What the cache has for the transfer, if it may stand in for a service that fails.
    func standIn(_ transfer: Transfer, for reason: HTTPFailure.Reason) -> CacheEntry? {
        let now = WallClock.epochSeconds
        guard transfer.request.cacheUse == .policy, let key = transfer.key, let entry = cache?.entry(key, now: now),
            body(of: entry) != .lost
        else { return nil }
        return policy.standsIn(entry, for: reason, now: now) ? entry : nil
    }

    package var isPlayed: Bool { recording?.isPlayed == true }

    /// - Throws: status 66 or 65 for a file that can't be read, see `Recording`.
    func played(_ transfer: Transfer) throws(ToolFailure) -> RecordedResponse? {
        try recording?.response(to: transfer.hop, of: transfer.request)
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
            try recording.add(response, to: transfer.hop, of: transfer.request)
            return nil
        } catch {
            return .unusable(error)
        }
    }
}
