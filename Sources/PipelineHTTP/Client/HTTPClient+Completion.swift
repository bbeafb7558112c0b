// What comes out of the client: requests that have ended, and the other reasons to stop waiting.

extension HTTPClient {
    /// A request that has ended.
    package struct Completion: Sendable {
        /// The number it was submitted with.
        package let tag: Int
        package let result: Result<HTTPResponse, HTTPFailure>
        /// How often it was sent, redirects apart; 0 where the cache answered.
        package let attempts: Int
        package let provenance: HTTPProvenance
        /// What the caller noted about a body that it keeps itself; the response's body is empty then.
        package internal(set) var note: [UInt8]?
        /// Where the body goes, or a note about it of a caller that keeps bodies itself, once it is known to be of use; nil
        /// where there is no cache.
        package let slot: CacheReservation?
        /// The entry of the response in the cache.
        let key: CacheKey?

        /// The failure of a response that came whole and can't be used.
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
        /// The input has something to read, or has ended.
        case inputReady
        /// No request is under way.
        case idle
        /// A signal asks the run to end. Requests under way are dropped with the client.
        case interrupted
    }
}
