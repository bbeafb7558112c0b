// Searches for words despite typing errors: each must be near some word of the text.
//
//     query:  donlad duck      text:  Duck, Donald (1934)
//             ~~~~~~ ~~~~             ~~~~  ~~~~~~          found: one error in six letters, none in four
//
// TypingErrors defines what near is, and the strength what a letter is, as in TextQuery. A word of the text whose
// length, first letter or set of letters rules it out is skipped without being folded.
//
// Benchmarks/filter-search, words with typing errors: 1.5 times as fast as folding each word, 1.1 of that due to
// the set of letters. Finding the words of ASCII texts without the tables: 2.9 times.

package struct FuzzyQuery: TextMatcher, Sendable {
    /// A word of the query, with quick tests that rule out one of the text as near it.
    private struct Word {
        let letters: WordLetters
        let allowedErrors: Int
        /// The number of letters that a word may have.
        let lengths: ClosedRange<Int>
        /// The letter that a word must begin with, if it is ASCII: folded, without its marks. A wrong one counts as two
        /// errors.
        let first: UInt32?
        /// The ASCII letters, by their low six bits. Each that a word lacks is an error.
        let letterSet: UInt64
        /// What stands between it and the word before.
        let gap: [UInt8]
        var isFound = false

        init(_ letters: WordLetters, gap: [UInt8]) {
            self.gap = gap
            self.letters = letters
            allowedErrors = TypingErrors.allowed(letters: letters.count)
            lengths = max(1, letters.count - allowedErrors)...letters.count + allowedErrors
            first = allowedErrors < 2 ? letters.firstLetter.code : nil
            letterSet = letters.atoms.reduce(0) { $1.code < 0x80 ? $0 | 1 << UInt64($1.code & 63) : $0 }
        }
    }

    let strength: TextStrength
    private var words: [Word]
    /// No word with more letters than this is near.
    private let longest: Int
    /// Used if the query has no words.
    private(set) var exact: TextQuery
    private var folded: FoldedText
    private var letters = WordLetters()
    /// The number of words not found in this text.
    private var missing = 0

    /// - Parameter query: valid UTF-8. One without words is searched for as it is.
    package init(_ query: Span<UInt8>, strength: TextStrength = .search) {
        self.strength = strength
        exact = TextQuery(query, strength: strength)
        folded = FoldedText(strength)
        var words: [Word] = []
        var boundaries = WordBoundaries()
        var last = 0
        while let range = boundaries.nextWord(of: query) {
            folded.fold(query.extracting(range))
            var letters = WordLetters()
            for atom in folded.atoms { letters.append(atom) }
            guard letters.count > 0 else { continue }
            words.append(Word(letters, gap: query.extracting(last..<range.lowerBound).array))
            last = range.upperBound
        }
        self.words = words
        longest = words.map(\.lengths.upperBound).max() ?? 0
    }

    /// The range of the first word of the text, valid UTF-8, that is near one of the query's, if all are found.
    package mutating func range(in text: Span<UInt8>) -> Range<Int>? {
        guard !words.isEmpty else { return exact.range(in: text) }
        for index in words.indices { words[index].isFound = false }
        missing = words.count
        return text.isASCII ? rangeInASCII(text) : rangeInWords(text)
    }

    private mutating func rangeInASCII(_ text: Span<UInt8>) -> Range<Int>? {
        var first: Range<Int>?
        var position = 0
        while missing > 0, let range = ASCIIWords.next(in: text, from: position) {
            position = range.upperBound
            let word = text.extracting(range)
            guard mayBeNear(word) else { continue }
            letters.removeAll()
            for index in word.indices { letters.append(Folding.ascii(UInt32(word[index]), strength)) }
            if compare() { first = first ?? range }
        }
        return missing == 0 ? first : nil
    }

    private mutating func rangeInWords(_ text: Span<UInt8>) -> Range<Int>? {
        var first: Range<Int>?
        var boundaries = WordBoundaries()
        while missing > 0, let range = boundaries.nextPart(of: text) {
            fold(text.extracting(range))
            if compare() { first = first ?? range }
        }
        return missing == 0 ? first : nil
    }

    /// Folds a word to `letters`, but no further than it could be near one of the query's.
    private mutating func fold(_ word: Span<UInt8>) {
        var limit = 2 * longest + 2
        repeat {
            folded.fold(word, from: 0, limit: limit)
            letters.removeAll()
            for atom in folded.atoms { letters.append(atom) }
            limit *= 4
        } while folded.end < word.count && letters.count <= longest
    }

    /// Whether an ASCII word has the length, the first letter and enough of the letters of a word still missing.
    private func mayBeNear(_ word: Span<UInt8>) -> Bool {
        let first = Folding.ascii(UInt32(word[0]), strength).code
        for index in words.indices where !words[index].isFound {
            let wanted = words[index].first
            let lengths = words[index].lengths
            guard wanted == nil || wanted == first, word.count >= lengths.lowerBound else { continue }
            // Apostrophes don't count as letters.
            let isShort = word.count <= lengths.upperBound || word.firstIndex(of: UInt8(ascii: "'")) != nil
            let lacking = words[index].letterSet & ~letterSet(of: word)
            if isShort, lacking.nonzeroBitCount <= words[index].allowedErrors { return true }
        }
        return false
    }

    private func letterSet(of word: Span<UInt8>) -> UInt64 {
        var letters: UInt64 = 0
        for index in word.indices {
            letters |= 1 << UInt64(Folding.ascii(UInt32(word[index]), strength).code & 63)
        }
        return letters
    }

    var boundedWords: [(letters: [Atom], errors: Int)] {
        words.map { ($0.letters.atoms, $0.allowedErrors) }
    }

    // MARK: Ranking

    /// Whether the query has no words, and is searched for as it is.
    package var isPlainText: Bool { words.isEmpty }

    /// For each word of the query the number of typing errors in a word of the text; nil if they are too many.
    private mutating func errors(of word: Span<UInt8>) -> [Int?] {
        fold(word)
        return words.map { word in
            guard word.lengths.contains(letters.count) else { return nil }
            return (0...word.allowedErrors).first { TypingErrors.isNear(word.letters, letters, allowed: $0) }
        }
    }

    /// Marks the query's words that are near the letters. Returns whether any of them is new.
    private mutating func compare() -> Bool {
        let before = missing
        for index in words.indices where !words[index].isFound && words[index].lengths.contains(letters.count) {
            if TypingErrors.isNear(words[index].letters, letters, allowed: words[index].allowedErrors) {
                words[index].isFound = true
                missing -= 1
            }
        }
        return missing < before
    }
}

/// The best match of words with typing errors, as TextQuery would rank them if they were right.
///
///     query:  donlad duck      Donald Duck         whole, one error
///                              Donald Duck Jr.     prefix, one error
///                              Duck, Donald        word, one error: each word for itself
extension FuzzyQuery {
    /// A word of the text, and how far it is from each of the query's.
    private struct TextWord {
        let range: Range<Int>
        /// For each word of the query the number of typing errors; nil if they are too many.
        let errors: [Int?]
    }

    /// The ranges of all words of the text, valid UTF-8, that are near one of the query's.
    package mutating func ranges(in text: Span<UInt8>) -> [Range<Int>] {
        guard !isPlainText else { return exact.ranges(in: text) }
        return nearWords(of: text).filter { $0.errors.contains { $0 != nil } }.map(\.range)
    }

    /// The best match in the text, valid UTF-8, in which the query is found. Only for a query with words.
    package mutating func bestMatch(in text: Span<UInt8>) -> RankedMatch? {
        let near = nearWords(of: text)
        guard var best = scattered(near) else { return nil }
        for start in near.indices {
            guard let errors = runErrors(near, from: start, text) else { continue }
            let range = near[start].range.lowerBound..<near[start + words.count - 1].range.upperBound
            let atStart: TextPlacement = range.upperBound < text.count ? .prefix : .whole
            let rule = range.lowerBound > 0 ? .word : atStart
            // In one text, bytes order places as letters do.
            let rank = MatchRank(rule, errors: errors, place: range.lowerBound)
            if rank < best.rank { best = RankedMatch(rank, range) }
        }
        let place = text.letters(before: best.range.lowerBound)
        return RankedMatch(MatchRank(best.rank.rule, errors: best.rank.errors, place: place), best.range)
    }

    /// Each word of the query where it is nearest; nil if one is nowhere.
    private func scattered(_ near: [TextWord]) -> RankedMatch? {
        var errors = 0
        var first: Range<Int>?
        for index in 0..<words.count {
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
    private func runErrors(_ near: [TextWord], from start: Int, _ text: Span<UInt8>) -> Int? {
        guard start + words.count <= near.count else { return nil }
        var sum = 0
        for index in 0..<words.count {
            guard let errors = near[start + index].errors[index] else { return nil }
            sum += errors
            guard index > 0 else { continue }
            let between = near[start + index - 1].range.upperBound..<near[start + index].range.lowerBound
            let gap = words[index].gap
            guard text.extracting(between).equals(gap.span) else { return nil }
        }
        return sum
    }

    /// The words of the text. One that is near none of the query's has no errors.
    private mutating func nearWords(of text: Span<UInt8>) -> [TextWord] {
        var words: [TextWord] = []
        var boundaries = WordBoundaries()
        while let range = boundaries.nextWord(of: text) {
            words.append(TextWord(range: range, errors: errors(of: text.extracting(range))))
        }
        return words
    }
}

/// Whether a word is another one mistyped.
///
///     donlad   donald      one: two neighbours swapped
///     mikcey   mickey      one
///     nickey   mickey      two: the first letter counts twice
///     1O1      101         never: digits must match exactly
///
/// The distance is that of Damerau and Levenshtein, in which each pair of letters is swapped at most once (optimal
/// string alignment), plus one if the first letters differ.
enum TypingErrors {
    static func allowed(letters: Int) -> Int {
        switch letters {
        case ...4: 0
        case ...8: 1
        default: 2
        }
    }

    /// Whether the query's word is within `allowed` errors of the text's.
    static func isNear(_ query: borrowing WordLetters, _ text: borrowing WordLetters, allowed: Int) -> Bool {
        guard query.count > 0, text.count > 0, abs(query.count - text.count) <= allowed else { return false }
        let left = query.isSame(0, text, 0) ? allowed : allowed - 1
        return left >= 0 && isNear(query, 0, text, 0, left)
    }

    /// The same for the rest of both words: skips letters that agree, and tries an error in each of four ways.
    private static func isNear(
        _ query: borrowing WordLetters, _ queryStart: Int, _ text: borrowing WordLetters, _ textStart: Int,
        _ allowed: Int
    ) -> Bool {
        var wanted = queryStart
        var position = textStart
        while wanted < query.count, position < text.count, query.isSame(wanted, text, position) {
            wanted += 1
            position += 1
        }
        let queryLeft = query.count - wanted
        let textLeft = text.count - position
        if queryLeft == 0, textLeft == 0 { return true }
        guard allowed > 0, abs(queryLeft - textLeft) <= allowed else { return false }
        let mayDrop = queryLeft > 0 && !query.isDigit(wanted)
        let mayAdd = textLeft > 0 && !text.isDigit(position)
        if mayDrop, mayAdd {
            if isNear(query, wanted + 1, text, position + 1, allowed - 1) { return true }
            let isSwapped =
                queryLeft > 1 && textLeft > 1 && query.isSame(wanted, text, position + 1)
                && query.isSame(wanted + 1, text, position)
            if isSwapped, isNear(query, wanted + 2, text, position + 2, allowed - 1) { return true }
        }
        if mayDrop, isNear(query, wanted + 1, text, position, allowed - 1) { return true }
        return mayAdd && isNear(query, wanted, text, position + 1, allowed - 1)
    }
}

package enum EditDistance {
    /// For short words such as option names: the cost is the product of the lengths.
    package static func between(_ left: String, _ right: String) -> Int {
        let left = Array(left.unicodeScalars)
        let right = Array(right.unicodeScalars)
        var beforeLast = [Int](repeating: 0, count: right.count + 1)
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let substitution = last[column] + (left[row] == right[column] ? 0 : 1)
                var best = min(substitution, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }

    /// The name that a misspelt one most likely means; nil if none is near.
    package static func nearest(to name: String, among names: [String]) -> String? {
        let nearest = names.map { (name: $0, distance: between($0, name)) }.min { $0.distance < $1.distance }
        guard let nearest, nearest.distance <= max(1, name.count / 3) else { return nil }
        return nearest.name
    }
}
