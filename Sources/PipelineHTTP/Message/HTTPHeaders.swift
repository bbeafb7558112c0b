// The header fields of a response: names in any case, repeated fields kept separate.

import CCurl
import PipelineCore

package struct HTTPHeaders: Equatable, Sendable {
    package static let limitCount = 256
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
    mutating func continueLast(_ more: String) {
        guard let last = fields.indices.last else { return }
        fields[last].value += fields[last].value.isEmpty ? more : " " + more
    }

    mutating func reserve() { fields.reserveCapacity(16) }

    package mutating func removeAll() { fields.removeAll(keepingCapacity: true) }

    mutating func remove(_ name: String) { fields.removeAll { Self.areEqual($0.name, name) } }

    package subscript(_ name: String) -> String? {
        for index in fields.indices where Self.areEqual(fields[index].name, name) { return fields[index].value }
        return nil
    }

    func contains(_ name: String) -> Bool { self[name] != nil }

    package func values(_ name: String) -> [String] {
        var values: [String] = []
        for index in fields.indices where Self.areEqual(fields[index].name, name) {
            values.append(fields[index].value)
        }
        return values
    }

    package static func isOne(_ name: String, of names: [String]) -> Bool {
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

/// Dates as services send them, in seconds since 1970.
package enum HTTPDate {
    /// 10000-01-01: libcurl reads larger years too.
    private static let endSeconds = 253_402_300_800

    /// A date of HTTP in any of its three spellings (RFC 9110, section 5.6.7), or close enough to one for libcurl.
    package static func epochSeconds(_ text: String) -> Double? {
        if let usual = usual(text.utf8Bytes.span) { return usual }
        let seconds = unsafe curl_getdate(text, nil)
        return seconds != -1 && seconds < endSeconds ? Double(seconds) : nil
    }

    /// The format that nearly all services use, as the standard writes it: libcurl takes ten times as long, which is a
    /// twentieth of what a cached picture takes in all.
    private static func usual(_ text: Span<UInt8>) -> Double? {
        guard text.count == 29, text[3] == 0x2C, text[4] == 0x20, text[7] == 0x20, text[11] == 0x20,
            text[16] == 0x20, text[19] == 0x3A, text[22] == 0x3A, text.extracting(25...).equals(" GMT"),
            let day = UTCCalendar.digits(text, 5, 2), let year = UTCCalendar.digits(text, 12, 4),
            let hour = UTCCalendar.digits(text, 17, 2), let minute = UTCCalendar.digits(text, 20, 2),
            let second = UTCCalendar.digits(text, 23, 2), (1...31).contains(day), hour < 24, minute < 60,
            second < 60
        else { return nil }
        let months: StaticString = "JanFebMarAprMayJunJulAugSepOctNovDec"
        let names = months.bytes
        for month in 0..<12 where text.extracting(8..<11).equals(names.extracting(3 * month..<3 * month + 3)) {
            let days = UTCCalendar.days(year, month + 1, day)
            return Double(days * 86_400 + hour * 3600 + minute * 60 + second)
        }
        return nil
    }

    /// A date and time of ISO 8601 with a zone (RFC 3339), which some services send. Ignores fractional seconds.
    package static func epochSeconds(iso text: String) -> Double? {
        UTCCalendar.seconds(rfc3339: text.utf8Bytes.span, allowsLeapSecond: true).map { Double($0.whole) }
    }
}
