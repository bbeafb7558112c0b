// Random records that are hard to search: names spelt with escapes, in other members, at other depths, twice.

import TestSupport

/// A generator of lines, the same for the same seed.
struct RecordLines {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// A record without its line end.
    mutating func next() -> String {
        "{" + (0..<Int.random(in: 1...6, using: &random)).map { _ in member(depth: 1) }.joined(separator: comma())
            + "}"
    }

    private mutating func member(depth: Int) -> String {
        let name = pick([
            #""name""#, #""name""#, #""name""#, #""n\u0061me""#, #""\u006eame""#, #""mick""#, #""na\/me""#, #""x""#,
            #""""#,
        ])
        return name + pick(["", " ", "\t"]) + ":" + pick(["", " ", "  "]) + value(depth: depth)
    }

    private mutating func value(depth: Int) -> String {
        switch Int.random(in: 0..<(depth < 4 ? 12 : 10), using: &random) {
        case 0: pick(["1", "-0.5e3", "true", "false", "null"])
        case 10:
            "["
                + (0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth: depth + 1) }.joined(
                    separator: comma()) + "]"
        case 11:
            "{"
                + (0..<Int.random(in: 0...3, using: &random)).map { _ in member(depth: depth + 1) }.joined(
                    separator: comma()) + "}"
        default: string()
        }
    }

    private mutating func string() -> String {
        "\""
            + (0..<Int.random(in: 0...8, using: &random)).map { _ in
                pick([
                    "Mick", "m\\u0069ck", "MICK", "k", "\u{212A}", "Bj\u{f6}rk", "o", "o\u{308}", "\\u00f6", "ss",
                    "\u{df}", "か",
                    "が", "か\u{3099}", "\\\"name\\\":\\\"Mick\\\"", "\\\\", "\\n", " ", "\\ud83e\\udd8a", "\\ud83e",
                    "name",
                    String(repeating: "long ", count: Int.random(in: 1...40, using: &random)),
                ])
            }.joined() + "\""
    }

    private mutating func comma() -> String { pick([",", ", ", " ,"]) }

    private mutating func pick(_ texts: [String]) -> String { texts.randomElement(using: &random) ?? "" }
}
