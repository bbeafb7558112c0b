// A pattern as a tree: case is resolved into the sets, flags into the nodes, and groups are gone.
//
//     (?i)^a(?:b|c)+   concatenation [ assertion textStart, scalars {A a}, repetition 1... { scalars {B C b c} } ]

/// A condition at a position between two scalars.
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
    /// Earlier branches are preferred.
    case alternation([RegexNode])
    /// No limit if `most` is nil. Greedy prefers more.
    case repetition(RegexNode, least: Int, most: Int?, isGreedy: Bool)

    init(concatenating pieces: [RegexNode]) {
        let pieces = pieces.filter { if case .empty = $0 { false } else { true } }
        switch pieces.count {
        case 0: self = .empty
        case 1: self = pieces[0]
        default: self = .concatenation(pieces)
        }
    }

    /// An alternation. If each branch is one scalar, they become one set.
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
