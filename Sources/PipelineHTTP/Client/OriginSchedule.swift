// When an origin may get its next request: after any wait that it asked for, and at the rate of `--rate`.

import PipelineCore

struct OriginSchedule {
    private struct Turn {
        /// When the origin may get its next request, in seconds of the monotonic clock.
        var due = 0.0
        /// It was asked too fast, and gets one request at a time.
        var isSlow = false
    }

    /// With more origins than this, those whose wait is over are removed.
    private static let limit = 256
    /// The least time between requests to an origin that was asked too fast.
    private static let slowSeconds = 1.0

    private var turns: [String: Turn] = [:]
    private let limiter: RateLimiter?

    init(_ limiter: RateLimiter?) { self.limiter = limiter }

    /// When to check again, in seconds of the monotonic clock. Nil to send the request now, which counts as sent.
    mutating func takeTurn(_ url: HTTPURL) -> Double? {
        guard limiter != nil || !turns.isEmpty else { return nil }
        let origin = url.origin
        if let turn = turns[origin], turn.due > MonotonicClock.seconds { return turn.due }
        if let wait = limiter?.take(origin) {
            // The others needn't ask.
            coolDown(origin, until: wait, isSlow: false)
            return wait
        }
        if turns[origin]?.isSlow == true { turns[origin]?.due = MonotonicClock.seconds + Self.slowSeconds }
        return nil
    }

    /// Sends nothing to an origin until then. Of two waits, the longer one applies.
    /// - Parameter isSlow: also sends it one request at a time from then on.
    mutating func coolDown(_ origin: String, until end: Double, isSlow: Bool) {
        if turns.count >= Self.limit {
            turns = turns.filter { $0.value.isSlow || $0.value.due > MonotonicClock.seconds }
        }
        let turn = turns[origin, default: Turn()]
        turns[origin] = Turn(due: max(end, turn.due), isSlow: isSlow || turn.isSlow)
    }
}
