// Transfers that have stopped, by a clock of the test's own.

import PipelineHTTP
import Testing

struct StallDetectorTests {
    /// Looks every tenth of a second, `bytes` arriving before each look; returns when the transfer was given up.
    func secondsUntilIdle(
        limit: Double, until end: Double = 60, _ bytes: (Double) -> Int
    ) -> Double? {
        var meter = StallDetector()
        meter.begin(now: 100)
        for tick in 1...Int(end * 10) {
            let time = Double(tick) / 10
            meter.receive(bytes(time))
            if meter.isIdle(now: 100 + time, limitSeconds: limit) { return time }
        }
        return nil
    }

    @Test func `silence from the start ends at the limit`() {
        #expect(secondsUntilIdle(limit: 10) { _ in 0 } == 10)
    }

    @Test func `silence after a good beginning ends at the limit`() throws {
        let end = try #require(secondsUntilIdle(limit: 10) { $0 < 3.05 ? 50_000 : 0 })
        #expect(abs(end - 13) < 0.15)
    }

    @Test func `a drip ends with the first window`() {
        #expect(secondsUntilIdle(limit: 10) { Int($0 * 10) % 5 == 0 ? 1 : 0 } == 10)
    }

    @Test func `a slow transfer goes on`() {
        #expect(secondsUntilIdle(limit: 10) { _ in 11 } == nil)
    }

    @Test func `nothing is idle before it has begun or after it has stopped`() {
        var meter = StallDetector()
        #expect(meter.isIdle(now: 1000, limitSeconds: 1) == false)
        meter.begin(now: 0)
        meter.stop()
        #expect(meter.isIdle(now: 1000, limitSeconds: 1) == false)
    }

    @Test func `an absence of the reader is not the server's`() {
        var meter = StallDetector()
        meter.begin(now: 0)
        #expect(meter.isIdle(now: 60, limitSeconds: 10) == false)
        #expect(meter.isIdle(now: 60.5, limitSeconds: 10) == false)
    }
}
