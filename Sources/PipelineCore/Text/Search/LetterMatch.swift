// Whether a query's letters are at a position of a folded text.
//
//     query:  e ^          text:  e . ^ |  (ệ)      yes: a Latin letter may have more marks than the query's
//     query:  か           text:  か ゛ |           no: が is a different letter
//     query:  c a f        text:  c a f |           more, if the text continues: the f may still get marks

/// The result of a comparison.
enum LetterMatch: Equatable {
    case none
    /// It matches so far, but more of the text must be folded.
    case more
    /// It matches up to this atom.
    case end(Int)
}

extension FoldedText {
    /// Compares the letters with the atoms from `start` on. The last folded letter has all its marks.
    func match(_ letters: Span<Atom>, at start: Int, isAtEnd: Bool) -> LetterMatch {
        let atoms = atoms.span
        var position = start
        var mayHaveMore = false
        for index in letters.indices {
            let letter = letters[index]
            if mayHaveMore {
                while position < atoms.count, atoms[position].isMark, atoms[position] != letter { position += 1 }
            }
            guard position < atoms.count else { return isAtEnd || letter.isMark ? .none : .more }
            guard atoms[position] == letter || letter.isNothing else { return .none }
            if !letter.isMark { mayHaveMore = letter.isBase }
            position += 1
        }
        while position < atoms.count, atoms[position].isMark {
            guard mayHaveMore else { return .none }
            position += 1
        }
        return .end(position)
    }
}
