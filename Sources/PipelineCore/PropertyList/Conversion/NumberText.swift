// Converts numbers between JSON text and values.

/// Reads numbers that a `JSONReader` has checked, and writes reals.
enum NumberText {
    /// The value of an integer; nil outside −2^63 … 2^64−1.
    static func integer(_ text: Span<UInt8>) -> PropertyListInteger? {
        let isNegative = text[0] == UInt8(ascii: "-")
        var magnitude: UInt64 = 0
        for index in (isNegative ? 1 : 0)..<text.count {
            let digit = UInt64(text[index] &- UInt8(ascii: "0"))
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(digit)
            guard !overflow, !carry else { return nil }
            magnitude = sum
        }
        guard !isNegative || magnitude <= 1 << 63 else { return nil }
        return PropertyListInteger(isNegative: isNegative, magnitude: magnitude)
    }

    /// The nearest real; nil if it is infinite.
    static func real(_ text: Span<UInt8>) -> Double? {
        if let value = simpleReal(text) { return value }
        guard let value = Double(text.text), value.isFinite else { return nil }
        return value
    }

    /// The powers of ten that are exact.
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
