// What is newer than a time: how a description says that an API gives it, and the time as the API takes it.

import PipelineCore
import PipelineHTTP

extension Source {
    struct Since: Sendable {
        /// How a time is written. What it has no room for is left out, so that it isn't later than the time.
        enum Format: String, CaseIterable, Sendable {
            /// `2026-03-01T10:00:00Z`
            case iso
            /// `2026-03-01`, in UTC
            case date
            case unix
            case unixMilliseconds = "unix-ms"
        }

        /// What has the API leave out older records. Nil where the newest come first, so that reading stops at an older one.
        let placement: Placement?
        let format: Format
        let member: JSONPath
        /// How much earlier to ask, for services that show changes late.
        let lagSeconds: Double

        /// `{"parameter": "updated_after", "format": "iso", "member": "updatedAt"}`, `{"newestFirst": true, "member": …}`
        init(of object: DescriptionReader) {
            let isNewestFirst = object.isTrue("newestFirst")
            if isNewestFirst {
                for name in ["parameter", "format"] where object.has(name) {
                    object.mistake(name, "has no use if the newest records come first")
                }
            }
            placement = isNewestFirst ? nil : object.placement("parameter", .since)
            format = object.word("format") ?? .iso
            member = object.path("member") ?? .whole
            lagSeconds = object.duration("lag") ?? 0
        }
    }
}

struct AgeFilter: Sendable {
    private static let dayEverywhereSeconds = 38 * 3600.0

    private let least: Instant
    private var member: JSONPathEvaluator

    /// - Returns: nil if the API itself leaves out what is older.
    init?(_ since: Source.Since?, _ instant: Instant?) {
        guard let since, let instant, since.placement == nil else { return nil }
        least = instant.earlier(by: since.lagSeconds)
        member = JSONPathEvaluator(since.member)
    }

    /// A record without a time isn't older.
    mutating func isOlder(_ record: Span<UInt8>) throws(ToolFailure) -> Bool {
        try member.find(in: record, limit: 1)
        var text: [UInt8] = []
        _ = member.nodes.first?.appendScalar(in: record, to: &text)
        guard let instant = Instant(text.span) else { return false }
        guard instant.isDate else { return instant < least }
        // A date is older only if its whole day is, wherever that is meant: 24 hours, and up to 14 more in the west.
        return instant.earlier(by: -Self.dayEverywhereSeconds) < least
    }
}

/// Moments as APIs write them: RFC 3339 times and dates, and Unix times in seconds or milliseconds.
///
///     2026-03-01T10:00:00.5+01:00    2026-03-01    20260301    1772355600    1772355600500
struct Instant: Comparable, Sendable {
    /// Unix times from here on are milliseconds: as seconds they would be after the year 5138.
    private static let leastMilliseconds = 100_000_000_000
    /// The years 0000 to 9999, which every format has.
    private static let writable = -62_167_219_200_000...253_402_300_799_999

    /// Since 1970.
    let milliseconds: Int
    /// It was written as a date, and means a day.
    let isDate: Bool

    private init(milliseconds: Int, isDate: Bool = false) {
        self.milliseconds = milliseconds
        self.isDate = isDate
    }

    init?(_ text: Span<UInt8>) {
        if let (whole, part) = UTCCalendar.seconds(rfc3339: text, allowsLeapSecond: true) {
            // What is binary in a decimal fraction may be just below it.
            self.init(milliseconds: whole * 1000 + Int(part * 1000 + 1e-9))
        } else if let day = UTCCalendar.day(rfc3339: text) ?? UTCCalendar.day(basic: text) {
            self.init(milliseconds: day * 86_400_000, isDate: true)
        } else if let number = Int(text.text), Self.writable.contains(number) {
            self.init(milliseconds: number.magnitude >= Self.leastMilliseconds ? number : number * 1000)
        } else {
            return nil
        }
        guard Self.writable.contains(milliseconds) else { return nil }
    }

    static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }

    /// Not before the year 0000.
    func earlier(by seconds: Double) -> Instant {
        Instant(milliseconds: max(Self.writable.lowerBound, milliseconds - Int(seconds.rounded(.up)) * 1000))
    }

    var seconds: Int { Int((Double(milliseconds) / 1000).rounded(.down)) }
}
