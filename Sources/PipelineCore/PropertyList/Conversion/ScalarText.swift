// Numbers and dates between text and values.

/// Reads numbers that a `JSONReader` has checked, and writes reals.
package enum NumberText {
    /// The value of an integer; nil outside −2^63 … 2^64−1, and for what isn't a decimal integer.
    package static func integer(_ text: Span<UInt8>) -> PropertyListInteger? {
        guard !text.isEmpty else { return nil }
        let isNegative = text[0] == UInt8(ascii: "-")
        return integer(isNegative: isNegative, text.extracting((isNegative ? 1 : 0)...))
    }

    /// Nil for no digits and what isn't a digit of the base, too.
    @inline(__always)
    private static func integer(
        isNegative: Bool, _ digits: Span<UInt8>, base: UInt64 = 10
    ) -> PropertyListInteger? {
        guard !digits.isEmpty else { return nil }
        var magnitude: UInt64 = 0
        for index in digits.indices {
            var digit = UInt64(digits[index] &- UInt8(ascii: "0"))
            if digit > 9 {
                guard base == 16, let value = JSONStringScanner.hexValue(digits[index]) else { return nil }
                digit = UInt64(value)
            }
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: base)
            let (sum, carry) = product.addingReportingOverflow(digit)
            guard !overflow, !carry else { return nil }
            magnitude = sum
        }
        guard !isNegative || magnitude <= 1 << 63 else { return nil }
        return PropertyListInteger(isNegative: isNegative, magnitude: magnitude)
    }

    /// The nearest real; nil if that is infinite, or 0 for a number that isn't.
    static func real(_ text: Span<UInt8>) -> Double? {
        if let value = simpleReal(text) { return value }
        let text = text.text
        guard let value = Double(text), value.isFinite else { return nil }
        guard value == 0 else { return value }
        return text.prefix { $0 != "e" && $0 != "E" }.contains { ("1"..."9").contains($0) } ? nil : value
    }

    private static let exactPowers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
        1e19, 1e20, 1e21, 1e22,
    ]

    /// A real of at most 15 digits and no exponent is one exact integer divided by one exact power of ten, which
    /// rounds once and so correctly (Clinger 1990). Nil for others.
    private static func simpleReal(_ text: Span<UInt8>) -> Double? {
        let isNegative = text[0] == UInt8(ascii: "-")
        guard text.count <= 16 else { return nil }
        var mantissa: UInt64 = 0
        var decimals = 0
        var isAfterPoint = false
        for index in (isNegative ? 1 : 0)..<text.count {
            let byte = text[index]
            if byte == UInt8(ascii: ".") {
                isAfterPoint = true
                continue
            }
            guard byte &- UInt8(ascii: "0") < 10 else { return nil }
            mantissa = mantissa * 10 + UInt64(byte &- UInt8(ascii: "0"))
            if isAfterPoint { decimals += 1 }
        }
        guard mantissa < 1 << 53 else { return nil }
        let value = Double(mantissa) / exactPowers[decimals]
        return isNegative ? -value : value
    }

    /// The shortest digits that read back the same. Whole numbers have no fraction, as Apple's tools write them,
    /// except zero, whose sign is kept.
    static func text(ofReal value: Double) -> String {
        if value.isNaN { return "nan" }
        if value.isInfinite { return value < 0 ? "-infinity" : "+infinity" }
        var text = value.description
        if value != 0, text.hasSuffix(".0") { text.removeLast(2) }
        return text
    }
}

/// Numbers in XML as other writers of property lists spell them: with white space, signs or hexadecimal digits.
extension NumberText {
    /// A decimal or, after `0x`, hexadecimal integer from −2^63 to 2^64−1.
    static func integer(spelt text: [UInt8]) -> PropertyListInteger? {
        var digits = text.trimmed(\.isJSONSpace)
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
        let isHexadecimal = digits.starts(with: Array("0x".utf8)) || digits.starts(with: Array("0X".utf8))
        if isHexadecimal { digits = digits.dropFirst(2) }
        return integer(isNegative: isNegative, digits.span, base: isHexadecimal ? 16 : 10)
    }

    /// A decimal real, `nan`, `inf` or `infinity`. One that is too large isn't infinity: it is nil.
    static func real(spelt text: [UInt8]) -> Double? {
        let trimmed = String(decoding: text.trimmed(\.isJSONSpace), as: UTF8.self)
        guard !trimmed.lowercased().hasPrefix("0x") else { return nil }
        guard let value = Double(trimmed), !value.isInfinite || !trimmed.contains(where: \.isNumber) else {
            return nil
        }
        return value
    }
}

/// Reads and writes dates: seconds since 2001-01-01T00:00:00Z in a property list, RFC 3339 in text.
package enum DateText {
    /// Seconds from 1970-01-01 to 2001-01-01.
    private static let epoch = 978_307_200
    /// Seconds of the years 0000 to 9999, the range of RFC 3339.
    package static let writable: Range<Double> = -63_145_526_400..<252_423_993_600

    /// The date as `2011-05-12T01:02:03Z`; nil outside the years 0000 to 9999.
    /// - Parameter withFraction: writes fractions of a second; an XML property list has none.
    package static func text(_ seconds: Double, withFraction: Bool) -> String? {
        guard writable.contains(seconds) else { return nil }
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
            text = value == 0 ? start + "Z" : "\(start).\(String(Int(value)).padded(to: count))Z"
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
