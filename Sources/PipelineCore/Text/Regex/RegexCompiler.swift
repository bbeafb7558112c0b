// Compiles the syntax tree to a nondeterministic automaton over bytes (Thompson, 1968), built from its end to its
// beginning, so that every state knows its successor when it is created.
//
//     a|b*    0: match    1: split(2, 0)    2: 'b' -> 1    3: 'a' -> 0    4: split(3, 1)

/// A state of the automaton. Of two choices the first is preferred.
enum RegexState: Sendable {
    case byte(lower: UInt8, upper: UInt8, next: Int32)
    /// `transitions[first ..< first + count]`, ascending; if empty, it never matches.
    case bytes(first: Int32, count: Int32)
    case split(Int32, Int32)
    case assertion(RegexAssertion, next: Int32)
    case match
}

struct RegexCompiler {
    /// The most memory that the states of a pattern may take, in bytes.
    static let limitBytes = 10 << 20
    private static let stateBytes = 16
    private static let transitionBytes = 8

    /// The state where a match ends.
    static let match: Int32 = 0

    private(set) var states: [RegexState] = [.match]
    private(set) var transitions: [ByteTransition] = []
    private var automata: [ScalarSet: UTF8Automaton] = [:]

    /// Adds the states of the node, and returns the first.
    mutating func compile(_ node: RegexNode, next: Int32) throws(RegexError) -> Int32 {
        switch node {
        case .scalars(let set): return try compile(set, next: next)
        case .assertion(let assertion): return try append(.assertion(assertion, next: next))
        case .concatenation(let pieces):
            var next = next
            for piece in pieces.reversed() { next = try compile(piece, next: next) }
            return next
        case .alternation(let branches):
            var entry: Int32?
            for branch in branches.reversed() {
                let first = try compile(branch, next: next)
                if let other = entry { entry = try append(.split(first, other)) } else { entry = first }
            }
            return entry ?? next
        case .repetition(let node, let least, let most, let isGreedy):
            return try compile(node, least: least, most: most, isGreedy: isGreedy, next: next)
        }
    }

    private mutating func append(_ state: RegexState) throws(RegexError) -> Int32 {
        let size = states.count * Self.stateBytes + transitions.count * Self.transitionBytes
        guard size < Self.limitBytes else { throw .tooLarge(at: 0) }
        states.append(state)
        return Int32(states.count - 1)
    }

    private mutating func compile(
        _ node: RegexNode, least: Int, most: Int?, isGreedy: Bool, next: Int32
    ) throws(RegexError) -> Int32 {
        var entry = next
        var copies = least
        if let most {
            // x{0,2} is (x(x)?)?
            for _ in least..<most { entry = try appendChoice(compile(node, next: entry), next, isGreedy) }
        } else {
            let loop = try append(.match)
            let body = try compile(node, next: loop)
            states[Int(loop)] = isGreedy ? .split(body, next) : .split(next, body)
            if least > 0 {
                entry = body
                copies -= 1
            } else {
                // If x may be empty, x* is (x+)?; otherwise the empty path through x would silently end the loop.
                entry = node.isNullable ? try appendChoice(body, next, isGreedy) : loop
            }
        }
        for _ in 0..<copies { entry = try compile(node, next: entry) }
        return entry
    }

    private mutating func appendChoice(_ body: Int32, _ next: Int32, _ isGreedy: Bool) throws(RegexError) -> Int32 {
        try append(isGreedy ? .split(body, next) : .split(next, body))
    }

    private mutating func compile(_ set: ScalarSet, next: Int32) throws(RegexError) -> Int32 {
        if let scalar = set.single, !(0xD800...0xDFFF).contains(scalar) {
            var next = next
            for byte in UTF8Automaton.encode(scalar).reversed() {
                next = try append(.byte(lower: byte, upper: byte, next: next))
            }
            return next
        }
        let automaton = automaton(of: set)
        let first = states.count
        for node in automaton.nodes {
            _ = try append(node, from: Int32(first), next: next)
        }
        return Int32(states.count - 1)
    }

    private mutating func automaton(of set: ScalarSet) -> UTF8Automaton {
        if let known = automata[set] { return known }
        let automaton = UTF8Automaton(set)
        automata[set] = automaton
        return automaton
    }

    /// Adds a node of a set's automaton as a state. The automaton's first node is state `first`.
    private mutating func append(_ node: [ByteTransition], from first: Int32, next: Int32) throws(RegexError)
        -> Int32
    {
        let resolved = node.map { transition in
            var transition = transition
            transition.target = transition.target == UTF8Automaton.end ? next : first + transition.target
            return transition
        }
        if resolved.count == 1 {
            return try append(.byte(lower: resolved[0].lower, upper: resolved[0].upper, next: resolved[0].target))
        }
        let state = try append(.bytes(first: Int32(transitions.count), count: Int32(resolved.count)))
        transitions.append(contentsOf: resolved)
        return state
    }
}
