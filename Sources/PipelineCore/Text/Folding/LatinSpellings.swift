// How Cyrillic, Greek and kana are spelt in Latin letters, as CLDR's transforms and common use have it.
//
//     щ    šč, shch, sch, …        a text may be read in any way that its letters allow, one letter at a time or
//     с    s                       several: кс is ks, and x
//     кс   x

/// The spellings of letters, for one strength. A letter has several, and one may be empty: ь.
struct LatinSpellings: Sendable {
    struct Entry: Sendable {
        /// The letters in their script; kana are hiragana.
        let key: WordLetters
        let spellings: [WordLetters]
    }

    static let longestKey = 4

    /// By the first letter of the key.
    private let entries: [UInt32: [Entry]]

    private static let tables = TextStrength.allCases.map { LatinSpellings($0) }

    static func of(_ strength: TextStrength) -> LatinSpellings { tables[strength.rawValue] }

    private init(_ strength: TextStrength) {
        var folded = FoldedText(strength)
        var entries: [UInt32: [Entry]] = [:]
        for line in SpellingTables.spellings.bytes.text.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            let spellings = parts[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            for (key, spellings) in Self.forms(String(parts[0]), spellings, strength) {
                let key = Self.letters(key, &folded)
                // Where accents count, a spelling without them counts too; the table leaves it out.
                let bare =
                    strength.ignoresAccents
                    ? [] : spellings.map { Self.letters($0, &folded, withMarks: false) }
                let all = spellings.map { Self.letters($0, &folded) } + bare
                entries[key.firstLetter.code, default: []].append(Entry(key: key, spellings: all))
            }
        }
        self.entries = entries
    }

    private static func letters(_ text: String, _ folded: inout FoldedText, withMarks: Bool = true) -> WordLetters {
        let bytes = Array(text.utf8)
        folded.fold(bytes.span)
        var letters = WordLetters()
        for atom in folded.atoms where withMarks || !atom.isMark { letters.append(atom) }
        return letters
    }

    /// A line of the table, and where case counts the same with capitals: ш sh, Ш Sh and SH, Ου Ou, ΟΥ OU.
    private static func forms(
        _ key: String, _ spellings: [String], _ strength: TextStrength
    ) -> [(key: String, spellings: [String])] {
        guard !strength.foldsCase, key != key.uppercased() else { return [(key, spellings)] }
        let begun = spellings.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        let capitals = spellings.map { $0.uppercased() }
        guard key.count > 1 else { return [(key, spellings), (key.uppercased(), begun + capitals)] }
        return [
            (key, spellings), (key.prefix(1).uppercased() + key.dropFirst(), begun), (key.uppercased(), capitals),
        ]
    }

    @inline(__always)
    func entries(beginningWith code: UInt32) -> [Entry] {
        // Greek, Cyrillic and hiragana; ー is the last.
        guard code >= 0x370, code <= 0x30FC else { return [] }
        return entries[code] ?? []
    }
}
