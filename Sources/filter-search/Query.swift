// One query of any kind: a text, words with typing errors, or a regular expression.

import PipelineCore

enum Query {
    case text(Buffered<TextQuery>)
    case fuzzy(Buffered<FuzzyQuery>)
    case regex(Buffered<RegexMatcher>)
    case loose(Buffered<LooseQuery>)
    /// Found if either is.
    indirect case either(Query, Query)

    /// Keeps a query's buffers from one text to the next, changed in place whatever its kind.
    final class Buffered<Value> {
        var value: Value

        init(_ value: Value) { self.value = value }
    }

    init(_ text: String, _ settings: FilterSettings) throws(UsageError) {
        let bytes = Array(text.utf8)
        let (strength, placement) = (settings.strength, settings.placement)
        if settings.isRegex {
            do throws(RegexError) {
                let program = try RegexProgram(
                    text, caseInsensitive: strength != .exact, placement: placement)
                self = .regex(Buffered(RegexMatcher(program)))
            } catch {
                throw UsageError("the regular expression '\(text)' is wrong: \(error)")
            }
        } else if settings.isFuzzy {
            self = .fuzzy(Buffered(FuzzyQuery(bytes.span, strength: strength)))
        } else {
            self = .text(Buffered(TextQuery(bytes.span, strength: strength, placement: placement)))
        }
        if settings.isLoose, let loose = LooseQuery(bytes.span, strength: strength, placement: placement) {
            // What is found without --loose is found with it.
            self = .either(self, .loose(Buffered(loose)))
        }
    }

    /// Whether the query is found in the text, which is valid UTF-8.
    func matches(_ text: Span<UInt8>) -> Bool {
        switch self {
        case .text(let query): query.value.matches(text)
        case .fuzzy(let query): query.value.matches(text)
        case .regex(let query): query.value.matches(text)
        case .loose(let query): query.value.matches(text)
        case .either(let one, let other): one.matches(text) || other.matches(text)
        }
    }

    func range(in text: Span<UInt8>) -> Range<Int>? {
        switch self {
        case .text(let query): query.value.range(in: text)
        case .fuzzy(let query): query.value.range(in: text)
        case .regex(let query): query.value.range(in: text)
        case .loose(let query): query.value.range(in: text)
        case .either(let one, let other): one.range(in: text) ?? other.range(in: text)
        }
    }

    /// The ranges of all matches in the text, in any order; those of two ways to find it may overlap.
    func ranges(in text: Span<UInt8>) -> [Range<Int>] {
        switch self {
        case .text(let query): query.value.ranges(in: text)
        case .fuzzy(let query): query.value.ranges(in: text)
        case .regex(let query): query.value.ranges(in: text)
        case .loose(let query): query.value.ranges(in: text)
        case .either(let one, let other): one.ranges(in: text) + other.ranges(in: text)
        }
    }

    /// Skips lines that the query can't match; nil if only searching the texts can decide.
    var linePrefilter: LinePrefilter? {
        switch self {
        case .text(let query): query.value.linePrefilter
        case .loose(let query), .either(.text, .loose(let query)): query.value.linePrefilter
        case .fuzzy(let query): query.value.linePrefilter
        case .regex, .either: nil
        }
    }
}

struct RankedQuery {
    private let query: Query
    /// The words, if they may have typing errors.
    private let fuzzy: Query.Buffered<FuzzyQuery>?
    /// The same query for each place that the command line allows, the best first.
    private let placed: [(rule: TextPlacement, query: Query)]

    init(_ text: String, _ settings: FilterSettings) throws(UsageError) {
        query = try Query(text, settings)
        var settings = settings
        let words = FuzzyQuery(Array(text.utf8).span, strength: settings.strength)
        fuzzy = settings.isFuzzy && !words.isPlainText ? Query.Buffered(words) : nil
        settings.isFuzzy = false
        var placed: [(TextPlacement, Query)] = []
        let wanted = settings.placement
        for placement in TextPlacement.allCases where fuzzy == nil || settings.isLoose {
            guard placement == .whole || placement == wanted || wanted == .anywhere else { continue }
            settings.placement = placement
            placed.append((placement, try Query(text, settings)))
        }
        self.placed = placed
    }

    /// The best match in the text, which is valid UTF-8.
    func bestMatch(in text: Span<UInt8>) -> RankedMatch? {
        guard query.matches(text) else { return nil }
        let near = fuzzy?.value.bestMatch(in: text)
        guard let exact = placedMatch(in: text) else { return near }
        guard let near, near.rank < exact.rank else { return exact }
        return near
    }

    private func placedMatch(in text: Span<UInt8>) -> RankedMatch? {
        for (rule, query) in placed {
            guard let range = query.range(in: text) else { continue }
            // Where only whole words count, the first may be where the text begins.
            let isPrefix = rule == .word && range.lowerBound == 0
            let rank = MatchRank(isPrefix ? .prefix : rule, place: text.letters(before: range.lowerBound))
            return RankedMatch(rank, range)
        }
        return nil
    }
}
