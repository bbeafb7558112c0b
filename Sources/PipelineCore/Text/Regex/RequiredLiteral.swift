// Bytes that every match has, so that a long text without them can be rejected before the automaton runs.
//
//     (mick|minnie) mouse   " mouse"      colou?r   "colo"      a*   nothing is known
//
// Benchmarks/filter-search, a regular expression in long texts: 2.5 times as fast. It isn't used for short ones.

/// The longest text known to be in every match.
package struct RequiredLiteral: Equatable, Sendable {
    /// In a shorter text the automaton is just as fast.
    private static let leastTextBytes = 256

    /// In UTF-8; not empty.
    package let bytes: [UInt8]
    /// Whether ASCII letters may be in another case.
    package let ignoresCase: Bool
    private let needle: Needle

    init?(_ node: RegexNode, ignoringCase: Bool) {
        let literal = LiteralFacts(node, ignoringCase).literal
        guard !literal.isEmpty else { return nil }
        bytes = literal
        ignoresCase = ignoringCase
        needle = Needle(literal, ignoresCase: ignoringCase)
    }

    /// Whether the text can't have a match.
    func refuses(_ text: Span<UInt8>) -> Bool {
        text.count >= Self.leastTextBytes && needle.firstIndex(in: text) == nil
    }
}

/// What is known of the texts that a node matches.
private struct LiteralFacts {
    /// The longest literal, in bytes, which bounds the work at each position of a text.
    private static let limit = 64

    /// A text that each of them contains; it may be empty.
    var literal: [UInt8] = []
    /// Whether the literal is the only text that the node matches.
    var isExact = false

    init(_ node: RegexNode, _ ignoringCase: Bool) {
        switch node {
        case .empty, .assertion: isExact = true
        case .scalars(let set):
            guard let scalar = Self.scalar(of: set, ignoringCase) else { return }
            literal = UTF8Automaton.encode(scalar)
            isExact = true
        case .concatenation(let pieces): add(pieces.lazy.map { LiteralFacts($0, ignoringCase) })
        case .repetition(let node, let least, let most, _) where least > 0:
            add(repeatElement(LiteralFacts(node, ignoringCase), count: min(least, Self.limit)))
            isExact = isExact && least == most && least <= Self.limit
        case .alternation, .repetition: break
        }
    }

    private mutating func add(_ pieces: some Sequence<LiteralFacts>) {
        var run: [UInt8] = []
        isExact = true
        for piece in pieces {
            if piece.isExact, run.count + piece.literal.count <= Self.limit {
                run += piece.literal
                continue
            }
            isExact = false
            literal = [literal, run, piece.literal].max { $0.count < $1.count } ?? []
            run = piece.isExact ? piece.literal : []
        }
        if run.count > literal.count { literal = run }
    }

    /// The only scalar of the set. In any case that is an ASCII letter or sign, but none of i, k and s: U+0130 (capital i
    /// with dot), U+212A (kelvin sign) and U+017F (long s) are those in another case.
    private static func scalar(of set: ScalarSet, _ ignoringCase: Bool) -> UInt32? {
        guard ignoringCase else { return set.single }
        guard let last = set.ranges.last?.lower, last < 0x80 else { return nil }
        let letter = (0x41...0x5A).contains(last) ? last + 0x20 : last
        let capital = (0x61...0x7A).contains(letter) ? letter - 0x20 : letter
        let isOne = set.ranges.allSatisfy { $0.lower == $0.upper && ($0.lower == letter || $0.lower == capital) }
        return isOne && !"iks".unicodeScalars.contains { $0.value == letter } ? letter : nil
    }
}
