// Simulates the automaton with all its threads side by side, byte by byte (Thompson, 1968; Pike, 1987). A thread
// knows where its match would begin; of two threads in one state only the preferred one continues. So a text costs
// at most its length times the number of states. The match is the leftmost, and of those the one that a
// backtracking matcher (Perl, Python, JavaScript) finds first. It may be longer than theirs only if something that
// may be empty is repeated, as in (?:a?|b)*: an iteration that consumes nothing doesn't end the repetition while
// another consumes something.

struct PikeSimulation: Sendable {
    private struct Thread: Sendable {
        let state: Int32
        let start: Int
    }

    /// The threads at the current position, in order of preference, and those at the next.
    private var threads: [Thread] = []
    private var nextThreads: [Thread] = []
    private var seen: StateSet
    private var stack: [Int32] = []
    /// States visited since the beginning.
    private(set) var steps = 0

    init(_ program: RegexProgram) { seen = StateSet(capacity: program.states.count) }

    /// The leftmost match that begins at or after `start`, or the first one noticed if any will do.
    mutating func firstMatch(
        in text: Span<UInt8>, from start: Int = 0, _ program: RegexProgram, anyWillDo: Bool
    ) -> Range<Int>? {
        nextThreads.removeAll(keepingCapacity: true)
        seen.removeAll()
        var best: Range<Int>?
        var index = start
        add(program.start, start: start, text, at: start, program)
        swap(&threads, &nextThreads)
        while true {
            if let match = step(text, at: index, program) {
                best = match
                if anyWillDo { return best }
            }
            index += 1
            guard index <= text.count else { return best }
            if best == nil, !program.isAnchored, index == text.count || text[index] & 0xC0 != 0x80 {
                add(program.start, start: index, text, at: index, program)
            }
            swap(&threads, &nextThreads)
            if threads.isEmpty, best != nil || program.isAnchored { return best }
        }
    }

    /// Moves the threads over the byte at `index` into `nextThreads`. A match ends the threads after it.
    private mutating func step(_ text: Span<UInt8>, at index: Int, _ program: RegexProgram) -> Range<Int>? {
        nextThreads.removeAll(keepingCapacity: true)
        seen.removeAll()
        steps += threads.count
        for position in threads.indices {
            let thread = threads[position]
            if case .match = program.states[Int(thread.state)] { return thread.start..<index }
            guard index < text.count, let target = program.target(of: thread.state, on: text[index]) else {
                continue
            }
            add(target, start: thread.start, text, at: index + 1, program)
        }
        return nil
    }

    /// Adds a thread for each state reached from this one without a byte.
    private mutating func add(
        _ state: Int32, start: Int, _ text: Span<UInt8>, at index: Int, _ program: RegexProgram
    ) {
        stack.append(state)
        while let state = stack.popLast() {
            guard seen.insert(state) else { continue }
            steps += 1
            switch program.states[Int(state)] {
            case .split(let first, let second):
                stack.append(second)
                stack.append(first)
            case .assertion(let assertion, let next):
                if RegexContext(text, at: index, word: program.word).holds(assertion) { stack.append(next) }
            case .byte, .bytes, .match:
                nextThreads.append(Thread(state: state, start: start))
            }
        }
    }
}
