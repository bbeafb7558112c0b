// What a run says of responses that stood in for a service that failed, with `--stale-if-error`: that they did, of which host
// and how old they are. Nobody else would notice an outage.

import PipelineCore

package struct StaleUse: Sendable {
    /// When the oldest of them was current, in seconds since 1970. Nil if none was used, or none says.
    private(set) var oldestSeconds: Double?
    /// The hosts that failed, in the order in which they did.
    private var hosts: [String] = []
    /// Hosts beyond this number aren't told apart.
    private static let mostHosts = 64

    package init() {}

    package var isEmpty: Bool { hosts.isEmpty }

    package mutating func add(_ url: HTTPURL, since seconds: Double?) {
        if !hosts.contains(url.authority), hosts.count < Self.mostHosts { hosts.append(url.authority) }
        guard let seconds else { return }
        oldestSeconds = min(oldestSeconds ?? .infinity, seconds)
    }

    /// `2026-11-28T04:17:00Z`
    package var date: String? { oldestSeconds.map { UTCCalendar.text(seconds: Int(max(0, $0))) } }

    /// `api.example failed` or `a.example and 2 other hosts failed`
    package var finding: String {
        let others = hosts.count - 1
        return (hosts.first ?? "the service")
            + (others > 0 ? " and \(others) other host\(others == 1 ? "" : "s")" : "") + " failed"
    }

    /// `3 days`. The largest unit of which there are two.
    package func age(now: Double) -> String? {
        guard let oldestSeconds else { return nil }
        let seconds = max(0, now - oldestSeconds)
        for (length, name) in [(86_400.0, "days"), (3600, "hours"), (60, "minutes")] where seconds >= 2 * length {
            return "\(Int(seconds / length)) \(name)"
        }
        return seconds < 2 ? "a second" : "\(Int(seconds)) seconds"
    }
}
