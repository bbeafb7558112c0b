// A regular expression that matches in time linear in the text: a finite automaton over the bytes of UTF-8.
//
//     let program = try RegexProgram("don(ald)? duck", caseInsensitive: true)
//     var matcher = RegexMatcher(program)
//     matcher.matches(name)

/// A compiled pattern, which any number of matchers may share. The syntax is that of Perl as far as it is regular:
/// literals, `.`, classes (`[a-z]`, `[^…]`, `[[:alpha:]]`, nested classes, `&&`), `\d \w \s \h` and their negations as
/// Unicode defines them, `\p{…}`, `^ $ \A \z \b \B`, `(…)`, `(?:…)`, `(?<name>…)`, flags `i m s x`, `|`, greedy and
/// lazy repetition, `\n \t \r \f \v \a \e \0 \xHH \x{…} \uHHHH \u{…}`, `\Q…\E`. `$` matches only at the very end of
/// the text; `.` matches any character but LF.
package struct RegexProgram: Sendable {
    let states: [RegexState]
    let transitions: [ByteTransition]
    let start: Int32
    let classes: ByteClasses
    /// Whether a match can begin only at the text's first byte.
    let isAnchored: Bool
    /// What assertions need to know of the byte before a position.
    let asked: RegexContext
    /// What `\b` counts as part of a word; nil if the pattern doesn't use it.
    let word: ScalarSet?
    /// Nil if nothing is known that every match contains.
    package let requiredLiteral: RequiredLiteral?

    /// Accepts at most 64 KiB, groups nested 250 deep, repetitions of 1,000, and an automaton of 10 MiB.
    /// - Parameter caseInsensitive: as if the pattern began with `(?i)`: Unicode's simple case folding.
    package init(
        _ pattern: String, caseInsensitive: Bool = false, placement: TextPlacement = .anywhere
    ) throws(RegexError) {
        var parser = try RegexParser(pattern, caseInsensitive: caseInsensitive)
        let (before, after): ([RegexNode], [RegexNode]) =
            switch placement {
            case .anywhere: ([], [])
            case .prefix: ([.assertion(.textStart)], [])
            case .word: ([.assertion(.wordBoundary)], [.assertion(.wordBoundary)])
            case .beginning: ([.assertion(.wordBoundary)], [])
            case .whole: ([.assertion(.textStart)], [.assertion(.textEnd)])
            }
        let node = RegexNode(concatenating: before + [try parser.parse()] + after)
        var compiler = RegexCompiler()
        start = try compiler.compile(node, next: 0)
        states = compiler.states
        transitions = compiler.transitions
        classes = ByteClasses(states: states, transitions: transitions)
        isAnchored = node.isAnchored
        var asked = RegexContext()
        for case .assertion(let assertion, _) in states { asked.formUnion(assertion.asked) }
        self.asked = asked
        word = asked.contains(.afterWord) ? NamedClasses.word : nil
        requiredLiteral = RequiredLiteral(node, ignoringCase: parser.widenedCase)
    }

    package var stateCount: Int { states.count }

    /// The state that the byte leads to; nil if none.
    func target(of state: Int32, on byte: UInt8) -> Int32? {
        switch states[Int(state)] {
        case .byte(let lower, let upper, let next):
            return lower <= byte && byte <= upper ? next : nil
        case .bytes(let first, let count):
            var low = Int(first)
            var high = Int(first + count)
            while low < high {
                let middle = (low + high) / 2
                if transitions[middle].upper < byte { low = middle + 1 } else { high = middle }
            }
            guard low < Int(first + count), transitions[low].lower <= byte else { return nil }
            return transitions[low].target
        case .split, .assertion, .match: return nil
        }
    }
}

extension RegexNode {
    fileprivate var isAnchored: Bool {
        switch self {
        case .assertion(.textStart): true
        case .concatenation(let pieces): pieces.first?.isAnchored ?? false
        case .alternation(let branches): branches.allSatisfy(\.isAnchored)
        case .repetition(let node, let least, _, _): least > 0 && node.isAnchored
        default: false
        }
    }
}

/// A sequence of numbers packed in a literal of printable characters: five bits per character, counted from '?', the
/// lowest first. The sixth bit is set if more follow. Line ends between characters are ignored.
///
///     "lD?" is 13 + 5 * 32 = 173, then 0
enum PackedSequence {
    static func unpack(_ packed: StaticString) -> [UInt32] {
        let bytes = packed.bytes
        var numbers: [UInt32] = []
        numbers.reserveCapacity(bytes.count / 2)
        var number: UInt32 = 0
        var shift: UInt32 = 0
        for index in bytes.indices where bytes[index] >= 0x3F {
            let bits = UInt32(bytes[index] - 0x3F)
            number |= (bits & 31) << shift
            shift += 5
            if bits < 32 {
                numbers.append(number)
                number = 0
                shift = 0
            }
        }
        return numbers
    }
}

/// What is before and after a position in a text, as far as assertions depend on it.
struct RegexContext: OptionSet, Sendable {
    let rawValue: Int32
    static let atStart = RegexContext(rawValue: 1)
    static let afterLineEnd = RegexContext(rawValue: 2)
    static let afterWord = RegexContext(rawValue: 4)
    static let atEnd = RegexContext(rawValue: 8)
    static let beforeLineEnd = RegexContext(rawValue: 16)
    static let beforeWord = RegexContext(rawValue: 32)

    init(rawValue: Int32) { self.rawValue = rawValue }

    /// What a byte tells of the position after it. Above ASCII, words aren't known.
    init(after byte: UInt8) {
        switch byte {
        case 0x0A: self = .afterLineEnd
        case _ where ByteClasses.isASCIIWord(byte): self = .afterWord
        default: self = []
        }
    }

    /// What a byte, or the end, tells of the position before it. Above ASCII, words aren't known.
    init(before byte: UInt8?) {
        switch byte {
        case nil: self = .atEnd
        case 0x0A?: self = .beforeLineEnd
        case let byte? where ByteClasses.isASCIIWord(byte): self = .beforeWord
        default: self = []
        }
    }

    /// The complete context of a position in a text.
    /// - Parameter word: the scalars that are part of a word; nil if no assertion needs them.
    init(_ text: Span<UInt8>, at index: Int, word: ScalarSet?) {
        self.init(before: index < text.count ? text[index] : nil)
        formUnion(index == 0 ? .atStart : RegexContext(after: text[index - 1]))
        guard let word else { return }
        if index < text.count, text[index] >= 0x80, word.contains(text.codePoint(at: index).code) {
            insert(.beforeWord)
        }
        guard index > 0, text[index - 1] >= 0x80 else { return }
        var previous = index - 1
        while previous > 0, index - previous < 4, text[previous] & 0xC0 == 0x80 { previous -= 1 }
        if word.contains(text.codePoint(at: previous).code) { insert(.afterWord) }
    }

    func holds(_ assertion: RegexAssertion) -> Bool {
        switch assertion {
        case .textStart: contains(.atStart)
        case .textEnd: contains(.atEnd)
        case .lineStart: !isDisjoint(with: [.atStart, .afterLineEnd])
        case .lineEnd: !isDisjoint(with: [.atEnd, .beforeLineEnd])
        case .wordBoundary: contains(.afterWord) != contains(.beforeWord)
        case .notWordBoundary: contains(.afterWord) == contains(.beforeWord)
        }
    }
}

/// A pattern as a tree: case is resolved into the sets, flags into the nodes, and groups are gone.
///
///     (?i)^a(?:b|c)+   concatenation [ assertion textStart, scalars {A a}, repetition 1... { scalars {B C b c} } ]
enum RegexAssertion: UInt8, Sendable {
    case textStart, textEnd, lineStart, lineEnd, wordBoundary, notWordBoundary

    /// What it needs to know of the byte before.
    var asked: RegexContext {
        switch self {
        case .textStart: .atStart
        case .lineStart: [.atStart, .afterLineEnd]
        case .wordBoundary, .notWordBoundary: .afterWord
        case .textEnd, .lineEnd: []
        }
    }
}

indirect enum RegexNode: Sendable {
    /// One scalar of the set; an empty set never matches.
    case scalars(ScalarSet)
    case assertion(RegexAssertion)
    /// Of no pieces, it matches the empty text.
    case concatenation([RegexNode])
    /// Earlier branches are preferred.
    case alternation([RegexNode])
    /// No limit if `most` is nil. Greedy prefers more.
    case repetition(RegexNode, least: Int, most: Int?, isGreedy: Bool)

    init(concatenating pieces: [RegexNode]) {
        let pieces = pieces.flatMap { piece in
            if case .concatenation(let inner) = piece { inner } else { [piece] }
        }
        self = pieces.count == 1 ? pieces[0] : .concatenation(pieces)
    }

    /// An alternation. If each branch is one scalar, they become one set.
    init(alternating branches: [RegexNode]) {
        let sets = branches.compactMap { branch in
            if case .scalars(let set) = branch { set } else { nil as ScalarSet? }
        }
        if branches.count == 1 {
            self = branches[0]
        } else if sets.count == branches.count {
            self = .scalars(ScalarSet(unsorted: sets.flatMap(\.ranges)))
        } else {
            self = .alternation(branches)
        }
    }

    init(repeating node: RegexNode, least: Int, most: Int?, isGreedy: Bool) {
        let isEmpty = if case .concatenation(let pieces) = node { pieces.isEmpty } else { false }
        self =
            isEmpty || most == 0
            ? .concatenation([]) : .repetition(node, least: least, most: most, isGreedy: isGreedy)
    }

    var isNullable: Bool {
        switch self {
        case .assertion: true
        case .scalars: false
        case .concatenation(let pieces): pieces.allSatisfy(\.isNullable)
        case .alternation(let branches): branches.contains(where: \.isNullable)
        case .repetition(let node, let least, _, _): least == 0 || node.isNullable
        }
    }
}
