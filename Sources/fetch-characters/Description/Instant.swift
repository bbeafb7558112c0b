// Moments as APIs write them: RFC 3339 times and dates, and Unix times in seconds or milliseconds.
//
//     2026-03-01T10:00:00.5+01:00    2026-03-01    20260301    1772355600    1772355600500

import PipelineCore
import PipelineHTTP

/// A moment.
struct Instant: Comparable, Sendable {
    /// Unix times from here on are milliseconds: as seconds they would be after the year 5138.
    private static let leastMilliseconds = 100_000_000_000
    /// The last millisecond of the year 9999.
    private static let largest = 253_402_300_799_999
    /// The years 0000 to 9999, which every format has.
    private static let writable = -62_167_219_200...253_402_300_799

    /// Whole seconds since 1970.
    let seconds: Int
    /// From 0 up to 1.
    private let part: Double
    /// It was written as a date, and means a day.
    let isDate: Bool

    private init(seconds: Int, part: Double, isDate: Bool = false) {
        self.seconds = seconds
        self.part = part
        self.isDate = isDate
    }

    /// - Returns: nil for any other text.
    init?(_ text: Span<UInt8>) {
        if let (whole, part) = UTCCalendar.seconds(rfc3339: text, allowsLeapSecond: true) {
            self.init(seconds: whole, part: part)
        } else if let day = UTCCalendar.day(rfc3339: text) {
            self.init(seconds: day * 86_400, part: 0, isDate: true)
        } else if text.count == 8, let day = UTCCalendar.day(basic: text) {
            self.init(seconds: day * 86_400, part: 0, isDate: true)
        } else if let number = Int(text.text), number.magnitude <= UInt(Self.largest) {
            let isMilliseconds = number.magnitude >= UInt(Self.leastMilliseconds)
            let seconds = isMilliseconds ? Int((Double(number) / 1000).rounded(.down)) : number
            self.init(seconds: seconds, part: isMilliseconds ? Double(number - seconds * 1000) / 1000 : 0)
        } else {
            return nil
        }
        guard Self.writable.contains(seconds) else { return nil }
    }

    static func < (left: Instant, right: Instant) -> Bool {
        (left.seconds, left.part) < (right.seconds, right.part)
    }

    /// Earlier by this many seconds, but not before the year 0000.
    func earlier(by seconds: Double) -> Instant {
        seconds == 0
            ? self
            : Instant(seconds: max(Self.writable.lowerBound, self.seconds - Int(seconds.rounded(.up))), part: part)
    }

    /// Whole milliseconds since 1970.
    var milliseconds: Int { seconds * 1000 + Int(part * 1000) }
}
