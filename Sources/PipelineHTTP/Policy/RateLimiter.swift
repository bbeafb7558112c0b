// The rate limit of `--rate`: evenly spaced requests to each origin, across all processes on the machine.
//
//     file of the origin:  time of the last request           14:00:00.000
//     5/second             time of the next one               14:00:00.200
//
// This is the generic cell rate algorithm with room for one cell, so no span ever has more than the rate allows. A process
// that has to wait checks again later and reserves no slot: a killed one takes none with it.

import PipelineCore

/// Grants slots. Times are nanoseconds of the monotonic clock, which all processes share until a restart.
package final class RateLimiter {
    /// A request late by at most this counts as on time, so that waits that end late don't add up.
    private static let latenessNanoseconds: Int64 = 10_000_000
    /// The clocks of one machine never differ by more.
    private static let aheadNanoseconds: Int64 = 1_000_000_000
    /// How soon to check again while another process has the file locked, which takes microseconds.
    private static let lockedSeconds = 0.002
    private static let limit = 64

    private let intervalNanoseconds: Int64
    private let directory: String?
    /// The times of the last requests, where there is no file.
    private var last: [String: Int64] = [:]

    /// - Parameter directory: shared by the processes, and created if missing.
    package init(_ rate: Rate, directory: String?) {
        intervalNanoseconds = Int64(rate.intervalSeconds * 1e9)
        self.directory = directory.flatMap { (try? Directory.make($0, mode: 0o700)) == nil ? nil : $0 }
    }

    deinit {
        guard let directory else { return }
        // No rate covers more than an hour. Where they can't be removed, they are a few bytes each.
        try? SharedValueFile.removeUnused(in: directory, prefix: "http", seconds: 2 * 3600)
    }

    /// Takes the next slot for a request to the origin.
    /// - Parameter clock: read again once the file is locked: after a wait for the lock, the earlier time could
    ///   precede the slot that another process has taken meanwhile.
    /// - Returns: nil if the request may be sent now, else when to try again, in seconds of the monotonic clock.
    package func take(_ origin: String, now clock: @autoclosure () -> Int64 = MonotonicClock.nanoseconds) -> Double?
    {
        do throws(SystemError) {
            if let directory {
                var found: (moment: Int64, isFree: Bool)?
                let path = "\(directory)/\(HTTPURL.fileName(origin.utf8.prefix(200)))"
                let isDone = try SharedValueFile.change(path) { last in
                    let slot = self.slot(after: last == 0 ? nil : last, clock())
                    found = slot
                    return slot.isFree ? slot.moment : nil
                }
                guard isDone, let found else { return Double(clock()) / 1e9 + Self.lockedSeconds }
                return found.isFree ? nil : Double(found.moment) / 1e9
            }
        } catch {
            // Without the file, this process limits only itself.
        }
        let now = clock()
        if last.count >= Self.limit { last = last.filter { $0.value + intervalNanoseconds > now } }
        let slot = slot(after: last[origin], now)
        if slot.isFree { last[origin] = slot.moment }
        return slot.isFree ? nil : Double(slot.moment) / 1e9
    }

    private func slot(after last: Int64?, _ now: Int64) -> (moment: Int64, isFree: Bool) {
        // A time far in the future dates from before the machine's last restart.
        guard let last, last <= now + Self.aheadNanoseconds else { return (now, true) }
        let next = last + intervalNanoseconds
        guard next <= now else { return (next, false) }
        return (max(next, now - min(Self.latenessNanoseconds, intervalNanoseconds)), true)
    }
}

/// The rate of requests, as users write it.
///
///     5/second     5/s     30/minute     60/min     1000/hour
package struct Rate: Equatable, Sendable, CustomStringConvertible {
    private static let spans: [(name: String, short: [String], seconds: Double)] = [
        ("second", ["sec", "s"], 1), ("minute", ["min"], 60), ("hour", ["h"], 3600),
    ]
    /// The maximum number of requests in a span: more than anyone needs, at an interval that clocks can measure.
    private static let limit = 1_000_000

    package let intervalSeconds: Double
    package let description: String

    /// Parses `N/second`, `N/minute` or `N/hour`, N from 1 to 1000000, or a short form. Nil for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let count = Int(parts[0]), (1...Self.limit).contains(count),
            let span = Self.spans.first(where: { $0.name == parts[1] || $0.short.contains(parts[1]) })
        else { return nil }
        intervalSeconds = span.seconds / Double(count)
        description = "\(count)/\(span.name)"
    }
}
