// Times as services and databases write them, looser than RFC 3339: with a space, with an offset without a colon, without
// seconds, without an offset.
//
//     2026-03-01T10:00:00.000+0000     2026-03-01 10:00:00     2026-03-01 10:00:00.5 +01     2026-03-01T10:00

package struct ISOTime: Equatable, Sendable {
    /// Since 1970, as if it were UTC where no offset is written.
    package let wholeSeconds: Int
    package let part: Double
    package let hasOffset: Bool

    /// Nil for anything but a date with a time. Second 60 is the first second of the next minute.
    package init?(_ text: Span<UInt8>) {
        guard text.count >= 16, let day = UTCCalendar.day(rfc3339: text.extracting(..<10)),
            text[10] | 0x20 == UInt8(ascii: "t") || text[10] == UInt8(ascii: " "),
            let hour = UTCCalendar.digits(text, 11, 2), text[13] == UInt8(ascii: ":"),
            let minute = UTCCalendar.digits(text, 14, 2), hour < 24, minute < 60
        else { return nil }
        var index = 16
        var second = 0
        var part = 0.0
        if index < text.count, text[index] == UInt8(ascii: ":") {
            guard let found = UTCCalendar.digits(text, index + 1, 2), found < 61 else { return nil }
            second = found
            index += 3
            guard let fraction = Self.fraction(text, &index) else { return nil }
            part = fraction
        }
        hasOffset = index < text.count
        var offset = 0
        if hasOffset {
            guard let found = Self.offset(text.extracting(index...)) else { return nil }
            offset = found
        }
        wholeSeconds = day * 86_400 + hour * 3600 + minute * 60 + second - offset
        self.part = part
    }

    /// What follows a point or a comma, 0 where neither is there. Nil if no digit follows it.
    private static func fraction(_ text: Span<UInt8>, _ index: inout Int) -> Double? {
        guard index < text.count, text[index] == UInt8(ascii: ".") || text[index] == UInt8(ascii: ",") else {
            return 0
        }
        let start = index + 1
        index = start
        while UTCCalendar.digits(text, index, 1) != nil { index += 1 }
        return index == start ? nil : Double("0." + text.extracting(start..<index).text)
    }

    /// `Z`, `UTC`, `+01`, `+0100` or `+01:00`, perhaps after a space, in seconds.
    private static func offset(_ text: Span<UInt8>) -> Int? {
        let rest = text[0] == UInt8(ascii: " ") ? text.extracting(1...) : text
        guard rest.count > 0 else { return nil }
        if ["Z", "z", "UTC", "GMT"].contains(rest.text) { return 0 }
        let isNegative = rest[0] == UInt8(ascii: "-")
        guard isNegative || rest[0] == UInt8(ascii: "+"), let hours = UTCCalendar.digits(rest, 1, 2), hours < 24
        else { return nil }
        var minutes = 0
        if rest.count > 3 {
            let start = rest[3] == UInt8(ascii: ":") ? 4 : 3
            guard rest.count == start + 2, let found = UTCCalendar.digits(rest, start, 2), found < 60 else {
                return nil
            }
            minutes = found
        }
        return (isNegative ? -1 : 1) * (hours * 3600 + minutes * 60)
    }
}
