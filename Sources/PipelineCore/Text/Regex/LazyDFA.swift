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
    /// The start states by context; 0 if not built yet.
    private var starts = [Int](repeating: Verdict.unknown, count: 8)
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

    /// Whether the text has a match that begins at or after `start`.
    mutating func search(_ text: Span<UInt8>, from start: Int, _ program: RegexProgram) -> Outcome {
        var index = start
        mark = start
        var state = startState(text, at: start, program)
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

    private mutating func startState(_ text: Span<UInt8>, at index: Int, _ program: RegexProgram) -> Int {
        var behind = DFAClosure.Behind()
        if index == 0 {
            behind.insert(.start)
        } else {
            let byte = text[index - 1]
            if byte >= 0x80, program.word != nil { return Verdict.undecided }
            behind = DFAClosure.Behind(after: byte)
        }
        let known = starts[Int(behind.rawValue)]
        if known != Verdict.unknown { return known }
        closure.begin(behind)
        let state = closure.add(program.start, program) ? Verdict.matched : intern(program, at: index)
        if state != Verdict.undecided { starts[Int(behind.rawValue)] = state }
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
        for position in starts.indices { starts[position] = Verdict.unknown }
        return wasUseful
    }
}
