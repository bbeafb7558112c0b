// A slow link: whatever a server sends goes through it at one speed, however many connections it has.

import PipelineCore
import Synchronization

/// A link that the connections share.
final class Link: Sendable {
    /// So much is sent at once: short enough for a smooth flow, long enough for the clock.
    static let pieceBytes = 1460

    let bytesPerSecond: Double
    /// When the link is free again, in seconds of the monotonic clock.
    private let freeSeconds = Mutex(0.0)

    init(bytesPerSecond: Double) { self.bytesPerSecond = bytesPerSecond }

    /// Takes the link for this number of bytes, after those that have it already.
    /// - Returns: when they have gone through, in seconds of the monotonic clock.
    func take(_ count: Int) -> Double {
        freeSeconds.withLock { free in
            free = max(free, MonotonicClock.seconds) + Double(count) / bytesPerSecond
            return free
        }
    }

    /// A speed as `10Mbit`, `64kbit` or `500bit`, each a second.
    static func speed(_ value: [UInt8]) throws(FaultValueError) -> Double {
        let text = FaultSpec.string(value)
        for (unit, factor) in [("Mbit", 1e6), ("kbit", 1e3), ("bit", 1)] where text.hasSuffix(unit) {
            if let count = Double(text.dropLast(unit.count)), (800...1e10).contains(count * factor) {
                return count * factor / 8
            }
        }
        throw FaultValueError(reason: "\(text) is not a speed from 800bit to 10000Mbit, as in 10Mbit")
    }
}
