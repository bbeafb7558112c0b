// Whether and when a request is sent again: full jitter over an exponentially growing span, so that clients that
// failed together don't retry in lockstep.
//
//     attempt  1        2         3         4
//     wait     0…0.25   0…0.5     0…1       0…2 s   … at most `capSeconds`, or exactly what the service asks for

import PipelineCore

package struct RetryPolicy: Equatable, Sendable {
    /// What is known of the earlier tries of a request. The client carries it from try to try.
    package struct History: Sendable {
        package var attempts: Int

        package init(attempts: Int = 0) { self.attempts = attempts }
    }

    package enum Decision: Equatable, Sendable {
        /// - Parameters:
        ///   - holdsOrigin: the service caused the wait, so it applies to all requests to its origin.
        ///   - isSlow: they are sent one at a time from then on.
        case retry(afterSeconds: Double, holdsOrigin: Bool, isSlow: Bool)
        case giveUp(HTTPFailure.Reason)
    }

    package var retries = 5
    /// The retries after a wait that the service asks for, if that is more.
    package var retriesWhenAsked = 0
    /// The maximum wait before the first retry. It doubles with each.
    package var baseSeconds = 0.25
    /// The maximum wait, unless the service asks for one.
    package var capSeconds = 30.0
    /// The maximum wait that the service may ask for.
    private static let maxRetryAfterSeconds = 300.0
    /// A page of HTML with 403, 429 or 503 says that requests come too fast, or from somebody unwelcome. They are sent
    /// once more and then slower.
    package var treatsHTMLAsThrottling = false
    /// The wait after such a page, unless the service asks for one.
    private static let pageSeconds = 5.0

    package init() {}

    /// - Parameter body: of a response with the status of a failure.
    package func decision(
        after reason: HTTPFailure.Reason, _ history: inout History, headers: HTTPHeaders, body: [UInt8] = [],
        now: Double, using generator: inout some RandomNumberGenerator
    ) -> Decision {
        let reason = seen(reason, headers, body)
        guard HTTPFailure(reason).isRetryable else { return .giveUp(reason) }
        let asked: Double? =
            switch reason {
            case .status, .rateLimited, .unwelcome: RetryAfter.seconds(headers, now: now)
            default: nil
            }
        if let asked, asked > Self.maxRetryAfterSeconds { return .giveUp(.rateLimited(seconds: asked)) }
        let allowed = asked == nil ? retries : max(retries, retriesWhenAsked)
        guard history.attempts <= min(allowed, Self.mostRetries(after: reason)) else { return .giveUp(reason) }
        let isPage = if case .unwelcome = reason { true } else { false }
        let seconds =
            asked ?? (isPage ? Self.pageSeconds : backoffSeconds(attempts: history.attempts, using: &generator))
        return .retry(afterSeconds: seconds, holdsOrigin: isPage || asked != nil, isSlow: isPage)
    }

    /// What an error page or a guard answers seldom changes within seconds.
    private static func mostRetries(after reason: HTTPFailure.Reason) -> Int {
        switch reason {
        case .unwelcome: 1
        case .foreign: 2
        default: .max
        }
    }

    /// A random wait from 0 to the span of that attempt, which doubles up to the cap.
    package func backoffSeconds(attempts: Int, using generator: inout some RandomNumberGenerator) -> Double {
        let span = Double(sign: .plus, exponent: max(attempts, 1) - 1, significand: baseSeconds)
        return Double.random(in: 0...min(span, capSeconds), using: &generator)
    }

    /// What a status means. Here refusals are told apart: one that says when to come back is a limit of the rate.
    private func seen(
        _ reason: HTTPFailure.Reason, _ headers: HTTPHeaders, _ body: [UInt8]
    ) -> HTTPFailure.Reason {
        guard case .status(let status) = reason else { return reason }
        if Self.limitsInPlaceOf429.contains(status),
            RetryAfter.isSaid(headers) || status == 403 && Self.isSecondaryLimit(body)
        {
            return .rateLimited(seconds: nil)
        }
        let isPage = headers["Content-Type"]?.lowercased().hasPrefix("text/html") ?? false
        if treatsHTMLAsThrottling, isPage, [403, 429, 503].contains(status) { return .unwelcome(status) }
        return status == 429 ? .rateLimited(seconds: nil) : reason
    }

    /// Statuses that some services send where others send 429. 413 has a wait by RFC 9110, section 15.5.14; 420 and 430
    /// are no statuses of HTTP.
    private static let limitsInPlaceOf429 = [403, 413, 420, 430]

    /// GitHub's second limit may come with 403, requests left, and no time to come back. Its documentation gives these
    /// words of the message as the only sign.
    private static func isSecondaryLimit(_ body: [UInt8]) -> Bool {
        body.span.text.lowercased().contains("secondary rate limit")
    }
}

/// How long a service asks clients to wait: `Retry-After`, or the fields that say when a rate limit resets.
///
///     Retry-After: 2                                   RateLimit-Reset: 30
///     Retry-After: Fri, 31 Dec 1999 23:59:59 GMT       X-RateLimit-Reset: 1700000000
///     Retry-After-Ms: 1500                             RateLimit-Reset: 2023-11-14T22:13:20Z
///     X-Ms-Retry-After-Ms: 1500                        X-RateLimit-Reset-After: 0.65
///                                                      RateLimit: "default";r=0;t=20
///                                                      RateLimit: limit=100, remaining=0, reset=20
package enum RetryAfter {
    /// Numbers from here on are times, in seconds since 1970: nobody asks for a wait of thirty years.
    private static let firstMoment = 1e9
    /// Numbers from here on are times in milliseconds.
    private static let firstMillisecond = 1e12

    /// The seconds to wait, counted from the response. Nil if the header asks for no wait or has a time in the past or an
    /// invalid value: the usual backoff then applies.
    /// - Parameter now: seconds since 1970 by this machine's clock, which the response's own `Date` overrides.
    package static func seconds(_ headers: HTTPHeaders, now: Double) -> Double? {
        let clock = headers["Date"].flatMap { HTTPDate.epochSeconds($0) } ?? now
        if let text = headers["Retry-After"], let wait = wait(text, clock) { return wait }
        return resetSeconds(headers, clock) ?? milliseconds(headers).map { $0 / 1000 }
            ?? RateLimitField(headers).seconds
    }

    /// Of the fields that go with a limit. One that has requests left asks for no wait.
    private static func resetSeconds(_ headers: HTTPHeaders, _ clock: Double) -> Double? {
        guard remaining(headers) ?? 0 == 0 else { return nil }
        let names = ["RateLimit-Reset", "X-RateLimit-Reset", "X-Rate-Limit-Reset"]
        let moments = names.lazy.compactMap { headers[$0].flatMap { wait($0, clock) } }
        return moments.first ?? headers["X-RateLimit-Reset-After"].flatMap(number)
    }

    private static func milliseconds(_ headers: HTTPHeaders) -> Double? {
        ["X-Ms-Retry-After-Ms", "Retry-After-Ms"].lazy.compactMap { headers[$0].flatMap(number) }.first
    }

    /// Whether a response says when to come back, or that a limit has no requests left. Fields that stand in every
    /// response of a service, as the time at which its limit resets, say neither.
    static func isSaid(_ headers: HTTPHeaders) -> Bool {
        if let text = headers["Retry-After"] {
            if (number(text).map { $0 >= 0 } ?? false) || HTTPDate.epochSeconds(text) != nil { return true }
        }
        return milliseconds(headers) != nil || remaining(headers) == 0 || RateLimitField(headers).isUsedUp
    }

    /// The requests left within the limit, nil if the header doesn't say.
    package static func remaining(_ headers: HTTPHeaders) -> Double? {
        let names = ["RateLimit-Remaining", "X-RateLimit-Remaining", "X-Rate-Limit-Remaining"]
        return names.lazy.compactMap { headers[$0] }.first.flatMap(number)
    }

    /// The wait that a value asks for: seconds, or until a moment.
    private static func wait(_ text: String, _ clock: Double) -> Double? {
        let value = number(text)
        if let value, value < firstMoment { return value }
        let date = UTCCalendar.seconds(rfc3339: text.utf8Bytes.span, allowsLeapSecond: true).map {
            Double($0.whole)
        }
        let moment =
            value.map { $0 < firstMillisecond ? $0 : $0 / 1000 } ?? date ?? HTTPDate.epochSeconds(text)
        guard let moment, moment > clock else { return nil }
        return moment - clock
    }

    /// Digits, with a fraction as some services send it.
    fileprivate static func number(_ text: String) -> Double? {
        let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
        return isNumber && text.utf8.first != 0x2E ? Double(text) : nil
    }
}

/// The field `RateLimit` of the drafts (draft-ietf-httpapi-ratelimit-headers): a list of limits, each with the requests
/// left, `r`, and the seconds until there are more, `t`; in earlier drafts one limit, with names.
///
///     RateLimit: "minute";r=0;t=20, "day";r=900;t=3600
///     RateLimit: limit=100, remaining=0, reset=20
struct RateLimitField {
    /// A limit has no requests left.
    private(set) var isUsedUp = false
    /// The longest wait of those limits.
    private(set) var seconds: Double?

    init(_ headers: HTTPHeaders) {
        for value in headers.values("RateLimit") {
            let limits = HTTPHeaders.elements(of: value, at: UInt8(ascii: ","))
                .map { HTTPHeaders.elements(of: $0, at: UInt8(ascii: ";")).compactMap(Self.pair) }
            let hasNames = limits.joined().contains { $0.name == "remaining" }
            for limit in hasNames ? [Array(limits.joined())] : limits { add(limit) }
        }
    }

    private mutating func add(_ limit: [(name: Substring, number: Double)]) {
        guard limit.first(where: { ["r", "remaining"].contains($0.name) })?.number == 0 else { return }
        isUsedUp = true
        guard let wait = limit.first(where: { ["t", "reset"].contains($0.name) })?.number else { return }
        seconds = max(seconds ?? 0, wait)
    }

    private static func pair(_ text: String) -> (name: Substring, number: Double)? {
        guard let sign = text.firstIndex(of: "="), let number = RetryAfter.number(String(text[sign...].dropFirst()))
        else { return nil }
        return (text[..<sign], number)
    }
}
