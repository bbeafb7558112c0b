// Text that every match must contain, so that most texts can be rejected without running the automaton.
//
//     (mick|minnie) mouse   " mouse"      colou?r   "color" or "colour"      a*   nothing is known

/// A few literals. Every match contains at least one of them.
package struct RequiredLiterals: Equatable, Sendable {
    /// In UTF-8: at most eight, none empty.
    package let literals: [[UInt8]]
    /// Whether they are folded (`CaseOrbits`). If so, a match contains one after folding too, where i, k and s also
    /// match U+0130 (capital i with dot), U+212A (kelvin sign) and U+017F (long s). Otherwise it contains one byte
    /// for byte.
    package let isFolded: Bool

    init?(_ node: RegexNode, ignoringCase: Bool) {
        let facts = LiteralFacts.of(node, folding: ignoringCase)
        guard let best = facts.best else { return nil }
        literals = best.map { $0.flatMap(UTF8Automaton.encode) }
        isFolded = ignoringCase
    }
}

/// What is known of the texts that a node matches. Literals are arrays of scalars here.
private struct LiteralFacts {
    typealias Literals = Set<[UInt32]>

    private static let countLimit = 8
    /// In scalars.
    private static let lengthLimit = 64

    /// All texts that it matches; nil if there are too many.
    var exact: Literals?
    /// Each match contains one of these; nil if nothing is known.
    var required: Literals?

    private init(exact: Literals? = nil, required: Literals? = nil) {
        self.exact = exact
        self.required = required
    }

    var best: Literals? { Self.better(required, exact) }

    static func of(_ node: RegexNode, folding: Bool) -> LiteralFacts {
        switch node {
        case .empty, .assertion: return LiteralFacts(exact: [[]])
        case .scalars(let set): return LiteralFacts(exact: literals(set, folding: folding))
        case .concatenation(let pieces): return LiteralFacts(sequence: pieces.lazy.map { of($0, folding: folding) })
        case .alternation(let branches): return LiteralFacts(choice: branches.lazy.map { of($0, folding: folding) })
        case .repetition(let node, let least, let most, _):
            let facts = of(node, folding: folding)
            guard least > 0 else {
                return LiteralFacts(exact: most == 1 ? facts.exact.flatMap { limited($0.union([[]])) } : nil)
            }
            let copies = LiteralFacts(sequence: repeatElement(facts, count: min(least, lengthLimit)))
            return least == most && least <= lengthLimit ? copies : LiteralFacts(required: copies.best)
        }
    }

    private init(sequence: some Sequence<LiteralFacts>) {
        var run: Literals = [[]]
        var isExact = true
        for facts in sequence {
            if let all = facts.exact, let longer = Self.product(run, all) {
                run = longer
                continue
            }
            isExact = false
            required = Self.better(Self.better(required, run), facts.required)
            run = facts.exact ?? [[]]
        }
        if isExact { exact = run } else { required = Self.better(required, run) }
    }

    private init(choice: some Sequence<LiteralFacts>) {
        var exact: Literals? = []
        var required: Literals? = []
        for facts in choice {
            exact = exact.flatMap { all in facts.exact.flatMap { Self.limited(all.union($0)) } }
            required = required.flatMap { all in facts.best.flatMap { Self.limited(all.union($0)) } }
            if exact == nil, required == nil { break }
        }
        self.exact = exact
        self.required = required
    }

    private static func literals(_ set: ScalarSet, folding: Bool) -> Literals? {
        guard !set.isEmpty, set.ranges.count <= 4 * countLimit, set.count <= 4 * countLimit else { return nil }
        var literals: Literals = []
        for range in set.ranges {
            for scalar in range.lower...range.upper {
                literals.insert([folding ? CaseOrbits.folded(scalar) : scalar])
            }
        }
        return limited(literals)
    }

    private static func limited(_ literals: Literals) -> Literals? {
        literals.count <= countLimit && literals.allSatisfy { $0.count <= lengthLimit } ? literals : nil
    }

    /// Each of `left` followed by each of `right`.
    private static func product(_ left: Literals, _ right: Literals) -> Literals? {
        guard left.count * right.count <= countLimit else { return nil }
        return limited(Literals(left.flatMap { first in right.map { first + $0 } }))
    }

    /// The set whose shortest literal is longer, or that has fewer; nil if neither says anything.
    private static func better(_ left: Literals?, _ right: Literals?) -> Literals? {
        let shortest = { (literals: Literals?) in literals?.map(\.count).min() ?? 0 }
        let (first, second) = (shortest(left), shortest(right))
        guard max(first, second) > 0 else { return nil }
        guard first == second, let left, let right else { return first > second ? left : right }
        return left.count <= right.count ? left : right
    }
}

/// Rejects long texts that lack a byte string required by every match, before the automaton runs.
///
/// Benchmarks/filter-search, a regular expression in long texts: 2.5 times as fast. It isn't used for short ones.
struct LiteralFilter: Sendable {
    /// In a shorter text the automaton is just as fast.
    private static let leastTextBytes = 256
    /// The longest prefix of a literal compared at each position, which bounds the work.
    private static let mostLiteralBytes = 64

    private let literal: [UInt8]
    private let ignoresCase: Bool

    /// - Returns: nil unless a single literal is required that can be found by its bytes.
    init?(_ required: RequiredLiterals?) {
        guard let required, required.literals.count == 1 else { return nil }
        ignoresCase = required.isFolded
        guard ignoresCase else {
            literal = Array(required.literals[0].prefix(Self.mostLiteralBytes))
            return
        }
        // Other scalars fold to i, k and s (see `isFolded`); to find those, the text would have to be folded.
        let runs = required.literals[0].split { $0 >= 0x80 || "iks".utf8.contains($0) }
        guard let longest = runs.max(by: { $0.count < $1.count }) else { return nil }
        literal = Array(longest.prefix(Self.mostLiteralBytes))
    }

    /// Whether the text can't have a match.
    func refuses(_ text: Span<UInt8>) -> Bool {
        text.count >= Self.leastTextBytes && !text.contains(literal.span, ignoringASCIICase: ignoresCase)
    }
}
