// How good a match is, for `--best`.
//
//     query: mick      Mick   <   Mickey Mouse   <   Uncle Mick   <   Uncle Mickey   <   Gimmick
//                      whole      prefix             word             beginning          anywhere
//
// A word with typing errors ranks where it would without them, after all those that have none.

/// The order of matches; the least is the best.
package struct MatchRank: Comparable, Sendable {
    package let rule: TextPlacement
    package let errors: Int
    /// The number of letters in the text before the match.
    package let place: Int

    package init(_ rule: TextPlacement, errors: Int = 0, place: Int) {
        self.rule = rule
        self.errors = errors
        self.place = place
    }

    package static func < (left: MatchRank, right: MatchRank) -> Bool {
        (left.rule, left.errors, left.place) < (right.rule, right.errors, right.place)
    }
}

package struct RankedMatch: Sendable {
    package let rank: MatchRank
    /// In bytes of the text.
    package let range: Range<Int>

    package init(_ rank: MatchRank, _ range: Range<Int>) {
        self.rank = rank
        self.range = range
    }
}

extension Span where Element == UInt8 {
    /// The number of letters before a byte of the text, which is valid UTF-8: a letter with its marks is one,
    /// however it is spelt, and so is a Hangul syllable.
    package func letters(before end: Int) -> Int {
        var count = 0
        var position = 0
        while position < end {
            let (code, next) = codePoint(at: position)
            position = next
            if Folding.startsLetter(code, .exact) || count == 0 { count += 1 }
        }
        return count
    }
}
