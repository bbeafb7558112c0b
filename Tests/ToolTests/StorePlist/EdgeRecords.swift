// Records made of every edge of the table of values, spelt as `--load` spells them, so that what is stored and loaded
// must be the same text.

import Foundation
import TestSupport

struct EdgeRecords {
    /// What a record may hold; peers differ in what they can write.
    struct Kinds: OptionSet {
        let rawValue: Int
        /// −0.0, which some write as 0.0.
        static let negativeZero = Kinds(rawValue: 1)
        /// CR, which most write as it is, and XML readers take for LF.
        static let carriageReturn = Kinds(rawValue: 2)
        /// What XML can't hold.
        static let control = Kinds(rawValue: 4)
        /// More than one member in an object, for peers that keep their order.
        static let manyMembers = Kinds(rawValue: 8)
        /// A member `when` with a date, a member `bytes` with base64.
        static let typed = Kinds(rawValue: 16)
    }

    private static let integers = [
        "0", "1", "-1", "127", "128", "255", "256", "-128", "-129", "32767", "32768", "65535", "65536",
        "2147483647",
        "-2147483648", "4294967295", "4294967296", "9223372036854775807", "9223372036854775808",
        "18446744073709551615", "-9223372036854775807", "-9223372036854775808",
    ]
    private static let reals = [
        "0.0", "1.0", "-1.0", "0.1", "1e-07", "1e+21", "1e+100", "5e-324", "2.2250738585072014e-308",
        "1.7976931348623157e+308", "123456789.12345679", "9007199254740992.0", "0.30000000000000004", "-2.5",
    ]
    /// As they stand in JSON.
    private static let texts = [
        "", "a", " ", "\\t", "\\n", "\\\"", "\\\\", "/", "<", ">", "&", "&amp;", "]]>", "<!--", "'", "é",
        "e\u{301}",
        "ß", "漢", "🚘", "👩‍👩‍👧", "\u{7F}", "\u{85}", "\u{2028}", "\u{E000}", "\u{FFFD}", "\u{10FFFF}", "$null", "true",
        "0123456789abcde", "0123456789abcdef", String(repeating: "long ", count: 60),
        String(repeating: "länger ", count: 40),
    ]

    private let kinds: Kinds
    private var random: SplitMix64

    init(_ kinds: Kinds, seed: UInt64) {
        self.kinds = kinds
        random = SplitMix64(seed: seed)
    }

    /// Every edge once by itself, then that many mixed records.
    mutating func lines(_ count: Int) -> [String] {
        let reals = Self.reals + (kinds.contains(.negativeZero) ? ["-0.0"] : [])
        let values = Self.integers + reals + texts.map { "\"\($0)\"" } + ["true", "false", "[]", "{}"]
        return values.map { "{\"v\":\($0)}" } + (0..<count).map { _ in record() }
    }

    private var texts: [String] {
        Self.texts + (kinds.contains(.carriageReturn) ? ["\\r", "a\\r\\nb"] : [])
            + (kinds.contains(.control) ? ["\\u0000", "\\u0001b", "\u{FFFE}", "x\u{FFFF}"] : [])
    }

    private mutating func record() -> String {
        guard kinds.contains(.typed) else { return object(depth: 0) }
        let seconds = Int64.random(in: -60_000_000_000...250_000_000_000, using: &random)
        let date = ISO8601DateFormatter().string(from: Date(timeIntervalSinceReferenceDate: Double(seconds)))
        let bytes = Data(
            (0..<Int.random(in: 0..<70, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
        return "{\"when\":\"\(seconds > -12_000_000_000 ? date : "2001-01-01T00:00:00Z")\",\"bytes\":\""
            + bytes.base64EncodedString() + "\",\"v\":\(value(depth: 1))}"
    }

    private mutating func value(depth: Int) -> String {
        switch Int.random(in: 0..<(depth < 3 ? 8 : 5), using: &random) {
        case 0: return Self.integers.randomElement(using: &random) ?? "0"
        case 1: return Self.reals.randomElement(using: &random) ?? "0.0"
        case 2: return Bool.random(using: &random) ? "true" : "false"
        case 3, 4: return "\"\(text())\""
        case 5, 6: return object(depth: depth + 1)
        default:
            let elements = (0..<Int.random(in: 0..<17, using: &random)).map { _ in value(depth: depth + 1) }
            return "[" + elements.joined(separator: ",") + "]"
        }
    }

    private mutating func text() -> String {
        (0..<Int.random(in: 0..<4, using: &random)).map { _ in texts.randomElement(using: &random) ?? "" }.joined()
    }

    private mutating func object(depth: Int) -> String {
        var names: Set<String> = []
        var members: [String] = []
        for _ in 0..<Int.random(in: 0...(kinds.contains(.manyMembers) ? 17 : 1), using: &random) {
            let name = text()
            guard names.insert(name.precomposedStringWithCanonicalMapping).inserted else { continue }
            members.append("\"\(name)\":\(value(depth: depth))")
        }
        return "{" + members.joined(separator: ",") + "}"
    }
}
