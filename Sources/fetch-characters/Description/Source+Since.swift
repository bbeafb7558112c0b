// What is newer than a time: how a description says that an API gives it, and the time as the API takes it.

import PipelineCore
import PipelineHTTP

extension Source {
    struct Since: Sendable {
        /// What has the API leave out older records. Nil where the newest come first, so that reading stops at an older one.
        let placement: Placement?
        /// Where the time of the run goes, for an API that wants both ends. Nil for one that doesn't.
        let until: Placement?
        let format: TimeFormat
        let member: JSONPath
        /// How much earlier to ask, for services that show changes late.
        let lagSeconds: Double

        /// `{"parameter": "updated_after", "format": "iso", "member": "updatedAt"}`, `{"newestFirst": true, "member": …}`
        init(of object: DescriptionReader) {
            let isNewestFirst = object.isTrue("newestFirst")
            if isNewestFirst {
                for name in ["parameter", "until", "format"] where object.has(name) {
                    object.mistake(name, "has no use if the newest records come first")
                }
            }
            placement = isNewestFirst ? nil : object.placement("parameter", .since)
            until = isNewestFirst || !object.has("until") ? nil : object.placement("until", .since)
            format = object.text("format").flatMap { TimeFormat($0) } ?? .word(.iso)
            member = object.path("member") ?? .whole
            lagSeconds = object.duration("lag") ?? 0
        }
    }
}

struct AgeFilter: Sendable {
    private static let dayEverywhereSeconds = 38 * 3600.0
    private static let anywhereSeconds = 14 * 3600.0

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
        return instant.earlier(by: -Self.doubtSeconds(instant, least)) < least
    }

    /// A date is older only if its whole day is, wherever that is meant: 24 hours, and up to 14 more in the west. A time without
    /// an offset is older wherever it is meant, unless both come from the same clock.
    private static func doubtSeconds(_ instant: Instant, _ least: Instant) -> Double {
        switch instant.form {
        case .date: dayEverywhereSeconds
        case .local where least.form != .local: anywhereSeconds
        case .local, .exact: 0
        }
    }
}

/// Moments as APIs write them: times and dates, and Unix times in seconds or milliseconds.
///
///     2026-03-01T10:00:00.5+01:00    2026-03-01    20260301    1772355600    1772355600500    1772359200.5
///     2026-03-01T10:00:00.000+0000   2026-03-01 10:00:00       2026-03-01T10:00
struct Instant: Comparable, Sendable {
    /// Unix times from here on are milliseconds: as seconds they would be after the year 5138.
    private static let leastMilliseconds = 100_000_000_000
    /// The years 0000 to 9999, which every format has.
    private static let writable = -62_167_219_200_000...253_402_300_799_999

    /// Since 1970.
    let milliseconds: Int
    let form: Form

    enum Form: Sendable {
        case exact
        /// A time without an offset: read as if it were UTC.
        case local
        /// A day.
        case date
    }

    private init(milliseconds: Int, _ form: Form) {
        self.milliseconds = milliseconds
        self.form = form
    }

    init?(_ text: Span<UInt8>) {
        if let time = ISOTime(text) {
            // What is binary in a decimal fraction may be just below it.
            self.init(
                milliseconds: time.wholeSeconds * 1000 + Int(time.part * 1000 + 1e-9),
                time.hasOffset ? .exact : .local)
        } else if let day = UTCCalendar.day(rfc3339: text) ?? UTCCalendar.day(basic: text) {
            self.init(milliseconds: day * 86_400_000, .date)
        } else if let milliseconds = Self.unixMilliseconds(text.text) {
            self.init(milliseconds: milliseconds, .exact)
        } else {
            return nil
        }
        guard Self.writable.contains(milliseconds) else { return nil }
    }

    /// Nil for what isn't a number of seconds or milliseconds, with a fraction or without.
    private static func unixMilliseconds(_ text: String) -> Int? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let number = Int(parts[0]), writable.contains(number) else { return nil }
        let isMilliseconds = number.magnitude >= leastMilliseconds
        guard parts.count == 2 else { return isMilliseconds ? number : number * 1000 }
        let fraction = parts[1].utf8
        // The fraction of a negative one would be rounded the other way.
        let isFraction = !fraction.isEmpty && fraction.allSatisfy { (0x30...0x39).contains($0) }
        guard number >= 0, isFraction else { return nil }
        let thousandths = Int((parts[1].prefix(3) + "000").prefix(3)) ?? 0
        return isMilliseconds ? number : number * 1000 + thousandths
    }

    static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }

    /// Not before the year 0000.
    func earlier(by seconds: Double) -> Instant {
        Instant(milliseconds: max(Self.writable.lowerBound, milliseconds - Int(seconds.rounded(.up)) * 1000), form)
    }

    static var now: Instant { Instant(milliseconds: Int(WallClock.epochSeconds * 1000), .exact) }

    var seconds: Int { Int((Double(milliseconds) / 1000).rounded(.down)) }
}
