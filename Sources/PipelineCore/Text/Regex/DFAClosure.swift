// Derives one state of the deterministic automaton from another: the program's states reached without a byte, and
// those reached after one.
//
//     key:  [ what is known of the byte before | states in ascending order ]

struct DFAClosure: Sendable {
    /// What is known of the byte before a position.
    struct Behind: OptionSet, Sendable {
        let rawValue: Int32
        static let start = Behind(rawValue: 1)
        static let lineEnd = Behind(rawValue: 2)
        static let word = Behind(rawValue: 4)

        init(rawValue: Int32) { self.rawValue = rawValue }

        init(after byte: UInt8) {
            self = byte == 0x0A ? .lineEnd : ByteClasses.isASCIIWord(byte) ? .word : []
        }
    }

    /// The state gathered so far. The byte before matters only while an assertion waits for the next byte.
    private(set) var key: [Int32] = [0]
    private(set) var steps = 0
    private var context = RegexContext()
    private var behind = Behind()
    /// Whether `context` knows the next byte.
    private var knowsAhead = false
    /// Whether a state of `key` waits for the next byte.
    private var isWaiting = false
    private var seen: StateSet
    private var stack: [Int32] = []
    /// The states that consume a byte, when assertions had to be decided first.
    private var decided: [Int32] = []

    init(_ program: RegexProgram) { seen = StateSet(capacity: program.states.count) }

    /// Begins a new state, given what is known of the byte before.
    mutating func begin(_ behind: Behind) {
        key.removeAll(keepingCapacity: true)
        key.append(0)
        seen.removeAll()
        isWaiting = false
        knowsAhead = false
        self.behind = behind
        context = RegexContext(
            isAtStart: behind.contains(.start), isAfterLineEnd: behind.contains(.lineEnd),
            isAfterWord: behind.contains(.word))
    }

    /// Adds the states reached from this one without a byte. Returns true if one is a match.
    mutating func add(_ state: Int32, _ program: RegexProgram) -> Bool {
        stack.append(state)
        while let state = stack.popLast() {
            guard seen.insert(state) else { continue }
            steps += 1
            switch program.states[Int(state)] {
            case .match:
                stack.removeAll(keepingCapacity: true)
                return true
            case .split(let first, let second):
                stack.append(second)
                stack.append(first)
            case .assertion(let assertion, let next):
                if !knowsAhead, assertion != .textStart, assertion != .lineStart {
                    isWaiting = true
                    key.append(state)
                } else if context.holds(assertion) {
                    stack.append(next)
                }
            case .byte, .bytes: key.append(state)
            }
        }
        return false
    }

    /// Gives the state its final form.
    mutating func finish() {
        key[1...].sort()
        // The flag says that assertions wait; `start` and the other options are bits below it.
        key[0] = isWaiting ? behind.rawValue | Self.waiting : 0
    }

    private static let waiting: Int32 = 8

    /// Advances a state over a byte, or to the text's end, and gathers the new one. Returns true if that is a
    /// match, or if the old state turns out to be one now that the next byte is known.
    mutating func move(_ old: ArraySlice<Int32>, over byte: UInt8?, _ program: RegexProgram) -> Bool {
        var states = old.dropFirst()
        if let flags = old.first, flags & Self.waiting != 0 {
            guard !decide(states, behind: Behind(rawValue: flags & ~Self.waiting), byte, program) else {
                return true
            }
            states = decided[...]
        }
        guard let byte else { return false }
        begin(Behind(after: byte))
        for state in states {
            steps += 1
            if let target = program.target(of: state, on: byte), add(target, program) { return true }
        }
        return !program.isAnchored && add(program.start, program)
    }

    /// Follows the assertions that waited; puts the states that consume a byte into `decided`. True for a match.
    private mutating func decide(
        _ states: ArraySlice<Int32>, behind: Behind, _ byte: UInt8?, _ program: RegexProgram
    ) -> Bool {
        begin(behind)
        knowsAhead = true
        context.isAtEnd = byte == nil
        context.isBeforeLineEnd = byte == 0x0A
        context.isBeforeWord = byte.map(ByteClasses.isASCIIWord) ?? false
        for state in states where add(state, program) { return true }
        decided.removeAll(keepingCapacity: true)
        decided.append(contentsOf: key.dropFirst())
        return false
    }
}
