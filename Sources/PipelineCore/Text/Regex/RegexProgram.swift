// A regular expression that matches in time linear in the text: a finite automaton over the bytes of UTF-8.
//
//     let program = try RegexProgram("don(ald)? duck", caseInsensitive: true)
//     var matcher = RegexMatcher(program)
//     matcher.matches(name)

/// A compiled pattern. It is immutable, and any number of matchers may share it.
///
/// The syntax is that of Perl as far as it is regular: literals, `.`, classes (`[a-z]`, `[^…]`, `[[:alpha:]]`,
/// nested classes, `&&`), `\d \w \s \h` and their negations as Unicode defines them, `\p{…}`, `^ $ \A \z \b \B`,
/// `(…)`, `(?:…)`, `(?<name>…)`, flags `i m s x`, `|`, greedy and lazy repetition,
/// `\n \t \r \f \v \a \e \0 \xHH \x{…} \uHHHH \u{…}`, `\Q…\E`. `$` matches only at the very end of the text; `.`
/// matches any character but LF.
package struct RegexProgram: Sendable {
    let states: [RegexState]
    let transitions: [ByteTransition]
    let start: Int32
    let classes: ByteClasses
    /// Whether a match can begin only at the text's first byte.
    let isAnchored: Bool
    /// What `\b` counts as part of a word; nil if the pattern doesn't use it.
    let word: ScalarSet?
    /// Every match contains one of these; nil if nothing is known.
    package let requiredLiterals: RequiredLiterals?

    /// - Parameters:
    ///   - pattern: at most 64 KiB, with groups nested at most 250 deep and repetitions of at most 1,000.
    ///   - caseInsensitive: match letters in any case (Unicode's simple case folding), as if the pattern began with
    ///     `(?i)`.
    /// - Throws: what is wrong with the pattern, and where. Rejects a pattern whose automaton would exceed 10 MiB.
    package init(_ pattern: String, caseInsensitive: Bool = false) throws(RegexError) {
        var parser = try RegexParser(pattern, caseInsensitive: caseInsensitive)
        let node = try parser.parse()
        var compiler = RegexCompiler()
        start = try compiler.compile(node, next: 0)
        states = compiler.states
        transitions = compiler.transitions
        classes = ByteClasses(states: states, transitions: transitions)
        isAnchored = node.isAnchored
        let asksForWords = states.contains { state in
            if case .assertion(let assertion, _) = state { assertion.isAboutWords } else { false }
        }
        word = asksForWords ? NamedClasses.word : nil
        requiredLiterals = RequiredLiterals(node, ignoringCase: parser.widenedCase)
    }

    package var stateCount: Int { states.count }

    /// The version of Unicode used for classes, properties and case.
    package static var unicodeVersion: String { RegexPropertyTables.unicodeVersion.bytes.text }

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
        case .concatenation(let pieces): pieces[0].isAnchored
        case .alternation(let branches): branches.allSatisfy(\.isAnchored)
        case .repetition(let node, let least, _, _): least > 0 && node.isAnchored
        default: false
        }
    }
}
