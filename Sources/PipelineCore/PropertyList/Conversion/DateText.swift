// Dates: seconds since 2001-01-01T00:00:00Z in a property list, RFC 3339 in text.

/// Reads and writes dates.
package enum DateText {
    /// Seconds from 1970-01-01 to 2001-01-01.
    private static let epoch = 978_307_200
    /// Seconds of the years 0000 to 9999, the range of RFC 3339.
    private static let writable: Range<Double> = -63_145_526_400..<252_423_993_600

    /// Whether the date is in the years 0000 to 9999.
    package static func isWritable(_ seconds: Double) -> Bool { writable.contains(seconds) }

    /// The date as `2011-05-12T01:02:03Z`; nil outside the years 0000 to 9999.
    /// - Parameter withFraction: writes fractions of a second; an XML property list has none.
    package static func text(_ seconds: Double, withFraction: Bool) -> String? {
        guard isWritable(seconds) else { return nil }
        let whole = seconds.rounded(.down)
        let total = Int(whole) + epoch
        let rest = (total % 86_400 + 86_400) % 86_400
        let (year, month, day) = UTCCalendar.date(days: (total - rest) / 86_400)
        let date = padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2)
        let time = padded(rest / 3600, 2) + ":" + padded(rest / 60 % 60, 2) + ":" + padded(rest % 60, 2)
        guard withFraction, seconds != whole else { return date + "T" + time + "Z" }
        return fractional(date + "T" + time, of: seconds, part: seconds - whole)
    }

    /// The date with as few fractional digits, up to nine, as it takes to read back the same.
    private static func fractional(_ start: String, of seconds: Double, part: Double) -> String {
        var text = start + "Z"
        var scale = 1.0
        for count in 1...9 {
            scale *= 10
            let value = (part * scale).rounded()
            guard value < scale else { continue }
            text = value == 0 ? start + "Z" : "\(start).\(padded(Int(value), count))Z"
            if self.seconds(Array(text.utf8).span) == seconds { return text }
        }
        return text
    }

    private static func padded(_ value: Int, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// Reads an RFC 3339 date and time, with an offset and a fraction; nil for any other text.
    package static func seconds(_ text: Span<UInt8>) -> Double? {
        guard let (whole, part) = UTCCalendar.seconds(rfc3339: text) else { return nil }
        let seconds = Double(whole - epoch) + part
        // A fraction that rounds up from the last second of 9999 mustn't reach the year 10000.
        return seconds == writable.upperBound && Double(whole - epoch) < seconds ? seconds.nextDown : seconds
    }
}
