// A text that is looked for in other texts, as people search: see TextStrength for what is the same.
//
// Both are folded to letters with marks. A query's letter matches a text's letter that is the same and has the typed
// marks; where marks need not be typed the text's letter may have more of them (ê finds ệ), elsewhere it may not
// (か doesn't find が). So a match ends where a letter with all its marks ends. It may begin and end inside what one
// character folds to: "sse" is in "Straße".
//
// Most of a text is never folded: a scan finds the places where a match may begin, and only there the text is folded
// as far as it agrees with the query.

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
    private let strength: TextStrength
    private let placement: TextPlacement
    private let letters: [Atom]
    /// The ASCII letters that the query begins with, as folded.
    private let ascii: [UInt8]
    /// What a character may fold to that a match begins with.
    private let firstLetters: [Atom]
    /// Whether a match's first letter may depend on what stands before it.
    private let needsContext: Bool
    private var scan: CharacterScan
    private var folded: FoldedText

    /// - Parameter query: valid UTF-8. An empty one is found in every text.
    package init(_ query: Span<UInt8>, strength: TextStrength = .search, placement: TextPlacement = .anywhere) {
        self.strength = strength
        self.placement = placement
        folded = FoldedText(strength)
        folded.fold(query)
        letters = folded.atoms
        ascii = letters.prefix { !$0.isMark && $0.code < 0x80 }.map { UInt8($0.code) }
        firstLetters = letters.first.map(HangulSyllable.starts) ?? []
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

    /// Whether the query is found in the text, which is valid UTF-8.
    package mutating func matches(_ text: Span<UInt8>) -> Bool { range(in: text) != nil }

    /// The bytes of the first match in the text, which is valid UTF-8; whole characters.
    package mutating func range(in text: Span<UInt8>) -> Range<Int>? {
        guard !letters.isEmpty else { return 0..<0 }
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
}

extension TextQuery {
    /// Where a query was found.
    private struct Match {
        var bytes: Range<Int>
        /// Whether it neither begins nor ends inside what a character folds to.
        var isWholeCharacters: Bool
    }

    private mutating func firstMatch(in text: Span<UInt8>, where isWanted: (Match) -> Bool) -> Range<Int>? {
        guard !needsContext else { return firstMatchInContext(in: text, where: isWanted) }
        var place = 0
        while let found = scan.next(in: text, from: place) {
            place = found + 1
            if text[found] >= 0x80 {
                let code = text.codePoint(at: found).code
                guard Folding.holds(code, firstLetters, strength) else {
                    scan.ruleOut(code)
                    continue
                }
            }
            if let match = match(in: text, at: found), isWanted(match) { return match.bytes }
        }
        return nil
    }

    private mutating func firstMatchInContext(
        in text: Span<UInt8>, where isWanted: (Match) -> Bool
    ) -> Range<Int>? {
        folded.fold(text)
        for start in folded.atoms.indices where !folded.atoms[start].isMark {
            guard case .end(let end) = folded.match(letters.span, at: start, isAtEnd: true) else { continue }
            let match = match(start..<end)
            if isWanted(match) { return match.bytes }
        }
        return nil
    }

    /// A match that begins in the character at the place.
    private mutating func match(in text: Span<UInt8>, at place: Int) -> Match? {
        switch asciiMatch(in: text, at: place) {
        case .none: return nil
        case .end(let end): return Match(bytes: place..<end, isWholeCharacters: true)
        case .more: break
        }
        switch CharacterMatch(letters: letters.span, strength).match(in: text, at: place) {
        case .none: return nil
        case .end(let end):
            guard placement != .whole || end == text.count else { return nil }
            return Match(bytes: place..<end, isWholeCharacters: true)
        case .more: break
        }
        var limit = 2
        while true {
            folded.fold(text, from: place, limit: limit)
            switch foldedMatch(at: place, isAtEnd: folded.end == text.count) {
            case .found(let match): return match
            case .none: return nil
            case .more: limit *= 4
            }
        }
    }

    /// Compares byte by byte, as long as the text is ASCII; `more` where it isn't.
    private func asciiMatch(in text: Span<UInt8>, at place: Int) -> LetterMatch {
        let ascii = ascii.span
        for index in ascii.indices {
            guard place + index < text.count else { return .none }
            let byte = text[place + index]
            guard byte < 0x80 else { return .more }
            let folded = strength != .exact && byte &- 0x41 < 26 ? byte | 0x20 : byte
            guard folded == ascii[index] else { return .none }
        }
        let end = place + ascii.count
        guard ascii.count == letters.count, end == text.count || text[end] < 0x80 else { return .more }
        return placement != .whole || end == text.count ? .end(end) : .none
    }

    private enum Outcome {
        case none
        case more
        case found(Match)
    }

    /// Compares with what has been folded from the place on, from each atom of the character there.
    private func foldedMatch(at place: Int, isAtEnd: Bool) -> Outcome {
        let isFixed = placement == .prefix || placement == .whole
        if isFixed, letters[0].isNothing, folded.atoms.first?.isNothing == false { return .none }
        for start in folded.atoms.indices {
            guard start == 0 || !isFixed && folded.origins[start] >> 1 == place else { break }
            switch folded.match(letters.span, at: start, isAtEnd: isAtEnd) {
            case .none: continue
            case .more: return .more
            case .end(let end):
                if placement == .whole, end < folded.atoms.count { continue }
                if placement == .whole, !isAtEnd { return .more }
                return .found(match(start..<end))
            }
        }
        return .none
    }

    /// The bytes of some atoms.
    private func match(_ atoms: Range<Int>) -> Match {
        let start = folded.origins[atoms.lowerBound]
        let isInside = atoms.upperBound < folded.atoms.count && folded.origins[atoms.upperBound] & 1 != 0
        // The next character is where the first of its atoms is.
        let next = folded.origins[atoms.upperBound...].first { $0 & 1 == 0 }
        let end = next.map { $0 >> 1 } ?? folded.end
        return Match(bytes: start >> 1..<end, isWholeCharacters: start & 1 == 0 && !isInside)
    }
}
