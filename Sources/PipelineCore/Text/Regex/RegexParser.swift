// Parses a pattern. Open groups are on an explicit stack, so no pattern can exhaust the thread's.
//
//     a(b|c    open: [ group at 1: outer pieces [a] ]    branches: [b]    pieces: [c]

struct RegexParser {
    static let limitBytes = 65_536
    static let nestingLimit = 250
    static let repetitionLimit = 1_000
    /// The most ranges in all sets together; automata with more would be too large anyway.
    static let rangeLimit = 2_000_000

    struct Flags: Equatable {
        var ignoresCase = false
        var anchorsAreForLines = false
        var dotMatchesLineEnd = false
        var ignoresSpace = false
    }

    /// What a repetition at this position would repeat.
    enum Repeatable { case nothing, piece, repetition }

    struct OpenGroup {
        /// The offset of its `(`.
        let offset: Int
        let outerFlags: Flags
        let outerBranches: [RegexNode]
        let outerPieces: [RegexNode]
    }

    let scalars: [Unicode.Scalar]
    var index = 0
    var flags: Flags
    var open: [OpenGroup] = []
    /// The finished branches of the innermost open group.
    var branches: [RegexNode] = []
    /// The branch being parsed.
    var pieces: [RegexNode] = []
    var repeatable = Repeatable.nothing
    /// Whether a set was widened to match any case.
    var widenedCase = false
    /// The number of ranges in all sets so far.
    private var rangeCount = 0
    /// The properties used so far; a pattern may name one many times.
    var properties: [String: ScalarSet] = [:]

    /// - Parameter caseInsensitive: as if the pattern began with `(?i)`.
    init(_ pattern: String, caseInsensitive: Bool) throws(RegexError) {
        guard pattern.utf8.count <= Self.limitBytes else {
            throw RegexError(reason: .tooLong, offset: 0)
        }
        scalars = Array(pattern.unicodeScalars)
        flags = Flags(ignoresCase: caseInsensitive)
    }

    mutating func parse() throws(RegexError) -> RegexNode {
        while index < scalars.count {
            let offset = index
            try parseNext()
            guard rangeCount <= Self.rangeLimit else {
                throw RegexError(reason: .tooLarge, offset: offset)
            }
        }
        if let group = open.last { throw RegexError(reason: .unclosedGroup, offset: group.offset) }
        return takeAlternation()
    }

    private mutating func parseNext() throws(RegexError) {
        let scalar = scalars[index]
        switch scalar {
        case "(": try openGroup()
        case ")": try closeGroup()
        case "|": endBranch()
        case "*", "+", "?", "{": try parseRepetition()
        case "[": try parseClass()
        case "\\": try parseEscape()
        case ".": add(.scalars(flags.dotMatchesLineEnd ? .all : ScalarSet(0x0A).inverted))
        case "^": add(.assertion(flags.anchorsAreForLines ? .lineStart : .textStart))
        case "$": add(.assertion(flags.anchorsAreForLines ? .lineEnd : .textEnd))
        case "#" where flags.ignoresSpace:
            while index < scalars.count, scalars[index] != "\n" { index += 1 }
        case _ where flags.ignoresSpace && scalar.properties.isWhitespace: index += 1
        default: add(literal(scalar))
        }
    }

    /// Appends the meaning of the scalar at `index`.
    private mutating func add(_ piece: RegexNode) {
        index += 1
        append(piece)
    }

    mutating func append(_ piece: RegexNode) {
        if case .scalars(let set) = piece { rangeCount += set.ranges.count }
        pieces.append(piece)
        repeatable = .piece
    }

    mutating func literal(_ scalar: Unicode.Scalar) -> RegexNode {
        .scalars(inCase(ScalarSet(scalar.value)))
    }

    /// The set, extended to any case if the flag is set.
    mutating func inCase(_ set: ScalarSet) -> ScalarSet {
        guard flags.ignoresCase else { return set }
        let closure = CaseOrbits.closure(set)
        if closure != set { widenedCase = true }
        return closure
    }

    func peek(_ distance: Int = 0) -> Unicode.Scalar? {
        index + distance < scalars.count ? scalars[index + distance] : nil
    }

    private mutating func endBranch() {
        index += 1
        branches.append(RegexNode(concatenating: pieces))
        pieces = []
        repeatable = .nothing
    }

    private mutating func takeAlternation() -> RegexNode {
        RegexNode(alternating: branches + [RegexNode(concatenating: pieces)])
    }

    private mutating func closeGroup() throws(RegexError) {
        let node = takeAlternation()
        guard let group = open.popLast() else { throw RegexError(reason: .unopenedGroup, offset: index) }
        flags = group.outerFlags
        branches = group.outerBranches
        pieces = group.outerPieces
        add(node)
    }
}
