// All matches in a text, in time linear in it, whatever the pattern. A search that begins anew behind each match may read
// to the end of the text each time: `a.*b|a` does in `aaaa…`. So this one first goes through the text backwards:
//
//     text        a  a  a  b  a             from which states can a match be reached at each position?
//     positions   0  1  2  3  4  5          those are kept for every k-th position, and found again block by block
//
// Then each match is followed forwards by the preferred state that can reach its end, so no byte is read in vain.

struct RegexFinds: Sendable {
    /// A set of states, a bit each.
    private typealias States = [UInt64]

    private let program: RegexProgram
    /// For each state those that lead to it: by a byte, and by none.
    private var byteSources: [[Int32]]
    private var emptySources: [[Int32]]
    private var paths: EmptyPaths
    private var stack: [Int32] = []
    private var moves = 0

    /// The positions of a block, which begins at a multiple of its size; those of the one that is loaded.
    private var blockSize = 1
    private var loaded = 0..<0
    private var sets: [States] = []
    /// The set at the end of each block.
    private var ends: [States] = []

    init(_ program: RegexProgram) {
        self.program = program
        byteSources = .init(repeating: [], count: program.states.count)
        emptySources = byteSources
        paths = EmptyPaths(program)
        for number in program.states.indices {
            let state = Int32(number)
            switch program.states[number] {
            case .byte(_, _, let next): byteSources[Int(next)].append(state)
            case .bytes(let first, let count):
                let targets = Set((Int(first)..<Int(first + count)).map { program.transitions[$0].target })
                for target in targets { byteSources[Int(target)].append(state) }
            case .split(let first, let second):
                emptySources[Int(first)].append(state)
                emptySources[Int(second)].append(state)
            case .assertion(_, let next): emptySources[Int(next)].append(state)
            case .match: break
            }
        }
    }

    /// Program states visited since the beginning.
    var steps: Int { moves + paths.steps }

    /// The matches that begin at or after a position, without the empty ones.
    mutating func ranges(in text: Span<UInt8>, from start: Int) -> [Range<Int>] {
        readBackwards(text, to: start)
        var found: [Range<Int>] = []
        var position = start
        while position <= text.count {
            guard canMatch(program.start, at: position, text) else {
                position = Self.next(after: position, text)
                continue
            }
            let end = end(ofMatchFrom: position, text)
            if end > position { found.append(position..<end) }
            position = end > position ? end : Self.next(after: position, text)
        }
        return found
    }

    private static func next(after position: Int, _ text: Span<UInt8>) -> Int {
        position < text.count ? text.codePoint(at: position).next : position + 1
    }

    /// Follows the preferred states to where the match ends.
    private mutating func end(ofMatchFrom start: Int, _ text: Span<UInt8>) -> Int {
        var (state, index) = (program.start, start)
        while true {
            paths.begin()
            paths.follow(state, program) { RegexContext(text, at: index, word: program.word) }
            guard let best = paths.reached.first(where: { canMatch($0, at: index, text) }), index < text.count,
                let target = program.target(of: best, on: text[index])
            else { return index }
            (state, index) = (target, index + 1)
        }
    }

    // MARK: From the end

    private mutating func readBackwards(_ text: Span<UInt8>, to start: Int) {
        // Blocks of this size and their ends take about as much memory.
        blockSize = max(64, Int(Double(text.count).squareRoot()))
        loaded = 0..<0
        ends = .init(repeating: [], count: text.count / blockSize + 1)
        var states: States = []
        for index in (start...text.count).reversed() {
            states = self.states(at: index, text, next: states)
            if index % blockSize == 0, index > 0 { ends[index / blockSize - 1] = states }
        }
    }

    private mutating func canMatch(_ state: Int32, at index: Int, _ text: Span<UInt8>) -> Bool {
        if !loaded.contains(index) { load(index / blockSize, text) }
        return sets[index - loaded.lowerBound][Int(state) >> 6] >> UInt64(state & 63) & 1 == 1
    }

    private mutating func load(_ block: Int, _ text: Span<UInt8>) {
        let start = block * blockSize
        loaded = start..<min(start + blockSize, text.count + 1)
        sets = .init(repeating: [], count: loaded.count)
        var states = ends[block]
        for index in loaded.reversed() {
            states = self.states(at: index, text, next: states)
            sets[index - start] = states
        }
    }

    /// The states from which a match can be reached at a position, from those at the one behind it; there is none behind
    /// the text's end.
    private mutating func states(at index: Int, _ text: Span<UInt8>, next: States) -> States {
        var found = States(repeating: 0, count: (program.states.count + 63) >> 6)
        func add(_ state: Int32) {
            let (word, bit) = (Int(state) >> 6, UInt64(1) << UInt64(state & 63))
            guard found[word] & bit == 0 else { return }
            found[word] |= bit
            moves += 1
            stack.append(state)
        }
        add(RegexCompiler.match)
        if index < text.count {
            for word in next.indices where next[word] != 0 {
                var bits = next[word]
                while bits != 0 {
                    let target = Int32(word << 6 + bits.trailingZeroBitCount)
                    bits &= bits - 1
                    for source in byteSources[Int(target)]
                    where program.target(of: source, on: text[index]) == target { add(source) }
                }
            }
        }
        var context: RegexContext?
        while let state = stack.popLast() {
            for source in emptySources[Int(state)] {
                if case .assertion(let assertion, _) = program.states[Int(source)] {
                    let known = context ?? RegexContext(text, at: index, word: program.word)
                    context = known
                    guard known.holds(assertion) else { continue }
                }
                add(source)
            }
        }
        return found
    }
}
