// Tells a transfer that has stopped from one that is slow: no byte for the whole limit, or hardly any over a window of
// that length. libcurl's own measure averages over seconds and counts whole ones.

/// Watches the bytes of one transfer. Seconds are the monotonic clock's.
package struct StallDetector {
    /// A transfer slower than this over the whole window has stopped, in bytes per second.
    static let leastBytesPerSecond = 100.0
    /// After so long without a look, the reader was away and not the server: the count starts over.
    private static let absenceSeconds = 1.0

    private var received = 0
    private var receivedAtLook = 0
    private var receivedAtStart = 0
    private var lastByte = 0.0
    private var lastLook = 0.0
    private var start: Double?

    package init() {}

    /// The request goes out: from now on the server is waited for.
    package mutating func begin(now: Double) {
        self = StallDetector()
        restart(now: now)
    }

    /// No connection yet, or none any more.
    package mutating func stop() { start = nil }

    /// Whether the server is waited for.
    var hasBegun: Bool { start != nil }

    package mutating func receive(_ count: Int) { received += count }

    /// Whether the server has let the limit pass. Ask often, each time after reading what has come.
    package mutating func isIdle(now: Double, limitSeconds: Double) -> Bool {
        guard let begun = start else { return false }
        defer {
            receivedAtLook = received
            lastLook = now
        }
        guard now - lastLook <= Self.absenceSeconds else {
            restart(now: now)
            return false
        }
        if received != receivedAtLook { lastByte = now }
        if now - lastByte >= limitSeconds { return true }
        guard now - begun >= limitSeconds else { return false }
        let isTooSlow = Double(received - receivedAtStart) < Self.leastBytesPerSecond * limitSeconds
        restart(now: now, keepingLastByte: true)
        return isTooSlow
    }

    private mutating func restart(now: Double, keepingLastByte: Bool = false) {
        start = now
        if !keepingLastByte { lastByte = now }
        lastLook = now
        receivedAtStart = received
    }
}
