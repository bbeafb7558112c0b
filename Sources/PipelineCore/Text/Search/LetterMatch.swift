// Whether a query's letters stand at a place of a folded text.
//
//     query:  e ^          text:  e . ^ |  (ệ)      yes: over Latin a letter may have more marks than are typed
//     query:  か           text:  か ゛ |           no: が is another letter
//     query:  c a f        text:  c a f |           more, if the text goes on: the f may yet get marks

/// What came of a comparison.
enum LetterMatch: Equatable {
    case none
    /// It holds so far, and the folding went no further.
    case more
    /// It holds up to this atom.
    case end(Int)
}

extension FoldedText {
    /// Compares the letters with the atoms from `start` on. The last letter of a folding has all its marks.
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
