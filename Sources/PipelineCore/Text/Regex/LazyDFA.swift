// The deterministic automaton. Each of its states is a set of the program's states, built when a text needs it and
// dropped when the cache is full. A byte then costs one table lookup:
//
//     table:  row 0  | row 1: start      | row 2 …
//             unused | next by class …   |            next: the next row's position, or one of the four verdicts
//
// Whether an assertion holds ($, \b) is known once the next byte is read. So the set has the states as they are before
// any that consumes no byte is followed, and what is known of the byte before; a match is noticed a byte later. For \b
// that works only over ASCII; other texts are undecided.

struct LazyDFA: Sendable {
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
    /// What a key takes besides its states, about: two references, and its share of a hash table.
    private static let entryBytes = 96

    let stride: Int
    /// The class of the text's end; it follows those of the bytes.
    private let endClass: Int
    private let limitBytes: Int
    private var table: [UInt32]
    /// The key of each row: what is known of the byte before, then the program's states, ascending. Row 0 has none.
    private var keys: [[Int32]] = [[]]
    private var rows: [[Int32]: Int] = [:]
    private var keyStates = 0
    private var paths: EmptyPaths
    /// The first state; 0 if not built yet.
    private var first = Verdict.unknown
    /// Bytes read since the cache was last emptied, up to index `mark` of the text.
    private var bytesSinceFlush = 0
    private var mark = 0
    private(set) var flushes = 0

    private var moves = 0
    /// Program states visited since the beginning.
    var steps: Int { moves + paths.steps }

    init(_ program: RegexProgram, limitBytes: Int) {
        self.limitBytes = limitBytes
        endClass = program.classes.count
        stride = max(endClass + 1, Self.leastStride)
        table = [UInt32](repeating: 0, count: stride)
        paths = EmptyPaths(program)
    }

    /// Whether the text has a match; nil if the automaton can't handle it, or the cache is too small for it.
    mutating func search(_ text: Span<UInt8>, _ program: RegexProgram) -> Bool? {
        var index = 0
        mark = 0
        let start = RegexContext.atStart.intersection(program.asked)
        var state = first == Verdict.unknown ? row(of: [start.rawValue, program.start], at: 0) : first
        if state >= stride { first = state }
        var verdict = state < stride ? state : Verdict.unknown
        while verdict == Verdict.unknown {
            verdict = run(text, &index, &state, program.classes)
            guard verdict == Verdict.unknown else { break }
            let byte: UInt8? = index < text.count ? text[index] : nil
            let next = transition(from: state, on: byte, at: index, program)
            if next < stride { verdict = next } else { (state, index) = (next, index + 1) }
        }
        bytesSinceFlush += index - mark
        return verdict == Verdict.undecided ? nil : verdict == Verdict.matched
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

    /// Computes where the byte, or the text's end, leads from the state, and stores it in the table.
    private mutating func transition(from state: Int, on byte: UInt8?, at index: Int, _ program: RegexProgram)
        -> Int
    {
        let next: Int
        let flushesBefore = flushes
        if let byte, byte >= 0x80, program.word != nil {
            next = Verdict.undecided
        } else if let key = key(after: byte, keys[state / stride], program) {
            let isDead = byte == nil || key.count == 1
            next = isDead ? Verdict.dead : row(of: key, at: index)
        } else {
            next = Verdict.matched
        }
        // After a flush the row may belong to another state.
        if flushes == flushesBefore {
            table[state + (byte.map { Int(program.classes.map[Int($0)]) } ?? endClass)] = UInt32(next)
        }
        return next
    }

    /// The key of the state after the byte, or the text's end; nil if the old one turns out to be a match, now that
    /// the byte is known.
    private mutating func key(after byte: UInt8?, _ old: [Int32], _ program: RegexProgram) -> [Int32]? {
        let context = RegexContext(rawValue: old[0]).union(RegexContext(before: byte))
        paths.begin()
        for state in old.dropFirst() { paths.follow(state, program) { context } }
        let reached = paths.reached
        guard !reached.contains(RegexCompiler.match) else { return nil }
        guard let byte else { return [0] }
        moves += reached.count
        paths.begin()
        var states: [Int32] = []
        if !program.isAnchored, paths.visit(program.start) { states.append(program.start) }
        for state in reached {
            if let target = program.target(of: state, on: byte), paths.visit(target) { states.append(target) }
        }
        return [RegexContext(after: byte).intersection(program.asked).rawValue] + states.sorted()
    }

    private mutating func row(of key: [Int32], at index: Int) -> Int {
        if let row = rows[key] { return row * stride }
        if size(with: key) > limitBytes {
            guard flush(at: index), size(with: key) <= limitBytes else { return Verdict.undecided }
        }
        rows[key] = keys.count
        keys.append(key)
        keyStates += key.count
        table.append(contentsOf: repeatElement(UInt32(Verdict.unknown), count: stride))
        return table.count - stride
    }

    /// The size of the cache with one more row, in bytes.
    private func size(with key: [Int32]) -> Int {
        (table.count + stride + keyStates + key.count) * 4 + keys.count * Self.entryBytes
    }

    /// Empties the cache. Returns false if it filled up too soon to be of use.
    private mutating func flush(at index: Int) -> Bool {
        let wasUseful = bytesSinceFlush + index - mark >= (keys.count - 1) * Self.usefulBytesPerState
        flushes += 1
        bytesSinceFlush = 0
        mark = index
        table.removeLast(table.count - stride)
        keys.removeLast(keys.count - 1)
        rows.removeAll()
        keyStates = 0
        first = Verdict.unknown
        return wasUseful
    }
}

/// Bytes that no state of an automaton distinguishes form one class, which keeps its table rows short.
///
///     mick: c, i, k, m, and all others: five classes
struct ByteClasses: Sendable {
    private(set) var map = [UInt8](repeating: 0, count: 256)
    private(set) var count = 0

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
                for byte in 1...0x80 as ClosedRange<UInt8>
                where Self.isASCIIWord(byte) != Self.isASCIIWord(byte - 1) || byte == 0x80 {
                    begins[Int(byte)] = true
                }
            default: break
            }
        }
        for byte in 0..<256 {
            if byte == 0 || begins[byte] { count += 1 }
            map[byte] = UInt8(count - 1)
        }
    }

    static func isASCIIWord(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || byte == UInt8(ascii: "_") }
}
