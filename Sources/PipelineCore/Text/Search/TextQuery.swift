// Searches texts the way people expect: see TextStrength for what counts as the same.
//
// Query and text are folded to letters with marks. A letter of the query matches the same letter with at least the
// same marks. If its marks are optional, the text's letter may have more of them (ê finds ệ); otherwise it may not
// (か doesn't find が). So a match ends where a letter with all its marks ends. It may begin and end inside the
// folding of one character: "sse" is in "Straße".

/// Where in a text the query must be, or stands; the best comes first. `--explain` uses the names.
package enum TextPlacement: Comparable, Sendable, CaseIterable {
    case whole
    case prefix
    /// From the start of a word to the end of one (Unicode Standard Annex 29).
    case word
    /// From the start of a word.
    case beginning
    case anywhere
}

/// A query prepared to search many texts. It keeps its buffers from one text to the next.
package struct TextQuery: TextMatcher, Sendable {
    let strength: TextStrength
    private let placement: TextPlacement
    let letters: [Atom]
    /// The ASCII letters that the query begins with, folded.
    private let ascii: [UInt8]
    /// What a character must fold to, one of these, for a match to begin in it.
    private let firstLetters: [Atom]
    /// Whether a match's first letter may depend on what precedes it.
    private let needsContext: Bool
    private var scan: CharacterScan
    private var folded: FoldedText
    private var linear: LinearSearch
    /// Letters compared in the last text. If they are many times its bytes, the text repeats itself, and the search
    /// switches to LinearSearch.
    package private(set) var steps = 0
    package var patience = 8
    private static let leastPatienceBytes = 1024

    /// - Parameter query: valid UTF-8. An empty one is found in every text, or with `whole` only in an empty one.
    package init(_ query: Span<UInt8>, strength: TextStrength = .search, placement: TextPlacement = .anywhere) {
        self.strength = strength
        self.placement = placement
        folded = FoldedText(strength)
        folded.fold(query)
        letters = folded.atoms
        ascii = letters.prefix { !$0.isMark && $0.code < 0x80 }.map { UInt8($0.code) }
        firstLetters = Folding.beginnings(of: letters)
        needsContext = letters.first.map { Folding.needsContext($0.code, strength) } ?? false
        scan = Self.scan(for: ascii, letters, strength)
        linear = LinearSearch(letters)
    }

    private static func scan(for ascii: [UInt8], _ letters: [Atom], _ strength: TextStrength) -> CharacterScan {
        func forms(_ byte: UInt8) -> (UInt8, UInt8) { (byte, byte ^ strength.caseBit(ofFolded: byte)) }
        guard let first = ascii.first else {
            return CharacterScan(first: (CharacterScan.never, CharacterScan.never), second: nil)
        }
        if letters.count == 1 { return CharacterScan(first: forms(first), second: nil) }
        let second = ascii.count > 1 ? forms(ascii[1]) : (CharacterScan.never, CharacterScan.never)
        return CharacterScan(first: forms(first), second: second)
    }

    package mutating func range(in text: Span<UInt8>) -> Range<Int>? { range(in: text) { _ in true } }

    package mutating func ranges(in text: Span<UInt8>) -> [Range<Int>] {
        var found: [Range<Int>] = []
        guard !letters.isEmpty else { return found }
        guard !isFixed else { return range(in: text).map { [$0] } ?? [] }
        _ = range(in: text) { range in
            if range.lowerBound >= found.last?.upperBound ?? 0 { found.append(range) }
            return false
        }
        return found
    }

    private var isFixed: Bool { placement == .prefix || placement == .whole }

    private mutating func range(in text: Span<UInt8>, where isWanted: (Range<Int>) -> Bool) -> Range<Int>? {
        guard !letters.isEmpty else { return placement != .whole || isNothing(text) ? 0..<0 : nil }
        guard !isFixed else { return fixedMatch(in: text) }
        let placement = placement
        var starts = WordBoundaries()
        var ends = WordBoundaries()
        return firstMatch(in: text) { match in
            let isPlaced =
                switch placement {
                case .word:
                    match.isWholeCharacters && starts.isBoundary(at: match.bytes.lowerBound, in: text)
                        && ends.isBoundary(at: match.bytes.upperBound, in: text)
                case .beginning:
                    match.beginsWithCharacter && starts.isBoundary(at: match.bytes.lowerBound, in: text)
                case .anywhere, .prefix, .whole: true
                }
            return isPlaced && isWanted(match.bytes)
        }
    }

    /// Whether the text has neither letters nor marks.
    private mutating func isNothing(_ text: Span<UInt8>) -> Bool {
        folded.fold(text)
        return folded.atoms.isEmpty
    }
}

/// Finds a query in a text without folding most of it.
///
///     text:    Die Straßen von Lodz       query: strassen
///     scan:        ^      .               s followed by t, or any character that may be an s
///     compare:     straßen                character by character,
///     fold:                               and only if that isn't simple, the rest of the text for LinearSearch
extension TextQuery {
    struct Match {
        var bytes: Range<Int>
        /// Whether it begins at the beginning of a character, not inside its folding.
        var beginsWithCharacter: Bool
        /// Whether it neither begins nor ends inside the folding of a character.
        var isWholeCharacters: Bool
    }

    private mutating func firstMatch(in text: Span<UInt8>, where isWanted: (Match) -> Bool) -> Range<Int>? {
        var position = 0
        steps = 0
        while let found = firstCandidate(in: text, from: position) {
            guard !needsContext, steps <= patience * max(text.count, Self.leastPatienceBytes) else {
                return linearMatch(in: text, from: found, where: isWanted)
            }
            switch compare(with: text, at: found) {
            case .none: break
            case .more: return linearMatch(in: text, from: found, where: isWanted)
            case .end(let end):
                let bytes = found..<end
                if isWanted(Match(bytes: bytes, beginsWithCharacter: true, isWholeCharacters: true)) {
                    return bytes
                }
            }
            position = found + 1
        }
        return nil
    }

    private mutating func compare(with text: Span<UInt8>, at position: Int) -> LetterMatch {
        var compared = 0
        defer { steps += compared }
        return CharacterMatch(letters: letters.span, strength).match(in: text, at: position, &compared)
    }

    /// The first match that begins at or after `start`, in time linear in the text.
    private mutating func linearMatch(
        in text: Span<UInt8>, from start: Int, where isWanted: (Match) -> Bool
    ) -> Range<Int>? {
        var start = start
        while needsContext, start > 0, !Folding.startsLetter(text.codePoint(at: start).code, strength) {
            repeat { start -= 1 } while start > 0 && text[start] & 0xC0 == 0x80
        }
        return linear.firstMatch(in: text, from: start, isFixed: false, &folded, &steps, where: isWanted)
    }

    /// The match that begins with the text's first letter.
    private mutating func fixedMatch(in text: Span<UInt8>) -> Range<Int>? {
        let isWhole = placement == .whole
        steps = 0
        if letters[0].isNothing {
            folded.fold(text, from: 0, limit: 1)
            guard folded.atoms.first?.isNothing == true else { return nil }
        }
        switch compare(with: text, at: 0) {
        case .none: return nil
        case .end(let end): return isWhole && end < text.count ? nil : 0..<end
        case .more:
            return linear.firstMatch(in: text, from: 0, isFixed: true, &folded, &steps) { match in
                !isWhole || match.isWholeCharacters && match.bytes.upperBound == text.count
            }
        }
    }

    /// The next position where a match may begin. Remembers characters that no match begins with.
    private mutating func firstCandidate(in text: Span<UInt8>, from start: Int) -> Int? {
        var position = start
        while let found = scan.next(in: text, from: position) {
            guard text[found] >= 0x80 else { return found }
            let code = text.codePoint(at: found).code
            if scan.isSingle(code) { return found }
            if Folding.holds(code, firstLetters, strength) {
                // If it can be made single, the scan checks the character after it.
                position = found
                guard ascii.count > 1, Folding.isOneLetter(code, strength), scan.makeSingle(code) else {
                    return found
                }
            } else {
                position = found + 1
                scan.ruleOut(code)
            }
        }
        return nil
    }
}
