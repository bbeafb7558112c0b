// What is newer than a time: how a description says that an API gives it, and the time as the API takes it.

import PipelineCore
import PipelineHTTP

extension Source {
    /// How the API gives only what is newer.
    struct Since: Sendable {
        /// How a time is written. What it has no room for is left out, so that it isn't later than the time.
        enum Format: String, CaseIterable, Sendable {
            /// `2026-03-01T10:00:00Z`
            case iso
            /// `2026-03-01`, in UTC
            case date
            /// Seconds since 1970.
            case unix
            case unixMilliseconds = "unix-ms"
        }

        enum Means: Sendable {
            /// The API leaves out what is older.
            case parameter(Placement, Format)
            /// The newest records come first, so reading stops where they are older.
            case newestFirst
        }

        let means: Means
        /// A record's own time.
        let member: JSONPath
        /// How much earlier to ask, for services that show changes late.
        let lagSeconds: Double
    }
}

/// Tells which records are older than a time.
struct AgeFilter: Sendable {
    private static let dayEverywhereSeconds = 38 * 3600.0

    private let least: Instant
    private var member: JSONPathEvaluator

    /// - Returns: nil if the API itself leaves out what is older.
    init?(_ since: Source.Since?, _ instant: Instant?) {
        guard let since, let instant, case .newestFirst = since.means else { return nil }
        least = instant.earlier(by: since.lagSeconds)
        member = JSONPathEvaluator(since.member)
    }

    /// Whether the record has a time that is earlier. One without a time isn't older.
    /// - Parameter record: checked JSON.
    /// - Throws: `tooMuchForPath`.
    mutating func isOlder(_ record: Span<UInt8>) throws(JSONError) -> Bool {
        try member.evaluate(record, isChecked: true, limit: 1)
        guard let node = member.nodes.first else { return false }
        var text: [UInt8] = []
        switch node.kind {
        case .string: JSONStringDecoder.append(record.extracting(node.content), to: &text)
        case .number: text.append(record.extracting(node.range))
        default: return false
        }
        guard let instant = Instant(text.span) else { return false }
        guard instant.isDate else { return instant < least }
        // A date is older only if its whole day is, wherever that is meant: 24 hours, and up to 14 more in the west.
        return instant.earlier(by: -Self.dayEverywhereSeconds) < least
    }
}
