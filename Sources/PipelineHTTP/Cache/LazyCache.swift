// The cache of a client, opened for the first request: a run that sends none needs neither a cache nor a digest.

import PipelineCore

/// A cache, and the digest that names its entries. Not thread-safe.
final class LazyCache {
    typealias Opened = (cache: HTTPCache, digest: SHA256)

    private enum State {
        case closed(CachePolicy, keepsNotes: Bool)
        case open(Opened)
        case missing
    }

    private var state = State.missing

    /// No cache.
    init() {}

    /// - Parameter keepsNotes: entries have no bodies.
    /// - Throws: status 73 if a directory that the user names isn't available; that one is opened at once.
    init(_ policy: CachePolicy, keepsNotes: Bool) throws(ToolFailure) {
        state = .closed(policy, keepsNotes: keepsNotes)
        if case .directory = policy.location { try open(policy, keepsNotes) }
    }

    /// The open cache; nil if there is none, or the usual one isn't available.
    var opened: Opened? {
        if case .closed(let policy, let keepsNotes) = state {
            do throws(ToolFailure) { try open(policy, keepsNotes) } catch { state = .missing }
        }
        if case .open(let opened) = state { return opened }
        return nil
    }

    private func open(_ policy: CachePolicy, _ keepsNotes: Bool) throws(ToolFailure) {
        let cache = try HTTPCache.opened(policy, keepsNotes: keepsNotes)
        state = if let cache { .open((cache, try SHA256())) } else { .missing }
    }
}
