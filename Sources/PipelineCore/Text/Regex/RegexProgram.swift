// A regular expression, ready to be matched in time linear in the text: a finite automaton over the bytes of UTF-8.
//
//     let program = try RegexProgram("don(ald)? duck", caseInsensitive: true)
//     var matcher = RegexMatcher(program)
//     matcher.matches(name)

/// A compiled pattern. It never changes, and any number of matchers may share it.
///
/// The syntax is that of Perl as far as it is regular: literals, `.`, classes (`[a-z]`, `[^…]`, `[[:alpha:]]`, classes in
/// classes, `&&`), `\d \w \s \h` and their opposites in Unicode's sense, `\p{…}`, `^ $ \A \z \b \B`, `(…)`, `(?:…)`,
/// `(?<name>…)`, flags `i m s x`, `|`, repetitions greedy or not, `\n \t \r \f \v \a \e \0 \xHH \x{…} \uHHHH \u{…}`,
/// `\Q…\E`. `$` is the text's very end; `.` is any character but LF.
package struct RegexProgram: Sendable {
    let states: [RegexState]
    let transitions: [ByteTransition]
    let start: Int32
    let classes: ByteClasses
    /// Whether a match can begin nowhere but at the text's first byte.
    let isAnchored: Bool
    /// What `\b` counts as a word; nil where the pattern doesn't ask.
    let word: ScalarSet?
    /// What every match contains one of; nil where nothing is known.
    package let requiredLiterals: RequiredLiterals?

    /// - Parameters:
    ///   - pattern: at most 64 KiB, groups nested at most 250 deep, repetitions of at most 1,000.
    ///   - caseInsensitive: letters match in any case (Unicode's simple case folding), as if the pattern began with `(?i)`.
    /// - Throws: what is wrong with the pattern and where. A pattern whose automaton would take more than 10 MiB is refused.
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

    /// How many states the automaton has.
    package var stateCount: Int { states.count }

    /// The version of Unicode after classes, properties and case.
    package static var unicodeVersion: String { RegexPropertyTables.unicodeVersion.bytes.text }

    /// Where the byte leads from the state, nil where nowhere.
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
    /// Whether a match can begin nowhere but at the text's first byte.
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
