// Words that are looked for with their typing errors: each has to be near some word of a text.
//
//     query:  donlad duck      text:  Duck, Donald (1934)
//             ~~~~~~ ~~~~             ~~~~  ~~~~~~          found: one error in six letters, none in four
//
// How near is near is said in TypingErrors; what a letter is, by the strength, as in TextQuery. A word of a text whose
// length, first letter or set of letters can't be right is passed without being folded.
//
// Benchmarks/filter-search, words with typing errors: 1.5 times as fast as with each word folded, and 1.1 of that by the
// set of letters; the words of ASCII texts found without the tables: 2.9 times.

/// A query for words with typing errors, ready to be looked for in many texts. It keeps its buffers.
package struct FuzzyQuery: Sendable {
    /// What tells quickly that a word is not near one of the query's.
    private struct Bounds {
        var allowedErrors: Int
        /// How many letters a word may have.
        var letters: ClosedRange<Int>
        /// The letter that it has to begin with, if it is ASCII: as folded, without its marks.
        var first: UInt32?
        /// The ASCII letters in it, by their low six bits; one that a word lacks is an error.
        var letterSet: UInt64
    }

    private let strength: TextStrength
    private let words: [WordLetters]
    private let bounds: [Bounds]
    /// No word with more letters is near.
    private let longest: Int
    /// Looked for where the query has no words.
    private var exact: TextQuery
    private var folded: FoldedText
    private var letters = WordLetters()
    /// The words found in this text, and how many are missing.
    private var found: [Bool]
    private var missing = 0

    /// - Parameter query: valid UTF-8. One without words is looked for as it is.
    package init(_ query: Span<UInt8>, strength: TextStrength = .search) {
        self.strength = strength
        exact = TextQuery(query, strength: strength)
        folded = FoldedText(strength)
        var words: [WordLetters] = []
        var boundaries = WordBoundaries()
        var start = 0
        while let end = boundaries.next(in: query) {
            let part = query.extracting(start..<end)
            start = end
            guard Self.isWord(part) else { continue }
            folded.fold(part)
            var letters = WordLetters()
            for atom in folded.atoms { letters.append(atom) }
            if letters.count > 0 { words.append(letters) }
        }
        self.words = words
        bounds = words.map(Self.bounds)
        longest = bounds.map(\.letters.upperBound).max() ?? 0
        found = [Bool](repeating: false, count: words.count)
    }

    private static func bounds(of word: WordLetters) -> Bounds {
        let allowed = TypingErrors.allowed(letters: word.count)
        // A wrong first letter alone is two errors.
        let first = allowed < 2 ? word.firstLetter.code : nil
        let ascii = word.codes.filter { $0 < 0x80 }
        return Bounds(
            allowedErrors: allowed, letters: max(1, word.count - allowed)...word.count + allowed, first: first,
            letterSet: ascii.reduce(0) { $0 | 1 << UInt64($1 & 63) })
    }

    /// Whether what lies between two boundaries is a word: it has a letter or a number.
    private static func isWord(_ part: Span<UInt8>) -> Bool {
        part.text.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
    }

    /// Whether each word is near one of the text, which is valid UTF-8.
    package mutating func matches(_ text: Span<UInt8>) -> Bool { range(in: text) != nil }

    /// The bytes of the text's first word that one of the query's is near, where all are; the text is valid UTF-8.
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

    /// Folds a word to `letters`, as far as it may be near one of the query's.
    private mutating func fold(_ word: Span<UInt8>) {
        var limit = 2 * longest + 2
        repeat {
            folded.fold(word, from: 0, limit: limit)
            letters.removeAll()
            for atom in folded.atoms { letters.append(atom) }
            limit *= 4
        } while folded.end < word.count && letters.count <= longest
    }

    /// Whether an ASCII word has the length, the first letter and enough of the letters of one that is still looked for.
    private func mayBeNear(_ word: Span<UInt8>) -> Bool {
        let first = Folding.ascii(UInt32(word[0]), strength).code
        for index in bounds.indices where !found[index] {
            let bounds = bounds[index]
            guard bounds.first == nil || bounds.first == first, word.count >= bounds.letters.lowerBound else {
                continue
            }
            // Apostrophes are no letters.
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

    /// Notes the query's words that are near the letters; returns whether one is that was not found before.
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
