// The letters of one word, each with its marks, for comparing them one by one.
//
//     "Łódź's"  →  l(ł) o(´) d z(´) s        an apostrophe isn't a letter: dont is don't

struct WordLetters: Sendable {
    private(set) var atoms: [Atom] = []
    /// The index where each letter begins in `atoms`.
    private var starts: [Int] = []

    private static let apostrophe: UInt32 = 0x27

    var count: Int { starts.count }
    var firstLetter: Atom { atoms[0] }

    mutating func removeAll() {
        atoms.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
    }

    mutating func append(_ atom: Atom) {
        guard atom.code != Self.apostrophe else { return }
        if !atom.isMark || starts.isEmpty { starts.append(atoms.count) }
        atoms.append(atom)
    }

    func code(_ index: Int) -> UInt32 { atoms[starts[index]].code }

    mutating func append(_ more: WordLetters) {
        for atom in more.atoms { append(atom) }
    }

    func isDigit(_ index: Int) -> Bool { atoms[starts[index]].code &- 0x30 < 10 }

    /// Whether the letter matches one of a word in a text, which may have more marks if they are optional.
    func isSame(_ index: Int, _ other: borrowing WordLetters, _ otherIndex: Int) -> Bool {
        let position = starts[index]
        guard atoms[position] == other.atoms[other.starts[otherIndex]] else { return false }
        return hasMarks(index, other, otherIndex, mayHaveMore: atoms[position].isBase)
    }

    /// Whether the marks of the letter are those of one of another word, which may have more if `mayHaveMore`.
    func hasMarks(_ index: Int, _ other: borrowing WordLetters, _ otherIndex: Int, mayHaveMore: Bool) -> Bool {
        var position = starts[index] + 1
        var found = other.starts[otherIndex] + 1
        let end = index + 1 < count ? starts[index + 1] : atoms.count
        let foundEnd = otherIndex + 1 < other.count ? other.starts[otherIndex + 1] : other.atoms.count
        while found < foundEnd {
            if position < end, atoms[position] == other.atoms[found] {
                position += 1
            } else if !mayHaveMore {
                return false
            }
            found += 1
        }
        return position == end
    }
}
