// Bytes that every match has, so that a long text without them can be rejected before the automaton runs.
//
//     (mick|minnie) mouse   " mouse"      colou?r   "colo"      a*   nothing is known
//
// Benchmarks/filter-search, a regular expression in long texts: 2.5 times as fast. It isn't used for short ones.

/// The longest run of single characters that stand in a pattern one after another, outside of what is alternative or
/// repeated.
package struct RequiredLiteral: Equatable, Sendable {
    /// In a shorter text the automaton is just as fast.
    private static let leastTextBytes = 256
    /// In bytes, which bounds the work at each position of a text.
    private static let limit = 64

    /// In UTF-8; not empty.
    package let bytes: [UInt8]
    /// Whether ASCII letters may be in another case.
    package let ignoresCase: Bool
    private let needle: Needle

    init?(_ node: RegexNode, ignoringCase: Bool) {
        let pieces = if case .concatenation(let pieces) = node { pieces } else { [node] }
        var longest: [UInt8] = []
        var run: [UInt8] = []
        for piece in pieces {
            if case .assertion = piece { continue }
            if case .scalars(let set) = piece, let scalar = Self.scalar(of: set, ignoringCase) {
                if run.count >= Self.limit { run = [] }
                run += UTF8Automaton.encode(scalar)
            } else {
                run = []
            }
            if run.count > longest.count { longest = run }
        }
        guard !longest.isEmpty else { return nil }
        bytes = longest
        ignoresCase = ignoringCase
        needle = Needle(longest, ignoresCase: ignoringCase)
    }

    func refuses(_ text: Span<UInt8>) -> Bool {
        text.count >= Self.leastTextBytes && needle.firstIndex(in: text) == nil
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
