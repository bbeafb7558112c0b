// Parses a pattern by recursive descent: alternatives of pieces, each of which may be repeated. Classes, escapes and
// properties are in RegexParser+Classes.swift.

package struct RegexError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong; what to do about it.
    package let message: String
    /// The offset in the pattern, in scalars from 0.
    package let offset: Int

    /// The message with the position, counted from 1.
    package var description: String { "\(message) (at character \(offset + 1))" }

    static func tooLarge(at offset: Int) -> RegexError {
        let limit = "\(RegexCompiler.limitBytes >> 20) MiB"
        return RegexError(
            message: "the pattern needs more than \(limit) when it is compiled; repeat less", offset: offset)
    }
}

/// Each method that parses begins at `index`, and leaves it after what it has read.
struct RegexParser {
    private static let limitBytes = 65_536
    private static let nestingLimit = 250
    private static let repetitionLimit = 1_000
    /// The most ranges in all sets together; automata with more would be too large anyway.
    private static let rangeLimit = 2_000_000

    struct Flags {
        var ignoresCase = false
        var anchorsAreForLines = false
        var dotMatchesLineEnd = false
        var ignoresSpace = false
    }

    private let scalars: [Unicode.Scalar]
    var index = 0
    private(set) var flags: Flags
    private var depth = 0
    /// Between `\Q` and `\E`, where every character is literal.
    private var isQuoted = false
    private(set) var widenedCase = false
    /// The number of ranges in all sets so far.
    private var rangeCount = 0
    /// The properties used so far; a pattern may name one many times.
    var properties: [String: ScalarSet] = [:]

    /// - Parameter caseInsensitive: as if the pattern began with `(?i)`.
    init(_ pattern: String, caseInsensitive: Bool) throws(RegexError) {
        guard pattern.utf8.count <= Self.limitBytes else {
            throw RegexError(message: "the pattern is longer than \(Self.limitBytes) bytes; shorten it", offset: 0)
        }
        scalars = Array(pattern.unicodeScalars)
        flags = Flags(ignoresCase: caseInsensitive)
    }

    mutating func parse() throws(RegexError) -> RegexNode {
        let node = try alternation()
        guard index == scalars.count else {
            throw error("no group is open here; add '(' before, or write \\) for a literal one")
        }
        return node
    }

    // MARK: Characters

    func peek(_ distance: Int = 0) -> Unicode.Scalar? {
        index + distance < scalars.count ? scalars[index + distance] : nil
    }

    mutating func take(_ text: String) -> Bool {
        guard scalars[index...].starts(with: text.unicodeScalars) else { return false }
        index += text.unicodeScalars.count
        return true
    }

    func text(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }

    /// The offset of the next such scalar.
    func place(of scalar: Unicode.Scalar) -> Int? { scalars[index...].firstIndex(of: scalar) }

    func error(_ message: String, at offset: Int? = nil) -> RegexError {
        RegexError(message: message, offset: offset ?? index)
    }

    /// Reads something in brackets of any kind one level deeper, which bounds the recursion.
    mutating func nested<Result>(
        _ parse: (inout RegexParser) throws(RegexError) -> Result
    ) throws(RegexError) -> Result {
        guard depth < Self.nestingLimit else {
            throw error("groups or classes are nested deeper than \(Self.nestingLimit); nest fewer")
        }
        depth += 1
        let result = try parse(&self)
        depth -= 1
        return result
    }

    // MARK: Pieces

    /// All branches up to the end of the group, or of the pattern.
    private mutating func alternation() throws(RegexError) -> RegexNode {
        var branches: [RegexNode] = []
        var pieces: [RegexNode] = []
        while true {
            try passIgnored()
            guard let scalar = peek(), isQuoted || scalar != ")" else { break }
            if !isQuoted, scalar == "|" {
                index += 1
                branches.append(RegexNode(concatenating: pieces))
                pieces = []
            } else if let piece = try atom() {
                try count(piece)
                pieces.append(try repeated(piece))
            }
        }
        return RegexNode(alternating: branches + [RegexNode(concatenating: pieces)])
    }

    /// Passes what means nothing by itself: comments, spaces if the flag is set, and the ends of quoted parts.
    private mutating func passIgnored() throws(RegexError) {
        while let scalar = peek() {
            if isQuoted {
                guard take("\\E") else { return }
                isQuoted = false
            } else if take("\\Q") {
                isQuoted = true
            } else if take("(?#") {
                guard let end = place(of: ")") else { throw unclosedGroup(at: index - 3) }
                index = end + 1
            } else if flags.ignoresSpace, scalar == "#" {
                index = place(of: "\n") ?? scalars.count
            } else if flags.ignoresSpace, scalar.properties.isWhitespace {
                index += 1
            } else {
                return
            }
        }
    }

    /// - Returns: nil for flags, which hold for the rest of the group.
    private mutating func atom() throws(RegexError) -> RegexNode? {
        let scalar = scalars[index]
        guard !isQuoted else { return literal() }
        switch scalar {
        case "(": return try group()
        case "*", "+", "?", "{":
            throw error("'\(scalar)' has nothing to repeat; write \\\(scalar) for a literal one")
        case "[": return .scalars(try wholeClass())
        case "\\": return try escape()
        case ".": return taken(.scalars(flags.dotMatchesLineEnd ? .all : ScalarSet(0x0A).inverted))
        case "^": return taken(.assertion(flags.anchorsAreForLines ? .lineStart : .textStart))
        case "$": return taken(.assertion(flags.anchorsAreForLines ? .lineEnd : .textEnd))
        default: return literal()
        }
    }

    private mutating func literal() -> RegexNode { taken(.scalars(inCase(ScalarSet(scalars[index].value)))) }

    private mutating func taken(_ node: RegexNode) -> RegexNode {
        index += 1
        return node
    }

    private mutating func count(_ node: RegexNode) throws(RegexError) {
        guard case .scalars(let set) = node else { return }
        rangeCount += set.ranges.count
        guard rangeCount <= Self.rangeLimit else { throw .tooLarge(at: index) }
    }

    /// The set, extended to any case if the flag is set.
    mutating func inCase(_ set: ScalarSet) -> ScalarSet {
        guard flags.ignoresCase else { return set }
        let closure = CaseOrbits.closure(set)
        if closure != set { widenedCase = true }
        return closure
    }

    // MARK: Groups

    /// `(…)`, `(?:…)`, `(?<name>…)`, `(?P<name>…)`, `(?i-s:…)`, or `(?i-s)` for the rest of the enclosing group.
    private mutating func group() throws(RegexError) -> RegexNode? {
        let offset = index
        let outerFlags = flags
        let begins =
            if !take("(?") {
                take("(")
            } else if ["=", "!", "<=", "<!"].contains(where: { scalars[index...].starts(with: $0.unicodeScalars) })
            {
                throw error(
                    "look-around can't be matched in linear time here; use two queries with --all, or -v, instead",
                    at: offset)
            } else if take("<") || take("P<") {
                try takeName()
            } else {
                try takeFlags(openedAt: offset)
            }
        guard begins else { return nil }
        let node = try nested { parser throws(RegexError) in try parser.alternation() }
        guard take(")") else { throw unclosedGroup(at: offset) }
        flags = outerFlags
        return node
    }

    private func unclosedGroup(at offset: Int) -> RegexError {
        error("the group isn't closed; add ')', or write \\( for a literal one", at: offset)
    }

    /// Checks the name and drops it: nothing can refer to it.
    private mutating func takeName() throws(RegexError) -> Bool {
        let start = index
        while let scalar = peek(),
            scalar == "_" || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
                || index > start && ("0"..."9").contains(scalar)
        {
            index += 1
        }
        guard index > start, take(">") else {
            throw error(
                "a group's name is letters, digits and '_', no digit first, ended by '>'; correct it, or write (…)")
        }
        return true
    }

    /// The flags of `(?i-s)`, or of `(?i-s:…)`, a group: returns whether it is one.
    private mutating func takeFlags(openedAt offset: Int) throws(RegexError) -> Bool {
        let start = index
        var value = true
        while let scalar = peek() {
            index += 1
            switch scalar {
            case "i": flags.ignoresCase = value
            case "m": flags.anchorsAreForLines = value
            case "s": flags.dotMatchesLineEnd = value
            case "x": flags.ignoresSpace = value
            case "-" where value: value = false
            case ":": return true
            case ")" where index > start + 1: return false
            default:
                throw error(
                    "unknown kind of group; write (…), (?:…), (?<name>…), or flags of i, m, s and x such as (?i)",
                    at: offset)
            }
        }
        throw unclosedGroup(at: offset)
    }

    // MARK: Repetition

    /// The piece, repeated if `*`, `+`, `?`, `{2}`, `{2,}` or `{2,5}` follows, and a `?` to match as few as possible.
    private mutating func repeated(_ piece: RegexNode) throws(RegexError) -> RegexNode {
        guard let sign = try repetitionSign() else { return piece }
        let offset = index
        index += 1
        let (least, most): (Int, Int?) =
            switch sign {
            case "*": (0, nil)
            case "+": (1, nil)
            case "?": (0, 1)
            default: try counts(openedAt: offset)
            }
        let isGreedy = !take("?")
        guard try repetitionSign() == nil else {
            throw error("a repetition is itself repeated; put the inner one in (?:…)")
        }
        return RegexNode(repeating: piece, least: least, most: most, isGreedy: isGreedy)
    }

    /// The sign at `index`, if it repeats what stands before it.
    private mutating func repetitionSign() throws(RegexError) -> Unicode.Scalar? {
        try passIgnored()
        guard !isQuoted, let scalar = peek() else { return nil }
        return "*+?{".unicodeScalars.contains(scalar) ? scalar : nil
    }

    private mutating func counts(openedAt offset: Int) throws(RegexError) -> (Int, Int?) {
        let least = try count()
        let most = take(",") ? try count() : least
        guard let least, take("}") else {
            throw error(
                "'{' begins a repetition such as {2}, {2,} or {0,5}; write \\{ for a literal one", at: offset)
        }
        if let most, most < least {
            throw error("the repetition's first number is above its second; exchange them", at: offset)
        }
        return (least, most)
    }

    /// The decimal number at `index`; nil if there is none.
    private mutating func count() throws(RegexError) -> Int? {
        let offset = index
        while let digit = peek(), ("0"..."9").contains(digit) { index += 1 }
        guard index > offset else { return nil }
        guard let count = Int(text(offset..<index)), count <= Self.repetitionLimit else {
            throw error("a repetition of more than \(Self.repetitionLimit); repeat less, or use * or +", at: offset)
        }
        return count
    }
}
