// Days and dates of the proleptic Gregorian calendar, and times as RFC 3339 writes them. UTC without leap seconds,
// as HTTP and property lists count.
//
//     1994-11-06T08:49:37Z     1994-11-06T09:49:37.25+01:00

package enum UTCCalendar {
    /// Days from 0000-03-01, where the count of `days` has a simple rule, to 1970-01-01.
    private static let daysBefore1970 = 719_468

    /// Days since 1970-01-01. Years begin in March here, so a leap day ends its year; 400 years have 146,097 days.
    package static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - daysBefore1970
    }

    package static func date(days: Int) -> (year: Int, month: Int, day: Int) {
        let days = days + daysBefore1970
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * dayOfYear + 2) / 153
        let month = part < 10 ? part + 3 : part - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * part + 2) / 5 + 1)
    }

    /// Seconds since 1970 of a date and time of RFC 3339, whole ones and the fraction; nil for any other text.
    /// - Parameter allowsLeapSecond: read second 60 as the first second of the next minute.
    package static func seconds(
        rfc3339 text: Span<UInt8>, allowsLeapSecond: Bool = false
    ) -> (whole: Int, part: Double)? {
        guard text.count >= 20, let day = day(rfc3339: text.extracting(..<10)),
            text[10] | 0x20 == UInt8(ascii: "t") || text[10] == UInt8(ascii: " "),
            let hour = digits(text, 11, 2), text[13] == UInt8(ascii: ":"), let minute = digits(text, 14, 2),
            text[16] == UInt8(ascii: ":"), let second = digits(text, 17, 2)
        else { return nil }
        guard hour < 24, minute < 60, second < (allowsLeapSecond ? 61 : 60) else { return nil }
        var index = 19
        var part = 0.0
        if text[index] == UInt8(ascii: ".") {
            let start = index
            index += 1
            while index < text.count, digits(text, index, 1) != nil { index += 1 }
            guard index > start + 1, let value = Double("0" + text.extracting(start..<index).text) else {
                return nil
            }
            part = value
        }
        guard let offset = offset(text, index) else { return nil }
        return (day * 86_400 + hour * 3600 + minute * 60 + second - offset, part)
    }

    /// Days since 1970 of a full date of RFC 3339, `1994-11-06`; nil for any other text.
    package static func day(rfc3339 text: Span<UInt8>) -> Int? {
        guard text.count == 10, let year = digits(text, 0, 4), text[4] == UInt8(ascii: "-"),
            text[7] == UInt8(ascii: "-")
        else { return nil }
        return day(text, year, month: 5, day: 8)
    }

    /// Days since 1970 of a date in the basic format of ISO 8601, `19941106`; nil for any other text and for years that
    /// no record has, as the digits may be a number.
    package static func day(basic text: Span<UInt8>) -> Int? {
        guard text.count == 8, let year = digits(text, 0, 4), (1900...2199).contains(year) else { return nil }
        return day(text, year, month: 4, day: 6)
    }

    /// Days since 1970, if the digits of the month and the day are there, and the month has such a day.
    private static func day(_ text: Span<UInt8>, _ year: Int, month: Int, day: Int) -> Int? {
        guard let month = digits(text, month, 2), let day = digits(text, day, 2), (1...12).contains(month),
            day > 0, day <= days(year, month + 1, 1) - days(year, month, 1)
        else { return nil }
        return days(year, month, day)
    }

    /// A moment of the years 0000 to 9999, in seconds since 1970, as `1994-11-06T08:49:37Z`.
    package static func text(seconds: Int) -> String {
        let rest = (seconds % 86_400 + 86_400) % 86_400
        let (year, month, day) = date(days: (seconds - rest) / 86_400)
        func two(_ number: Int) -> String { String(number).padded(to: 2) }
        let date = String(year).padded(to: 4) + "-" + two(month) + "-" + two(day)
        return date + "T" + two(rest / 3600) + ":" + two(rest / 60 % 60) + ":" + two(rest % 60) + "Z"
    }

    /// `Z` or `+01:30`, up to the end of the text, in seconds.
    private static func offset(_ text: Span<UInt8>, _ index: Int) -> Int? {
        guard index < text.count else { return nil }
        if text[index] | 0x20 == UInt8(ascii: "z") { return index + 1 == text.count ? 0 : nil }
        guard text.count == index + 6, text[index + 3] == UInt8(ascii: ":"),
            text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-"),
            let hours = digits(text, index + 1, 2), let minutes = digits(text, index + 4, 2), hours < 24,
            minutes < 60
        else { return nil }
        return (text[index] == UInt8(ascii: "-") ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    /// The number made of `count` digits; nil if any isn't a digit or the text ends first.
    package static func digits(_ text: Span<UInt8>, _ start: Int, _ count: Int) -> Int? {
        guard start + count <= text.count else { return nil }
        var value = 0
        for index in start..<start + count {
            let digit = text[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value * 10 + Int(digit)
        }
        return value
    }
}

/// Durations as people write them: `500ms`, `5s`, `1.5h`, `7d`, `1w`, `5m30s`; a bare number is seconds.
package enum DurationText {
    /// Longer ones are clamped to this one, some thirty thousand years: its milliseconds fit in an `Int`.
    private static let mostSeconds = 1e12

    /// From the longest to the shortest, the order in which several are written.
    private static let units: [(name: String, seconds: Double)] = [
        ("w", 604_800), ("d", 86_400), ("h", 3600), ("m", 60), ("s", 1), ("ms", 0.001),
    ]

    package static func seconds(_ text: String) -> Double? {
        if let seconds = decimal(text[...]) { return clamped(seconds) }
        var rest = text[...]
        var remaining = units[...]
        var sum = 0.0
        while !rest.isEmpty {
            let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            let name = rest.dropFirst(number.count).prefix { $0.isLetter }
            guard let index = remaining.firstIndex(where: { $0.name == name }), let count = decimal(number) else {
                return nil
            }
            sum += count * units[index].seconds
            remaining = units[(index + 1)...]
            rest = rest.dropFirst(number.count + name.count)
        }
        return text.isEmpty ? nil : clamped(sum)
    }

    private static func clamped(_ seconds: Double) -> Double? {
        seconds.isFinite ? min(seconds, mostSeconds) : nil
    }

    /// `5`, `0.5`, `.5`; no sign, no exponent.
    private static func decimal(_ text: Substring) -> Double? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let isNumber = parts.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        guard !text.isEmpty, text != ".", isNumber else { return nil }
        // Swift reads no number that begins or ends with its point.
        return Double("0\(text)\(text.contains(".") ? "0" : "")")
    }
}
