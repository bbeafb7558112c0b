// How closely two texts must agree to be the same, and what each code point folds to for that.
//
//     search:   Ö → o + U+0308      ø → o + a private mark         ﬁ → f, i      ß → s, s      が → か + U+3099
//     accents:  Ö → o + U+0308      ø → ø                          ﬁ → f, i      ß → s, s
//     exact:    Ö → O + U+0308      ø → ø                          ﬁ → ﬁ         ß → ß
//
// `search` is full case folding (CaseFolding.txt, C and F), compatibility decomposition, and our table of letters
// with strokes and of ligatures; default-ignorable code points, enclosing marks and the kashida are dropped. `accents` is
// canonical caseless matching (Unicode 3.13, D145), `exact` is canonical equivalence.

/// What counts as the same in a text and a query.
package enum TextStrength: Int, Sendable, CaseIterable {
    /// Any case and any accent; an accent in the query is required.
    case search
    /// Any case; accents and strokes as typed.
    case accents
    /// Case and accents as typed; only differences of normalisation are ignored.
    case exact

    @inline(__always)
    private var facts: (foldsCase: Bool, ignoresAccents: Bool) {
        switch self {
        case .search: (true, true)
        case .accents: (true, false)
        case .exact: (false, false)
        }
    }

    @inline(__always)
    package var foldsCase: Bool { facts.foldsCase }
    /// An accent or a stroke that isn't typed may be there.
    @inline(__always)
    package var ignoresAccents: Bool { facts.ignoresAccents }
}

/// ASCII is folded without the tables.
extension TextStrength {
    @inline(__always)
    func folded<Code: FixedWidthInteger>(ascii code: Code) -> Code {
        foldsCase && 0x41...0x5A ~= code ? code | 0x20 : code
    }

    /// The bit that tells apart the two letters that fold to this one; 0 if only one does.
    @inline(__always)
    func caseBit(ofFolded code: UInt8) -> UInt8 { foldsCase && 0x61...0x7A ~= code ? 0x20 : 0 }
}

/// One code point of a folded text: a letter, or a mark on the letter before it.
struct Atom: Equatable {
    var bits: UInt32

    /// Flags a mark.
    static let mark: UInt32 = 1 << 31
    /// Flags a letter whose marks need not be typed.
    static let base: UInt32 = 1 << 30
    /// The letter under marks at the start of a text; in a query it matches any letter.
    static func nothing(_ strength: TextStrength) -> Atom {
        Atom(bits: strength.ignoresAccents ? nothingCode | base : nothingCode)
    }
    private static let nothingCode: UInt32 = 0x1F_FFFF

    var isNothing: Bool { code == Self.nothingCode }

    var code: UInt32 { bits & 0x1F_FFFF }
    var isMark: Bool { bits >= Self.mark }
    var isBase: Bool { bits & Self.base != 0 }
}

enum Folding {
    private static var stages: PackedNumbers { PackedNumbers(FoldingTables.stages) }
    private static var blocks: PackedNumbers { PackedNumbers(FoldingTables.blocks) }
    private static var atoms: PackedNumbers { PackedNumbers(FoldingTables.atoms) }

    /// What a code point is, for a strength. The numbers are those of the generating script.
    enum Value {
        static let letter: UInt32 = 0
        static let base: UInt32 = 1
        static let ignored: UInt32 = 2
        /// A mark. Its combining class is the value minus this.
        static let mark: UInt32 = 16
        /// A sequence. Its position is the value minus this.
        static let sequence: UInt32 = 272
    }

    @inline(__always)
    static func value(of code: UInt32, _ strength: TextStrength) -> UInt32 {
        guard let position = CodePoints.position(of: code) else { return Value.letter }
        let shift = FoldingTables.blockShift
        let stage = strength.rawValue * FoldingTables.stageCount + Int(position >> shift)
        let block = Int(stages.two(at: 2 * stage))
        return blocks.three(at: 3 * (block << Int(shift) + Int(position & (1 << shift - 1))))
    }

    @inline(__always)
    static func ascii(_ code: UInt32, _ strength: TextStrength) -> Atom {
        let folded = strength.folded(ascii: code)
        let mayHaveMarks = strength.ignoresAccents && 0x61...0x7A ~= folded
        return Atom(bits: mayHaveMarks ? folded | Atom.base : folded)
    }

    /// Whether a mark becomes a letter once the marks are in order: the subscript iota, and viramas, which people
    /// type before they have the whole syllable.
    static func isLetterAsMark(_ code: UInt32) -> Bool {
        // The most common marks are below both.
        code >= iotaSubscript && (code == iotaSubscript || combiningClass(of: code) == viramaClass)
    }

    /// That letter. The subscript iota stays a mark if case isn't folded.
    static func letter(ofMark code: UInt32, _ strength: TextStrength) -> Atom {
        guard code == iotaSubscript else { return Atom(bits: code) }
        guard strength.foldsCase else { return Atom(bits: code | Atom.mark) }
        return Atom(bits: strength.ignoresAccents ? iota | Atom.base : iota)
    }

    private static let iota: UInt32 = 0x3B9
    private static let iotaSubscript: UInt32 = 0x345
    private static let viramaClass: UInt32 = 9

    /// Whether the mark is the dot of an i: İ is a capital i, and not one with an accent.
    @inline(__always)
    static func isOwnDot(_ mark: Atom, on letter: Atom, _ strength: TextStrength) -> Bool {
        mark.code == 0x307 && letter.code == 0x69 && strength.ignoresAccents
    }

    static func combiningClass(of code: UInt32) -> UInt32 {
        let value = value(of: code, .exact)
        return value >= Value.mark && value < Value.sequence ? value - Value.mark : 0
    }

    /// The atom at a position in the sequences, and whether it ends its sequence.
    @inline(__always)
    static func atom(at position: Int) -> (atom: Atom, isLast: Bool) {
        let packed = atoms.four(at: 4 * position)
        let flags = (packed >> 20 & 1) << 31 | (packed >> 19 & 1) << 30
        return (Atom(bits: packed & 0x3_FFFF | flags), packed >> 18 & 1 != 0)
    }

    /// Whether no part of the code point attaches to the letter before it.
    static func startsLetter(_ code: UInt32, _ strength: TextStrength) -> Bool {
        code < 0x80 || startsLetter(code, value(of: code, strength))
    }

    static func startsLetter(_ code: UInt32, _ value: UInt32) -> Bool {
        switch value {
        case Value.letter, Value.base: !HangulSyllable.joins(code)
        case ..<Value.sequence: false
        default: !first(of: value).isMark && !HangulSyllable.joins(first(of: value).code)
        }
    }

    /// Whether the meaning of the folded code point may depend on what precedes it: a mark at the start of a query,
    /// a letter that a syllable may absorb, an iota that may have been a subscript.
    static func needsContext(_ code: UInt32, _ strength: TextStrength) -> Bool {
        let value = value(of: code, strength)
        return value >= Value.mark || HangulSyllable.joins(code) || code == iota || code > 0x10_FFFF
    }

    /// What a character must fold to, one of these, for a match of the letters to begin in it.
    static func beginnings(of letters: [Atom]) -> [Atom] {
        guard let first = letters.first else { return [] }
        // Marks without a letter may be on any letter.
        if first.isNothing { return [letters[1]] }
        return first.code == iota ? [first, Atom(bits: iotaSubscript)] : HangulSyllable.starts(of: first)
    }

    private static func first(of value: UInt32) -> Atom { atom(at: Int(value - Value.sequence)).atom }

    /// Whether a character above U+007F folds to something that contains one of the letters.
    static func holds(_ code: UInt32, _ letters: [Atom], _ strength: TextStrength) -> Bool {
        let value = value(of: code, strength)
        guard value >= Value.sequence else { return letters.contains { $0.code == code } }
        return !allAtoms(of: value) { atom, _ in !letters.contains { $0.code == atom.code } }
    }

    /// Whether the character folds to one letter, with or without marks.
    static func isOneLetter(_ code: UInt32, _ strength: TextStrength) -> Bool {
        let value = value(of: code, strength)
        guard value >= Value.sequence else { return value == Value.letter || value == Value.base }
        return allAtoms(of: value) { atom, isFirst in
            isFirst
                ? !atom.isMark && !HangulSyllable.isPart(atom) : atom.isMark && !isLetterAsMark(atom.code)
        }
    }

    /// Whether that is so of each atom of the sequence.
    @inline(__always)
    private static func allAtoms(of value: UInt32, _ isSo: (Atom, _ isFirst: Bool) -> Bool) -> Bool {
        var position = Int(value - Value.sequence)
        var isFirst = true
        while true {
            let (atom, isLast) = atom(at: position)
            guard isSo(atom, isFirst) else { return false }
            if isLast { return true }
            position += 1
            isFirst = false
        }
    }
}

/// Composes Hangul syllables from their letters, by arithmetic (Unicode 3.12).
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
        let trailing = next.bits &- 0x11A7
        return mayGrow(last) && trailing > 0 && trailing < 28 ? Atom(bits: last.bits + trailing) : nil
    }
}

/// Maps code points to positions in the tables.
enum CodePoints {
    /// A code point's position in the tables; nil for those beyond plane 1 that are ordinary letters. The tags and
    /// selectors of plane 14 and the compatibility ideographs of plane 2 follow plane 1.
    @inline(__always)
    static func position(of code: UInt32) -> UInt32? {
        if code < 0x20000 { return code }
        if code >> 12 == 0xE0 { return code - 0xC0000 }
        if code >> 10 == 0xBE { return code - 0x2F800 + 0x21000 }
        return nil
    }
}
