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

/// A query for words with typing errors, prepared to search many texts. It keeps its buffers.
package struct FuzzyQuery: Sendable {
    /// Quick tests that rule out a word of the text as near one of the query's.
    private struct Bounds {
        var allowedErrors: Int
        /// The number of letters that a word may have.
        var letters: ClosedRange<Int>
        /// The letter that a word must begin with, if it is ASCII: folded, without its marks.
        var first: UInt32?
        /// The ASCII letters of the query's word, by their low six bits. Each that a word lacks is an error.
        var letterSet: UInt64
    }

    let strength: TextStrength
    private let words: [WordLetters]
    /// What stands between the query's words.
    let gaps: [[UInt8]]
    private let bounds: [Bounds]
    /// No word with more letters than this is near.
    private let longest: Int
    /// Used if the query has no words.
    private(set) var exact: TextQuery
    private var folded: FoldedText
    private var letters = WordLetters()
    /// The query's words found in this text, and the number still missing.
    private var found: [Bool]
    private var missing = 0

    /// - Parameter query: valid UTF-8. One without words is searched for as it is.
    package init(_ query: Span<UInt8>, strength: TextStrength = .search) {
        self.strength = strength
        exact = TextQuery(query, strength: strength)
        folded = FoldedText(strength)
        var words: [WordLetters] = []
        var gaps: [[UInt8]] = []
        var boundaries = WordBoundaries()
        var start = 0
        var last = 0
        while let end = boundaries.next(in: query) {
            let part = query.extracting(start..<end)
            let gap = last..<start
            start = end
            guard Self.isWord(part) else { continue }
            folded.fold(part)
            var letters = WordLetters()
            for atom in folded.atoms { letters.append(atom) }
            guard letters.count > 0 else { continue }
            if !words.isEmpty {
                gaps.append([])
                gaps[gaps.count - 1].append(query.extracting(gap))
            }
            words.append(letters)
            last = end
        }
        self.words = words
        self.gaps = gaps
        bounds = words.map(Self.bounds)
        longest = bounds.map(\.letters.upperBound).max() ?? 0
        found = [Bool](repeating: false, count: words.count)
    }

    private static func bounds(of word: WordLetters) -> Bounds {
        let allowed = TypingErrors.allowed(letters: word.count)
        // A wrong first letter counts as two errors.
        let first = allowed < 2 ? word.firstLetter.code : nil
        let ascii = word.codes.filter { $0 < 0x80 }
        return Bounds(
            allowedErrors: allowed, letters: max(1, word.count - allowed)...word.count + allowed, first: first,
            letterSet: ascii.reduce(0) { $0 | 1 << UInt64($1 & 63) })
    }

    /// Whether the part between two boundaries is a word: it has a letter or a number.
    static func isWord(_ part: Span<UInt8>) -> Bool {
        part.text.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
    }

    /// Whether each word is near one of the text, which is valid UTF-8.
    package mutating func matches(_ text: Span<UInt8>) -> Bool { range(in: text) != nil }

    /// The range of the first word of the text, valid UTF-8, that is near one of the query's, if all are found.
    package mutating func range(in text: Span<UInt8>) -> Range<Int>? {
        guard !words.isEmpty else { return exact.range(in: text) }
        for index in found.indices { found[index] = false }
        missing = words.count
        return text.isASCII ? rangeInASCII(text) : rangeInWords(text)
    }

    private mutating func rangeInASCII(_ text: Span<UInt8>) -> Range<Int>? {
        var first: Range<Int>?
        var position = 0
        while let range = ASCIIWords.next(in: text, from: position) {
            position = range.upperBound
            let word = text.extracting(range)
            guard mayBeNear(word) else { continue }
            letters.removeAll()
            for index in word.indices { letters.append(Folding.ascii(UInt32(word[index]), strength)) }
            guard compare() else { continue }
            first = first ?? range
            if missing == 0 { return first }
        }
        return nil
    }

    private mutating func rangeInWords(_ text: Span<UInt8>) -> Range<Int>? {
        var first: Range<Int>?
        var boundaries = WordBoundaries()
        var start = 0
        while let end = boundaries.next(in: text) {
            let range = start..<end
            start = end
            fold(text.extracting(range))
            guard compare() else { continue }
            first = first ?? range
            if missing == 0 { return first }
        }
        return nil
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
        for index in bounds.indices where !found[index] {
            let bounds = bounds[index]
            guard bounds.first == nil || bounds.first == first, word.count >= bounds.letters.lowerBound else {
                continue
            }
            // Apostrophes don't count as letters.
            let isShort = word.count <= bounds.letters.upperBound || word.firstIndex(of: UInt8(ascii: "'")) != nil
            if isShort, (bounds.letterSet & ~letterSet(of: word)).nonzeroBitCount <= bounds.allowedErrors {
                return true
            }
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

    /// The letters of each word, and the errors allowed in it.
    var boundedWords: [(letters: [Atom], errors: Int)] {
        words.indices.map { (words[$0].letters, bounds[$0].allowedErrors) }
    }

    // MARK: Ranking

    var wordCount: Int { words.count }

    /// Whether the query has no words, and is searched for as it is.
    package var isPlainText: Bool { words.isEmpty }

    mutating func exactRanges(in text: Span<UInt8>) -> [Range<Int>] { exact.ranges(in: text) }

    /// For each word of the query the number of typing errors in a word of the text; nil if they are too many.
    mutating func errors(of word: Span<UInt8>) -> [Int?] {
        fold(word)
        return words.indices.map { index in
            guard bounds[index].letters.contains(letters.count) else { return nil }
            return (0...bounds[index].allowedErrors).first {
                TypingErrors.isNear(words[index], letters, allowed: $0)
            }
        }
    }

    /// Marks the query's words that are near the letters. Returns whether any of them is new.
    private mutating func compare() -> Bool {
        let before = missing
        for index in words.indices where !found[index] && bounds[index].letters.contains(letters.count) {
            if TypingErrors.isNear(words[index], letters, allowed: bounds[index].allowedErrors) {
                found[index] = true
                missing -= 1
            }
        }
        return missing < before
    }
}
