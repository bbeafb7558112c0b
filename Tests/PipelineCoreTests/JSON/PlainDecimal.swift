// A number of JSON as a sign, digits and a power of ten, worked out on paper: all sums are sums of decimal digits.

import PipelineCore

/// `sign * 0.digits * 10^power`, the slow and plain way.
struct PlainDecimal {
    private var sign = 1
    private var digits: [Int] = []
    /// The power's digits, with the sign apart.
    private var power: (isNegative: Bool, digits: [Int])

    init(_ text: String) {
        let parts = text.lowercased().split(separator: "e")
        let mantissa = parts[0].drop { $0 == "-" }.split(separator: ".")
        digits = mantissa.joined().compactMap(\.wholeNumberValue)
        var point = mantissa[0].count
        while digits.first == 0 {
            digits.removeFirst()
            point -= 1
        }
        while digits.last == 0 { digits.removeLast() }
        sign = digits.isEmpty ? 0 : text.hasPrefix("-") ? -1 : 1
        let exponent = parts.count > 1 ? parts[1] : "0"
        power = Self.signedSum(
            (exponent.hasPrefix("-"), exponent.compactMap(\.wholeNumberValue)), (point < 0, Self.digits(abs(point)))
        )
    }

    func order(_ other: PlainDecimal) -> JSONNumberOrder {
        if sign != other.sign { return sign < other.sign ? .less : .greater }
        if sign == 0 { return .equal }
        let distance = Self.signedSum(power, (!other.power.isNegative, other.power.digits))
        let order: JSONNumberOrder =
            if !distance.digits.isEmpty {
                distance.isNegative ? .less : .greater
            } else {
                digits == other.digits ? .equal : digits.lexicographicallyPrecedes(other.digits) ? .less : .greater
            }
        return sign > 0 ? order : order.reversed
    }

    static func digits(_ number: Int) -> [Int] { String(number).compactMap(\.wholeNumberValue) }

    /// The sum of two numbers without leading zeros.
    static func sum(_ left: [Int], _ right: [Int]) -> [Int] {
        var (left, right, sum, carry) = (left, right, [Int](), 0)
        while !left.isEmpty || !right.isEmpty || carry > 0 {
            carry += (left.popLast() ?? 0) + (right.popLast() ?? 0)
            sum.append(carry % 10)
            carry /= 10
        }
        while sum.last == 0 { sum.removeLast() }
        return sum.reversed()
    }

    private static func signedSum(
        _ left: (isNegative: Bool, digits: [Int]), _ right: (isNegative: Bool, digits: [Int])
    ) -> (isNegative: Bool, digits: [Int]) {
        if left.isNegative == right.isNegative { return (left.isNegative, sum(left.digits, right.digits)) }
        let (leftDigits, rightDigits) = (sum(left.digits, []), sum(right.digits, []))
        let isLess =
            leftDigits.count == rightDigits.count
            ? leftDigits.lexicographicallyPrecedes(rightDigits) : leftDigits.count < rightDigits.count
        let difference = isLess ? difference(rightDigits, leftDigits) : difference(leftDigits, rightDigits)
        return (isLess ? right.isNegative : left.isNegative, difference)
    }

    /// - Parameter right: not more than the left one.
    private static func difference(_ left: [Int], _ right: [Int]) -> [Int] {
        var (right, difference, borrowed) = (right, [Int](), 0)
        for digit in left.reversed() {
            let value = digit - borrowed - (right.popLast() ?? 0)
            difference.append(value < 0 ? value + 10 : value)
            borrowed = value < 0 ? 1 : 0
        }
        while difference.last == 0 { difference.removeLast() }
        return difference.reversed()
    }
}
