// Typing errors: what is near, what is not, and a plain table of distances beside it.

import Foundation
import TestSupport
import Testing

@testable import PipelineCore

func isNear(_ query: String, _ text: String, _ strength: TextStrength = .search) -> Bool {
    var query = FuzzyQuery(Array(query.utf8).span, strength: strength)
    let text = Array(text.utf8)
    let matches = query.matches(text.span)
    #expect(matches == (query.range(in: text.span) != nil))
    return matches
}

struct FuzzyQueryTests {
    @Test(arguments: [
        ("donlad", "Donald Duck"), ("mikcey", "Mickey Mouse"), ("mickye mouse", "Mickey Mouse"),
        ("minie", "Minnie"), ("miccey", "Mickey"), ("micckey", "Mickey"), ("duck", "Donald DUCK"),
        ("duck donlad", "Donald Duck"), ("quasimido", "Quasimodo"), ("quasimdoo", "Quasimodo"),
        ("uasimodo", "Uasimodo"), ("kuasimodo", "Quasimodo"), ("qaasimdoo", "Quasimodo"),
        ("björk", "Bjork"), ("bjork", "Björk"), ("bojrk", "BJÖRK"), ("bojrk", "Bjo\u{308}rk"),
        ("strase", "Straße"), ("strasze", "straße"), ("ミッキーマウズ", "ミッキーマウス"),
        ("dont", "don't"), ("obriens", "O\u{2019}Briens"), ("r2d2", "R2D2"), ("", "x"), ("", ""), ("!", "hey!"),
        ("agent 47 smihts", "Agent 47: Smiths"), ("dalmatain 101", "101 Dalmatians Dalmatian"),
    ])
    func `words with few typing errors are found`(query: String, text: String) {
        #expect(isNear(query, text))
    }

    @Test(arguments: [
        ("duk", "Duck"), ("dukc", "Duck"), ("muck", "Duck"), ("nickey", "Mickey"), ("imckey", "Mickey"),
        ("mcikye", "Mickey"), ("kuasimido", "Quasimodo"), ("qusmodooo", "Quasimodo"), ("agent 48", "Agent 47"),
        ("agents47", "agents74"), ("dalmatian 101", "Dalmatians"), ("donald duck", "Donald"),
        ("micke", "Mickeys"), ("!", "hey"), ("mickey", ""), ("björk", "Bark"), ("a1b2c3", "a1b2c4"),
    ])
    func `words with more errors are not found`(query: String, text: String) {
        #expect(!isNear(query, text))
    }

    @Test
    func `case and accents count as typed where that is asked for`() {
        #expect(isNear("Mickey", "mickey", .accents))
        #expect(!isNear("Mickey", "mickey", .exact))
        #expect(isNear("Duck", "DUCK", .accents))
        #expect(!isNear("Duck", "DUCK", .exact))
        #expect(!isNear("roca", "Roça", .accents))
        #expect(isNear("roca", "Roça"))
    }

    @Test
    func `the place of what is near is the first such word's`() {
        var query = FuzzyQuery(Array("duck donlad".utf8).span)
        #expect(query.range(in: Array("The Donald (Duck)".utf8).span) == 4..<10)
        #expect(query.range(in: Array("Ä Donald (Dück)".utf8).span) == 3..<9)
        #expect(query.range(in: Array("Ä Donald".utf8).span) == nil)
    }

    /// The table of distances: optimal string alignment, digits exact, one more for a wrong first letter.
    private func distance(_ query: [Character], _ text: [Character]) -> Int {
        let never = 1000
        func cost(_ letters: Character...) -> Int { letters.contains { $0.isNumber } ? never : 1 }
        var table = [[Int]](repeating: [Int](repeating: never, count: text.count + 1), count: query.count + 1)
        table[0][0] = 0
        for row in 0...query.count {
            for column in 0...text.count where row + column > 0 {
                var best = never
                if row > 0 { best = min(best, table[row - 1][column] + cost(query[row - 1])) }
                if column > 0 { best = min(best, table[row][column - 1] + cost(text[column - 1])) }
                if row > 0, column > 0 {
                    let (left, right) = (query[row - 1], text[column - 1])
                    best = min(best, table[row - 1][column - 1] + (left == right ? 0 : cost(left, right)))
                    if row > 1, column > 1, left == text[column - 2], query[row - 2] == right {
                        best = min(best, table[row - 2][column - 2] + cost(left, right))
                    }
                }
                table[row][column] = best
            }
        }
        return table[query.count][text.count] + (query[0] == text[0] ? 0 : 1)
    }

    @Test(arguments: ["abc", "ab1", "abcdefgh", "éöaбb"])
    func `what is near is what the table of distances says`(letters: String) {
        var generator = SplitMix64(seed: UInt64(letters.utf8.count))
        let letters = Array(letters)
        var counts = [0, 0]
        for _ in 0..<6000 {
            let query = (0..<Int.random(in: 1...12, using: &generator)).map { _ in
                letters.randomElement(using: &generator) ?? "a"
            }
            var text = query
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let place = Int.random(in: 0..<text.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: text[place] = letters.randomElement(using: &generator) ?? "a"
                case 1 where text.count > 1: text.remove(at: place)
                case 2: text.insert(letters.randomElement(using: &generator) ?? "a", at: place)
                default: text.swapAt(place, max(place - 1, 0))
                }
            }
            let allowed = query.count <= 4 ? 0 : query.count <= 8 ? 1 : 2
            let expected = distance(query, text) <= allowed
            counts[expected ? 1 : 0] += 1
            let accented = String(query).decomposedStringWithCanonicalMapping
            #expect(isNear(String(query), String(text), .exact) == expected, "\(String(query)) \(String(text))")
            #expect(isNear(accented, String(text), .exact) == expected, "\(accented) \(String(text))")
        }
        #expect(counts.allSatisfy { $0 > 300 })
    }

    @Test
    func `words of ASCII are those of the annex`() {
        var generator = SplitMix64(seed: 5)
        let letters = Array("aB1_.:,;'\"- x9".utf8)
        for _ in 0..<4000 {
            let text = (0..<Int.random(in: 0...14, using: &generator)).map { _ in
                letters.randomElement(using: &generator) ?? 0x61
            }
            var words: [Range<Int>] = []
            while let word = ASCIIWords.next(in: text.span, from: words.last?.upperBound ?? 0) {
                words.append(word)
            }
            var boundaries = WordBoundaries()
            var expected: [Range<Int>] = []
            while let part = boundaries.nextPart(of: text.span) {
                let isWord = text[part].contains { Array("aBx19_".utf8).contains($0) }
                if isWord { expected.append(part) }
            }
            #expect(words == expected, "\(String(decoding: text, as: UTF8.self))")
        }
    }
}

struct EditDistanceTests {
    @Test(arguments: [
        ("", "", 0), ("limit", "limit", 0), ("limt", "limit", 1), ("", "ab", 2), ("ab", "", 2), ("ab", "ba", 1),
        ("ca", "abc", 3), ("kitten", "sitting", 3), ("é", "e", 1),
    ])
    func `the distance of two names is counted in errors`(left: String, right: String, expected: Int) {
        #expect(EditDistance.between(left, right) == expected)
        #expect(EditDistance.between(right, left) == expected)
    }

    @Test(
        arguments: [
            ("a", "b"), ("ax", "ab"), ("xy", nil), ("limit", "limits"), ("limixx", "limits"), ("limxyt", nil),
            ("xxxits", nil), ("a name of twxxve", "a name of twelve"), ("", "b"),
        ] as [(String, String?)])
    func `a name is near with an error in three letters, and with one in any case`(name: String, expected: String?)
    {
        #expect(EditDistance.nearest(to: name, among: ["b", "ab", "limits", "a name of twelve"]) == expected)
        #expect(EditDistance.nearest(to: name, among: []) == nil)
    }
}
