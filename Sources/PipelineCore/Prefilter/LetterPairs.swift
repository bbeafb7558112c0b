// What draws a LinePrefilter's attention: pairs of letters, one of which any match has.
//
//     maleficent             f c         the rarest two letters of a text, at their distance
//     björk                  b j         letters without a mark between them, in UTF-8 the last byte of each
//     maleficent, loosely    fi          two neighbours, or the first of them before a sign: f-i
//     maleficent, mistyped   ma fi nt    one pair more than errors are allowed; no error can spoil two of them, as
//                                        they are three letters apart and even a swap spoils only two letters
//
// A pair is common, so where one is found the letters around it are compared with the query's.

struct LetterPairs: Sendable {
    /// The largest distance between the letters of a pair, in bytes.
    static let mostDistance = 16
    private static let mostWordLetters = 64
    /// The most letters that are compared before and after a pair; more are left to the search of the text.
    private static let mostCompared = 32
    private static let apostrophe = UInt8(ascii: "'")

    enum Masks {
        /// The letters stand one after another.
        case text(TextPair)
        /// Signs may stand between them.
        case loose(LoosePair)
        /// Some of them may be wrong, and apostrophes may stand between them.
        case words(WordPairs)
    }

    private struct Word {
        let bytes: [UInt8]
        /// Where the pairs begin among the bytes, at most three.
        let pairs: [Int]
        let errors: Int
    }

    let masks: Masks
    private let strength: TextStrength
    /// The letters that a match has where it has a pair, and between. A text may spell them in other ways.
    private let letters: [Atom]
    private var word: Word?
    private var isLoose = false
    /// The letters of the pair that have to be there, this many bytes apart.
    private let first: PairLetter
    private let second: PairLetter
    private var distance = 0
    /// The query's letters before the first one, the last one first, and after the second, as far as they are plain.
    private var before: [UInt8] = []
    private var after: [UInt8] = []
    private var ruledOut = CodePointSet()
    private var text: LooseText

    private init(_ letters: [Atom], _ strength: TextStrength, first: UInt8, second: UInt8, _ masks: Masks) {
        self.letters = letters
        self.strength = strength
        self.first = PairLetter(first, strength)
        self.second = PairLetter(second, strength)
        self.masks = masks
        text = LooseText(strength)
    }

    /// The pair of a text.
    /// - Returns: nil if no two letters stand together that it knows all spellings of.
    init?(text letters: [Atom], _ strength: TextStrength) {
        guard let pair = Self.rarestPair(letters, strength) else { return nil }
        let mask = TextPair(
            first: PairLetter(pair.first, strength), second: PairLetter(pair.second, strength),
            distance: pair.distance)
        self.init(Array(letters[pair.letters]), strength, first: pair.first, second: pair.second, .text(mask))
        distance = pair.distance
        before = Self.plainBytes(letters[..<pair.letters.lowerBound].reversed())
        after = Self.plainBytes(letters[(pair.letters.upperBound + 1)...])
    }

    /// The pair of a text that may have signs between its letters: the second one of the pair, too, may stand after one.
    /// - Returns: nil if there are fewer than two letters, any but ASCII, or one that JSON may escape.
    init?(loose letters: [Atom], _ strength: TextStrength) {
        let bytes = Self.plainBytes(letters)
        guard letters.count > 1, bytes.count == letters.count else { return nil }
        // Before a sign any letter may stand, so the first one counts most.
        let rarest = (0..<bytes.count - 1).min { Self.frequency(bytes, $0, 4) < Self.frequency(bytes, $1, 4) } ?? 0
        let (first, second) = (PairLetter(bytes[rarest], strength), PairLetter(bytes[rarest + 1], strength))
        self.init(
            letters, strength, first: bytes[rarest], second: bytes[rarest],
            .loose(LoosePair(first: first, second: second)))
        isLoose = true
        before = Array(bytes[..<rarest].reversed().prefix(Self.mostCompared))
        after = Array(bytes[(rarest + 1)...].prefix(Self.mostCompared))
    }

    /// The pairs of a word that may have errors.
    /// - Returns: nil if there are fewer than two letters or too many, any but ASCII, or one that JSON may escape.
    init?(word letters: [Atom], errors: Int, _ strength: TextStrength) {
        let bytes = Self.plainBytes(letters)
        guard letters.count > 1, bytes.count == letters.count, bytes.count <= Self.mostWordLetters else {
            return nil
        }
        let pairs = Self.rarestPairs(errors + 1, of: bytes[...]).places
        let mask = WordPairs(pairs.map { (PairLetter(bytes[$0], strength), PairLetter(bytes[$0 + 1], strength)) })
        self.init(letters, strength, first: bytes[0], second: bytes[1], .words(mask))
        word = Word(bytes: bytes, pairs: pairs, errors: errors)
    }

    /// The letter if it is ASCII and JSON has no escape of its own for it.
    private static func plainByte(_ letter: Atom) -> UInt8? {
        guard !letter.isMark, letter.code >= 0x20, letter.code < 0x7F else { return nil }
        let byte = UInt8(letter.code)
        return byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "/") ? nil : byte
    }

    private static func plainBytes(_ letters: some Sequence<Atom>) -> [UInt8] {
        var bytes: [UInt8] = []
        for letter in letters {
            guard let byte = plainByte(letter) else { break }
            bytes.append(byte)
        }
        return bytes
    }

    /// How common the letter at the index and the next one are together, the first counting this number of times.
    private static func frequency(_ bytes: [UInt8], _ index: Int, _ weight: Int = 1) -> Int {
        weight * ByteFrequency.of(bytes[index]) + ByteFrequency.of(bytes[index + 1])
    }

    /// The pair of a text: the last byte of each letter in UTF-8, and where they are.
    private struct RarestPair {
        var first: UInt8
        var second: UInt8
        var distance: Int
        var letters: ClosedRange<Int>
    }

    /// The two letters that are rarest together, of those without a mark between them.
    private static func rarestPair(_ letters: [Atom], _ strength: TextStrength) -> RarestPair? {
        let lasts = letters.map { lastByte($0, strength) }
        var best: RarestPair?
        var least = Int.max
        for lower in letters.indices {
            guard let first = lasts[lower] else { continue }
            var distance = 0
            for upper in letters.indices[(lower + 1)...] {
                guard let second = lasts[upper] else { break }
                distance += UTF8.width(Unicode.Scalar(letters[upper].code) ?? "a")
                guard distance < mostDistance else { break }
                // A pair of the same letter, as in "tt", is more common than its frequencies suggest. Letters between
                // the two may have accents in a text, and each accent stops the scan.
                let frequency =
                    ByteFrequency.of(first) + ByteFrequency.of(second) + (first == second ? sameLetters : 0)
                    + letterBetween * (upper - lower - 1)
                guard frequency < least else { continue }
                least = frequency
                best = RarestPair(first: first, second: second, distance: distance, letters: lower...upper)
            }
        }
        return best
    }

    /// What a pair of the same letter, and each letter between the two, adds to their frequencies.
    private static let (sameLetters, letterBetween) = (100, 2)

    /// The last byte of the letter in UTF-8; nil if there are spellings that `mayBeLetter` doesn't know.
    private static func lastByte(_ letter: Atom, _ strength: TextStrength) -> UInt8? {
        guard letter.code >= 0x80 else { return plainByte(letter) }
        guard !letter.isMark, !Folding.needsContext(letter.code, strength), Unicode.Scalar(letter.code) != nil
        else { return nil }
        return UInt8(0x80 | letter.code & 0x3F)
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

    /// How common the pairs of a word are: the rarer, the better a word of several is to look for.
    var frequency: Int {
        word.map { word in word.pairs.reduce(0) { $0 + 10 + Self.frequency(word.bytes, $1) } } ?? 0
    }

    // MARK: Looking

    /// Whether a match may begin at or include this byte, which isn't a line end.
    @inline(__always)
    mutating func isWanted(_ line: Span<UInt8>, _ position: Int) -> Bool {
        let byte = line[position]
        if byte == UInt8(ascii: "\\") { return mayBeEscapedLetter(line, position) }
        if byte >= 0xC0 { return mayBeLetter(line, position) }
        if let word { return word.pairs.contains { isNear(line, position, pair: $0, word) } }
        return position + distance < line.count && first.equals(byte) && second.equals(line[position + distance])
            && isPart(after, line, position + distance, step: 1) && isPart(before, line, position, step: -1)
    }

    /// Whether the query's letters may stand next to the position: those that are ASCII, as far as the text is.
    private func isPart(_ letters: [UInt8], _ line: Span<UInt8>, _ position: Int, step: Int) -> Bool {
        var place = position
        var index = 0
        while index < letters.count {
            place += step
            guard place >= 0 else { return false }
            guard place < line.count, line[place] < 0x80, line[place] != UInt8(ascii: "\\") else { return true }
            let byte = strength.folded(ascii: line[place])
            if byte == letters[index] {
                index += 1
            } else if !isLoose || byte == 0x0A || byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 {
                // Before the position it may be the end of an escape, which has at most six bytes.
                return step < 0 && (max(0, place - 5)...place).contains { line[$0] == UInt8(ascii: "\\") }
            }
        }
        return true
    }

    /// Whether the letters around the position, where one of the pairs may begin, are nearly all of the query's.
    @inline(never)
    private func isNear(_ line: Span<UInt8>, _ position: Int, pair: Int, _ word: Word) -> Bool {
        guard strength.folded(ascii: line[position]) == word.bytes[pair] else { return false }
        let start = max(0, position - pair - word.errors)
        let end = min(line.count, position + word.bytes.count - pair + word.errors)
        var found: UInt64 = 0
        for index in start..<end {
            let byte = line[index]
            if byte >= 0x80 || byte == Self.apostrophe { return true }
            found |= 1 << UInt64(strength.folded(ascii: byte) & 63)
        }
        let wanted = word.bytes.reduce(0 as UInt64) { $0 | 1 << UInt64($1 & 63) }
        return (wanted & ~found).nonzeroBitCount <= word.errors
    }

    /// Whether the escape is of the form `\u0041`, and its character a letter of the pair or one that `rulesOut` doesn't
    /// rule out. The bytes after the line don't matter, so all ways to read a file say the same of a bad line.
    private mutating func mayBeEscapedLetter(_ line: Span<UInt8>, _ position: Int) -> Bool {
        guard position + 1 < line.count else { return true }
        guard line[position + 1] == UInt8(ascii: "u") else { return false }
        guard case .text = masks, var code = JSONStringScanner.codeUnit(line, at: position + 2) else { return true }
        if code & 0xF800 == 0xD800 {
            // The second half of a pair has been looked at with the first.
            guard code < 0xDC00 else { return false }
            guard position + 8 <= line.count, line[position + 6] == UInt8(ascii: "\\"),
                line[position + 7] == UInt8(ascii: "u"),
                let low = JSONStringScanner.codeUnit(line, at: position + 8)
            else { return true }
            code = 0x10000 + (code & 0x3FF) << 10 | low & 0x3FF
        }
        let folded = code < 0x80 ? Folding.ascii(code, strength).code : code
        return letters.contains { $0.code == folded }
            || code >= 0x80 && !ruledOut.contains(code) && !rulesOut(code)
    }

    /// Whether the character, which isn't ASCII, can be part of a match.
    @inline(__always)
    private mutating func mayBeLetter(_ line: Span<UInt8>, _ position: Int) -> Bool {
        let length = UTF8Sequence.length(in: line, at: position)
        guard length > 0 else { return true }
        let code = line.codePoint(at: position).code
        if ruledOut.contains(code) { return false }
        if isLoose, isSpelt(line.extracting(position..<position + length)) { return true }
        return !rulesOut(code)
    }

    /// Whether the character, which isn't ASCII, neither folds to nothing or to a mark between letters nor spells a letter
    /// differently than the pair does. Caches those that it rules out.
    @inline(never)
    private mutating func rulesOut(_ code: UInt32) -> Bool {
        let isUsual = letters.contains { $0.code == code }
        guard Folding.startsLetter(code, strength), isUsual || !Folding.holds(code, letters, strength) else {
            return false
        }
        ruledOut.insert(code)
        return true
    }

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
