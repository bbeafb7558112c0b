// Where a response came from: the service, the cache, or both.

/// The provenance of a response, worst of its hops.
package enum HTTPProvenance: Sendable {
    /// From the cache, and nobody was asked.
    case cached
    /// From the cache, and the service was asked whether it still holds, or where it is.
    case revalidated
    /// From the service.
    case fetched
    /// From the cache, as the service failed.
    case stale

    /// - Parameter next: of the next hop, whose answer counts.
    func followed(by next: HTTPProvenance) -> HTTPProvenance {
        switch (self, next) {
        case (.stale, _), (_, .stale): .stale
        case (_, .fetched): .fetched
        case (.cached, .cached): .cached
        case (_, .revalidated), (.revalidated, .cached), (.fetched, .cached): .revalidated
        }
    }
}
