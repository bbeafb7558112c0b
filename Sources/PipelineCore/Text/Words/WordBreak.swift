// The property Word_Break (Unicode Standard Annex 29, table 3).

/// What a character does between words, in the order of the generating script.
enum WordBreak: UInt32 {
    case other, carriageReturn, lineFeed, newline, extend, joiner, format, regional, katakana, hebrewLetter
    case letter, singleQuote, doubleQuote, midNumLet, midLetter, midNum, numeric, extendNumLet, space

    private static var stage: PackedNumbers { PackedNumbers(WordBreakTables.stage) }
    private static var blocks: PackedNumbers { PackedNumbers(WordBreakTables.blocks) }
    private static let pictographic: UInt32 = 32

    /// A code point's value, and whether it has the property Extended_Pictographic.
    static func of(_ code: UInt32) -> (value: WordBreak, isPictographic: Bool) {
        guard let position = CodePoints.position(of: code) else { return (.other, false) }
        let shift = WordBreakTables.blockShift
        let block = Int(stage.two(at: 2 * Int(position >> shift)))
        let packed = blocks.one(at: block << Int(shift) + Int(position & (1 << shift - 1)))
        return (WordBreak(rawValue: packed & 31) ?? .other, packed & pictographic != 0)
    }

    /// AHLetter of the annex.
    var isLetter: Bool { self == .letter || self == .hebrewLetter }
    /// CR, LF and Newline.
    var isLineEnd: Bool { self == .carriageReturn || self == .lineFeed || self == .newline }
    /// Extend, Format and ZWJ, which belong to the character before (WB4).
    var isAttached: Bool { self == .extend || self == .format || self == .joiner }
}
