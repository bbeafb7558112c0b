// Matches texts against a compiled pattern: the deterministic automaton where it can, the simulation of the other where it
// can't.

/// A program with the memory that matching needs. Once it has seen texts of a kind it allocates nothing for more of them.
/// A copy has its own memory.
package struct RegexMatcher: Sendable {
    /// What the deterministic automaton may take, in bytes.
    package static let defaultCacheLimitBytes = 4 << 20
    /// After that many texts for which the cache was too small it is no longer tried.
    private static let failureLimit = 8

    package let program: RegexProgram
    private let filter: LiteralFilter?
    private var automaton: LazyDFA
    private var simulation: PikeSimulation?
    private var failures = 0

    package init(_ program: RegexProgram, cacheLimitBytes: Int = RegexMatcher.defaultCacheLimitBytes) {
        self.program = program
        filter = LiteralFilter(program.requiredLiterals)
        automaton = LazyDFA(program, limitBytes: cacheLimitBytes)
    }

    /// Whether the text, in UTF-8, has a match.
    package mutating func matches(_ text: Span<UInt8>) -> Bool {
        if let filter, filter.refuses(text) { return false }
        if failures < Self.failureLimit {
            let flushes = automaton.flushes
            let outcome = automaton.search(text, from: 0, program)
            guard outcome == .undecided else { return outcome == .match }
            if automaton.flushes != flushes { failures += 1 }
        }
        return simulate(text, anyWillDo: true) != nil
    }

    /// The bytes of the first match in the text, which is UTF-8: the leftmost one, and of those the one that a
    /// backtracking matcher would find first (Perl, Python, JavaScript). Whole characters.
    package mutating func firstMatch(in text: Span<UInt8>) -> Range<Int>? {
        matches(text) ? simulate(text, anyWillDo: false) : nil
    }

    /// `firstMatch` by the simulation alone, which is slower and never differs.
    package mutating func simulatedMatch(in text: Span<UInt8>) -> Range<Int>? {
        simulate(text, anyWillDo: false)
    }

    private mutating func simulate(_ text: Span<UInt8>, anyWillDo: Bool) -> Range<Int>? {
        var simulation = self.simulation.take() ?? PikeSimulation(program)
        let match = simulation.firstMatch(in: text, program, anyWillDo: anyWillDo)
        self.simulation = simulation
        return match
    }

    /// How many of the program's states have been looked at since the beginning: the work done but for the table's
    /// look-ups, of which there is at most one a byte.
    package var steps: Int { automaton.steps + (simulation?.steps ?? 0) }

    /// How often the cache was full and emptied.
    package var flushes: Int { automaton.flushes }
}
