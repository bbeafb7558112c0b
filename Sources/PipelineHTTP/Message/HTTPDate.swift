// The three date formats of HTTP (RFC 9110, section 5.6.7), and that of ISO 8601, which some services use.
//
//     Sun, 06 Nov 1994 08:49:37 GMT     Sunday, 06-Nov-94 08:49:37 GMT     Sun Nov  6 08:49:37 1994
//     1994-11-06T08:49:37Z              1994-11-06T09:49:37.25+01:00

import PipelineCore

/// Dates as services send them, as seconds since 1970-01-01T00:00:00Z.
package enum HTTPDate {
    private static let months: StaticString = "janfebmaraprmayjunjulaugsepoctnovdec"

    /// Parses an HTTP date, nil for anything else.
    /// - Parameter now: decides the century of a two-digit year: at most 50 years ahead.
    package static func epochSeconds(_ text: String, now: Double) -> Double? {
        usual(text.utf8Bytes.span) ?? any(text, now: now)
    }

    /// Parses the format that nearly all services use, exactly as the standard writes it. Nil for any other.
    private static func usual(_ text: Span<UInt8>) -> Double? {
        guard text.count == 29, text[3] == 0x2C, text[4] == 0x20, text[7] == 0x20, text[11] == 0x20,
            text[16] == 0x20,
            text[19] == 0x3A, text[22] == 0x3A, text[25] == 0x20, text[26] == 0x47, text[27] == 0x4D,
            text[28] == 0x54, let day = UTCCalendar.digits(text, 5, 2), let month = month(text, at: 8),
            let year = UTCCalendar.digits(text, 12, 4), let hour = UTCCalendar.digits(text, 17, 2),
            let minute = UTCCalendar.digits(text, 20, 2), let second = UTCCalendar.digits(text, 23, 2)
        else { return nil }
        return seconds(year, month, day, hour, minute, second)
    }

    /// The month, from 1, whose three letters are at the location, in any case.
    private static func month(_ text: Span<UInt8>, at location: Int) -> Int? {
        guard location + 3 <= text.count else { return nil }
        let names = months.bytes
        for month in 0..<12 as Range<Int> {
            var same = 0
            while same < 3, text[location + same] | 0x20 == names[3 * month + same] { same += 1 }
            if same == 3 { return month + 1 }
        }
        return nil
    }

    private static func month(_ name: String) -> Int? {
        name.utf8.count == 3 ? month(name.utf8Bytes.span, at: 0) : nil
    }

    private static func any(_ text: String, now: Double) -> Double? {
        let parts = text.utf8.split { $0 == 0x20 || $0 == 0x2C }.map { String(Substring($0)) }
        switch parts.count {
        case 6 where isZone(parts[5]):
            guard let month = month(parts[2]), parts[3].utf8.count == 4 else { return nil }
            return seconds(number(parts[3]), month, number(parts[1]), time: parts[4])
        case 4 where isZone(parts[3]):
            let day = parts[1].split(separator: "-").map(String.init)
            guard day.count == 3, let month = month(day[1]), day[2].utf8.count == 2 else {
                return nil
            }
            return seconds(fullYear(number(day[2]), now: now), month, number(day[0]), time: parts[2])
        case 5:
            guard let month = month(parts[1]), parts[4].utf8.count == 4 else { return nil }
            return seconds(number(parts[4]), month, number(parts[2]), time: parts[3])
        default:
            return nil
        }
    }

    /// Parses an ISO 8601 date and time with a zone (RFC 3339), nil for anything else. Ignores fractional seconds.
    package static func epochSeconds(iso text: String) -> Double? {
        UTCCalendar.seconds(rfc3339: text.utf8Bytes.span, allowsLeapSecond: true).map { Double($0.whole) }
    }

    private static func isZone(_ text: String) -> Bool { text == "GMT" || text == "UTC" }

    private static func fullYear(_ short: Int?, now: Double) -> Int? {
        guard let short else { return nil }
        let thisYear = 1970 + Int(now / 31_556_952)
        let year = thisYear - thisYear % 100 + short
        if year > thisYear + 50 { return year - 100 }
        return year < thisYear - 49 ? year + 100 : year
    }

    private static func seconds(_ year: Int?, _ month: Int, _ day: Int?, time: String) -> Double? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { number(String($0)) }
        guard let year, let day, clock.count == 3, let hour = clock[0], let minute = clock[1],
            let second = clock[2]
        else { return nil }
        return seconds(year, month, day, hour, minute, second)
    }

    /// Second 60 is a leap second, counted as the first of the next minute.
    private static func seconds(
        _ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int
    ) -> Double? {
        guard (1...31).contains(day), hour < 24, minute < 60, second <= 60 else { return nil }
        return Double(UTCCalendar.days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second)
    }

    /// A number of one to four digits.
    private static func number(_ text: String) -> Int? {
        let utf8 = text.utf8Bytes
        let digits = utf8.span
        return (1...4).contains(digits.count) ? UTCCalendar.digits(digits, 0, digits.count) : nil
    }
}
