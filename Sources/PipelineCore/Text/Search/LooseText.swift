// The letters of a text without its signs and spaces, a part of the text at a time.
//
//     Spider-Man 2-1   →   s p i d e r m a n 2 | 1         a border stays between digits: 2-1 isn't 21
//     ラブレター        →   ら ふ゛ れ た ー                  katakana are hiragana

/// Letters with their marks, and where they are in the text.
struct LooseText: Sendable {
    /// The letters of a part are at most a few more than these.
    private static let partLetters = 1024

    struct Place: Sendable {
        let start: Int
        var end: Int
        /// Whether a character begins with the letter, rather than having others before it: the second s of ß.
        let isFirst: Bool
        /// Whether no further letter is in the same character.
        var isLast: Bool
    }

    private let strength: TextStrength
    private var folded: FoldedText
    private(set) var letters = WordLetters()
    private(set) var places: [Place] = []
    /// Whether the part ends with the text.
    private(set) var isAtEnd = false
    /// Where the part begins, and the next one.
    private var start = 0
    private var next = 0
    private var isBehindSign = false
    private var isBehindDigit = false

    /// Between two digits with signs between them.
    static let border: UInt32 = 0x20

    init(_ strength: TextStrength) {
        self.strength = strength
        folded = FoldedText(strength)
    }

    mutating func begin() {
        next = 0
        isBehindSign = false
        isBehindDigit = false
        isAtEnd = false
    }

    mutating func read(_ text: Span<UInt8>) {
        letters.removeAll()
        places.removeAll(keepingCapacity: true)
        folded.fold(text, from: next, limit: Self.partLetters)
        start = next
        next = folded.end
        isAtEnd = next == text.count
        /// The first letter whose character hasn't ended.
        var open = 0
        var isKept = false
        for (atom, origin) in zip(folded.atoms, folded.origins) {
            guard !atom.isMark else {
                if isKept { letters.append(atom) }
                continue
            }
            let isFirst = origin & 1 == 0
            if isFirst {
                end(&open, at: origin >> 1)
            } else if open < places.count {
                places[places.count - 1].isLast = false
            }
            isKept = append(atom, at: origin >> 1, isFirst)
        }
        end(&open, at: folded.end)
    }

    private mutating func end(_ open: inout Int, at offset: Int) {
        for index in open..<places.count { places[index].end = offset }
        open = places.count
    }

    /// Has the next part begin with the last letter before `limit`, or the first of all, that is read again the same
    /// way.
    /// - Returns: its index; nil if there is none.
    mutating func rewind(before limit: Int, in text: Span<UInt8>) -> Int? {
        let found = places.indices.prefix(max(1, limit)).last { index in
            let code = text.codePoint(at: places[index].start).code
            return places[index].start > start && places[index].isFirst && Folding.startsLetter(code, strength)
                && letters.code(index) != Self.border
        }
        guard let found else { return nil }
        next = places[found].start
        (isBehindSign, isBehindDigit, isAtEnd) = (false, false, false)
        return found
    }

    private mutating func append(_ atom: Atom, at start: Int, _ isFirst: Bool) -> Bool {
        guard Self.counts(atom) else {
            isBehindSign = true
            return false
        }
        let isDigit = Self.isDigit(atom.code)
        if isBehindSign, isBehindDigit, isDigit { add(Atom(bits: Self.border), start, isFirst) }
        (isBehindSign, isBehindDigit) = (false, isDigit)
        add(Atom(bits: atom.bits & ~0x1F_FFFF | Self.hiragana(atom.code)), start, isFirst)
        return true
    }

    private mutating func add(_ atom: Atom, _ start: Int, _ isFirst: Bool) {
        letters.append(atom)
        places.append(Place(start: start, end: start, isFirst: isFirst, isLast: true))
    }

    /// Whether it is a letter or a digit, not a sign.
    private static func counts(_ atom: Atom) -> Bool {
        let code = atom.code
        if code < 0x80 { return code &- 0x30 < 10 || (code | 0x20) &- 0x61 < 26 }
        guard let scalar = Unicode.Scalar(code) else { return atom.isNothing }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .enclosingMark:
            return true
        default: return atom.isNothing
        }
    }

    private static func isDigit(_ code: UInt32) -> Bool {
        if code < 0x80 { return code &- 0x30 < 10 }
        switch Unicode.Scalar(code)?.properties.generalCategory {
        case .decimalNumber, .letterNumber, .otherNumber: return true
        default: return false
        }
    }

    /// The hiragana of a katakana; any other letter itself.
    private static func hiragana(_ code: UInt32) -> UInt32 {
        (0x30A1...0x30F6).contains(code) || (0x30FD...0x30FE).contains(code) ? code - 0x60 : code
    }
}
