// One query of any kind: a text, words with typing errors, or a regular expression.

import PipelineCore

/// Each case but plain text has the name of its option.
enum QueryKind: String {
    case text, fuzzy, regex

    /// Whether an empty query asks for something.
    var findsEmptyText: Bool {
        switch self {
        case .regex: true
        case .text, .fuzzy: false
        }
    }
}

struct Query {
    /// It is found if any of them finds it.
    private var matchers: [any TextMatcher]

    init(_ text: String, _ settings: FilterSettings) throws(UsageError) {
        let bytes = Array(text.utf8)
        let (strength, placement) = (settings.strength, settings.placement)
        switch settings.kind {
        case .text: matchers = [TextQuery(bytes.span, strength: strength, placement: placement)]
        case .fuzzy: matchers = [FuzzyQuery(bytes.span, strength: strength)]
        case .regex:
            do throws(RegexError) {
                let program = try RegexProgram(text, caseInsensitive: strength.foldsCase, placement: placement)
                matchers = [RegexMatcher(program)]
            } catch {
                throw UsageError("the regular expression '\(text)' is wrong: \(error)")
            }
        }
        if settings.matching.isLoose, let loose = LooseQuery(bytes.span, strength: strength, placement: placement) {
            // What is found without --loose is found with it.
            matchers.append(loose)
        }
    }

    mutating func matches(_ text: Span<UInt8>) -> Bool {
        for index in matchers.indices where matchers[index].matches(text) { return true }
        return false
    }

    mutating func range(in text: Span<UInt8>) -> Range<Int>? {
        for index in matchers.indices {
            if let range = matchers[index].range(in: text) { return range }
        }
        return nil
    }

    /// The ranges of all matches in the text, in any order; those of two ways to find it may overlap.
    mutating func ranges(in text: Span<UInt8>) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for index in matchers.indices { ranges += matchers[index].ranges(in: text) }
        return ranges
    }

    /// Skips lines that the query can't match; nil if only searching the texts can decide.
    var linePrefilter: LinePrefilter? {
        // With --loose the last matcher finds all that a plain text does: a line that it can't match is skipped for both.
        matchers.count == 1 || matchers[0] is TextQuery ? matchers[matchers.count - 1].linePrefilter : nil
    }
}

/// For `--best`: a match ranks by where in the text it is, and by its typing errors.
struct RankedQuery {
    private var query: Query
    /// The words, if they may have typing errors.
    private var fuzzy: FuzzyQuery?
    /// The same query for each place that the command line allows, the best first. With none of them nothing is found.
    private var placed: [(rule: TextPlacement, query: Query)] = []

    init(_ text: String, _ settings: FilterSettings) throws(UsageError) {
        query = try Query(text, settings)
        var settings = settings
        let wanted = settings.placement
        var placements = TextPlacement.allCases.filter { $0 == .whole || $0 == wanted || wanted == .anywhere }
        switch settings.kind {
        // The placements rank what matches. A kind that ignores them needs `[.anywhere]`, unless it ranks by itself as below.
        case .text, .regex: break
        case .fuzzy:
            let words = FuzzyQuery(Array(text.utf8).span, strength: settings.strength)
            fuzzy = words.isPlainText ? nil : words
            // What has no error is ranked as a text.
            settings.kind = .text
            if fuzzy != nil, !settings.matching.isLoose { placements = [] }
        }
        for placement in placements {
            settings.placement = placement
            placed.append((placement, try Query(text, settings)))
        }
    }

    /// The best match in the text, which is valid UTF-8.
    mutating func bestMatch(in text: Span<UInt8>) -> RankedMatch? {
        guard query.matches(text) else { return nil }
        let near = fuzzy?.bestMatch(in: text)
        guard let exact = placedMatch(in: text) else { return near }
        guard let near, near.rank < exact.rank else { return exact }
        return near
    }

    private mutating func placedMatch(in text: Span<UInt8>) -> RankedMatch? {
        for index in placed.indices {
            guard let range = placed[index].query.range(in: text) else { continue }
            let rule = placed[index].rule
            // Where only whole words count, the first may be where the text begins.
            let isPrefix = rule == .word && range.lowerBound == 0
            let rank = MatchRank(isPrefix ? .prefix : rule, place: text.letters(before: range.lowerBound))
            return RankedMatch(rank, range)
        }
        return nil
    }
}
