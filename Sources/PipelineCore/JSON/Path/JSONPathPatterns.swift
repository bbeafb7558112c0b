// The compiled patterns of `match` and `search`. A pattern may come from the record, so it is compiled when first
// met, and the last few are kept.

/// Patterns, with the memory that matching needs.
struct JSONPathPatterns: Sendable {
    /// The number of patterns kept: more than paths have, and few enough for a linear search.
    private static let capacity = 8

    private struct Pattern: Sendable {
        let text: [UInt8]
        let isWhole: Bool
        /// Nil if the text isn't an I-Regexp or exceeds a limit of the engine: no match (RFC 9535, section 2.4.6).
        var matcher: RegexMatcher?
    }

    private var patterns: [Pattern] = []
    private var oldest = 0

    /// Whether the pattern matches.
    /// - Parameters:
    ///   - text: UTF-8.
    ///   - isWhole: whether the pattern must match the whole text, or may match anywhere in it.
    ///   - work: increased by the number of states created or visited and bytes read.
    mutating func matches(_ text: [UInt8], _ pattern: [UInt8], isWhole: Bool, work: inout Int) -> Bool {
        let position = position(of: pattern, isWhole: isWhole, &work)
        guard let before = patterns[position].matcher?.steps,
            let isMatch = patterns[position].matcher?.matches(text.span)
        else { return false }
        work += text.count + (patterns[position].matcher?.steps ?? before) - before
        return isMatch
    }

    private mutating func position(of text: [UInt8], isWhole: Bool, _ work: inout Int) -> Int {
        if let known = patterns.firstIndex(where: { $0.isWhole == isWhole && $0.text == text }) { return known }
        let pattern = Pattern(text: text, isWhole: isWhole, matcher: Self.matcher(text, isWhole: isWhole))
        work += 64 * text.count + 4 * (pattern.matcher?.program.stateCount ?? 0)
        guard patterns.count == Self.capacity else {
            patterns.append(pattern)
            return patterns.count - 1
        }
        let position = oldest
        patterns[position] = pattern
        oldest = (oldest + 1) % Self.capacity
        return position
    }

    private static func matcher(_ text: [UInt8], isWhole: Bool) -> RegexMatcher? {
        guard let pattern = IRegexp.pattern(text.span.text, isWhole: isWhole) else { return nil }
        do throws(RegexError) {
            return RegexMatcher(try RegexProgram(pattern))
        } catch {
            return nil
        }
    }
}
