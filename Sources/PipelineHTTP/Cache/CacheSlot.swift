// The place in the cache of an answer whose body the caller keeps: filled when the caller has it.

/// Where a note about a body goes.
package struct CacheSlot: Sendable {
    let cache: HTTPCache
    let key: CacheKey
    let status: Int
    let headers: HTTPHeaders
    let askedSeconds: Double
    let secrets: [[UInt8]]

    /// Keeps the answer for later runs, with a note that says where its body is.
    /// - Parameter digest: of the thread that calls.
    package func keep(note: [UInt8], _ digest: SHA256) {
        let entry = CacheEntry(
            status: status, headers: CacheEntry.keptForNote(headers), askedSeconds: askedSeconds,
            content: .note(note))
        cache.keep(entry, key, secrets: secrets, digest)
    }
}
