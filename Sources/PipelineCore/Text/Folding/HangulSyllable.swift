// Hangul syllables out of their letters, by arithmetic (Unicode 3.12).

enum HangulSyllable {
    /// Whether the letter is a consonant or a vowel that a syllable may be made of.
    static func isPart(_ letter: Atom) -> Bool { letter.bits &- 0x1100 < 0x100 }

    /// Whether the letter is a syllable that a trailing consonant may join.
    static func mayGrow(_ letter: Atom) -> Bool {
        let syllable = letter.bits &- 0xAC00
        return syllable < 11_172 && syllable % 28 == 0
    }

    /// Whether the code point is a vowel or a trailing consonant, which may become part of a syllable before it.
    static func joins(_ code: UInt32) -> Bool { code &- 0x1160 < 0xA0 }

    /// What may stand at the start of a syllable's spelling: the syllable, without its trailing consonant, and the
    /// leading consonant; the letter alone where it is no syllable.
    static func starts(of letter: Atom) -> [Atom] {
        let syllable = letter.bits &- 0xAC00
        guard syllable < 11_172 else { return [letter] }
        return [letter, Atom(bits: letter.bits - syllable % 28), Atom(bits: 0x1100 + syllable / (21 * 28))]
    }

    /// The syllable that a leading consonant and a vowel make, or a syllable and a trailing consonant.
    static func joining(_ last: Atom, _ next: Atom) -> Atom? {
        let leading = last.bits &- 0x1100
        let vowel = next.bits &- 0x1161
        if leading < 19, vowel < 21 { return Atom(bits: 0xAC00 + (leading * 21 + vowel) * 28) }
        let syllable = last.bits &- 0xAC00
        let trailing = next.bits &- 0x11A7
        if syllable < 11_172, syllable % 28 == 0, trailing > 0, trailing < 28 {
            return Atom(bits: last.bits + trailing)
        }
        return nil
    }
}
