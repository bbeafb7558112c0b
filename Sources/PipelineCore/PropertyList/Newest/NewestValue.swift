// The greatest of the values that were offered: a time before a number, a number before a text.
//
//     "pending", 7, "2026-11-23", 2026-11-22T23:30:00-01:00     ->  2026-11-22T23:30:00-01:00

/// Keeps the greatest value. Of equal ones it keeps the first.
struct NewestValue {
    private enum Value {
        case text
        case integer(PropertyListInteger)
        case real(Double)
        /// Whole seconds since 1970, and the fraction.
        case time(seconds: Int, part: Double)
    }

    private var value: Value?
    /// The value as `--load` writes it, without quotes and escapes.
    private var text: [UInt8] = []

    /// The value as `--load` writes it, without quotes: a text's escapes stay, so it is always one line. Nil without a
    /// value.
    var line: String? {
        guard value != nil else { return nil }
        var quoted: [UInt8] = []
        JSONWriter.appendString(text.span, to: &quoted)
        return quoted.span.extracting(1..<quoted.count - 1).text
    }

    /// Takes a value if it is greater than the one kept. Booleans, data, containers, NaN and infinity don't count.
    /// - Parameter content: of a string.
    /// - Throws: `farDate` for a date that no text can say.
    mutating func offer(_ element: StoredElement, _ content: Span<UInt8>) throws(PropertyListError.Reason) {
        switch element {
        case .string:
            if let (seconds, part) = Self.time(content) {
                let time = Value.time(seconds: seconds, part: part)
                if isLess(than: time) { keep(time, content) }
            } else if isLess(thanText: content) {
                keep(.text, content)
            }
        case .integer(let integer): offer(.integer(integer))
        case .real(let real) where real.isFinite: offer(.real(real))
        case .date(let seconds):
            guard let text = DateText.text(seconds, withFraction: true) else { throw .farDate }
            try offer(.string, Array(text.utf8).span)
        default: return
        }
    }

    private mutating func offer(_ number: Value) {
        guard isLess(than: number) else { return }
        let text = Self.text(of: number)
        keep(number, text.span)
    }

    private mutating func keep(_ value: Value, _ text: Span<UInt8>) {
        self.value = value
        self.text = text.array
    }

    /// A time, or the beginning of a day in UTC; a leap second is the first second of the next minute, as fetch-characters
    /// reads it.
    private static func time(_ text: Span<UInt8>) -> (seconds: Int, part: Double)? {
        if let (whole, part) = UTCCalendar.seconds(rfc3339: text, allowsLeapSecond: true) { return (whole, part) }
        return UTCCalendar.day(rfc3339: text).map { ($0 * 86_400, 0) }
    }

    // MARK: Order

    private func isLess(thanText other: Span<UInt8>) -> Bool {
        switch value {
        case nil: return true
        case .text?: break
        default: return false
        }
        // In UTF-8 the order of bytes is that of code points.
        let count = min(text.count, other.count)
        for index in 0..<count where text[index] != other[index] { return text[index] < other[index] }
        return text.count < other.count
    }

    /// - Parameter other: a number or a time.
    private func isLess(than other: Value) -> Bool {
        switch (value, other) {
        case (nil, _), (.text?, _): true
        case (.time(let seconds, let part)?, .time(let otherSeconds, let otherPart)):
            (seconds, part) < (otherSeconds, otherPart)
        case (_, .time): true
        case (.time?, _): false
        case (.integer(let integer)?, .integer(let other)): Self.isLess(integer, other)
        case (.real(let real)?, .real(let other)): real < other
        default: JSONNumberOrder.between(text.span, Self.text(of: other).span) == .less
        }
    }

    private static func isLess(_ left: PropertyListInteger, _ right: PropertyListInteger) -> Bool {
        guard left.isNegative == right.isNegative else { return left.isNegative }
        return left.isNegative ? left.magnitude > right.magnitude : left.magnitude < right.magnitude
    }

    /// The number as `--load` writes it. As these digits it is compared where integers and reals mix, so that
    /// filter-search's `--where` agrees.
    private static func text(of number: Value) -> [UInt8] {
        switch number {
        case .integer(let value): Array("\(value.isNegative ? "-" : "")\(value.magnitude)".utf8)
        case .real(let value): Array(value.description.utf8)
        case .text, .time: []
        }
    }
}
