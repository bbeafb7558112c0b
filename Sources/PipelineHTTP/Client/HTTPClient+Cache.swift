// What the client asks of its cache before a request, and gives to it afterwards.
//
//     glance ─► usable: no request          answer ─► of use, says the caller: kept
//            └► known: asked whether it            ├► of no use: what was kept stays
//               still holds                        └► 304: kept with its new fields

import PipelineCore

extension HTTPClient {
    /// Looks into the cache; nil where there is none. Give it to `submit` with the request.
    package func glance(at request: HTTPRequest) -> CacheLookup? {
        cache.map { glance($0, request.url, request.fields) }
    }

    func glance(_ cache: HTTPCache, _ url: HTTPURL, _ fields: [HTTPRequest.Field]) -> CacheLookup {
        let now = WallClock.epochSeconds
        let key = CacheKey(url, fields, userAgent: options.userAgent, digest)
        let entry = cache.entry(key, now: now, digest)
        return CacheLookup(
            key: key, entry: entry,
            isUsable: !(revalidatesAll && !cache.policy.isOffline)
                && entry.map { cache.policy.isUsable($0, now: now) } ?? false)
    }

    /// Counts a response that was used without a request.
    package mutating func countFromCache() { fromCacheCount += 1 }

    /// Whether the body that belongs to the entry can be had.
    func isWhole(_ entry: CacheEntry) -> Bool {
        guard case .note(let note) = entry.content else { return true }
        return options.holdsBody?(note) ?? false
    }

    /// Keeps a response of the service, or nothing where the service doesn't want that. One with a body waits for the
    /// caller, who alone can tell whether it is of use: a page of HTML with status 200 takes no good response's place.
    func keep(_ transfer: Transfer, _ status: Int, _ headers: HTTPHeaders) {
        guard let cache, let key = transfer.key else { return }
        let mayKeep = CachePolicy.mayKeep(status, headers)
        if HTTPResponse.statuses.contains(status) {
            transfer.cacheSlot = CacheReservation(
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
            status: status,
            headers: options.holdsBody != nil ? CacheEntry.keptForNote(headers) : CacheEntry.kept(headers),
            askedSeconds: transfer.askedSeconds, content: .body([]))
        cache.keep(entry, key, secrets: transfer.request.secrets, digest)
    }

    /// Keeps a response that turned out to be of use, for later runs.
    package func keep(_ completion: Completion) {
        guard case .success(let response) = completion.result else { return }
        completion.slot?.keep(response.body, digest)
    }

    /// The service says that the entry still holds.
    mutating func confirm(_ transfer: Transfer, _ entry: CacheEntry) {
        let confirmed = entry.confirmed(by: transfer.head.headers, askedSeconds: transfer.askedSeconds)
        guard let confirmed, let key = transfer.key else {
            // It speaks of another version than the one it was asked about: asked for that, without a question.
            transfer.entry = nil
            return send(transfer)
        }
        if CachePolicy.mayKeep(confirmed.status, confirmed.headers) {
            cache?.keep(confirmed, key, secrets: transfer.request.secrets, digest)
        } else {
            cache?.forget(key)
        }
        settle(transfer, confirmed, .revalidated)
    }

    /// Drops a response that turned out to be of no use from the cache, where it came from there.
    package func forget(_ completion: Completion) {
        guard completion.provenance != .fetched, let key = completion.key else { return }
        cache?.forget(key)
    }

    /// Gives a transfer what the cache has for the place where it stands.
    func recall(_ transfer: Transfer) {
        guard let cache else { return }
        let glance = glance(cache, transfer.url, transfer.fields)
        guard let entry = glance.entry, isWhole(entry) else { return }
        transfer.entry = entry
        transfer.key = glance.key
    }
}
