// What the cache has for a request, looked up beforehand: a response that is still fresh needs no request.

/// The result of a cache lookup.
package struct CacheLookup: Sendable {
    let key: CacheKey
    let entry: CacheEntry?
    /// Whether the entry may be used without a request.
    let isUsable: Bool

    /// The status and the note of a response that may be used without a request, if there is one.
    package var fresh: (status: Int, note: [UInt8])? {
        guard isUsable, let entry, HTTPResponse.statuses.contains(entry.status),
            case .note(let note) = entry.content
        else { return nil }
        return (entry.status, note)
    }
}
