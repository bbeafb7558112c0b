// Where a response came from: the service, the cache, or both.

/// The provenance of a response: the worst of its hops.
package enum HTTPProvenance: Sendable {
    /// From the cache, and nothing was sent.
    case cached
    /// From the cache, after the service was asked whether it is still current, or where it is.
    case revalidated
    /// From the service.
    case fetched
    /// From the cache, as the service failed.
    case stale

    /// - Parameter next: of the next hop, whose response counts.
    func followed(by next: HTTPProvenance) -> HTTPProvenance {
        switch (self, next) {
        case (.stale, _), (_, .stale): .stale
        case (_, .fetched): .fetched
        case (.cached, .cached): .cached
        case (_, .revalidated), (.revalidated, .cached), (.fetched, .cached): .revalidated
        }
    }
}
