// How long a service asks clients to wait: `Retry-After`, or the fields that say when a rate limit resets.
//
//     Retry-After: 2                                   RateLimit-Reset: 30
//     Retry-After: Fri, 31 Dec 1999 23:59:59 GMT       X-RateLimit-Reset: 1700000000
//                                                      RateLimit-Reset: 2023-11-14T22:13:20Z

/// The wait that a response's header asks for.
package enum RetryAfter {
    /// Numbers from here on are times, in seconds since 1970: nobody asks for a wait of thirty years.
    private static let firstMoment = 1e9
    /// Numbers from here on are times in milliseconds.
    private static let firstMillisecond = 1e12

    /// The seconds to wait, counted from the response. Nil if the header asks for no wait or has a time in the past
    /// or an invalid value: the usual backoff then applies.
    /// - Parameter now: seconds since 1970 by this machine's clock. The response's own `Date` takes precedence, as
    ///   the two clocks may differ.
    package static func seconds(_ headers: HTTPHeaders, now: Double) -> Double? {
        let clock = headers["Date"].flatMap { HTTPDate.epochSeconds($0, now: now) } ?? now
        if let text = headers["Retry-After"], let wait = retryAfter(text, clock) { return wait }
        guard isExhausted(headers) else { return nil }
        for name in ["RateLimit-Reset", "X-RateLimit-Reset", "X-Rate-Limit-Reset"] {
            if let text = headers[name], let wait = reset(text, clock) { return wait }
        }
        return nil
    }

    /// Whether the header says that no requests are left, or doesn't say.
    private static func isExhausted(_ headers: HTTPHeaders) -> Bool { remaining(headers).map { $0 == 0 } ?? true }

    /// The requests left within the limit, nil if the header doesn't say.
    package static func remaining(_ headers: HTTPHeaders) -> Double? {
        for name in ["RateLimit-Remaining", "X-RateLimit-Remaining", "X-Rate-Limit-Remaining"] {
            if let text = headers[name] { return number(text) }
        }
        return nil
    }

    private static func retryAfter(_ text: String, _ clock: Double) -> Double? {
        if let seconds = number(text) { return seconds }
        guard let moment = HTTPDate.epochSeconds(text, now: clock), moment > clock else { return nil }
        return moment - clock
    }

    private static func reset(_ text: String, _ clock: Double) -> Double? {
        if let value = number(text) {
            if value < firstMoment { return value }
            let moment = value < firstMillisecond ? value : value / 1000
            return moment > clock ? moment - clock : nil
        }
        let moment = HTTPDate.epochSeconds(iso: text) ?? HTTPDate.epochSeconds(text, now: clock)
        guard let moment, moment > clock else { return nil }
        return moment - clock
    }

    /// Digits, with a fraction as some services send it.
    private static func number(_ text: String) -> Double? {
        let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
        return isNumber && text.utf8.first != 0x2E ? Double(text) : nil
    }
}
