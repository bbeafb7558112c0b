// What comes out of the client: requests that have ended, and the other reasons to stop waiting.

extension HTTPClient {
    /// A request that has ended.
    package struct Completion: Sendable {
        /// The number it was submitted with.
        package let tag: Int
        package let result: Result<HTTPAnswer, HTTPFailure>
        /// How often it was sent, redirects apart.
        package let attempts: Int

        /// The failure of an answer that came whole and can't be used.
        package func failure(_ reason: HTTPFailure.Reason) -> HTTPFailure {
            guard case .success(let answer) = result else { return HTTPFailure(reason) }
            var failure = HTTPFailure(reason)
            failure.authority = answer.hops.last?.authority ?? ""
            failure.attempts = attempts
            failure.hops = answer.hops
            failure.httpStatus = answer.status
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
