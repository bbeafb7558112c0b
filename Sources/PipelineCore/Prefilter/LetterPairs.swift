// What draws a LinePrefilter's attention: pairs of letters, one of which any match has.
//
//     maleficent             f c         the rarest two letters of a text, at their distance
//     maleficent, loosely    fi          two neighbours, or the first of them before a sign: f-i
//     maleficent, mistyped   ma fi nt    one pair more than errors are allowed; no error can spoil two of them, as
//                                        they are three letters apart and even a swap spoils only two letters
//
// A pair is common, so where one is found the letters around it are compared with the query's.

/// The pairs of a query of ASCII letters.
struct LetterPairs: Sendable {
    /// The largest distance between the letters of a pair, in bytes.
    static let mostDistance = 16
    /// The most letters of a word that are compared.
    private static let mostWordLetters = 64
    /// The most letters that are compared before and after a pair; more are left to the search of the text.
    private static let mostCompared = 32
    private static let apostrophe = UInt8(ascii: "'")

    enum Kind {
        /// The letters stand one after another.
        case text
        /// Signs may stand between them.
        case loose
        /// Up to this number of them may be wrong, and apostrophes may stand between them.
        case words(errors: Int)
    }

    /// The masks of the pairs.
    enum Masks {
        case text(TextPair)
        case loose(LoosePair)
        case words(WordPairs)
    }

    let masks: Masks
    private let kind: Kind
    private let strength: TextStrength
    /// The query's letters, and the same as bytes.
    private let letters: [Atom]
    private let bytes: [UInt8]
    /// Where the pairs begin among the letters, at most three.
    private let pairs: [Int]
    private let first: PairLetter
    private let second: PairLetter
    /// The second letter of a pair is this many bytes after the first.
    private let distance: Int
    /// Characters that can't be part of a match.
    private var ruledOut = CodePointSet()
    private var text: LooseText

    /// - Returns: nil if there are fewer than two letters, any but ASCII, or one that JSON may escape.
    init?(_ letters: [Atom], _ strength: TextStrength, _ kind: Kind) {
        guard letters.count > 1 else { return nil }
        var bytes: [UInt8] = []
        for letter in letters {
            guard !letter.isMark, letter.code >= 0x20, letter.code < 0x7F else { return nil }
            let byte = UInt8(letter.code)
            guard byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte != UInt8(ascii: "/") else {
                return nil
            }
            bytes.append(byte)
        }
        var distance = 1
        switch kind {
        case .text:
            let pair = Self.rarestPair(bytes)
            pairs = [pair.lowerBound]
            distance = pair.count - 1
        case .loose:
            // Before a sign any letter may stand, so the first one counts most.
            pairs = [(0..<bytes.count - 1).min { Self.frequency(bytes, $0, 4) < Self.frequency(bytes, $1, 4) } ?? 0]
        case .words(let errors):
            guard bytes.count <= Self.mostWordLetters else { return nil }
            pairs = Self.rarestPairs(errors + 1, of: bytes[...]).places
        }
        self.kind = kind
        self.strength = strength
        self.letters = letters
        self.bytes = bytes
        self.distance = distance
        let starts = pairs
        let near = distance
        func letter(_ index: Int) -> PairLetter { PairLetter(bytes[index], strength) }
        first = letter(starts[0])
        second = letter(starts[0] + near)
        masks =
            switch kind {
            case .text: .text(TextPair(first: first, second: second, distance: distance))
            case .loose: .loose(LoosePair(first: first, second: second))
            case .words: .words(WordPairs(starts.map { (letter($0), letter($0 + 1)) }))
            }
        text = LooseText(strength)
    }

    /// How common the letter at the index and the next one are together, the first counting this number of times.
    private static func frequency(_ bytes: [UInt8], _ index: Int, _ weight: Int = 1) -> Int {
        weight * ByteFrequency.of(bytes[index]) + ByteFrequency.of(bytes[index + 1])
    }

    /// The indices of the two letters that are rarest together.
    private static func rarestPair(_ bytes: [UInt8]) -> ClosedRange<Int> {
        var best = 0...1
        var least = Int.max
        for lower in 0..<bytes.count - 1 {
            for upper in lower + 1..<min(bytes.count, lower + mostDistance) {
                let frequency = ByteFrequency.of(bytes[lower]) + ByteFrequency.of(bytes[upper])
                // A pair of the same letter, as in "tt", is more common than its frequencies suggest.
                let isBetter = frequency < least && (bytes[lower] != bytes[upper] || bytes.count == 2)
                if isBetter { (best, least) = (lower...upper, frequency) }
            }
        }
        return best
    }

    /// The rarest neighbours, `count` of them, three letters apart. There are as many letters.
    private static func rarestPairs(_ count: Int, of bytes: ArraySlice<UInt8>) -> (places: [Int], frequency: Int) {
        guard count > 0 else { return ([], 0) }
        var best: (places: [Int], frequency: Int) = ([], .max)
        let last = bytes.endIndex - 2 - 3 * (count - 1)
        for index in bytes.startIndex...max(last, bytes.startIndex) {
            let rest = rarestPairs(count - 1, of: bytes.dropFirst(index - bytes.startIndex + 3))
            let frequency = ByteFrequency.of(bytes[index]) + ByteFrequency.of(bytes[index + 1]) + rest.frequency
            if frequency < best.frequency { best = ([index] + rest.places, frequency) }
        }
        return best
    }

    /// How common the pairs are: the rarer, the better a word of several is to look for.
    var frequency: Int { pairs.reduce(0) { $0 + 10 + Self.frequency(bytes, $1) } }

    // MARK: Looking

    /// Whether a match may include this byte, which is ASCII, and no line end.
    @inline(__always)
    func isWanted(_ line: Span<UInt8>, _ position: Int) -> Bool {
        guard case .text = kind else { return isWantedAround(line, position) }
        return position + distance < line.count && first.equals(line[position])
            && second.equals(line[position + distance])
    }

    /// The same where the letters around the byte count. Kept out of line, as the loop over plain texts is the one that
    /// has to be small.
    @inline(never)
    private func isWantedAround(_ line: Span<UInt8>, _ position: Int) -> Bool {
        if case .words(let errors) = kind { return pairs.contains { isNear(line, position, pair: $0, errors) } }
        return first.equals(line[position]) && follows(line, position) && precedes(line, position)
    }

    /// What a byte of the text is, under `loose`.
    private enum Comparison {
        case same
        case differs
        case sign
        /// Only searching the text can tell.
        case unsure
    }

    private func compare(_ byte: UInt8, _ index: Int) -> Comparison {
        if byte >= 0x80 || byte == UInt8(ascii: "\\") { return .unsure }
        let isLetter = (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10
        guard isLetter else { return byte == 0x0A ? .differs : .sign }
        let folded = strength != .exact && byte &- 0x41 < 26 ? byte | 0x20 : byte
        return folded == bytes[index] ? .same : .differs
    }

    /// Whether the query's letters after the pair's first may be after the position.
    private func follows(_ line: Span<UInt8>, _ position: Int) -> Bool {
        var place = position + 1
        var index = pairs[0] + 1
        while index < min(bytes.count, pairs[0] + Self.mostCompared) {
            guard place < line.count else { return true }
            switch compare(line[place], index) {
            case .same: index += 1
            case .sign: break
            case .differs: return false
            case .unsure: return true
            }
            place += 1
        }
        return true
    }

    /// Whether the query's letters before the pair may be before the position.
    private func precedes(_ line: Span<UInt8>, _ position: Int) -> Bool {
        var place = position - 1
        var index = pairs[0] - 1
        while index >= max(0, pairs[0] - Self.mostCompared) {
            guard place >= 0 else { return false }
            switch compare(line[place], index) {
            case .same: index -= 1
            case .sign: break
            // An escape such as \n ends with a letter that isn't one of the text.
            case .differs: return place > 0 && line[place - 1] == UInt8(ascii: "\\")
            case .unsure: return true
            }
            place -= 1
        }
        return true
    }

    /// Whether the letters around the position, where one of the pairs may begin, are nearly all of the query's.
    private func isNear(_ line: Span<UInt8>, _ position: Int, pair: Int, _ errors: Int) -> Bool {
        guard foldedByte(line[position]) == bytes[pair] else { return false }
        let start = max(0, position - pair - errors)
        let end = min(line.count, position + bytes.count - pair + errors)
        var found: UInt64 = 0
        for index in start..<end {
            let byte = line[index]
            if byte >= 0x80 || byte == Self.apostrophe { return true }
            found |= 1 << UInt64(foldedByte(byte) & 63)
        }
        let wanted = bytes.reduce(0 as UInt64) { $0 | 1 << UInt64($1 & 63) }
        return (wanted & ~found).nonzeroBitCount <= errors
    }

    @inline(__always)
    private func foldedByte(_ byte: UInt8) -> UInt8 {
        strength != .exact && byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    /// Whether the character, which isn't ASCII, may fold to a letter, to nothing, or to a mark between letters; or be
    /// spelt with a letter.
    @inline(never)
    mutating func mayBeLetter(_ line: Span<UInt8>, _ position: Int) -> Bool {
        let length = UTF8Sequence.length(in: line, at: position)
        guard length > 0 else { return true }
        let code = UTF8Sequence.scalar(in: line, at: position).value
        if ruledOut.contains(code) { return false }
        guard Folding.startsLetter(code, strength), !Folding.holds(code, letters, strength) else { return true }
        if case .loose = kind, isSpelt(line.extracting(position..<position + length)) { return true }
        ruledOut.insert(code)
        return false
    }

    /// Whether the character has a Latin spelling.
    private mutating func isSpelt(_ character: Span<UInt8>) -> Bool {
        text.begin()
        text.read(character)
        let spellings = LatinSpellings.of(strength)
        for index in 0..<text.letters.count
        where !spellings.entries(beginningWith: text.letters.code(index)).isEmpty {
            return true
        }
        return false
    }
}

/// The masks of a LetterPairs: sixteen bytes at a time, all ones where a pair of letters may begin.
struct PairLetter: Sendable {
    typealias Block = SIMD16<UInt8>
    typealias Marks = SIMDMask<SIMD16<Int8>>

    let value: Block
    let caseBit: Block

    init(_ byte: UInt8, _ strength: TextStrength) {
        let hasCase = strength != .exact && byte &- 0x61 < 26
        value = Block(repeating: byte)
        caseBit = Block(repeating: hasCase ? 0x20 : 0)
    }

    @inline(__always)
    func marks(_ block: Block) -> Marks { (block | caseBit) .== value }

    @inline(__always)
    func equals(_ byte: UInt8) -> Bool { byte | caseBit[0] == value[0] }
}

/// Two letters at a distance. A sign may be marked for another one: with the bit of small letters set, `[` is `{`.
struct TextPair {
    private let first: PairLetter.Block
    private let second: PairLetter.Block
    private let caseBit: PairLetter.Block
    private let distance: Int

    init(first: PairLetter, second: PairLetter, distance: Int) {
        caseBit = first.caseBit | second.caseBit
        self.first = first.value | caseBit
        self.second = second.value | caseBit
        self.distance = distance
    }

    /// - Parameters:
    ///   - block: the bytes at `start`; `LetterPairs.mostDistance` more follow them.
    @inline(__always)
    func marks(_ block: PairLetter.Block, _ start: UnsafeRawPointer) -> PairLetter.Marks {
        let after = unsafe start.loadUnaligned(fromByteOffset: distance, as: PairLetter.Block.self)
        return ((block | caseBit) .== first) .& ((after | caseBit) .== second)
    }
}

/// Two neighbours, or the first of them before anything but a letter.
struct LoosePair {
    let first: PairLetter
    let second: PairLetter
    private let caseBit = PairLetter.Block(repeating: 0x20)
    private let letterStart = PairLetter.Block(repeating: UInt8(ascii: "a"))
    private let letterCount = PairLetter.Block(repeating: 26)

    init(first: PairLetter, second: PairLetter) { (self.first, self.second) = (first, second) }

    /// - Parameters:
    ///   - block: the bytes at `start`; one more follows them.
    @inline(__always)
    func marks(_ block: PairLetter.Block, _ start: UnsafeRawPointer) -> PairLetter.Marks {
        let after = unsafe start.loadUnaligned(fromByteOffset: 1, as: PairLetter.Block.self)
        let isSign = ((after | caseBit) &- letterStart) .>= letterCount
        return first.marks(block) .& (second.marks(after) .| isSign)
    }
}

/// Neighbours, or the first of them before an apostrophe: any of up to three pairs.
struct WordPairs {
    typealias Pair = (first: PairLetter, second: PairLetter)

    private let pairs: (Pair, Pair, Pair)
    private let isOne: Bool
    private let apostrophes = PairLetter.Block(repeating: UInt8(ascii: "'"))

    init(_ pairs: [Pair]) {
        isOne = pairs.count == 1
        self.pairs = (pairs[0], pairs[isOne ? 0 : 1], pairs[pairs.count - 1])
    }

    /// - Parameters:
    ///   - block: the bytes at `start`; one more follows them.
    @inline(__always)
    func marks(_ block: PairLetter.Block, _ start: UnsafeRawPointer) -> PairLetter.Marks {
        let after = unsafe start.loadUnaligned(fromByteOffset: 1, as: PairLetter.Block.self)
        let isApostrophe = after .== apostrophes
        let one = pairs.0.first.marks(block) .& (pairs.0.second.marks(after) .| isApostrophe)
        guard !isOne else { return one }
        let two = pairs.1.first.marks(block) .& (pairs.1.second.marks(after) .| isApostrophe)
        return one .| two .| (pairs.2.first.marks(block) .& (pairs.2.second.marks(after) .| isApostrophe))
    }
}
