// What a pattern says, as a tree: case has gone into the sets, flags into the nodes, and groups have left no trace.
//
//     (?i)^a(?:b|c)+   concatenation [ assertion textStart, scalars {A a}, repetition 1... { scalars {B C b c} } ]

/// Something that holds at a place between two scalars.
enum RegexAssertion: UInt8, Sendable {
    case textStart, textEnd, lineStart, lineEnd, wordBoundary, notWordBoundary

    var isAboutWords: Bool { self == .wordBoundary || self == .notWordBoundary }
}

indirect enum RegexNode: Sendable {
    /// The empty text.
    case empty
    /// One scalar of the set; an empty set never matches.
    case scalars(ScalarSet)
    case assertion(RegexAssertion)
    case concatenation([RegexNode])
    /// An earlier one is preferred.
    case alternation([RegexNode])
    /// `most` is nil for no limit. Greedy: more is preferred.
    case repetition(RegexNode, least: Int, most: Int?, isGreedy: Bool)

    init(concatenating pieces: [RegexNode]) {
        let pieces = pieces.filter { if case .empty = $0 { false } else { true } }
        switch pieces.count {
        case 0: self = .empty
        case 1: self = pieces[0]
        default: self = .concatenation(pieces)
        }
    }

    /// One of several; where each is one scalar they are one set.
    init(alternating branches: [RegexNode]) {
        guard branches.count != 1 else {
            self = branches[0]
            return
        }
        var ranges: [ScalarSet.Bounds] = []
        for branch in branches {
            guard case .scalars(let set) = branch else {
                self = .alternation(branches)
                return
            }
            ranges.append(contentsOf: set.ranges)
        }
        self = .scalars(ScalarSet(unsorted: ranges))
    }

    init(repeating node: RegexNode, least: Int, most: Int?, isGreedy: Bool) {
        if case .empty = node {
            self = .empty
        } else if most == 0 {
            self = .empty
        } else {
            self = .repetition(node, least: least, most: most, isGreedy: isGreedy)
        }
    }

    /// Whether it can match the empty text.
    var isNullable: Bool {
        switch self {
        case .empty, .assertion: true
        case .scalars: false
        case .concatenation(let pieces): pieces.allSatisfy(\.isNullable)
        case .alternation(let branches): branches.contains(where: \.isNullable)
        case .repetition(let node, let least, _, _): least == 0 || node.isNullable
        }
    }
}
