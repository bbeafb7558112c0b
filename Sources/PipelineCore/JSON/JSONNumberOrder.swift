// Numbers compared as they are written, exactly, without a binary fraction in between:
//
//     1e2      ->  digits 1,     magnitude 3     (0.1 * 10^3)
//     100.0    ->  digits 1,     magnitude 3     the same number
//     99.9     ->  digits 999,   magnitude 2     less
//
// Of two magnitudes the larger is the larger number; where they are the same, the digits decide.

/// How one JSON number stands to another.
package enum JSONNumberOrder: Equatable, Sendable {
    case less, equal, greater

    /// Exponents of more than 18 digits count as ±10^18; all other numbers are compared exactly, whatever their length.
    /// - Parameters: numbers that a `JSONReader` has checked.
    package static func between(_ left: Span<UInt8>, _ right: Span<UInt8>) -> JSONNumberOrder {
        let leftParts = Parts(left)
        let rightParts = Parts(right)
        guard leftParts.sign == rightParts.sign else { return leftParts.sign < rightParts.sign ? .less : .greater }
        guard leftParts.sign != 0 else { return .equal }
        let order: JSONNumberOrder =
            if leftParts.magnitude != rightParts.magnitude {
                leftParts.magnitude < rightParts.magnitude ? .less : .greater
            } else {
                digits(left, leftParts, right, rightParts)
            }
        return leftParts.sign > 0 ? order : order.reversed
    }

    package var reversed: JSONNumberOrder {
        switch self {
        case .less: .greater
        case .equal: .equal
        case .greater: .less
        }
    }

    /// Digit by digit from the first that isn't 0; behind the shorter one stand zeros.
    private static func digits(
        _ left: Span<UInt8>, _ leftParts: Parts, _ right: Span<UInt8>, _ rightParts: Parts
    ) -> JSONNumberOrder {
        var leftIndex = leftParts.digits.lowerBound
        var rightIndex = rightParts.digits.lowerBound
        while leftIndex < leftParts.digits.upperBound || rightIndex < rightParts.digits.upperBound {
            let leftDigit = leftParts.digit(of: left, at: &leftIndex)
            let rightDigit = rightParts.digit(of: right, at: &rightIndex)
            if leftDigit != rightDigit { return leftDigit < rightDigit ? .less : .greater }
        }
        return .equal
    }
}

/// A number taken apart: `sign * 0.digits * 10^magnitude`.
private struct Parts {
    /// -1, 0 or 1.
    var sign = 0
    var magnitude = 0
    /// Where the digits stand, from the first that isn't 0; a point may be among them.
    var digits = 0..<0

    init(_ text: Span<UInt8>) {
        var index = text[0] == UInt8(ascii: "-") ? 1 : 0
        var first: Int?
        var point: Int?
        while index < text.count, text[index] | 0x20 != UInt8(ascii: "e") {
            if text[index] == UInt8(ascii: ".") {
                point = index
            } else if first == nil, text[index] != UInt8(ascii: "0") {
                first = index
            }
            index += 1
        }
        guard let first else { return }
        sign = text[0] == UInt8(ascii: "-") ? -1 : 1
        digits = first..<index
        let end = point ?? index
        magnitude = Self.exponent(text, from: index) + (first < end ? end - first : end + 1 - first)
    }

    func digit(of text: Span<UInt8>, at index: inout Int) -> UInt8 {
        if index < digits.upperBound, text[index] == UInt8(ascii: ".") { index += 1 }
        guard index < digits.upperBound else { return UInt8(ascii: "0") }
        defer { index += 1 }
        return text[index]
    }

    /// - Parameter start: the index of `e`, or of the end.
    private static func exponent(_ text: Span<UInt8>, from start: Int) -> Int {
        guard start < text.count else { return 0 }
        var index = start + 1
        let isNegative = text[index] == UInt8(ascii: "-")
        if isNegative || text[index] == UInt8(ascii: "+") { index += 1 }
        var value = 0
        while index < text.count {
            let digit = Int(text[index] - UInt8(ascii: "0"))
            value = value < 100_000_000_000_000_000 ? value * 10 + digit : 1_000_000_000_000_000_000
            index += 1
        }
        return isNegative ? -value : value
    }
}
