// Numbers are compared as numbers, whatever their spelling and their length.

import Foundation
import PipelineCore
import TestSupport
import Testing

@Suite("Numbers")
struct NumberOrderTests {
    func order(_ left: String, _ right: String) -> JSONNumberOrder {
        let left = Array(left.utf8)
        let right = Array(right.utf8)
        return JSONNumberOrder.between(left.span, right.span)
    }

    @Test(arguments: [
        ["0", "-0", "0.0", "-0.000", "0e9", "0E-99999999999999999999999"],
        ["100", "1e2", "100.0", "1E+2", "0.1e3", "10000e-2", "1.00e0002", "1e00000000000000000000000000002"],
        ["-0.5", "-5e-1", "-0.50", "-0.05E1", "-500e-3"],
        [
            "12345678901234567890123456789", "1.2345678901234567890123456789e28",
            "1234567890123456789012345678900e-2",
        ],
        ["0.00000000000000000000000001", "1e-26", "100e-28"], ["1e999999", "0.1e1000000", "10e999998"],
        ["1e9223372036854775807", "10e9223372036854775806", "0.01e9223372036854775809"],
        ["1e-9223372036854775809", "10e-9223372036854775810", "0.1e-9223372036854775808"],
        ["1e1000000000000000000000000000", "1000e999999999999999999999999997"],
    ])
    func `are equal in every spelling`(_ numbers: [String]) {
        for left in numbers {
            for right in numbers { #expect(order(left, right) == .equal, "\(left) \(right)") }
        }
    }

    @Test(arguments: [
        [
            "-1e1000000000000000000000", "-1e400", "-12345678901234567891", "-12345678901234567890", "-10",
            "-9.99",
            "-1", "-0.1", "-1e-400", "0", "1e-400", "9e-400", "0.1", "0.10000000000000000000000001", "0.11",
            "1",
            "1.5", "2", "9", "10", "99.9", "100", "9007199254740992", "9007199254740993",
            "9.007199254740994e15",
            "12345678901234567890", "12345678901234567891", "1e308", "1.8e308", "1e400", "1.1e400", "1e401",
            "1e1000000000000000000000",
        ],
        [
            "-1e9223372036854775808", "-1e9223372036854775807", "-1e999999999999999999",
            "-1e-999999999999999999",
            "-1e-9223372036854775808", "0", "1e-18446744073709551616", "1e-9223372036854775809",
            "1e-9223372036854775808", "1e-1000000000000000000", "1e-999999999999999999", "1",
            "1e999999999999999999", "1e1000000000000000000", "1e9223372036854775807", "1e9223372036854775808",
            "1.1e9223372036854775808", "99e9223372036854775807", "1e9223372036854775809",
            "1e18446744073709551616",
        ],
    ])
    func `are in order`(_ numbers: [String]) {
        for (place, left) in numbers.enumerated() {
            for (other, right) in numbers.enumerated() {
                let expected: JSONNumberOrder = place < other ? .less : place == other ? .equal : .greater
                #expect(order(left, right) == expected, "\(left) \(right)")
            }
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `are ordered as Foundation's decimals are`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<500 {
            let left = number(&random)
            let right = random.oneIn(3) ? respelt(left, &random) : number(&random)
            let leftDecimal = try #require(Decimal(string: left))
            let rightDecimal = try #require(Decimal(string: right))
            let expected: JSONNumberOrder =
                leftDecimal == rightDecimal ? .equal : leftDecimal < rightDecimal ? .less : .greater
            #expect(order(left, right) == expected, "\(left) \(right)")
        }
    }

    /// A number of few digits, so that equal ones and neighbours come up.
    private func number(_ random: inout SplitMix64) -> String {
        var text = random.oneIn(2) ? "-" : ""
        text += String(Int.random(in: 0...random.pick([3, 99, 123_456_789]), using: &random))
        if random.oneIn(2) { text += "." + String(Int.random(in: 0...random.pick([3, 99_999]), using: &random)) }
        if random.oneIn(2) {
            text +=
                random.pick(["e", "E"]) + random.pick(["", "+", "-"]) + "\(Int.random(in: 0...12, using: &random))"
        }
        return text
    }

    /// The same number with zeros after its fraction.
    private func respelt(_ number: String, _ random: inout SplitMix64) -> String {
        let end = number.firstIndex { $0 == "e" || $0 == "E" } ?? number.endIndex
        let mantissa = number[..<end]
        let zeros = String(repeating: "0", count: Int.random(in: 1...6, using: &random))
        return mantissa + (mantissa.contains(".") ? "" : ".") + zeros + number[end...]
    }
}
