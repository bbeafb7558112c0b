// The pace of requests under `--rate`: to each origin at even distances, by all processes of the machine together.
//
//     file of the origin:  when the last request went         14:00:00.000
//     5/second             the next one may go at             14:00:00.200
//
// This is the generic cell rate algorithm with room for one cell, so that no span ever holds more than the rate says.
// Nobody reserves a place ahead of time: who may not go yet looks again later, so a killed process takes nothing along.

import PipelineCore

/// Who may ask when. Moments are nanoseconds of the monotonic clock, which all processes share until the machine starts
/// again.
package final class RateLimiter {
    /// A request that comes late by at most this is counted as on time, so that waits that end late don't add up.
    private static let latenessNanoseconds: Int64 = 10_000_000
    /// Clocks of one machine are never that far apart.
    private static let aheadNanoseconds: Int64 = 1_000_000_000
    /// How soon to look again where another process has the file locked, which it has for microseconds.
    private static let lockedSeconds = 0.002
    /// Files held open, and origins remembered.
    private static let limit = 64

    private let intervalNanoseconds: Int64
    /// The directory of the files; nil where there is none, and this process keeps the pace alone.
    private let directory: String?
    private var files: [String: SharedValueFile] = [:]
    /// What this process knows: when the next request may go at the earliest.
    private var earliest: [String: Int64] = [:]

    /// - Parameter directory: where the processes meet; made where it is missing.
    package init(_ rate: Rate, directory: String?) {
        intervalNanoseconds = Int64(rate.intervalSeconds * 1e9)
        do throws(SystemError) {
            if let directory { try Directory.make(directory, mode: 0o700) }
            self.directory = directory
        } catch {
            self.directory = nil
        }
    }

    deinit {
        guard let directory else { return }
        do throws(SystemError) {
            // No rate looks back further than an hour.
            try SharedValueFile.removeUnused(in: directory, prefix: "http", seconds: 2 * Rate.Span.hour.seconds)
        } catch {
            // They are a few bytes each.
        }
    }

    /// Takes the next place for a request to the origin.
    /// - Parameter clock: is read again while the file is locked: whoever had to wait for that would come with a moment
    ///   that lies before the one that another process has taken meanwhile.
    /// - Returns: nil where it may go now, else the moment to ask again, in seconds of the monotonic clock.
    package func take(_ origin: String, now clock: @autoclosure () -> Int64 = MonotonicClock.nanoseconds) -> Double?
    {
        let now = clock()
        if let known = earliest[origin], known > now { return Double(known) / 1e9 }
        if earliest.count >= Self.limit { earliest = earliest.filter { $0.value > now } }
        do throws(SystemError) {
            if let file = try file(origin) { return try take(origin, clock, from: file) }
        } catch {
            // Without the file the pace is this process's own.
        }
        let last = earliest[origin].map { $0 - intervalNanoseconds }
        let location = location(after: last, now)
        earliest[origin] = (location.isFree ? location.moment : last ?? 0) + intervalNanoseconds
        return location.isFree ? nil : Double(location.moment) / 1e9
    }

    private func take(
        _ origin: String, _ clock: () -> Int64, from file: SharedValueFile
    ) throws(SystemError) -> Double? {
        var found: (moment: Int64, isFree: Bool)?
        let isDone = try file.change { last in
            let location = location(after: last == 0 ? nil : last, clock())
            found = location
            return location.isFree ? location.moment : nil
        }
        guard isDone, let found else { return Double(clock()) / 1e9 + Self.lockedSeconds }
        earliest[origin] = found.isFree ? nil : found.moment
        return found.isFree ? nil : Double(found.moment) / 1e9
    }

    /// The place after the last request, and whether it may be taken now.
    private func location(after last: Int64?, _ now: Int64) -> (moment: Int64, isFree: Bool) {
        // A moment that is still far off is from before the machine's last start.
        guard let last, last <= now + Self.aheadNanoseconds else { return (now, true) }
        let next = last + intervalNanoseconds
        guard next <= now else { return (next, false) }
        return (max(next, now - min(Self.latenessNanoseconds, intervalNanoseconds)), true)
    }

    private func file(_ origin: String) throws(SystemError) -> SharedValueFile? {
        guard let directory else { return nil }
        if let file = files[origin] { return file }
        if files.count >= Self.limit { files.removeAll() }
        let file = try SharedValueFile("\(directory)/\(Self.fileName(origin))")
        files[origin] = file
        return file
    }

    /// `https://[::1]:8080` → `https_____1__8080`, and a long one cut: two that meet in a name share their rate.
    private static func fileName(_ origin: String) -> String {
        let safe = origin.utf8.map { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D || byte == 0x2E
                ? byte : 0x5F
        }
        return String(decoding: safe.prefix(200), as: UTF8.self)
    }
}
