// The order of matches, and where mistyped words rank.

import PipelineCore
import TestSupport
import Testing

struct MatchRankTests {
    @Test
    func `a rank is a rule, then errors, then a place`() {
        var ranks: [MatchRank] = []
        for rule in TextPlacement.allCases {
            for errors in 0..<3 {
                for place in [0, 7] { ranks.append(MatchRank(rule, errors: errors, place: place)) }
            }
        }
        var random = SplitMix64(seed: 1)
        #expect(ranks == ranks.shuffled(using: &random).sorted())
    }

    @Test(arguments: [
        ("abc", 2, 2), ("äbc", 2, 1), ("a\u{308}bc", 3, 1), ("\u{308}a", 2, 1), ("한국", 3, 1),
        ("\u{1112}\u{1161}\u{11AB}x", 9, 1),
        ("が", 3, 1), ("か\u{3099}x", 6, 1), ("🦊x", 4, 1), ("", 0, 0),
    ])
    func `a place counts letters, however they are spelt`(text: String, end: Int, expected: Int) {
        let letters = Array(text.utf8).span.letters(before: end)
        #expect(letters == expected)
    }

    @Test(arguments: [
        ("donlad", "Donald", MatchRank(.whole, errors: 1, place: 0)),
        ("donald", "Donald", MatchRank(.whole, place: 0)),
        ("donlad", "Donald Duck", MatchRank(.prefix, errors: 1, place: 0)),
        ("donlad duck", "Donald Duck", MatchRank(.whole, errors: 1, place: 0)),
        ("donlad duck", "Dönald Duck Jr.", MatchRank(.prefix, errors: 1, place: 0)),
        ("donlad duck", "Duck, Donald", MatchRank(.word, errors: 1, place: 0)),
        ("donlad duck", "Ä Donald Duck", MatchRank(.word, errors: 1, place: 2)),
        ("donlad duck", "Donald, Duck", MatchRank(.word, errors: 1, place: 0)),
        ("mikcey", "A mickey and a mikcey", MatchRank(.word, place: 15)),
        ("mikcey", "Mickey and a mikcey", MatchRank(.prefix, errors: 1, place: 0)),
        ("mikcey muose", "Mouse of Mickey Mouse", MatchRank(.word, errors: 2, place: 0)),
    ])
    func `mistyped words rank where they would without the errors`(query: String, text: String, rank: MatchRank) {
        var fuzzy = FuzzyQuery(Array(query.utf8).span)
        let bytes = Array(text.utf8)
        let isFound = fuzzy.matches(bytes.span)
        let best = fuzzy.bestMatch(in: bytes.span)
        #expect(isFound)
        #expect(best?.rank == rank)
    }

    @Test
    func `all near words are told`() {
        var fuzzy = FuzzyQuery(Array("mikcey duck".utf8).span)
        let found = fuzzy.ranges(in: Array("Mickey, Duck; mikcey".utf8).span)
        #expect(found == [0..<6, 8..<12, 14..<20])
    }

    @Test(arguments: [
        "mikcey", "donlad duck", "maleficent", "o'brien", "quasimodo 101", "esmeralda's", "abcdefghi", "aaaaaaaaaa",
        "abcde",
    ])
    func `no line is passed over that has mistyped words`(query: String) throws {
        var random = SplitMix64(seed: UInt64(query.utf8.count))
        var fuzzy = FuzzyQuery(Array(query.utf8).span)
        let made = fuzzy.linePrefilter
        var prefilter = try #require(made)
        var found = 0
        for _ in 0..<6000 {
            var letters = Array(query)
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let index = Int.random(in: 0..<letters.count, using: &random)
                switch Int.random(in: 0..<6, using: &random) {
                case 0 where letters.count > 2: letters.remove(at: index)
                case 1:
                    letters.insert(
                        ["x", "'", "e", "é", "\u{AD}", " "].randomElement(using: &random) ?? "x", at: index)
                case 2: letters[index] = ["x", "é", "k", "\u{212A}", "S"].randomElement(using: &random) ?? "x"
                case 3 where index > 0: letters.swapAt(index, index - 1)
                case 4: letters.insert(contentsOf: [" ", "a"], at: index)
                default: letters[index] = Character(letters[index].uppercased())
                }
            }
            let text = String(letters)
            let bytes = Array(text.utf8)
            guard fuzzy.matches(bytes.span) else { continue }
            found += 1
            let isPassed = prefilter.passes(Array("{\"a\":\"\(text)\"}".utf8).span)
            #expect(!isPassed, "\(query) in \(text)")
        }
        #expect(found > 500)
        // A word of one letter may be any with that letter.
        let isPassed = prefilter.passes(Array(#"{"name":"Zzyzx Road Tip"}"#.utf8).span)
        #expect(isPassed || Set(query).count == 1)
    }
}
