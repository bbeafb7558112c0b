// Words that are looked for with their typing errors: each has to be near some word of a text.
//
//     query:  donlad duck      text:  Duck, Donald (1934)
//             ~~~~~~ ~~~~             ~~~~  ~~~~~~          found: one error in six letters, none in four
//
// How near is near is said in TypingErrors; what a letter is, by the strength, as in TextQuery. A word of a text whose
// length or first letter can't be right is passed without being folded.

/// A query for words with typing errors, ready to be looked for in many texts. It keeps its buffers.
package struct FuzzyQuery: Sendable {
    private struct Word {
        var letters: WordLetters
        var allowedErrors: Int
        /// The first letter where it is ASCII and has to be right.
        var first: UInt8?
    }

    private let strength: TextStrength
    private let words: [Word]
    /// Looked for where the query has no words.
    private var exact: TextQuery
    private var folded: FoldedText
    private var letters = WordLetters()
    /// The words found in this text.
    private var found: [Bool]

    /// - Parameter query: valid UTF-8. One without words is looked for as it is.
    package init(_ query: Span<UInt8>, strength: TextStrength = .search) {
        self.strength = strength
        exact = TextQuery(query, strength: strength)
        folded = FoldedText(strength)
        var words: [Word] = []
        var boundaries = WordBoundaries()
        var start = 0
        while let end = boundaries.next(in: query) {
            let part = query.extracting(start..<end)
            start = end
            guard Self.isWord(part) else { continue }
            folded.fold(part)
            var letters = WordLetters()
            for atom in folded.atoms { letters.append(atom) }
            guard letters.count > 0 else { continue }
            let allowed = TypingErrors.allowed(letters: letters.count)
            let first = allowed < 2 ? folded.atoms.first.flatMap { UInt8(exactly: $0.code) } : nil
            words.append(
                Word(letters: letters, allowedErrors: allowed, first: first.flatMap { $0 < 0x80 ? $0 : nil }))
        }
        self.words = words
        found = [Bool](repeating: false, count: words.count)
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
        return text.isASCII ? rangeInASCII(text) : rangeInWords(text)
    }

    private mutating func rangeInASCII(_ text: Span<UInt8>) -> Range<Int>? {
        var first: Range<Int>?
        var place = 0
        while let range = ASCIIWords.next(in: text, from: place) {
            place = range.upperBound
            let word = text.extracting(range)
            guard mayBeNear(word) else { continue }
            letters.removeAll()
            for index in word.indices { letters.append(Folding.ascii(UInt32(word[index]), strength)) }
            guard compare() else { continue }
            first = first ?? range
            if found.allSatisfy({ $0 }) { return first }
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
            folded.fold(text.extracting(range))
            letters.removeAll()
            for atom in folded.atoms { letters.append(atom) }
            guard compare() else { continue }
            first = first ?? range
            if found.allSatisfy({ $0 }) { return first }
        }
        return nil
    }

    /// Whether an ASCII word has the length and the first letter of one that is still looked for.
    private func mayBeNear(_ word: Span<UInt8>) -> Bool {
        let first = UInt8(truncatingIfNeeded: Folding.ascii(UInt32(word[0]), strength).code)
        for index in words.indices where !found[index] {
            let wanted = words[index].letters.count - words[index].allowedErrors
            // Apostrophes are bytes and no letters, so a word may be longer than it counts.
            guard word.count >= wanted, words[index].first == nil || words[index].first == first else { continue }
            return true
        }
        return false
    }

    /// Notes the query's words that are near the letters; returns whether one is that was not found before.
    private mutating func compare() -> Bool {
        var isNear = false
        for index in words.indices where !found[index] {
            let word = words[index]
            guard TypingErrors.isNear(word.letters, letters, allowed: word.allowedErrors) else { continue }
            found[index] = true
            isNear = true
        }
        return isNear
    }
}
