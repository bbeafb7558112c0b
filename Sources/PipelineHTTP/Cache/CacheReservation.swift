// A slot in the cache for a response, filled once the caller knows that the response is usable.

/// Where a body, or a note about it, is stored.
package struct CacheReservation: Sendable {
    let cache: HTTPCache
    let key: CacheKey
    let status: Int
    let headers: HTTPHeaders
    let askedSeconds: Double
    let secrets: [SecretText]
    /// The run, if the response is a page of a list.
    let run: String?
    /// If false, the service doesn't want it stored, and what was stored before is removed.
    let mayKeep: Bool
    /// Whether the cache has an earlier response whose body is available.
    let hasContent: Bool

    /// Stores the response for later runs.
    /// - Parameter digest: the calling thread's.
    func keep(_ body: [UInt8], _ digest: SHA256) {
        var headers = CacheEntry.kept(headers)
        if let run { headers.append(CacheEntry.runField, run) }
        keep(headers, .body(body), digest)
    }

    /// Stores the response for later runs, with a note that says where its body is.
    /// - Parameter digest: the calling thread's.
    package func keep(note: [UInt8], _ digest: SHA256) {
        keep(CacheEntry.keptForNote(headers), .note(note), digest)
    }

    /// Stores that the response is unusable, with a note that says why. A usable one that was stored before stays.
    /// - Parameter digest: the calling thread's.
    package func keep(unusable note: [UInt8], _ digest: SHA256) {
        if !hasContent { keep(note: note, digest) }
    }

    private func keep(_ headers: HTTPHeaders, _ content: CacheEntry.Content, _ digest: SHA256) {
        guard mayKeep else { return cache.forget(key) }
        let entry = CacheEntry(status: status, headers: headers, askedSeconds: askedSeconds, content: content)
        cache.keep(entry, key, secrets: secrets, digest)
    }
}
