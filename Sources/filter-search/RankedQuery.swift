// Where a query stands in a text, for --best: it is asked for in one place after another, from the best on.

import PipelineCore

/// A query that ranks its matches.
struct RankedQuery {
    private let query: Query
    /// The words, if they may have typing errors.
    private let fuzzy: Query.Buffered<FuzzyQuery>?
    /// The same query for each place that the command line allows, the best first.
    private let placed: [(rule: MatchRule, query: Query)]

    /// - Throws: if a regular expression is invalid.
    init(_ text: String, _ settings: FilterSettings) throws(UsageError) {
        query = try Query(text, settings)
        var settings = settings
        let words = FuzzyQuery(Array(text.utf8).span, strength: settings.strength)
        fuzzy = settings.isFuzzy && !words.isPlainText ? Query.Buffered(words) : nil
        settings.isFuzzy = false
        var placed: [(MatchRule, Query)] = []
        for (rule, placement) in Self.places(settings.placement) where fuzzy == nil || settings.isLoose {
            settings.placement = placement
            placed.append((rule, try Query(text, settings)))
        }
        self.placed = placed
    }

    private static func places(_ placement: TextPlacement) -> [(MatchRule, TextPlacement)] {
        switch placement {
        case .whole: [(.whole, .whole)]
        case .prefix: [(.whole, .whole), (.prefix, .prefix)]
        case .word: [(.whole, .whole), (.word, .word)]
        case .beginning: [(.whole, .whole), (.word, .word), (.beginning, .beginning)]
        case .anywhere:
            [(.whole, .whole), (.prefix, .prefix), (.word, .word), (.beginning, .beginning), (.inside, .anywhere)]
        }
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
