// The responses that the client doesn't get from the service: those of the cache, and those of a recording that is
// played. What the service sends goes from here to either.
//
//     lookup ─► usable: no request          response ─► of use, says the caller: kept
//            └► known: revalidated                   ├► of no use: what was kept stays
//                                                    └► 304: kept with its new fields

import PipelineCore

/// The cache and the recording of a client; it has one of them or none.
struct StoredResponses {
    private let cache: HTTPCache?
    private let recording: Recording?
    private let digest: SHA256
    private let userAgent: String
    private let holdsBody: (@Sendable ([UInt8]) -> Bool)?
    /// Whatever the cache has is revalidated, however fresh it is, unless the service isn't asked at all.
    var revalidatesAll = false

    /// - Throws: `.unusable` where one of them can't be had.
    init(_ options: HTTPClient.Options) throws(HTTPFailure) {
        userAgent = options.userAgent
        holdsBody = options.holdsBody
        do throws(ToolFailure) {
            digest = try SHA256()
            if let path = options.recordPath {
                (cache, recording) = (nil, try .recording(path))
            } else if let path = options.replayPath {
                (cache, recording) = (nil, try .played(path))
            } else {
                cache = try HTTPCache.opened(options.cache, keepsNotes: options.holdsBody != nil)
                recording = nil
            }
        } catch {
            throw HTTPFailure(.unusable(error))
        }
    }

    // MARK: Before a request

    /// What the cache has for a request, nil where there is no cache for it.
    func lookup(_ hop: HTTPRequest.Hop) -> CacheLookup? {
        guard let cache, hop.method.isCacheable else { return nil }
        let now = WallClock.epochSeconds
        let key = CacheKey(hop.url, hop.fields, userAgent: userAgent, digest)
        let entry = cache.entry(key, now: now, digest)
        let mayUse = !revalidatesAll || cache.policy.isOffline
        return CacheLookup(
            key: key, entry: entry, isUsable: mayUse && entry.map { cache.policy.isUsable($0, now: now) } ?? false)
    }

    /// Gives a transfer what the cache has for this hop.
    /// - Returns: the entry where it can be used without a request.
    func visit(_ transfer: Transfer) -> CacheEntry? {
        guard let lookup = transfer.takeLookup() ?? lookup(transfer.hop) else { return nil }
        transfer.key = lookup.key
        guard let entry = lookup.entry, isWhole(entry) else { return nil }
        transfer.entry = entry
        return lookup.isUsable ? entry : nil
    }

    /// Gives a transfer that failed the entry that may stand in for its response.
    func recall(_ transfer: Transfer) {
        guard let lookup = lookup(transfer.hop), let entry = lookup.entry, isWhole(entry) else { return }
        transfer.entry = entry
        transfer.key = lookup.key
    }

    /// Whether the body that belongs to the entry can be had.
    private func isWhole(_ entry: CacheEntry) -> Bool {
        guard case .note(let note) = entry.content else { return true }
        return holdsBody?(note) ?? false
    }

    // MARK: After a request

    /// Keeps a response of the service, or nothing where the service doesn't want that. One with a body waits for the
    /// caller, who alone can tell whether it is of use: a page of HTML with status 200 replaces no good response.
    func keep(_ transfer: Transfer) {
        guard let cache, let key = transfer.key else { return }
        let status = transfer.response.head.status
        let headers = transfer.response.head.headers
        let mayKeep = CachePolicy.mayKeep(status, headers)
        if transfer.response.hasContent {
            transfer.reservation = CacheReservation(
                cache: cache, key: key, status: status, headers: headers, askedSeconds: transfer.askedSeconds,
                secrets: transfer.request.secrets, mayKeep: mayKeep)
            return
        }
        guard mayKeep, !transfer.request.containsSecret(in: headers) else {
            // What the service says now goes before what it said; a failure says nothing.
            if CachePolicy.keeps(status) { cache.forget(key) }
            return
        }
        let entry = CacheEntry(
            status: status, headers: holdsBody != nil ? CacheEntry.keptForNote(headers) : CacheEntry.kept(headers),
            askedSeconds: transfer.askedSeconds, content: .body([]))
        cache.keep(entry, key, secrets: transfer.request.secrets, digest)
    }

    /// Keeps a response that turned out to be of use, for later runs.
    func keep(_ completion: HTTPClient.Completion) {
        guard case .success(let response) = completion.result else { return }
        completion.slot?.keep(response.body, digest)
    }

    /// Drops a response that turned out to be of no use from the cache, where it came from there.
    func forget(_ completion: HTTPClient.Completion) {
        guard completion.provenance != .fetched, let key = completion.key else { return }
        cache?.forget(key)
    }

    /// The transfer's entry with the fields of a 304, nil where the service speaks of another version.
    func confirmed(_ transfer: Transfer) -> CacheEntry? {
        let fields = transfer.response.head.headers
        guard let key = transfer.key,
            let entry = transfer.entry?.confirmed(by: fields, askedSeconds: transfer.askedSeconds)
        else { return nil }
        if CachePolicy.mayKeep(entry.status, entry.headers) {
            cache?.keep(entry, key, secrets: transfer.request.secrets, digest)
        } else {
            cache?.forget(key)
        }
        return entry
    }

    /// The entry that is used as the service fails, nil where there is none.
    func standIn(_ transfer: Transfer, for reason: HTTPFailure.Reason) -> CacheEntry? {
        guard let cache, let entry = transfer.entry else { return nil }
        return cache.policy.standsIn(entry, for: reason, now: WallClock.epochSeconds) ? entry : nil
    }

    // MARK: Recordings

    /// A recording is played, and the service isn't asked.
    var isPlayed: Bool { recording?.isPlayed == true }

    /// The response that is played.
    func played(_ transfer: Transfer) -> Result<RecordedResponse, HTTPFailure> {
        do throws(ToolFailure) {
            let response = try recording?.response(
                to: transfer.hop, secrets: transfer.request.secrets, limitBytes: transfer.request.limitBytes)
            return response.map { .success($0) } ?? .failure(HTTPFailure(.notRecorded(transfer.url.plainText)))
        } catch {
            return .failure(HTTPFailure(.unusable(error)))
        }
    }

    /// Writes what the network gave, where a recording is made.
    /// - Parameter failure: why it isn't a response.
    /// - Returns: why it can't be written, which ends the request.
    func record(_ transfer: Transfer, failure: HTTPFailure.Reason? = nil) -> HTTPFailure.Reason? {
        guard let recording, failure.map(RecordedResponse.keeps) ?? true else { return nil }
        var response = RecordedResponse()
        if transfer.response.head.isComplete {
            response.status = transfer.response.head.status
            response.headers = transfer.response.head.headers
        }
        response.body = transfer.response.body
        response.failure = failure
        do throws(ToolFailure) {
            try recording.add(response, to: transfer.hop, secrets: transfer.request.secrets)
            return nil
        } catch {
            return .unusable(error)
        }
    }
}
