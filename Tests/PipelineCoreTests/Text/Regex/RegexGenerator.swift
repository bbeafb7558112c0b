// Random patterns and texts, the same ones in every run.

import TestSupport

/// Makes patterns and texts of a few letters.
struct RegexGenerator {
    var random: SplitMix64
    let letters: [Unicode.Scalar]
    let assertions: [String]

    mutating func pattern(depth: Int) -> String {
        switch Int.random(in: 0..<(depth > 0 ? 10 : 4), using: &random) {
        case 0, 1: letter()
        case 2: Bool.random(using: &random) ? "." : letter()
        case 3: leaf()
        case 4, 5, 6: (0..<Int.random(in: 0...3, using: &random)).map { _ in pattern(depth: depth - 1) }.joined()
        case 7: "(?:\((0..<random.pick([1, 2, 3])).map { _ in pattern(depth: depth - 1) }.joined(separator: "|")))"
        default: "(?:\(pattern(depth: depth - 1)))" + counts() + (Bool.random(using: &random) ? "" : "?")
        }
    }

    private mutating func leaf() -> String {
        if let assertion = assertions.randomElement(using: &random), Bool.random(using: &random) {
            return assertion
        }
        let set = (0..<random.pick([1, 2, 3])).map { _ in letter() }.joined()
        return "[\(Bool.random(using: &random) ? "^" : "")\(set)]"
    }

    private mutating func counts() -> String {
        let counts = ["*", "+", "?", "{2,}", "{3}", "{0,2}", "{0,3}", "{1,2}", "{1,3}", "{2}", "{2,3}"]
        return random.pick(counts)
    }

    private mutating func letter() -> String {
        let letter = random.pick(letters)
        return letter == "\n" ? "\\n" : letter == "-" ? "\\-" : String(letter)
    }

    mutating func text() -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...8, using: &random) { text.append(random.pick(letters)) }
        return String(text)
    }
}
