// Searches texts the way people expect: see TextStrength for what counts as the same.
//
// Query and text are folded to letters with marks. A letter of the query matches the same letter with at least the
// same marks. If its marks are optional, the text's letter may have more of them (ê finds ệ); otherwise it may not
// (か doesn't find が). So a match ends where a letter with all its marks ends. It may begin and end inside the
// folding of one character: "sse" is in "Straße".

/// Where in a text the query must be. `--explain` uses the names.
package enum TextPlacement: String, Sendable, CaseIterable {
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

/// Finds a query in a text without folding most of it.
///
///     text:    Die Straßen von Lodz       query: strassen
///     scan:        ^      .               s followed by t, or any character that may be an s
///     compare:     straß…                 byte by byte while it is ASCII, then character by character,
///     fold:                               and only if that isn't simple, as letters with marks in buffers
extension TextQuery {
    /// The location of a match.
    struct Match {
        var bytes: Range<Int>
        /// Whether it begins at the beginning of a character, not inside its folding.
        var beginsWithCharacter: Bool
        /// Whether it neither begins nor ends inside the folding of a character.
        var isWholeCharacters: Bool
    }

    mutating func firstMatch(in text: Span<UInt8>, where isWanted: (Match) -> Bool) -> Range<Int>? {
        var position = 0
        steps = 0
        while let found = firstCandidate(in: text, from: position, to: text.count) {
            if steps > patience * max(text.count, Self.leastPatienceBytes) {
                return linearMatch(in: text, from: found, where: isWanted)
            }
            position = found + 1
            if needsContext {
                let cluster = cluster(in: text, at: found)
                if let bytes = match(in: text, cluster, where: isWanted) { return bytes }
                position = cluster.upperBound
            } else if let match = match(in: text, at: found), isWanted(match) {
                return match.bytes
            }
        }
        return nil
    }

    /// The first match that begins at or after `start`, in time linear in the text.
    private mutating func linearMatch(
        in text: Span<UInt8>, from start: Int, where isWanted: (Match) -> Bool
    ) -> Range<Int>? {
        var search = LinearSearch(letters)
        let position = needsContext ? cluster(in: text, at: start).lowerBound : start
        defer { steps += search.steps }
        return search.firstMatch(in: text, from: position, &folded, where: isWanted)
    }

    /// The next position before `end` where a match may begin. Remembers characters that no match begins with.
    mutating func firstCandidate(in text: Span<UInt8>, from start: Int, to end: Int) -> Int? {
        var position = start
        while let found = scan.next(in: text, from: position, to: end) {
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

    /// The characters around a position that may combine into one letter and its marks.
    private func cluster(in text: Span<UInt8>, at position: Int) -> Range<Int> {
        var lower = position
        while lower > 0, !Folding.startsLetter(text.codePoint(at: lower).code, strength) {
            repeat { lower -= 1 } while lower > 0 && text[lower] & 0xC0 == 0x80
        }
        var upper = text.codePoint(at: position).next
        while upper < text.count {
            let (code, next) = text.codePoint(at: upper)
            if Folding.startsLetter(code, strength) { break }
            upper = next
        }
        return lower..<upper
    }

    /// The first match that begins in the cluster.
    private mutating func match(
        in text: Span<UInt8>, _ cluster: Range<Int>, where isWanted: (Match) -> Bool
    ) -> Range<Int>? {
        var limit = 8
        again: while true {
            folded.fold(text, from: cluster.lowerBound, limit: limit)
            steps += folded.atoms.count
            for start in folded.atoms.indices where folded.origins[start] >> 1 < cluster.upperBound {
                guard !folded.atoms[start].isMark else { continue }
                switch folded.match(letters.span, at: start, isAtEnd: folded.end == text.count) {
                case .none: continue
                case .more:
                    limit *= 4
                    continue again
                case .end(let end):
                    let match = folded.match(from: folded.origins[start], to: end)
                    if isWanted(match) { return match.bytes }
                }
            }
            return nil
        }
    }

    /// A match that begins in the character at the position.
    mutating func match(in text: Span<UInt8>, at position: Int) -> Match? {
        switch asciiMatch(in: text, at: position) {
        case .none: return nil
        case .end(let end): return Match(bytes: position..<end, beginsWithCharacter: true, isWholeCharacters: true)
        case .more: break
        }
        var compared = 0
        defer { steps += compared }
        switch CharacterMatch(letters: letters.span, strength).match(in: text, at: position, &compared) {
        case .none: return nil
        case .end(let end):
            guard placement != .whole || end == text.count else { return nil }
            return Match(bytes: position..<end, beginsWithCharacter: true, isWholeCharacters: true)
        case .more: break
        }
        var limit = 2
        while true {
            folded.fold(text, from: position, limit: limit)
            steps += folded.atoms.count
            switch foldedMatch(at: position, isAtEnd: folded.end == text.count) {
            case .found(let match): return match
            case .none: return nil
            case .more: limit *= 4
            }
        }
    }

    /// Compares byte by byte while the text is ASCII; `more` when it no longer is.
    private mutating func asciiMatch(in text: Span<UInt8>, at position: Int) -> LetterMatch {
        var index = 0
        defer { steps += index }
        while index < ascii.count {
            guard position + index < text.count else { return .none }
            let byte = text[position + index]
            guard byte < 0x80 else { return .more }
            let folded = strength != .exact && byte &- 0x41 < 26 ? byte | 0x20 : byte
            guard folded == ascii[index] else { return .none }
            index += 1
        }
        let end = position + ascii.count
        guard ascii.count == letters.count, end == text.count || text[end] < 0x80 else { return .more }
        return placement != .whole || end == text.count ? .end(end) : .none
    }

    private enum Outcome {
        case none
        case more
        case found(Match)
    }

    /// Compares with the text folded from the position on, starting at each atom of the character there.
    private func foldedMatch(at position: Int, isAtEnd: Bool) -> Outcome {
        if isFixed, letters[0].isNothing, folded.atoms.first?.isNothing == false { return .none }
        for start in folded.atoms.indices {
            guard start == 0 || !isFixed && folded.origins[start] >> 1 == position else { break }
            switch folded.match(letters.span, at: start, isAtEnd: isAtEnd) {
            case .none: continue
            case .more: return .more
            case .end(let end):
                if placement == .whole, end < folded.atoms.count { continue }
                if placement == .whole, !isAtEnd { return .more }
                return .found(folded.match(from: folded.origins[start], to: end))
            }
        }
        return .none
    }
}
