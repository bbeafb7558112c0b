// The best match of words with typing errors, as TextQuery would rank them if they were right.
//
//     query:  donlad duck      Donald Duck         whole, one error
//                              Donald Duck Jr.     prefix, one error
//                              Duck, Donald        word, one error: each word for itself

extension FuzzyQuery {
    /// A word of the text, and how far it is from each of the query's.
    private struct Word {
        let range: Range<Int>
        /// For each word of the query the number of typing errors; nil if they are too many.
        let errors: [Int?]
    }

    /// The ranges of all words of the text, valid UTF-8, that are near one of the query's.
    package mutating func ranges(in text: Span<UInt8>) -> [Range<Int>] {
        guard !isPlainText else { return exactRanges(in: text) }
        return nearWords(of: text).filter { $0.errors.contains { $0 != nil } }.map(\.range)
    }

    /// The best match in the text, valid UTF-8, in which the query is found. Only for a query with words.
    package mutating func bestMatch(in text: Span<UInt8>) -> RankedMatch? {
        let near = nearWords(of: text)
        guard var best = scattered(near) else { return nil }
        for start in near.indices {
            guard let errors = runErrors(near, from: start, text) else { continue }
            let range = near[start].range.lowerBound..<near[start + wordCount - 1].range.upperBound
            let rule: MatchRule = range.lowerBound > 0 ? .word : range.upperBound < text.count ? .prefix : .whole
            // In one text, bytes order places as letters do.
            let rank = MatchRank(rule, errors: errors, place: range.lowerBound)
            if rank < best.rank { best = RankedMatch(rank, range) }
        }
        let place = text.letters(before: best.range.lowerBound)
        return RankedMatch(MatchRank(best.rank.rule, errors: best.rank.errors, place: place), best.range)
    }

    /// Each word of the query where it is nearest; nil if one is nowhere.
    private func scattered(_ near: [Word]) -> RankedMatch? {
        var errors = 0
        var first: Range<Int>?
        for index in 0..<wordCount {
            let nearest = near.filter { $0.errors[index] != nil }.min {
                $0.errors[index] ?? 0 < $1.errors[index] ?? 0
            }
            guard let nearest, let count = nearest.errors[index] else { return nil }
            errors += count
            if nearest.range.lowerBound < first?.lowerBound ?? .max { first = nearest.range }
        }
        guard let first else { return nil }
        return RankedMatch(MatchRank(.word, errors: errors, place: first.lowerBound), first)
    }

    /// The errors of the words from `start` on, if they are the query's in its order, with the same between them.
    private func runErrors(_ near: [Word], from start: Int, _ text: Span<UInt8>) -> Int? {
        guard start + wordCount <= near.count else { return nil }
        var sum = 0
        for index in 0..<wordCount {
            guard let errors = near[start + index].errors[index] else { return nil }
            sum += errors
            guard index > 0 else { continue }
            let between = near[start + index - 1].range.upperBound..<near[start + index].range.lowerBound
            let gap = gaps[index - 1]
            guard text.extracting(between).equals(gap.span) else { return nil }
        }
        return sum
    }

    /// The words of the text. One that is near none of the query's has no errors.
    private mutating func nearWords(of text: Span<UInt8>) -> [Word] {
        var words: [Word] = []
        var boundaries = WordBoundaries()
        var start = 0
        while let end = boundaries.next(in: text) {
            let range = start..<end
            start = end
            guard Self.isWord(text.extracting(range)) else { continue }
            words.append(Word(range: range, errors: errors(of: text.extracting(range))))
        }
        return words
    }
}
