// Whether and when a request is sent again: full jitter over an exponentially growing span, so that clients that
// failed together don't retry in lockstep.
//
//     attempt  1        2         3         4
//     wait     0…0.25   0…0.5     0…1       0…2 s   … at most `capSeconds`, or exactly what the service asks for

/// The rules of retrying. Retries are counted per request.
package struct RetryPolicy: Equatable, Sendable {
    /// What to do after a failure.
    package enum Decision: Equatable, Sendable {
        case retry(afterSeconds: Double)
        case giveUp(HTTPFailure.Reason)
    }

    /// Attempts after the first.
    package var retries = 5
    /// The maximum wait before the first retry. It doubles with each.
    package var baseSeconds = 0.25
    /// The maximum wait, unless the service asks for one.
    package var capSeconds = 30.0
    /// The maximum wait that the service may ask for.
    package var maxRetryAfterSeconds = 300.0

    package init() {}

    /// Decides what to do after a failed attempt.
    /// - Parameters:
    ///   - attempts: how often the request was sent so far, at least 1.
    ///   - headers: of the response, if there was one.
    ///   - now: seconds since 1970.
    package func decision(
        after reason: HTTPFailure.Reason, attempts: Int, headers: HTTPHeaders, now: Double,
        using generator: inout some RandomNumberGenerator
    ) -> Decision {
        let reason = Self.seenAsRateLimit(reason, headers)
        guard HTTPFailure(reason).isRetryable else { return .giveUp(reason) }
        let asked = askedSeconds(reason, headers, now: now)
        if let asked, asked > maxRetryAfterSeconds { return .giveUp(.rateLimited(seconds: asked)) }
        guard attempts <= retries else { return .giveUp(reason) }
        return .retry(afterSeconds: asked ?? backoffSeconds(attempts: attempts, using: &generator))
    }

    /// The wait that the response asks for, nil if it asks for none. It applies to all requests to that service.
    func askedSeconds(_ reason: HTTPFailure.Reason, _ headers: HTTPHeaders, now: Double) -> Double? {
        if case .status = reason { return RetryAfter.seconds(headers, now: now) }
        if case .rateLimited = reason { return RetryAfter.seconds(headers, now: now) }
        return nil
    }

    /// A random wait from 0 to the span of that attempt, which doubles up to the cap.
    package func backoffSeconds(attempts: Int, using generator: inout some RandomNumberGenerator) -> Double {
        var span = baseSeconds
        for _ in 1..<max(attempts, 1) where span < capSeconds { span *= 2 }
        return Double.random(in: 0...min(span, capSeconds), using: &generator)
    }

    /// Some services send 403 when they mean 429, with a limit that has no requests left.
    private static func seenAsRateLimit(
        _ reason: HTTPFailure.Reason, _ headers: HTTPHeaders
    ) -> HTTPFailure.Reason {
        guard case .status(let status) = reason else { return reason }
        let isLimit = status == 429 || status == 403 && RetryAfter.remaining(headers) == 0
        return isLimit ? .rateLimited(seconds: nil) : reason
    }
}
