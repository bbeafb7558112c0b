// One query or several, and which of them a record has answered so far.

import PipelineCore

/// The queries of a run, over one record at a time: all texts, all words with typing errors, or all regular expressions.
struct QuerySet: ~Copyable {
    private var texts: [TextQuery]
    private var words: [FuzzyQuery]
    private var patterns: [RegexMatcher]
    let requiresAll: Bool
    /// The queries found in this record; kept only where all are demanded.
    private var found: [Bool]
    /// Whether the record has what is asked for: one of the queries, or all.
    private(set) var isSatisfied = false

    /// - Throws: where there is no query, or a regular expression is none.
    static func reading(_ settings: FilterSettings) throws(UsageError) -> QuerySet {
        var texts: [TextQuery] = []
        var words: [FuzzyQuery] = []
        var patterns: [RegexMatcher] = []
        for query in try settings.searchedTexts() {
            let bytes = Array(query.utf8)
            if settings.isRegex {
                patterns.append(RegexMatcher(try program(query, settings)))
            } else if settings.isFuzzy {
                words.append(FuzzyQuery(bytes.span, strength: settings.strength))
            } else {
                texts.append(TextQuery(bytes.span, strength: settings.strength, placement: settings.placement))
            }
        }
        return QuerySet(texts, words, patterns, requiresAll: settings.requiresAll)
    }

    private init(_ texts: [TextQuery], _ words: [FuzzyQuery], _ patterns: [RegexMatcher], requiresAll: Bool) {
        self.texts = texts
        self.words = words
        self.patterns = patterns
        let count = texts.count + words.count + patterns.count
        self.requiresAll = requiresAll && count > 1
        found = [Bool](repeating: false, count: count)
    }

    private static func program(_ query: String, _ settings: FilterSettings) throws(UsageError) -> RegexProgram {
        do throws(RegexError) {
            // Compiled alone first, so that an error names the place in what was typed.
            let program = try RegexProgram(query, caseInsensitive: settings.strength != .exact)
            let placed =
                switch settings.placement {
                case .anywhere: query
                case .prefix: "\\A(?:\(query))"
                case .word: "\\b(?:\(query))\\b"
                case .whole: "\\A(?:\(query))\\z"
                }
            guard placed != query else { return program }
            return try RegexProgram(placed, caseInsensitive: settings.strength != .exact)
        } catch {
            throw UsageError("the regular expression '\(query)' is wrong: \(error)")
        }
    }

    /// What passes over lines that none of the queries can be in; nil where only a look at the texts tells.
    var sieve: LineSieve? { texts.count == 1 && found.count == 1 ? texts[0].sieve : nil }

    /// Begins a record.
    mutating func begin() {
        isSatisfied = false
        guard requiresAll else { return }
        for index in found.indices { found[index] = false }
    }

    /// Compares a text of the record.
    /// - Returns: the number of a query that is found in it, of one that was not found before.
    @discardableResult
    mutating func compare(_ text: Span<UInt8>) -> Int? {
        var first: Int?
        for index in found.indices where !isSatisfied && !found[index] {
            guard matches(index, text) else { continue }
            first = first ?? index
            guard requiresAll else {
                isSatisfied = true
                return index
            }
            found[index] = true
            isSatisfied = found.allSatisfy { $0 }
        }
        return first
    }

    /// Whether one of the queries may be found in a part of the line: quick, and it may say yes wrongly.
    @inline(never)
    mutating func mayMatch(in line: Span<UInt8>, _ part: Range<Int>) -> Bool {
        guard !texts.isEmpty else { return true }
        for index in texts.indices where texts[index].mayMatch(in: line, part) { return true }
        return false
    }

    private mutating func matches(_ index: Int, _ text: Span<UInt8>) -> Bool {
        if !texts.isEmpty { return matchesText(index, text) }
        return words.isEmpty ? matchesPattern(index, text) : matchesWords(index, text)
    }

    // Not inlined: all three arrays would be made ready to be changed for each text, and the empty ones are shared.

    @inline(never)
    private mutating func matchesText(_ index: Int, _ text: Span<UInt8>) -> Bool { texts[index].matches(text) }

    @inline(never)
    private mutating func matchesWords(_ index: Int, _ text: Span<UInt8>) -> Bool { words[index].matches(text) }

    @inline(never)
    private mutating func matchesPattern(_ index: Int, _ text: Span<UInt8>) -> Bool {
        patterns[index].matches(text)
    }

    /// Where in the text the query of that number is found.
    mutating func range(of index: Int, in text: Span<UInt8>) -> Range<Int>? {
        if !texts.isEmpty { return texts[index].range(in: text) }
        return words.isEmpty ? patterns[index].firstMatch(in: text) : words[index].range(in: text)
    }
}
