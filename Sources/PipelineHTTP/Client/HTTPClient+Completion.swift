// What the client returns: completed requests, and the other reasons to stop waiting.

extension HTTPClient {
    /// A completed request.
    package struct Completion: Sendable {
        /// The tag it was submitted with.
        package let tag: Int
        package let result: Result<HTTPResponse, HTTPFailure>
        /// How often it was sent, not counting redirects. 0 for a response from the cache.
        package let attempts: Int
        package let provenance: HTTPProvenance
        /// The caller's note about a body that it keeps itself. The response's body is then empty.
        package internal(set) var note: [UInt8]?
        /// Where to store the body, or the note of a caller that keeps bodies itself, once it is known to be
        /// usable. Nil without a cache.
        package let slot: CacheReservation?
        /// The key of the response in the cache.
        let key: CacheKey?
        /// The number of the renewable secret that was sent, if there is one.
        package let sentSecret: Int?

        /// The failure of a complete response that can't be used.
        package func failure(_ reason: HTTPFailure.Reason) -> HTTPFailure {
            guard case .success(let response) = result else { return HTTPFailure(reason) }
            var failure = HTTPFailure(reason)
            failure.authority = response.redirectChain.last?.authority ?? ""
            failure.attempts = attempts
            failure.redirectChain = response.redirectChain
            failure.httpStatus = response.status
            return failure
        }
    }

    /// Why `next` returned.
    package enum Event: Sendable {
        case completed(Completion)
        /// The input is readable or at its end.
        case inputReady
        /// No request is under way.
        case idle
        /// A signal asks the run to end. Dropping the client drops the requests under way.
        case interrupted
    }
}
