// Random patterns and texts, the same ones in every run.

import TestSupport

/// Makes patterns and texts of a few letters.
struct RegexGenerator {
    var random: SplitMix64
    let letters: [Unicode.Scalar]
    let assertions: [String]

    mutating func regex(depth: Int) -> ReferenceRegex {
        switch Int.random(in: 0..<(depth > 0 ? 10 : 4), using: &random) {
        case 0, 1: .scalar(letter())
        case 2: Bool.random(using: &random) ? .anyButLineEnd : .scalar(letter())
        case 3: leaf()
        case 4, 5, 6: .sequence((0..<Int.random(in: 0...3, using: &random)).map { _ in regex(depth: depth - 1) })
        case 7: .choice((0..<Int.random(in: 1...3, using: &random)).map { _ in regex(depth: depth - 1) })
        default: repetition(of: regex(depth: depth - 1))
        }
    }

    private mutating func leaf() -> ReferenceRegex {
        if let assertion = assertions.randomElement(using: &random), Bool.random(using: &random) {
            return .assertion(assertion)
        }
        let set = (0..<Int.random(in: 1...3, using: &random)).map { _ in letter() }
        return .set(set, isNegated: Bool.random(using: &random))
    }

    private mutating func repetition(of node: ReferenceRegex) -> ReferenceRegex {
        let isGreedy = Bool.random(using: &random)
        let (least, most): (Int, Int?) =
            switch Int.random(in: 0..<5, using: &random) {
            case 0: (0, nil)
            case 1: (1, nil)
            case 2: (0, 1)
            case 3: (Int.random(in: 0...2, using: &random), Int.random(in: 2...3, using: &random))
            default: (2, nil)
            }
        return .repetition(node, least: least, most: most, isGreedy: isGreedy)
    }

    private mutating func letter() -> Unicode.Scalar { letters.randomElement(using: &random) ?? "a" }

    mutating func text() -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...8, using: &random) { text.append(letter()) }
        return String(text)
    }
}
