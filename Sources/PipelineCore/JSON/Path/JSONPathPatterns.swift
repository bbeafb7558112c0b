// The patterns of `match` and `search`: I-Regexps (RFC 9485), translated to the engine's syntax.
//
//     a.[x&]|\p{Lu}{2}      ->      a[^\n\r][x\&]|\p{Lu}{2}
//
// Nothing checks that a pattern is an I-Regexp (RFC 9485, section 3.1): what the engine knows besides is used.

/// The compiled patterns of a path. A pattern may come from the record, so it is compiled when first met, and the last
/// few are kept.
struct JSONPathPatterns: Sendable {
    /// The number of patterns kept: more than paths have, and few enough for a linear search.
    private static let capacity = 8

    private struct Pattern: Sendable {
        let text: [UInt8]
        let isWhole: Bool
        /// Nil if the engine refuses the pattern: no match (RFC 9535, section 2.4.6).
        var matcher: RegexMatcher?
    }

    private var patterns: [Pattern] = []

    /// - Parameter work: increased by the number of states created or visited and bytes read.
    mutating func matches(_ text: [UInt8], _ pattern: [UInt8], isWhole: Bool, work: inout Int) -> Bool {
        let position = position(of: pattern, isWhole: isWhole, &work)
        guard var matcher = patterns[position].matcher.take() else { return false }
        let before = matcher.steps
        let isMatch = matcher.matches(text.span)
        work += text.count + matcher.steps - before
        patterns[position].matcher = matcher
        return isMatch
    }

    private mutating func position(of text: [UInt8], isWhole: Bool, _ work: inout Int) -> Int {
        if let known = patterns.firstIndex(where: { $0.isWhole == isWhole && $0.text == text }) { return known }
        let program = try? RegexProgram(Self.translated(text.span.text), placement: isWhole ? .whole : .anywhere)
        let matcher = program.map { RegexMatcher($0) }
        work += 64 * text.count + 4 * (matcher?.program.stateCount ?? 0)
        if patterns.count == Self.capacity { patterns.removeFirst() }
        patterns.append(Pattern(text: text, isWhole: isWhole, matcher: matcher))
        return patterns.count - 1
    }

    private static func translated(_ pattern: String) -> String {
        var translated = ""
        var isEscaped = false
        var isInClass = false
        for scalar in pattern.unicodeScalars {
            switch scalar {
            case _ where isEscaped: break
            case "." where !isInClass:
                translated += "[^\\n\\r]"
                continue
            // In a class the engine knows `[:alpha:]`, nested classes and `&&`.
            case "[", "&", ":": if isInClass { translated += "\\" }
            default: break
            }
            if !isEscaped, scalar == "[" || scalar == "]" { isInClass = scalar == "[" }
            isEscaped = !isEscaped && scalar == "\\"
            translated.unicodeScalars.append(scalar)
        }
        return translated
    }
}
