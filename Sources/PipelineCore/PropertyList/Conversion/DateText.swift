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
        let text = UTCCalendar.text(seconds: Int(whole) + epoch)
        guard withFraction, seconds != whole else { return text }
        return fractional(String(text.dropLast()), of: seconds, part: seconds - whole)
    }

    /// The date with as few fractional digits, up to nine, as it takes to read back the same.
    private static func fractional(_ start: String, of seconds: Double, part: Double) -> String {
        var text = start + "Z"
        var scale = 1.0
        for count in 1...9 {
            scale *= 10
            let value = (part * scale).rounded()
            guard value < scale else { continue }
            text = value == 0 ? start + "Z" : "\(start).\(UTCCalendar.padded(Int(value), count))Z"
            if self.seconds(Array(text.utf8).span) == seconds { return text }
        }
        return text
    }

    /// Reads an RFC 3339 date and time, with an offset and a fraction; nil for any other text.
    package static func seconds(_ text: Span<UInt8>) -> Double? {
        guard let (whole, part) = UTCCalendar.seconds(rfc3339: text) else { return nil }
        let seconds = Double(whole - epoch) + part
        // A fraction that rounds up from the last second of 9999 mustn't reach the year 10000.
        return seconds == writable.upperBound && Double(whole - epoch) < seconds ? seconds.nextDown : seconds
    }
}
