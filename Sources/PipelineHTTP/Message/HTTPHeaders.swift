// The header fields of a response: names in any case, repeated fields kept separate.

import PipelineCore

/// Fields in the order received.
package struct HTTPHeaders: Equatable, Sendable {
    /// The maximum number of fields in a response.
    package static let limitCount = 256
    /// The maximum size of the fields of a response, including their names.
    package static let limitBytes = 262_144

    package struct Field: Equatable, Sendable {
        package let name: String
        package internal(set) var value: String
    }

    package private(set) var fields: [Field] = []

    package init() {}

    package var isEmpty: Bool { fields.isEmpty }

    mutating func append(_ field: Field) { fields.append(field) }

    package mutating func append(_ name: String, _ value: String) { fields.append(Field(name: name, value: value)) }

    /// Continues the last field's value (the obsolete line folding of RFC 9112, section 5.2).
    package mutating func continueLast(_ more: String) {
        guard let last = fields.indices.last else { return }
        fields[last].value += fields[last].value.isEmpty ? more : " " + more
    }

    /// Makes room for as many fields as responses usually have.
    mutating func reserve() { fields.reserveCapacity(16) }

    package mutating func removeAll() { fields.removeAll(keepingCapacity: true) }

    /// Removes all fields of that name, in any case.
    mutating func remove(_ name: String) { fields.removeAll { Self.areEqual($0.name, name) } }

    /// The value of the first field of that name, in any case.
    package subscript(_ name: String) -> String? {
        for index in fields.indices where Self.areEqual(fields[index].name, name) { return fields[index].value }
        return nil
    }

    func contains(_ name: String) -> Bool { self[name] != nil }

    /// The values of all fields of that name, in any case, in order.
    package func values(_ name: String) -> [String] {
        var values: [String] = []
        for index in fields.indices where Self.areEqual(fields[index].name, name) {
            values.append(fields[index].value)
        }
        return values
    }

    /// Whether a name is one of these, in any case.
    static func isOne(_ name: String, of names: [String]) -> Bool {
        for index in names.indices where areEqual(names[index], name) { return true }
        return false
    }

    /// Whether two names are equal, ignoring ASCII case (RFC 9110, section 5.1).
    package static func areEqual(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        return zip(left.utf8, right.utf8).allSatisfy { lowered($0) == lowered($1) }
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}

// The three date formats of HTTP (RFC 9110, section 5.6.7), and that of ISO 8601, which some services use.
//
//     Sun, 06 Nov 1994 08:49:37 GMT     Sunday, 06-Nov-94 08:49:37 GMT     Sun Nov  6 08:49:37 1994
//     1994-11-06T08:49:37Z              1994-11-06T09:49:37.25+01:00

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
