// Matches texts against a compiled pattern, by the deterministic automaton if possible, else by simulation.

/// A program with the memory that matching needs. After a few texts of a kind it allocates nothing for more of
/// them. Each copy has its own memory.
package struct RegexMatcher: TextMatcher, Sendable {
    /// The most memory that the deterministic automaton may take, in bytes.
    package static let defaultCacheLimitBytes = 4 << 20
    /// After this many texts for which its cache was too small, the automaton is no longer used.
    private static let failureLimit = 8

    package let program: RegexProgram
    private var automaton: LazyDFA
    private var simulation: PikeSimulation?
    private var failures = 0
    private var finds: RegexFinds?
    /// A search for all matches that reads the text more often than this goes on in another way.
    private static let readings = 4

    package init(_ program: RegexProgram, cacheLimitBytes: Int = RegexMatcher.defaultCacheLimitBytes) {
        self.program = program
        automaton = LazyDFA(program, limitBytes: cacheLimitBytes)
    }

    package mutating func matches(_ text: Span<UInt8>) -> Bool {
        if let literal = program.requiredLiteral, literal.refuses(text) { return false }
        if failures < Self.failureLimit {
            let flushes = automaton.flushes
            if let isMatch = automaton.search(text, program) { return isMatch }
            if automaton.flushes != flushes { failures += 1 }
        }
        return simulate(text, anyWillDo: true) != nil
    }

    /// The range of the first match in the text, which is UTF-8: the leftmost one, and of those the one that a
    /// backtracking matcher (Perl, Python, JavaScript) would find first. It covers whole characters.
    package mutating func range(in text: Span<UInt8>) -> Range<Int>? {
        matches(text) ? simulate(text, anyWillDo: false) : nil
    }

    package mutating func ranges(in text: Span<UInt8>) -> [Range<Int>] {
        guard matches(text) else { return [] }
        var found: [Range<Int>] = []
        var position = 0
        let before = simulation?.bytesRead ?? 0
        while position <= text.count, let match = simulate(text, from: position, anyWillDo: false) {
            if !match.isEmpty { found.append(match) }
            guard !program.isAnchored else { break }
            position = match.upperBound
            if match.isEmpty { position = position < text.count ? text.codePoint(at: position).next : .max }
            if (simulation?.bytesRead ?? 0) - before > Self.readings * text.count, position <= text.count {
                return found + rest(of: text, from: position)
            }
        }
        return found
    }

    private mutating func rest(of text: Span<UInt8>, from position: Int) -> [Range<Int>] {
        var finds = self.finds.take() ?? RegexFinds(program)
        let ranges = finds.ranges(in: text, from: position)
        self.finds = finds
        return ranges
    }

    /// The same as `range` by simulation alone, which is slower.
    /// - Parameter anyWillDo: the first match that is noticed is enough.
    package mutating func simulate(_ text: Span<UInt8>, from start: Int = 0, anyWillDo: Bool) -> Range<Int>? {
        var simulation = self.simulation.take() ?? PikeSimulation(program)
        let match = simulation.firstMatch(in: text, from: start, program, anyWillDo: anyWillDo)
        self.simulation = simulation
        return match
    }

    /// Program states visited since the beginning: all the work except table lookups, of which there is at most one
    /// per byte.
    package var steps: Int { automaton.steps + (simulation?.steps ?? 0) + (finds?.steps ?? 0) }

    /// How many times the cache was full and was emptied.
    package var flushes: Int { automaton.flushes }
}

/// Simulates the automaton with all its threads side by side, byte by byte (Thompson, 1968; Pike, 1987). A thread
/// knows where its match would begin; of two threads in one state only the preferred one continues. So a text costs
/// at most its length times the number of states. The match is that of a backtracking matcher, but it may be longer if
/// something that may be empty is repeated, as in (?:a?|b)*: an iteration that consumes nothing doesn't end the
/// repetition while another consumes something.
struct PikeSimulation: Sendable {
    /// The states of the threads at the current position, in order of preference, and where their matches would begin.
    private var states: [Int32] = []
    private var starts: [Int] = []
    private var next: EmptyPaths
    private var nextStarts: [Int] = []
    private var moves = 0
    private(set) var bytesRead = 0

    init(_ program: RegexProgram) { next = EmptyPaths(program) }

    var steps: Int { moves + next.steps }

    /// The leftmost match that begins at or after `start`, or the first one noticed if any will do.
    mutating func firstMatch(
        in text: Span<UInt8>, from start: Int, _ program: RegexProgram, anyWillDo: Bool
    ) -> Range<Int>? {
        begin()
        var best: Range<Int>?
        var index = start
        while true {
            // A match that begins later is less preferred than all that have begun.
            let mayBegin =
                index == start || !program.isAnchored && (index == text.count || text[index] & 0xC0 != 0x80)
            if best == nil, mayBegin { add(program.start, start: index, text, at: index, program) }
            swap(&states, &next.reached)
            swap(&starts, &nextStarts)
            if states.isEmpty, best != nil || program.isAnchored { return best }
            if let match = step(text, at: index, program) {
                best = match
                if anyWillDo { return best }
            }
            index += 1
            bytesRead += 1
            guard index <= text.count else { return best }
        }
    }

    private mutating func begin() {
        next.begin()
        nextStarts.removeAll(keepingCapacity: true)
    }

    /// Moves the threads over the byte at `index`. A match ends the threads after it.
    private mutating func step(_ text: Span<UInt8>, at index: Int, _ program: RegexProgram) -> Range<Int>? {
        begin()
        moves += states.count
        for position in states.indices {
            if case .match = program.states[Int(states[position])] { return starts[position]..<index }
            guard index < text.count, let target = program.target(of: states[position], on: text[index]) else {
                continue
            }
            add(target, start: starts[position], text, at: index + 1, program)
        }
        return nil
    }

    /// Adds a thread for each state reached from this one without a byte.
    private mutating func add(
        _ state: Int32, start: Int, _ text: Span<UInt8>, at index: Int, _ program: RegexProgram
    ) {
        next.follow(state, program) { RegexContext(text, at: index, word: program.word) }
        while nextStarts.count < next.reached.count { nextStarts.append(start) }
    }
}

/// Follows the states of a program that consume no byte.
struct EmptyPaths: Sendable {
    /// The states found that consume a byte or match, in order of preference.
    var reached: [Int32] = []
    /// The states visited, and the round in which they last were. Counting rounds makes emptying the set free (Briggs and
    /// Torczon, 1993).
    private var rounds: [UInt32]
    private var round: UInt32 = 0
    private var stack: [Int32] = []
    private(set) var steps = 0

    init(_ program: RegexProgram) { rounds = [UInt32](repeating: 0, count: program.states.count) }

    mutating func begin() {
        reached.removeAll(keepingCapacity: true)
        round &+= 1
        guard round == 0 else { return }
        for index in rounds.indices { rounds[index] = 0 }
        round = 1
    }

    mutating func visit(_ state: Int32) -> Bool {
        guard rounds[Int(state)] != round else { return false }
        rounds[Int(state)] = round
        return true
    }

    mutating func follow(_ state: Int32, _ program: RegexProgram, _ context: () -> RegexContext) {
        stack.append(state)
        while let state = stack.popLast() {
            guard visit(state) else { continue }
            steps += 1
            switch program.states[Int(state)] {
            case .split(let first, let second):
                stack.append(second)
                stack.append(first)
            case .assertion(let assertion, let next): if context().holds(assertion) { stack.append(next) }
            case .byte, .bytes, .match: reached.append(state)
            }
        }
    }
}
