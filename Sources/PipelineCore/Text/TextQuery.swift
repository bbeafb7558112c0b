// A text that is looked for in other texts, as people search: see TextStrength for what is the same.
//
// Both are folded to letters with marks. A query's letter matches a text's letter that is the same and has the typed
// marks; where marks need not be typed the text's letter may have more of them (ê finds ệ), elsewhere it may not
// (か doesn't find が). So a match ends where a letter with all its marks ends.

/// Where in a text the query has to be.
package enum TextPlacement: Sendable, CaseIterable {
    case anywhere
    /// The text starts with it.
    case prefix
    /// It is the whole text.
    case whole
}

/// A query, ready to be looked for in many texts. It keeps its buffers from one text to the next.
package struct TextQuery: Sendable {
    private let placement: TextPlacement
    private let letters: [Atom]
    private var folded: FoldedText

    /// - Parameter query: valid UTF-8. An empty one is found in every text.
    package init(_ query: Span<UInt8>, strength: TextStrength = .search, placement: TextPlacement = .anywhere) {
        self.placement = placement
        folded = FoldedText(strength)
        folded.fold(query)
        letters = folded.atoms
    }

    /// Whether the query is found in the text, which is valid UTF-8.
    package mutating func matches(_ text: Span<UInt8>) -> Bool {
        guard !letters.isEmpty else { return true }
        folded.fold(text)
        return firstMatch() != nil
    }

    /// The bytes of the first match in the text, which is valid UTF-8; whole characters.
    package mutating func range(in text: Span<UInt8>) -> Range<Int>? {
        guard !letters.isEmpty else { return 0..<0 }
        folded.fold(text)
        guard let match = firstMatch() else { return nil }
        return folded.origins[match.lowerBound] >> 1..<end(of: match, in: text)
    }

    /// The first match among the text's atoms.
    private func firstMatch() -> Range<Int>? {
        guard !folded.atoms.isEmpty else { return nil }
        if placement != .anywhere {
            guard let end = matchEnd(from: 0) else { return nil }
            return placement == .prefix || end == folded.atoms.count ? 0..<end : nil
        }
        for start in folded.atoms.indices where folded.atoms[start] == letters[0] {
            if let end = matchEnd(from: start) { return start..<end }
        }
        return nil
    }

    /// Where a match ends that starts at the atom.
    private func matchEnd(from start: Int) -> Int? {
        let atoms = folded.atoms
        var place = start
        var mayCarryMore = false
        for letter in letters {
            if mayCarryMore {
                while place < atoms.count, atoms[place].isMark, atoms[place] != letter { place += 1 }
            }
            guard place < atoms.count, atoms[place] == letter else { return nil }
            if !letter.isMark { mayCarryMore = letter.isBase }
            place += 1
        }
        while place < atoms.count, atoms[place].isMark {
            guard mayCarryMore else { return nil }
            place += 1
        }
        return place
    }

    private func end(of match: Range<Int>, in text: Span<UInt8>) -> Int {
        guard match.upperBound < folded.atoms.count else { return text.count }
        let next = folded.origins[match.upperBound]
        return next & 1 == 0 ? next >> 1 : text.codePoint(at: next >> 1).next
    }
}
