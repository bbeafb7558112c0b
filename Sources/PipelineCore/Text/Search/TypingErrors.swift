// Whether a word is another one mistyped.
//
//     donlad   donald      one: two neighbours swapped
//     mikcey   mickey      one
//     nickey   mickey      two: the first letter counts twice
//     1O1      101         never: digits must match exactly
//
// The distance is that of Damerau and Levenshtein, in which each pair of letters is swapped at most once (optimal
// string alignment), plus one if the first letters differ.

enum TypingErrors {
    /// The number of errors allowed, by the number of letters.
    static func allowed(letters: Int) -> Int { letters <= 4 ? 0 : letters <= 8 ? 1 : 2 }

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
