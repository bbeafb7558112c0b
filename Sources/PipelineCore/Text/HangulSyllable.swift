// Hangul syllables out of their letters, by arithmetic (Unicode 3.12).

enum HangulSyllable {
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
