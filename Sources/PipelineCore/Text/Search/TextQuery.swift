// Searches texts the way people expect: see TextStrength for what counts as the same.
//
// Query and text are folded to letters with marks. A letter of the query matches the same letter with at least the
// same marks. If its marks are optional, the text's letter may have more of them (ê finds ệ); otherwise it may not
// (か doesn't find が). So a match ends where a letter with all its marks ends. It may begin and end inside the
// folding of one character: "sse" is in "Straße".

/// Where in a text the query must be.
package enum TextPlacement: Sendable, CaseIterable {
    case anywhere
    /// At the start of the text.
    case prefix
    /// From the start of a word to the end of one (Unicode Standard Annex 29).
    case word
    /// From the start of a word.
    case beginning
    /// The whole text.
    case whole
}

/// A query prepared to search many texts. It keeps its buffers from one text to the next.
package struct TextQuery: Sendable {
    let strength: TextStrength
    let placement: TextPlacement
    let letters: [Atom]
    /// The ASCII letters that the query begins with, folded.
    let ascii: [UInt8]
    /// What a character must fold to, one of these, for a match to begin in it.
    let firstLetters: [Atom]
    /// Whether a match's first letter may depend on what precedes it.
    let needsContext: Bool
    var scan: CharacterScan
    var folded: FoldedText
    /// Letters compared in the last text. If they are many times its bytes, the text repeats itself, and the search
    /// switches to LinearSearch.
    package internal(set) var steps = 0
    package var patience = 8
    static let leastPatienceBytes = 1024

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
    }

    private static func scan(for ascii: [UInt8], _ letters: [Atom], _ strength: TextStrength) -> CharacterScan {
        func forms(_ byte: UInt8) -> (UInt8, UInt8) {
            (byte, strength != .exact && byte &- 0x61 < 26 ? byte & 0xDF : byte)
        }
        guard let first = ascii.first else {
            return CharacterScan(first: (CharacterScan.never, CharacterScan.never), second: nil)
        }
        if letters.count == 1 { return CharacterScan(first: forms(first), second: nil) }
        let second = ascii.count > 1 ? forms(ascii[1]) : (CharacterScan.never, CharacterScan.never)
        return CharacterScan(first: forms(first), second: second)
    }

    /// Whether the query may be found in part of a text, which is valid UTF-8. Quick; false positives are possible.
    package mutating func mayMatch(in text: Span<UInt8>, _ part: Range<Int>) -> Bool {
        guard !isFixed, !letters.isEmpty else { return true }
        return firstCandidate(in: text, from: part.lowerBound, to: part.upperBound) != nil
    }

    /// Whether the query is found in the text, which is valid UTF-8.
    package mutating func matches(_ text: Span<UInt8>) -> Bool { range(in: text) != nil }

    /// The range of the first match in the text, which is valid UTF-8. It covers whole characters.
    package mutating func range(in text: Span<UInt8>) -> Range<Int>? { range(in: text) { _ in true } }

    /// The ranges of all matches in the text, which is valid UTF-8, one after another and none of them empty.
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

    /// Whether a match can only be at the start.
    var isFixed: Bool { placement == .prefix || placement == .whole }

    /// The first match that is wanted.
    private mutating func range(in text: Span<UInt8>, where isWanted: (Range<Int>) -> Bool) -> Range<Int>? {
        guard !letters.isEmpty else { return placement != .whole || isNothing(text) ? 0..<0 : nil }
        var starts = WordBoundaries()
        var ends = WordBoundaries()
        switch placement {
        case .prefix, .whole: return match(in: text, at: 0)?.bytes
        case .anywhere: return firstMatch(in: text) { isWanted($0.bytes) }
        case .word:
            return firstMatch(in: text) { match in
                match.isWholeCharacters && starts.isBoundary(at: match.bytes.lowerBound, in: text)
                    && ends.isBoundary(at: match.bytes.upperBound, in: text) && isWanted(match.bytes)
            }
        case .beginning:
            return firstMatch(in: text) { match in
                match.beginsWithCharacter && starts.isBoundary(at: match.bytes.lowerBound, in: text)
                    && isWanted(match.bytes)
            }
        }
    }

    /// Whether the text has neither letters nor marks.
    private mutating func isNothing(_ text: Span<UInt8>) -> Bool {
        folded.fold(text)
        return folded.atoms.isEmpty
    }
}
