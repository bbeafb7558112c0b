// The deterministic automaton. Each of its states is a set of the program's states, built when a text needs it and
// dropped when the cache is full. A byte then costs one table lookup:
//
//     table:  row 0  | row 1: start      | row 2 …
//             unused | next by class …   |            next: the next row's position, or one of the four verdicts
//
// Whether an assertion about the next byte holds ($, \b) is decided once that byte is read. Until then its state
// waits in the set, along with what is known of the byte before. For \b that works only over ASCII; other texts are
// undecided.

struct LazyDFA: Sendable {
    /// The result of a search.
    enum Outcome: Equatable {
        case match, noMatch
        /// The automaton can't handle this text, or the cache is too small for it.
        case undecided
    }

    /// Table entries below the first row: the verdicts.
    private enum Verdict {
        static let unknown = 0
        static let matched = 1
        static let dead = 2
        static let undecided = 3
    }

    private static let leastStride = 4
    /// A cache that lasts for fewer bytes per state isn't worth having.
    private static let usefulBytesPerState = 10

    let stride: Int
    /// The class of the text's end; it follows those of the bytes.
    private let endClass: Int
    private let limitBytes: Int
    private var table: [UInt32]
    private var sets: StateSetCache
    private var closure: DFAClosure
    /// The first state; 0 if not built yet.
    private var first = Verdict.unknown
    /// Bytes read since the cache was last emptied, up to index `mark` of the text.
    private var bytesSinceFlush = 0
    private var mark = 0
    /// How many times the cache was full and was emptied.
    private(set) var flushes = 0

    /// Program states visited since the beginning.
    var steps: Int { closure.steps }

    init(_ program: RegexProgram, limitBytes: Int) {
        self.limitBytes = limitBytes
        endClass = program.classes.count
        stride = max(endClass + 1, Self.leastStride)
        table = [UInt32](repeating: 0, count: stride)
        sets = StateSetCache()
        closure = DFAClosure(program)
    }

    /// Whether the text has a match.
    mutating func search(_ text: Span<UInt8>, _ program: RegexProgram) -> Outcome {
        var index = 0
        mark = 0
        var state = startState(program)
        var verdict = state < stride ? state : Verdict.unknown
        while verdict == Verdict.unknown {
            verdict = run(text, &index, &state, program.classes)
            guard verdict == Verdict.unknown else { break }
            let byte: UInt8? = index < text.count ? text[index] : nil
            let next = transition(from: state, on: byte, at: index, program)
            if next < stride { verdict = next } else { (state, index) = (next, index + 1) }
        }
        bytesSinceFlush += index - mark
        return verdict == Verdict.matched ? .match : verdict == Verdict.dead ? .noMatch : .undecided
    }

    /// Follows the table from `state` at `index` until it yields a verdict or an unknown entry.
    @inline(__always)
    private func run(_ text: Span<UInt8>, _ index: inout Int, _ state: inout Int, _ classes: ByteClasses) -> Int {
        let table = table.span
        let map = classes.map.span
        var position = index
        var row = state
        let end = text.count
        let first = stride
        while position < end {
            let next = Int(table[row &+ Int(map[Int(text[position])])])
            if next < first {
                (index, state) = (position, row)
                return next
            }
            position &+= 1
            guard next == row else {
                row = next
                continue
            }
            // When a state leads to itself, as the first one usually does, four lookups don't depend on each other.
            while position &+ 4 <= end {
                let one = table[row &+ Int(map[Int(text[position])])]
                let two = table[row &+ Int(map[Int(text[position &+ 1])])]
                let three = table[row &+ Int(map[Int(text[position &+ 2])])]
                let four = table[row &+ Int(map[Int(text[position &+ 3])])]
                let same = UInt32(truncatingIfNeeded: row)
                guard (one ^ same) | (two ^ same) | (three ^ same) | (four ^ same) == 0 else { break }
                position &+= 4
            }
        }
        (index, state) = (position, row)
        return Int(table[row &+ endClass])
    }

    private mutating func startState(_ program: RegexProgram) -> Int {
        guard first == Verdict.unknown else { return first }
        closure.begin(.start)
        let state = closure.add(program.start, program) ? Verdict.matched : intern(program, at: 0)
        if state != Verdict.undecided { first = state }
        return state
    }

    /// Computes where the byte, or the text's end, leads from the state, and stores it in the table.
    private mutating func transition(from state: Int, on byte: UInt8?, at index: Int, _ program: RegexProgram)
        -> Int
    {
        let next: Int
        let flushesBefore = flushes
        if let byte, byte >= 0x80, program.word != nil {
            next = Verdict.undecided
        } else if closure.move(sets.key(of: state / stride), over: byte, program) {
            next = Verdict.matched
        } else {
            next = byte == nil ? Verdict.dead : intern(program, at: index)
        }
        // After a flush the row may belong to another state.
        if flushes == flushesBefore {
            table[state + (byte.map { Int(program.classes.map[Int($0)]) } ?? endClass)] = UInt32(next)
        }
        return next
    }

    /// The row of the set that the closure has gathered, existing or new.
    private mutating func intern(_ program: RegexProgram, at index: Int) -> Int {
        closure.finish()
        if program.isAnchored, closure.key.count == 1 { return Verdict.dead }
        if let row = sets.row(of: closure.key) { return row * stride }
        if sizeWithNewRow > limitBytes {
            guard flush(at: index), sizeWithNewRow <= limitBytes else { return Verdict.undecided }
        }
        let row = sets.insert(closure.key)
        table.append(contentsOf: repeatElement(UInt32(Verdict.unknown), count: stride))
        return row * stride
    }

    /// The size of the cache with one more row, for the closure's key, in bytes.
    private var sizeWithNewRow: Int { sets.sizeBytes + (table.count + stride + closure.key.count) * 4 }

    /// Empties the cache. Returns false if it filled up too soon to be of use.
    private mutating func flush(at index: Int) -> Bool {
        let wasUseful = bytesSinceFlush + index - mark >= sets.count * Self.usefulBytesPerState
        flushes += 1
        bytesSinceFlush = 0
        mark = index
        table.removeLast(table.count - stride)
        sets.removeAll()
        first = Verdict.unknown
        return wasUseful
    }
}

/// Derives one state of the deterministic automaton from another: the program's states reached without a byte, and
/// those reached after one.
///
///     key:  [ what is known of the byte before | states in ascending order ]
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
    mutating func move(_ old: [Int32], over byte: UInt8?, _ program: RegexProgram) -> Bool {
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

/// The keys of the deterministic automaton's rows, and the rows of the keys.
struct StateSetCache: Sendable {
    /// What an entry takes besides its key, about: two references, and its share of a hash table.
    private static let entryBytes = 96

    /// Row 0 has none.
    private var keys: [[Int32]] = [[]]
    private var rows: [[Int32]: Int] = [:]
    private var states = 0

    var count: Int { keys.count - 1 }

    /// The memory that the keys and the hash table take.
    var sizeBytes: Int { states * 4 + keys.count * Self.entryBytes }

    mutating func removeAll() { self = StateSetCache() }

    func key(of row: Int) -> [Int32] { keys[row] }

    func row(of key: [Int32]) -> Int? { rows[key] }

    /// Adds a key that has no row, and returns its row.
    mutating func insert(_ key: [Int32]) -> Int {
        keys.append(key)
        rows[key] = keys.count - 1
        states += key.count
        return keys.count - 1
    }
}

/// The states of an automaton visited so far. Counting rounds makes emptying it free (Briggs and Torczon, 1993).
struct StateSet: Sendable {
    private var rounds: [UInt32]
    private var round: UInt32 = 1

    init(capacity: Int) { rounds = [UInt32](repeating: 0, count: capacity) }

    mutating func removeAll() {
        round &+= 1
        guard round == 0 else { return }
        rounds = [UInt32](repeating: 0, count: rounds.count)
        round = 1
    }

    /// Whether the state is new to the set.
    mutating func insert(_ state: Int32) -> Bool {
        guard rounds[Int(state)] != round else { return false }
        rounds[Int(state)] = round
        return true
    }
}

/// Bytes that no state of an automaton distinguishes form one class, which keeps its table rows short.
///
///     mick: c, i, k, m, and all others: five classes
struct ByteClasses: Sendable {
    /// The class of each byte.
    private(set) var map = [UInt8](repeating: 0, count: 256)
    /// A byte of each class.
    private(set) var representatives: [UInt8] = []

    var count: Int { representatives.count }

    init(states: [RegexState], transitions: [ByteTransition]) {
        var begins = [Bool](repeating: false, count: 257)
        let separate = { (lower: UInt8, upper: UInt8) in
            begins[Int(lower)] = true
            begins[Int(upper) + 1] = true
        }
        for transition in transitions { separate(transition.lower, transition.upper) }
        for state in states {
            switch state {
            case .byte(let lower, let upper, _): separate(lower, upper)
            case .assertion(.lineStart, _), .assertion(.lineEnd, _): separate(0x0A, 0x0A)
            case .assertion(.wordBoundary, _), .assertion(.notWordBoundary, _):
                for range in Self.asciiWord { separate(range.lowerBound, range.upperBound) }
                separate(0x80, 0xFF)
            default: break
            }
        }
        for byte in 0..<256 {
            if byte == 0 || begins[byte] { representatives.append(UInt8(byte)) }
            map[byte] = UInt8(representatives.count - 1)
        }
    }

    private static let asciiWord: [ClosedRange<UInt8>] = [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]

    /// Whether the byte is an ASCII letter, a digit or an underscore.
    static func isASCIIWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
        default: false
        }
    }
}
