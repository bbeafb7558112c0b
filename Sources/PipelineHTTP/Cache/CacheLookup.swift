// What the cache has for a request, looked at before the request is made: a response that still holds needs none.

/// A look into the cache.
package struct CacheLookup: Sendable {
    let key: CacheKey
    let entry: CacheEntry?
    /// Whether the entry is used without asking.
    let isUsable: Bool

    /// The status and the note of a response that can be used without asking, nil where there is none.
    package var fresh: (status: Int, note: [UInt8])? {
        guard isUsable, let entry, HTTPResponse.statuses.contains(entry.status),
            case .note(let note) = entry.content
        else { return nil }
        return (entry.status, note)
    }
}
