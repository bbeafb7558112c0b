// The three spellings of a date in HTTP (RFC 9110, section 5.6.7), and the one of ISO 8601 that some services use.
//
//     Sun, 06 Nov 1994 08:49:37 GMT     Sunday, 06-Nov-94 08:49:37 GMT     Sun Nov  6 08:49:37 1994
//     1994-11-06T08:49:37Z              1994-11-06T09:49:37.25+01:00

import PipelineCore

/// Dates as services write them, as seconds since 1970-01-01T00:00:00Z.
package enum HTTPDate {
    private static let months: StaticString = "janfebmaraprmayjunjulaugsepoctnovdec"

    /// Reads an HTTP date, nil for anything else.
    /// - Parameter now: decides the century of a year with two digits: at most 50 years ahead.
    package static func epochSeconds(_ text: String, now: Double) -> Double? {
        usual(text.utf8Span.span) ?? any(text, now: now)
    }

    /// Reads the spelling that nearly all services use, byte for byte as the standard has it; nil for any other.
    private static func usual(_ text: Span<UInt8>) -> Double? {
        guard text.count == 29, text[3] == 0x2C, text[4] == 0x20, text[7] == 0x20, text[11] == 0x20,
            text[16] == 0x20,
            text[19] == 0x3A, text[22] == 0x3A, text[25] == 0x20, text[26] == 0x47, text[27] == 0x4D,
            text[28] == 0x54, let day = number(text, 5..<7), let month = month(text, at: 8),
            let year = number(text, 12..<16), let hour = number(text, 17..<19), let minute = number(text, 20..<22),
            let second = number(text, 23..<25), (1...31).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        return Double(days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second)
    }

    private static func number(_ text: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var number = 0
        for index in range {
            guard (0x30...0x39).contains(text[index]) else { return nil }
            number = number * 10 + Int(text[index] - 0x30)
        }
        return number
    }

    /// The month, from 1, whose three letters stand at the place, in any case.
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
        name.utf8.count == 3 ? month(name.utf8Span.span, at: 0) : nil
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

    /// Reads a date and time of ISO 8601 with a zone (RFC 3339), nil for anything else.
    package static func epochSeconds(iso text: String) -> Double? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] == 0x54 || bytes[10] == 0x20,
            let day = seconds(
                number(bytes[0..<4]), number(bytes[5..<7]) ?? 0, number(bytes[8..<10]),
                time: String(decoding: bytes[11..<19], as: UTF8.self))
        else { return nil }
        var rest = bytes[19...]
        if rest.first == 0x2E { rest = rest.dropFirst().drop { (0x30...0x39).contains($0) } }
        guard rest != [0x5A], rest != [0x7A] else { return day }
        guard rest.count == 6, let sign = rest.first, sign == 0x2B || sign == 0x2D,
            rest[rest.startIndex + 3] == 0x3A, let hours = number(rest.dropFirst().prefix(2)),
            let minutes = number(rest.suffix(2))
        else { return nil }
        let offset = Double(hours * 3600 + minutes * 60)
        return sign == 0x2B ? day - offset : day + offset
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
        let clock = time.utf8.split(separator: 0x3A, omittingEmptySubsequences: false).map {
            number(Array($0)[...])
        }
        guard let year, let day, (1...12).contains(month), (1...31).contains(day), clock.count == 3,
            let hour = clock[0], let minute = clock[1], let second = clock[2], hour < 24, minute < 60, second <= 60
        else { return nil }
        return Double(days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second)
    }

    /// Days since 1970-01-01 in the Gregorian calendar. The year begins in March here, so that the leap day is its last;
    /// 400 years have 146,097 days.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func number(_ text: String) -> Int? { number(Array(text.utf8)[...]) }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard !digits.isEmpty, digits.count <= 4, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
