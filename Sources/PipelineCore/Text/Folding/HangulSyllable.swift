// Composes Hangul syllables from their letters, by arithmetic (Unicode 3.12).

enum HangulSyllable {
    /// Whether the letter is a consonant or a vowel that can be part of a syllable.
    static func isPart(_ letter: Atom) -> Bool { letter.bits &- 0x1100 < 0x100 }

    /// Whether the letter is a syllable that can take a trailing consonant.
    static func mayGrow(_ letter: Atom) -> Bool {
        let syllable = letter.bits &- 0xAC00
        return syllable < 11_172 && syllable % 28 == 0
    }

    /// Whether the code point is a vowel or a trailing consonant, which may join the syllable before it.
    static func joins(_ code: UInt32) -> Bool { code &- 0x1160 < 0xA0 }

    /// What the spelling of a syllable may begin with: the syllable, the same without its trailing consonant, or
    /// its leading consonant. For any other letter, the letter itself.
    static func starts(of letter: Atom) -> [Atom] {
        let syllable = letter.bits &- 0xAC00
        guard syllable < 11_172 else { return [letter] }
        return [letter, Atom(bits: letter.bits - syllable % 28), Atom(bits: 0x1100 + syllable / (21 * 28))]
    }

    /// The syllable made of a leading consonant and a vowel, or of a syllable and a trailing consonant.
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
