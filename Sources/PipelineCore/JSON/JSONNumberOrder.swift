// Compares numbers as they are written, exactly, without converting them to binary fractions:
//
//     1e2      ->  digits 1,     magnitude 3     (0.1 * 10^3: the exponent, and one for the point)
//     100.0    ->  digits 1,     magnitude 3     the same number
//     99.9     ->  digits 999,   magnitude 2     less
//
// The number with the larger magnitude is larger; if the magnitudes are the same, the digits decide.

package enum JSONNumberOrder: Equatable, Sendable {
    case less, equal, greater

    /// Compares exactly, however long the digits and exponents are, in linear time.
    /// - Parameters: numbers of less than 2^50 bytes that a `JSONReader` has checked.
    package static func between(_ left: Span<UInt8>, _ right: Span<UInt8>) -> JSONNumberOrder {
        let leftParts = Parts(left)
        let rightParts = Parts(right)
        guard leftParts.sign == rightParts.sign else { return leftParts.sign < rightParts.sign ? .less : .greater }
        guard leftParts.sign != 0 else { return .equal }
        let distance =
            exponentDistance(left, leftParts, right, rightParts)
            + leftParts.pointShift - rightParts.pointShift
        let isPositive = leftParts.sign > 0
        if distance != 0 { return (distance < 0) == isPositive ? .less : .greater }
        return isPositive ? digits(left, leftParts, right, rightParts) : digits(right, rightParts, left, leftParts)
    }

    /// Compares texts by code point, which in UTF-8 is the order of the bytes.
    package static func between(texts left: [UInt8], _ right: [UInt8]) -> JSONNumberOrder {
        if left == right { return .equal }
        return left.lexicographicallyPrecedes(right) ? .less : .greater
    }

    /// The left exponent minus the right one, at most `farApart` either way: beyond that the digits that are left can
    /// neither change its sign nor bring it close enough for the points to matter.
    private static func exponentDistance(
        _ left: Span<UInt8>, _ leftParts: Parts, _ right: Span<UInt8>, _ rightParts: Parts
    ) -> Int {
        let count = max(leftParts.exponent.count, rightParts.exponent.count)
        var distance = 0
        for position in (0..<count).reversed() {
            distance *= 10
            distance += leftParts.exponentDigit(of: left, position)
            distance -= rightParts.exponentDigit(of: right, position)
            if abs(distance) >= farApart { return distance < 0 ? -farApart : farApart }
        }
        return distance
    }

    /// Ten times this, plus 18, fits in an `Int`; the length of a number is far less.
    private static let farApart = 100_000_000_000_000_000

    /// Compares digit by digit from the first that isn't 0, as if the shorter number ended in zeros.
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

/// A comparison of two values, as JSONPath writes it.
package enum JSONComparison: String, CaseIterable, Sendable {
    // Longer ones first: `<=` begins like `<`.
    case notEqual = "!=", lessOrEqual = "<=", greaterOrEqual = ">=", equal = "==", less = "<", greater = ">"

    /// - Parameter order: of the left value to the right one; nil if they are neither equal nor ordered.
    package func holds(for order: JSONNumberOrder?) -> Bool {
        switch self {
        case .equal: order == .equal
        case .notEqual: order != .equal
        case .less: order == .less
        case .lessOrEqual: order == .less || order == .equal
        case .greater: order == .greater
        case .greaterOrEqual: order == .greater || order == .equal
        }
    }
}

/// A number taken apart: `sign * 0.digits * 10^(exponent + pointShift)`.
private struct Parts {
    /// -1, 0 or 1.
    var sign = 0
    /// The digits of the exponent, which may be too large for an `Int`.
    var exponent = 0..<0
    private var isExponentNegative = false
    /// How far the point must move to come right before the first digit that isn't 0.
    var pointShift = 0
    /// The range of the digits, from the first that isn't 0. It may include the point.
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
        pointShift = first < end ? end - first : end + 1 - first
        guard index < text.count else { return }
        isExponentNegative = text[index + 1] == UInt8(ascii: "-")
        let hasSign = isExponentNegative || text[index + 1] == UInt8(ascii: "+")
        exponent = index + (hasSign ? 2 : 1)..<text.count
    }

    /// A digit of the exponent, with its sign.
    /// - Parameter position: counted from the last digit, which is 0. Before the first digit there are zeros.
    func exponentDigit(of text: Span<UInt8>, _ position: Int) -> Int {
        guard position < exponent.count else { return 0 }
        let digit = Int(text[exponent.upperBound - 1 - position] - UInt8(ascii: "0"))
        return isExponentNegative ? -digit : digit
    }

    func digit(of text: Span<UInt8>, at index: inout Int) -> UInt8 {
        if index < digits.upperBound, text[index] == UInt8(ascii: ".") { index += 1 }
        guard index < digits.upperBound else { return UInt8(ascii: "0") }
        defer { index += 1 }
        return text[index]
    }
}
