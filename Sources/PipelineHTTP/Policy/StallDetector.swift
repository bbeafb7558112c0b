// Distinguishes a stalled transfer from a slow one: no byte for the whole limit, or hardly any over a window of
// that length. libcurl's own check averages over seconds and counts whole ones.

/// Watches the bytes of one transfer. Times are seconds of the monotonic clock.
package struct StallDetector {
    /// In bytes per second: a transfer slower than this over the whole window has stalled.
    static let leastBytesPerSecond = 100.0
    /// After this long without a check, the reader was away rather than the server: the count starts over.
    private static let absenceSeconds = 1.0

    /// When the window began; nil unless the client waits for the server.
    private var start: Double?
    private var received = 0
    private var hasReceivedSinceLook = false
    private var lastByte = 0.0
    private var lastLook = 0.0

    /// The request is sent: from now on the client waits for the server.
    package mutating func begin(now: Double) {
        start = now
        received = 0
        hasReceivedSinceLook = false
        lastByte = now
        lastLook = now
    }

    /// There is no connection yet, or no longer one.
    package mutating func stop() { start = nil }

    /// How long the server has sent nothing; 0 unless the client waits for it.
    func silentSeconds(now: Double) -> Double { start == nil ? 0 : now - lastByte }

    package mutating func receive(_ count: Int) {
        received += count
        if count > 0 { hasReceivedSinceLook = true }
    }

    /// Whether the server has exceeded the limit. Check often, each time after reading what has arrived.
    package mutating func isIdle(now: Double, limitSeconds: Double) -> Bool {
        guard let begun = start else { return false }
        guard now - lastLook <= Self.absenceSeconds else {
            begin(now: now)
            return false
        }
        lastLook = now
        if hasReceivedSinceLook { lastByte = now }
        hasReceivedSinceLook = false
        if now - lastByte >= limitSeconds { return true }
        guard now - begun >= limitSeconds else { return false }
        let isTooSlow = Double(received) < Self.leastBytesPerSecond * limitSeconds
        start = now
        received = 0
        return isTooSlow
    }
}
