// Dates: seconds since 2001-01-01T00:00:00Z in a property list, RFC 3339 in texts. UTC, the Gregorian calendar carried
// back, no leap seconds, as in both of these.

/// Reads and writes dates.
package enum DateText {
    /// Seconds from 0000-03-01, from where days are counted, to 2001-01-01.
    private static let epoch: Int64 = 730_791 * 86_400
    /// Seconds of the years 0000 to 9999, which RFC 3339 can write.
    private static let writable: Range<Double> = -63_145_526_400..<252_423_993_600

    /// Whether the date is in the years 0000 to 9999.
    package static func isWritable(_ seconds: Double) -> Bool { writable.contains(seconds) }

    /// The date as `2011-05-12T01:02:03Z`; nil outside the years 0000 to 9999.
    /// - Parameter withFraction: parts of a second are written; an XML property list has none.
    package static func text(_ seconds: Double, withFraction: Bool) -> String? {
        guard isWritable(seconds) else { return nil }
        let whole = seconds.rounded(.down)
        let total = Int64(whole) + epoch
        let (year, month, day) = civil(days: total / 86_400)
        let rest = total % 86_400
        let date = padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2)
        let time = padded(rest / 3600, 2) + ":" + padded(rest / 60 % 60, 2) + ":" + padded(rest % 60, 2)
        guard withFraction, seconds != whole else { return date + "T" + time + "Z" }
        return fractional(date + "T" + time, of: seconds, part: seconds - whole)
    }

    /// The date with as many digits of its part of a second, up to nine, as it takes to be read as the same.
    private static func fractional(_ start: String, of seconds: Double, part: Double) -> String {
        var text = start + "Z"
        var scale = 1.0
        for count in 1...9 {
            scale *= 10
            let value = (part * scale).rounded()
            guard value < scale else { continue }
            text = value == 0 ? start + "Z" : "\(start).\(padded(Int64(value), count))Z"
            if self.seconds(Array(text.utf8).span) == seconds { return text }
        }
        return text
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// Reads an RFC 3339 date and time, with an offset and parts of a second; nil for any other text.
    package static func seconds(_ text: Span<UInt8>) -> Double? {
        guard text.count >= 20, let year = digits(text, 0, 4), text[4] == UInt8(ascii: "-"),
            let month = digits(text, 5, 2), text[7] == UInt8(ascii: "-"), let day = digits(text, 8, 2),
            text[10] | 0x20 == UInt8(ascii: "t") || text[10] == UInt8(ascii: " "),
            let hour = digits(text, 11, 2), text[13] == UInt8(ascii: ":"), let minute = digits(text, 14, 2),
            text[16] == UInt8(ascii: ":"), let second = digits(text, 17, 2)
        else { return nil }
        guard (1...12).contains(month), day >= 1, day <= length(ofMonth: month, year), hour < 24, minute < 60,
            second < 60
        else { return nil }
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
        let whole = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset
        let seconds = Double(whole - epoch) + part
        // What the last second of 9999 has no room for is no other year.
        return seconds == writable.upperBound && Double(whole - epoch) < seconds ? seconds.nextDown : seconds
    }

    /// `Z`, `+01:30`: in seconds, up to the end of the text.
    private static func offset(_ text: Span<UInt8>, _ index: Int) -> Int64? {
        guard index < text.count else { return nil }
        if text[index] | 0x20 == UInt8(ascii: "z") { return index + 1 == text.count ? 0 : nil }
        guard text.count == index + 6, text[index + 3] == UInt8(ascii: ":"),
            text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-"),
            let hours = digits(text, index + 1, 2), let minutes = digits(text, index + 4, 2), hours < 24,
            minutes < 60
        else { return nil }
        return (text[index] == UInt8(ascii: "-") ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    private static func digits(_ text: Span<UInt8>, _ start: Int, _ count: Int) -> Int64? {
        guard start + count <= text.count else { return nil }
        var value: Int64 = 0
        for index in start..<start + count {
            let digit = text[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value * 10 + Int64(digit)
        }
        return value
    }

    private static func length(ofMonth month: Int64, _ year: Int64) -> Int64 {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Days since 0000-03-01: years begin in March, so that the leap day is a year's last.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    }

    private static func civil(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * dayOfYear + 2) / 153
        let month = part < 10 ? part + 3 : part - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * part + 2) / 5 + 1)
    }
}
