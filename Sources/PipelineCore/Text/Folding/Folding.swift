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
        Atom(bits: strength == .search ? nothingCode | base : nothingCode)
    }
    private static let nothingCode: UInt32 = 0x1F_FFFF

    var isNothing: Bool { code == Self.nothingCode }

    var code: UInt32 { bits & 0x1F_FFFF }
    var isMark: Bool { bits >= Self.mark }
    var isBase: Bool { bits & Self.base != 0 }
}

/// What the tables say about code points.
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

    /// What the code point is, for the strength.
    @inline(__always)
    static func value(of code: UInt32, _ strength: TextStrength) -> UInt32 {
        guard let position = CodePoints.position(of: code) else { return Value.letter }
        let shift = FoldingTables.blockShift
        let stage = strength.rawValue * FoldingTables.stageCount + Int(position >> shift)
        let block = Int(stages.two(at: 2 * stage))
        return blocks.three(at: 3 * (block << Int(shift) + Int(position & (1 << shift - 1))))
    }

    /// What an ASCII character folds to.
    @inline(__always)
    static func ascii(_ code: UInt32, _ strength: TextStrength) -> Atom {
        guard strength != .exact else { return Atom(bits: code) }
        let lower = code &- 0x41 < 26 ? code | 0x20 : code
        let isLetter = lower &- 0x61 < 26
        return Atom(bits: isLetter && strength == .search ? lower | Atom.base : lower)
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
        switch strength {
        case .search: return Atom(bits: iota | Atom.base)
        case .accents: return Atom(bits: iota)
        case .exact: return Atom(bits: code | Atom.mark)
        }
    }

    private static let iota: UInt32 = 0x3B9
    private static let iotaSubscript: UInt32 = 0x345
    private static let viramaClass: UInt32 = 9

    /// Whether the mark is the dot of an i: İ is a capital i, and not one with an accent.
    @inline(__always)
    static func isOwnDot(_ mark: Atom, on letter: Atom, _ strength: TextStrength) -> Bool {
        mark.code == 0x307 && letter.code == 0x69 && strength == .search
    }

    /// The canonical combining class.
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

    /// The same for a code point whose value is known.
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
        if value >= Value.sequence { return holds(Int(value - Value.sequence), letters) }
        return letters.contains { $0.code == code }
    }

    /// Whether the character folds to one letter, with or without marks.
    static func isOneLetter(_ code: UInt32, _ strength: TextStrength) -> Bool {
        let value = value(of: code, strength)
        guard value >= Value.sequence else { return value == Value.letter || value == Value.base }
        var position = Int(value - Value.sequence)
        guard !atom(at: position).atom.isMark, !HangulSyllable.isPart(atom(at: position).atom) else { return false }
        while true {
            if atom(at: position).isLast { return true }
            position += 1
            guard atom(at: position).atom.isMark, !isLetterAsMark(atom(at: position).atom.code) else {
                return false
            }
        }
    }

    private static func holds(_ position: Int, _ letters: [Atom]) -> Bool {
        var position = position
        while true {
            let (atom, isLast) = atom(at: position)
            if letters.contains(where: { $0.code == atom.code }) { return true }
            if isLast { return false }
            position += 1
        }
    }
}
