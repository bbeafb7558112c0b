// The responses that the client doesn't get from the service: those in the cache, and those of a recording being
// replayed. What the service sends is stored in either.
//
//     lookup ─► usable: no request          response ─► usable, says the caller: stored
//            └► known: revalidated                   ├► unusable: what was stored stays
//                                                    └► 304: stored with its new fields

import PipelineCore

/// The cache or the recording of a client. It has one of them or neither.
struct StoredResponses {
    private let storage: LazyCache
    private let policy: CachePolicy
    private let recording: Recording?
    private let userAgent: String
    private let notedBody: (@Sendable ([UInt8]) -> HTTPClient.NotedBody)?
    /// Names this run in the cache.
    private let run = String(UInt64.random(in: 0 ... .max), radix: 16)

    /// - Throws: `.unusable` if the cache or the recording isn't available.
    init(_ options: HTTPClient.Options) throws(HTTPFailure) {
        userAgent = options.userAgent
        notedBody = options.notedBody
        policy = options.cache
        do throws(ToolFailure) {
            if let path = options.recordPath {
                (storage, recording) = (LazyCache(), try .recording(path))
            } else if let path = options.replayPath {
                (storage, recording) = (LazyCache(), try .played(path))
            } else {
                storage = try LazyCache(options.cache, keepsNotes: options.notedBody != nil)
                recording = nil
            }
        } catch {
            throw HTTPFailure(.unusable(error))
        }
    }

    // MARK: Before a request

    /// What the cache has for a request, nil without a cache.
    func lookup(_ hop: HTTPRequest.Hop, _ use: HTTPRequest.CacheUse = .policy) -> CacheLookup? {
        guard let (cache, digest) = storage.opened else { return nil }
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
        _ request: HTTPRequest, standingInFor failure: HTTPFailure.Reason?, redirectLimit: Int
    ) -> (response: HTTPResponse, run: String)? {
        var hops = [request.url]
        let now = WallClock.epochSeconds
        while let url = hops.last {
            let hop = hops.count == 1 ? request.firstHop : HTTPRequest(url, limitBytes: 0).firstHop
            guard let entry = lookup(hop)?.entry else { return nil }
            guard failure.map({ policy.standsIn(entry, for: $0, now: now) }) ?? policy.isUsable(entry, now: now)
            else { return nil }
            if Redirect.statuses.contains(entry.status), let location = entry.headers["Location"] {
                do throws(HTTPFailure) {
                    hops.append(try Redirect.target(location, after: hops, limit: redirectLimit, without: []))
                } catch { return nil }
                continue
            }
            guard case .body(let body) = entry.content, HTTPResponse.statuses.contains(entry.status),
                let run = entry.headers[CacheEntry.runField]
            else { return nil }
            return (
                HTTPResponse(status: entry.status, headers: entry.headers, body: body, redirectChain: hops), run
            )
        }
        return nil
    }

    /// Sets what the cache has for this hop on a transfer.
    /// - Returns: the entry, if it may be used without a request.
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

    /// Sets the entry that may stand in for its response on a failed transfer.
    func recall(_ transfer: Transfer) {
        guard let lookup = lookup(transfer.hop), let entry = lookup.entry, body(of: entry) == .held else { return }
        transfer.entry = entry
        transfer.key = lookup.key
    }

    /// The note that the cache has for a request, through the redirects that it has; nil without one.
    func note(for request: HTTPRequest, redirectLimit: Int) -> [UInt8]? {
        var hops = [request.url]
        while let url = hops.last, let entry = lookup(HTTPRequest(url, limitBytes: 0).firstHop)?.entry {
            if case .note(let note) = entry.content { return note }
            guard Redirect.statuses.contains(entry.status), let location = entry.headers["Location"] else {
                return nil
            }
            do throws(HTTPFailure) {
                hops.append(try Redirect.target(location, after: hops, limit: redirectLimit, without: []))
            } catch {
                return nil
            }
        }
        return nil
    }

    /// What has become of the entry's body.
    private func body(of entry: CacheEntry) -> HTTPClient.NotedBody {
        guard case .note(let note) = entry.content else { return .held }
        return notedBody?(note) ?? .lost
    }

    // MARK: After a request

    /// Stores a response of the service, if the service allows that. One with a body waits for the caller, as only
    /// the caller knows whether it is usable: a page of HTML with status 200 doesn't replace a good response.
    func keep(_ transfer: Transfer) {
        guard let key = transfer.key, let (cache, digest) = storage.opened else { return }
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

    /// Stores a usable response for later runs.
    func keep(_ completion: HTTPClient.Completion) {
        guard let slot = completion.slot, case .success(let response) = completion.result,
            let (_, digest) = storage.opened
        else { return }
        slot.keep(response.body, digest)
    }

    /// Removes an unusable response from the cache, if it came from there.
    func forget(_ completion: HTTPClient.Completion) {
        guard completion.provenance != .fetched, let key = completion.key else { return }
        storage.opened?.cache.forget(key)
    }

    /// The transfer's entry updated with the fields of a 304, nil if the 304 is about another version.
    func confirmed(_ transfer: Transfer) -> CacheEntry? {
        let fields = transfer.response.head.headers
        guard let key = transfer.key, let (cache, digest) = storage.opened,
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

    /// The entry that stands in as the service fails, if there is one.
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

    /// A recording is being replayed, and nothing is sent.
    var isPlayed: Bool { recording?.isPlayed == true }

    /// The recorded response.
    func played(_ transfer: Transfer) -> Result<RecordedResponse, HTTPFailure> {
        do throws(ToolFailure) {
            let response = try recording?.response(
                to: transfer.hop, secrets: transfer.request.secrets, limitBytes: transfer.request.limitBytes)
            return response.map { .success($0) } ?? .failure(HTTPFailure(.notRecorded(transfer.url.plainText)))
        } catch {
            return .failure(HTTPFailure(.unusable(error)))
        }
    }

    /// Writes the response to the recording, if one is being made.
    /// - Parameter failure: why there isn't a response.
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
