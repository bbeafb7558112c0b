// Matches texts against a compiled pattern, by the deterministic automaton if possible, else by simulation.

/// A program with the memory that matching needs. After a few texts of a kind it allocates nothing for more of
/// them. Each copy has its own memory.
package struct RegexMatcher: Sendable {
    /// The most memory that the deterministic automaton may take, in bytes.
    package static let defaultCacheLimitBytes = 4 << 20
    /// After this many texts for which its cache was too small, the automaton is no longer used.
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

    /// The range of the first match in the text, which is UTF-8: the leftmost one, and of those the one that a
    /// backtracking matcher (Perl, Python, JavaScript) would find first. It covers whole characters.
    package mutating func firstMatch(in text: Span<UInt8>) -> Range<Int>? {
        matches(text) ? simulate(text, anyWillDo: false) : nil
    }

    /// The ranges of all matches in the text, which is UTF-8, one after another and none of them empty.
    package mutating func ranges(in text: Span<UInt8>) -> [Range<Int>] {
        guard matches(text) else { return [] }
        var found: [Range<Int>] = []
        var position = 0
        while position <= text.count, let match = simulate(text, from: position, anyWillDo: false) {
            if !match.isEmpty { found.append(match) }
            guard !program.isAnchored else { break }
            position = match.upperBound
            if match.isEmpty { position = position < text.count ? text.codePoint(at: position).next : .max }
        }
        return found
    }

    /// `firstMatch` by simulation alone, which is slower and gives the same result.
    package mutating func simulatedMatch(in text: Span<UInt8>) -> Range<Int>? {
        simulate(text, anyWillDo: false)
    }

    private mutating func simulate(_ text: Span<UInt8>, from start: Int = 0, anyWillDo: Bool) -> Range<Int>? {
        var simulation = self.simulation.take() ?? PikeSimulation(program)
        let match = simulation.firstMatch(in: text, from: start, program, anyWillDo: anyWillDo)
        self.simulation = simulation
        return match
    }

    /// Program states visited since the beginning: all the work except table lookups, of which there is at most one
    /// per byte.
    package var steps: Int { automaton.steps + (simulation?.steps ?? 0) }

    /// How many times the cache was full and was emptied.
    package var flushes: Int { automaton.flushes }
}
