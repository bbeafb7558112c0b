// When an origin may get its next request: after any wait that it asked for, and at the rate of `--rate`.

import PipelineCore

/// The waits of all origins.
struct OriginSchedule {
    /// With more origins than this, those whose wait is over are removed.
    private static let cooldownLimit = 256

    /// Until when an origin wants no requests, in seconds of the monotonic clock.
    private var cooldowns: [String: Double] = [:]
    private let limiter: RateLimiter?

    /// - Parameter limiter: nil for no limit.
    init(_ limiter: RateLimiter?) { self.limiter = limiter }

    /// When to check again, in seconds of the monotonic clock. Nil to send the request now, which counts as sent.
    mutating func waitEnd(_ url: HTTPURL) -> Double? {
        guard !cooldowns.isEmpty || limiter != nil else { return nil }
        let origin = url.origin
        if let end = cooldowns[origin] {
            if end > MonotonicClock.seconds { return end }
            cooldowns[origin] = nil
        }
        return limiter?.take(origin)
    }

    /// Sends nothing to an origin until then. Of two waits, the longer one applies.
    mutating func coolDown(_ origin: String, until end: Double) {
        if cooldowns.count >= Self.cooldownLimit {
            cooldowns = cooldowns.filter { $0.value > MonotonicClock.seconds }
        }
        cooldowns[origin] = max(end, cooldowns[origin] ?? 0)
    }
}
