// The place in the cache of a response: filled when the caller knows that it is of use.

/// Where a body goes, or a note about it.
package struct CacheReservation: Sendable {
    let cache: HTTPCache
    let key: CacheKey
    let status: Int
    let headers: HTTPHeaders
    let askedSeconds: Double
    let secrets: [SecretText]
    /// Otherwise the service doesn't want it kept, and what was kept before goes.
    let mayKeep: Bool

    /// Keeps the response for later runs.
    /// - Parameter digest: of the thread that calls.
    func keep(_ body: [UInt8], _ digest: SHA256) { keep(CacheEntry.kept(headers), .body(body), digest) }

    /// Keeps the response for later runs, with a note that says where its body is.
    /// - Parameter digest: of the thread that calls.
    package func keep(note: [UInt8], _ digest: SHA256) {
        keep(CacheEntry.keptForNote(headers), .note(note), digest)
    }

    private func keep(_ headers: HTTPHeaders, _ content: CacheEntry.Content, _ digest: SHA256) {
        guard mayKeep else { return cache.forget(key) }
        let entry = CacheEntry(status: status, headers: headers, askedSeconds: askedSeconds, content: content)
        cache.keep(entry, key, secrets: secrets, digest)
    }
}
