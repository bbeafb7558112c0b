// Where words begin and end (Unicode Standard Annex 29, default word boundaries).
//
//     |The| |quick| |(|brown|)| |can't| |jump| |32.3| |feet|

/// Walks over a text once. Reports whether positions, queried in ascending order, are boundaries.
package struct WordBoundaries {
    /// The current position: the character here has not been passed.
    private var position = 0
    /// Whether there is a word boundary before `position`.
    private var isBoundary = true
    /// The character before `position`, attached or not; nil at the start.
    private var last: WordBreak?
    /// The last two characters that aren't attached to the one before.
    private var base: WordBreak?
    private var baseBefore: WordBreak?
    /// Whether the number of regional indicators right before `position` is odd.
    private var hasOddRegional = false

    /// Whether there is a boundary before the byte. Calls must be in ascending order of position.
    package mutating func isBoundary(at wanted: Int, in text: Span<UInt8>) -> Bool {
        skip(towards: wanted, in: text)
        while position < wanted { advance(in: text) }
        return position == wanted && (position == text.count || isBoundary)
    }

    /// The part of the text up to the next boundary; nil at the end of the text.
    package mutating func nextPart(of text: Span<UInt8>) -> Range<Int>? {
        let start = position
        guard start < text.count else { return nil }
        repeat { advance(in: text) } while position < text.count && !isBoundary
        return start..<position
    }

    /// The next part that has a letter or a number; nil if no other does.
    package mutating func nextWord(of text: Span<UInt8>) -> Range<Int>? {
        while let range = nextPart(of: text) {
            let scalars = text.extracting(range).text.unicodeScalars
            if scalars.contains(where: { $0.properties.isAlphabetic || $0.properties.numericType != nil }) {
                return range
            }
        }
        return nil
    }

    /// Jumps to the last space before a distant position: nothing before a space affects what follows it.
    private mutating func skip(towards wanted: Int, in text: Span<UInt8>) {
        guard wanted - position > 64 else { return }
        var space = wanted - 1
        while space > position, text[space] != 0x20 { space -= 1 }
        position = space
    }

    private mutating func advance(in text: Span<UInt8>) {
        let (code, next) = text.codePoint(at: position)
        pass(WordBreak.of(code).value)
        position = next
        guard next < text.count else { return isBoundary = true }
        isBoundary = hasBoundary(in: text)
    }

    private mutating func pass(_ value: WordBreak) {
        let isAttached = value.isAttached && last.map { !$0.isLineEnd } ?? false
        last = value
        guard !isAttached else { return }
        baseBefore = base
        base = value
        hasOddRegional = value == .regional && !hasOddRegional
    }

    private func hasBoundary(in text: Span<UInt8>) -> Bool {
        guard let last, let base else { return true }
        let (code, after) = text.codePoint(at: position)
        let (next, isPictographic) = WordBreak.of(code)
        if last == .carriageReturn, next == .lineFeed { return false }  // WB3
        if last.isLineEnd || next.isLineEnd { return true }  // WB3a, WB3b
        if last == .joiner, isPictographic { return false }  // WB3c
        if last == .space, next == .space { return false }  // WB3d
        if next.isAttached { return false }  // WB4
        if joinsLetters(base, next, after, text) || joinsNumbers(base, next, after, text) { return false }
        if base == .katakana, next == .katakana { return false }  // WB13
        if next == .extendNumLet {  // WB13a
            return !(base.isLetter || base == .numeric || base == .katakana || base == .extendNumLet)
        }
        if base == .extendNumLet, next.isLetter || next == .numeric || next == .katakana { return false }  // WB13b
        if base == .regional, next == .regional { return !hasOddRegional }  // WB15, WB16
        return true  // WB999
    }

    /// WB5 to WB7c.
    private func joinsLetters(_ base: WordBreak, _ next: WordBreak, _ after: Int, _ text: Span<UInt8>) -> Bool {
        if base.isLetter {
            if next.isLetter { return true }  // WB5
            if next == .singleQuote, base == .hebrewLetter { return true }  // WB7a
            if next.isMiddleOfLetters { return following(after, text)?.isLetter == true }  // WB6
            if next == .doubleQuote, base == .hebrewLetter {  // WB7b
                return following(after, text) == .hebrewLetter
            }
        }
        guard let baseBefore else { return false }
        if base.isMiddleOfLetters, baseBefore.isLetter, next.isLetter { return true }  // WB7
        return base == .doubleQuote && baseBefore == .hebrewLetter && next == .hebrewLetter  // WB7c
    }

    /// WB8 to WB12.
    private func joinsNumbers(_ base: WordBreak, _ next: WordBreak, _ after: Int, _ text: Span<UInt8>) -> Bool {
        if next == .numeric {
            if base == .numeric || base.isLetter { return true }  // WB8, WB9
            return base.isMiddleOfNumbers && baseBefore == .numeric  // WB11
        }
        guard base == .numeric else { return false }
        return next.isLetter || next.isMiddleOfNumbers && following(after, text) == .numeric  // WB10, WB12
    }

    /// The first character from `start` on that isn't attached to the one before.
    private func following(_ start: Int, _ text: Span<UInt8>) -> WordBreak? {
        var position = start
        while position < text.count {
            let (code, next) = text.codePoint(at: position)
            let value = WordBreak.of(code).value
            if !value.isAttached { return value }
            position = next
        }
        return nil
    }
}

extension WordBreak {
    /// MidLetter and MidNumLetQ of the annex.
    fileprivate var isMiddleOfLetters: Bool { self == .midLetter || self == .midNumLet || self == .singleQuote }
    /// MidNum and MidNumLetQ of the annex.
    fileprivate var isMiddleOfNumbers: Bool { self == .midNum || self == .midNumLet || self == .singleQuote }
}

/// The property Word_Break (Unicode Standard Annex 29, table 3).
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
