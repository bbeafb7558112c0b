// Finds a query in time linear in the text, however much the text repeats itself (Knuth, Morris and Pratt, 1977).
//
//     query:  a a a b            text:  a a a a a a …     after a a a a no letter is read again
//     known:  how much of the query's start still matches when its next letter doesn't
//
// 300 letters in a text of 200,000 equal ones take a twentieth of the time of trying each start
// (Benchmarks/filter-search, 6000 letters in a text of one letter).
//
// The unit of comparison is a letter with its marks. A Latin letter may have more marks than the query's, so that
// one matches says nothing about another. Such letters are compared without marks first, and their marks once all
// letters have been found, starting with the one that failed last.

struct LinearSearch: Sendable {
    /// The number of letters folded in the first step and, after steps of growing size, in most.
    private static let (fewLetters, manyLetters) = (16, 1024)

    private let letters: [Atom]
    /// The index where each letter begins in `letters`, followed by the count of `letters`.
    private let starts: [Int]
    /// The letters whose marks are compared last.
    private let loose: [Int]
    /// For each number of letters that match: how many still do when the next one doesn't.
    private var borders: [Int] = [0]
    /// The last letters of the text, as many as the query has, letter n at index n modulo that count.
    private var origins: [Int]
    private var marks: [[Atom]]
    private var seen = 0
    private var lastFailure = 0

    /// - Parameter letters: the query's letters with their marks.
    init(_ letters: [Atom]) {
        self.letters = letters
        starts = letters.indices.filter { $0 == 0 || !letters[$0].isMark } + [letters.count]
        let count = starts.count - 1
        let letterStarts = starts
        loose = (0..<count).filter {
            let letter = letters[letterStarts[$0]]
            return letter.isNothing || letter.isBase && letterStarts[$0 + 1] - letterStarts[$0] > 1
        }
        origins = [Int](repeating: 0, count: count)
        marks = loose.isEmpty ? [] : [[Atom]](repeating: [], count: count)
        var length = 0
        for index in 1..<max(count, 1) {
            borders.append(length)
            while length > 0, !isSame(index, length) { length = borders[length] }
            if isSame(index, length) { length += 1 }
        }
        borders.append(length)
    }

    /// Whether every letter of a text that matches `one`, which isn't the query's first, also matches `other`.
    private func isSame(_ one: Int, _ other: Int) -> Bool {
        let (left, right) = (letters[starts[one]], letters[starts[other]])
        if right.isNothing { return true }
        guard left == right else { return false }
        return left.isBase || letters[starts[one]..<starts[one + 1]] == letters[starts[other]..<starts[other + 1]]
    }

    /// The first match from `start` on, where a character begins.
    /// - Parameters:
    ///   - isFixed: it has to begin with the first letter.
    ///   - steps: increased by the number of letters compared.
    mutating func firstMatch(
        in text: Span<UInt8>, from start: Int, isFixed: Bool, _ folded: inout FoldedText, _ steps: inout Int,
        where isWanted: (TextQuery.Match) -> Bool
    ) -> Range<Int>? {
        let count = starts.count - 1
        (seen, lastFailure) = (0, 0)
        var held = 0
        var position = start
        var limit = Self.fewLetters
        while position < text.count {
            folded.fold(text, from: position, limit: limit)
            position = folded.end
            limit = min(4 * limit, Self.manyLetters)
            var lower = 0
            while lower < folded.atoms.count {
                var upper = lower + 1
                while upper < folded.atoms.count, folded.atoms[upper].isMark { upper += 1 }
                note(folded, lower..<upper)
                steps += 1
                while held > 0, !holds(held, folded, lower..<upper) {
                    held = borders[held]
                    steps += 1
                }
                if holds(held, folded, lower..<upper) { held += 1 }
                if isFixed, held < seen { return nil }
                if held == count {
                    held = borders[held]
                    let match = folded.match(from: origins[(seen - count) % count], to: upper)
                    // The marks come last: only their comparison may take time for each letter of the query.
                    if isWanted(match), hasTypedMarks(&steps) { return match.bytes }
                }
                lower = upper
            }
        }
        return nil
    }

    private mutating func note(_ folded: FoldedText, _ letter: Range<Int>) {
        origins[seen % origins.count] = folded.origins[letter.lowerBound]
        if !marks.isEmpty { marks[seen % marks.count] = Array(folded.atoms[letter.dropFirst()]) }
        seen += 1
    }

    /// Whether the query's letter matches one of the text, except for marks that are compared last.
    private func holds(_ index: Int, _ folded: FoldedText, _ letter: Range<Int>) -> Bool {
        let wanted = letters[starts[index]]
        if wanted.isNothing { return true }
        guard wanted == folded.atoms[letter.lowerBound] else { return false }
        return wanted.isBase || letters[starts[index]..<starts[index + 1]] == folded.atoms[letter]
    }

    /// Whether the last letters have the marks not compared yet.
    private mutating func hasTypedMarks(_ steps: inout Int) -> Bool {
        guard !loose.isEmpty else { return true }
        for offset in loose.indices {
            let position = (lastFailure + offset) % loose.count
            steps += 1
            if !hasMarks(of: loose[position]) {
                lastFailure = position
                return false
            }
        }
        return true
    }

    private func hasMarks(of index: Int) -> Bool {
        var typed = letters[starts[index] + 1..<starts[index + 1]]
        let found = marks[(seen - (starts.count - 1) + index) % marks.count]
        if !letters[starts[index]].isBase { return Array(typed) == found }
        for mark in found where mark == typed.first { typed.removeFirst() }
        return typed.isEmpty
    }
}
