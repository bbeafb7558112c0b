// A text that is looked for in other texts, as people search: see TextStrength for what is the same.
//
// Both are folded to letters with marks. A query's letter matches a text's letter that is the same and has the typed
// marks; where marks need not be typed the text's letter may have more of them (ê finds ệ), elsewhere it may not
// (か doesn't find が). So a match ends where a letter with all its marks ends. It may begin and end inside what one
// character folds to: "sse" is in "Straße".

/// Where in a text the query has to be.
package enum TextPlacement: Sendable, CaseIterable {
    case anywhere
    /// The text starts with it.
    case prefix
    /// It begins and ends where words do (Unicode Standard Annex 29).
    case word
    /// It is the whole text.
    case whole
}

/// A query, ready to be looked for in many texts. It keeps its buffers from one text to the next.
package struct TextQuery: Sendable {
    let strength: TextStrength
    let placement: TextPlacement
    let letters: [Atom]
    /// The ASCII letters that the query begins with, as folded.
    let ascii: [UInt8]
    /// What a character has to fold to, one of them, for a match to begin in it.
    let firstLetters: [Atom]
    /// Whether a match's first letter may depend on what stands before it.
    let needsContext: Bool
    var scan: CharacterScan
    var folded: FoldedText
    /// Letters compared in the text that was searched last. Where they are many times more than it has bytes, it repeats
    /// itself, and the search goes on in another way.
    package internal(set) var steps = 0
    package var patience = 8
    static let leastPatienceBytes = 1024

    /// - Parameter query: valid UTF-8. An empty one is found in every text, but as the whole of an empty one only.
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

    /// Whether the query may be found in a part of a text, which is valid UTF-8: quick, and it may say yes wrongly.
    package mutating func mayMatch(in text: Span<UInt8>, _ part: Range<Int>) -> Bool {
        guard placement == .anywhere || placement == .word, !letters.isEmpty else { return true }
        return firstCandidate(in: text, from: part.lowerBound, to: part.upperBound) != nil
    }

    /// Whether the query is found in the text, which is valid UTF-8.
    package mutating func matches(_ text: Span<UInt8>) -> Bool { range(in: text) != nil }

    /// The bytes of the first match in the text, which is valid UTF-8; whole characters.
    package mutating func range(in text: Span<UInt8>) -> Range<Int>? {
        guard !letters.isEmpty else { return placement != .whole || isNothing(text) ? 0..<0 : nil }
        switch placement {
        case .prefix, .whole: return match(in: text, at: 0)?.bytes
        case .anywhere: return firstMatch(in: text) { _ in true }
        case .word:
            var starts = WordBoundaries()
            var ends = WordBoundaries()
            return firstMatch(in: text) { match in
                match.isWholeCharacters && starts.isBoundary(at: match.bytes.lowerBound, in: text)
                    && ends.isBoundary(at: match.bytes.upperBound, in: text)
            }
        }
    }

    /// Whether the text has neither letters nor marks.
    private mutating func isNothing(_ text: Span<UInt8>) -> Bool {
        folded.fold(text)
        return folded.atoms.isEmpty
    }
}
