// Searches texts as people type names: without signs and spaces, and other scripts by their Latin spellings.
//
//     query:  spiderman     text:  Spider-Man          signs and spaces don't count on either side
//     query:  moskva        text:  Москва              a letter has several spellings, as LatinSpellings has them
//     query:  sevcenko      text:  Шевченко            so has Ш: š, sh; and s finds š
//
// All readings of the text are followed at once: after each letter it is known how much of the query may have been
// read (a simulated automaton, as in PikeSimulation). So a text costs at most its length times that of the query.

/// A query prepared to search many texts. It keeps its buffers from one text to the next.
package struct LooseQuery: TextMatcher, Sendable {
    private let query: WordLetters
    let strength: TextStrength
    private let placement: TextPlacement
    private let spellings: LatinSpellings
    private var text: LooseText
    private var states: LooseStates
    /// The word boundaries where matches may begin.
    private var boundaries = WordBoundaries()
    /// No letter of the text has been read.
    private var isAtStart = true
    /// A match that is the whole text, if no letter follows.
    private var whole: Range<Int>?

    /// - Returns: nil if it has no letter and no digit: it is then an ordinary query.
    package init?(_ query: Span<UInt8>, strength: TextStrength = .search, placement: TextPlacement = .anywhere) {
        text = LooseText(strength)
        var letters = WordLetters()
        text.begin()
        repeat {
            text.read(query)
            letters.append(text.letters)
        } while !text.isAtEnd
        guard letters.count > 0, !letters.firstLetter.isNothing else { return nil }
        self.query = letters
        self.strength = strength
        self.placement = placement
        spellings = LatinSpellings.of(strength)
        states = LooseStates(letters: letters.count)
    }

    var letters: [Atom] { query.atoms.filter { $0.code != LooseText.border } }

    /// The range of the match in the text, valid UTF-8, that ends first.
    package mutating func range(in text: Span<UInt8>) -> Range<Int>? {
        var first: Range<Int>?
        search(text) { range in
            first = range
            return true
        }
        return first
    }

    package mutating func ranges(in text: Span<UInt8>) -> [Range<Int>] {
        var found: [Range<Int>] = []
        search(text) { range in
            found.append(range)
            return false
        }
        return found
    }

    /// - Parameter take: gets each match; what it returns is whether that was enough.
    private mutating func search(_ bytes: Span<UInt8>, take: (Range<Int>) -> Bool) {
        text.begin()
        states.removeAll()
        boundaries = WordBoundaries()
        isAtStart = true
        whole = nil
        repeat {
            text.read(bytes)
            // The last letters may begin a key that ends in the next part.
            let count = text.places.count
            let limit = count - LatinSpellings.longestKey + 2
            let end = text.isAtEnd ? count : text.rewind(before: limit, in: bytes) ?? count
            for index in 0..<end {
                if mayBegin(at: index, bytes) { states.begin(at: text.places[index].start) }
                isAtStart = false
                if let end = whole?.upperBound, end <= text.places[index].start { whole = nil }
                if read(index, bytes, take) { return }
                states.advance()
            }
        } while !text.isAtEnd
        if let whole { _ = take(whole) }
    }

    private mutating func mayBegin(at index: Int, _ bytes: Span<UInt8>) -> Bool {
        let place = text.places[index]
        switch placement {
        case .anywhere: return true
        case .prefix, .whole: return isAtStart
        case .word, .beginning: return place.isFirst && boundaries.isBoundary(at: place.start, in: bytes)
        }
    }

    /// Reads a letter of the text, and with it what begins there, in every way.
    /// - Returns: whether the matches that end there were enough.
    private mutating func read(_ index: Int, _ bytes: Span<UInt8>, _ take: (Range<Int>) -> Bool) -> Bool {
        for count in 0..<query.count where states.isActive(count) {
            if query.isSame(count, text.letters, index) { states.move(count, to: count + 1, after: 1) }
        }
        var longest = 1
        for entry in spellings.entries(beginningWith: text.letters.code(index)) where stands(entry.key, at: index) {
            longest = max(longest, entry.key.count)
            for spelling in entry.spellings { read(spelling, entry.key.count) }
        }
        for length in 1...longest where isEnough(length, upTo: index, bytes, take) { return true }
        return false
    }

    /// Whether the letters of a key are there. Those of a word may have further marks, those of kana may not.
    private func stands(_ key: WordLetters, at index: Int) -> Bool {
        guard index + key.count <= text.places.count else { return false }
        for offset in 0..<key.count {
            let code = key.code(offset)
            guard code == text.letters.code(index + offset),
                key.hasMarks(offset, text.letters, index + offset, mayHaveMore: code < 0x3040)
            else { return false }
        }
        return true
    }

    /// Reads letters of the text, `length` of them, by one of their spellings.
    private mutating func read(_ spelling: WordLetters, _ length: Int) {
        for count in 0...query.count where states.isActive(count) {
            let (read, isWhole) = read(spelling, from: 0, after: count)
            // At the end the query may be at the end of the spelling only if that isn't to be whole.
            if isWhole ? read > 0 : read == query.count && placement != .word && placement != .whole {
                states.move(count, to: read, after: length)
            }
        }
        guard placement == .anywhere, states.isActive(0) else { return }
        for start in 1..<max(spelling.count, 1) {
            let (read, isWhole) = read(spelling, from: start, after: 0)
            if isWhole || read == query.count { states.move(0, to: read, after: length) }
        }
    }

    /// How much of the query has been read after a spelling, from one of its letters on, and whether all of the spelling.
    private func read(_ spelling: WordLetters, from start: Int, after count: Int) -> (read: Int, isWhole: Bool) {
        var (read, position) = (count, start)
        while position < spelling.count, read < query.count, query.isSame(read, spelling, position) {
            (read, position) = (read + 1, position + 1)
        }
        return (read, position == spelling.count)
    }

    /// Passes on the match that ends with the letter `length - 1` after `index`.
    private mutating func isEnough(
        _ length: Int, upTo index: Int, _ bytes: Span<UInt8>, _ take: (Range<Int>) -> Bool
    ) -> Bool {
        guard let start = states.matchStart(after: length) else { return false }
        let last = text.places[index + length - 1]
        switch placement {
        case .whole:
            // Letters that are spelt with nothing may follow.
            whole = start..<last.end
            return false
        case .word:
            var ends = WordBoundaries()
            guard last.isLast, ends.isBoundary(at: last.end, in: bytes) else { return false }
        case .anywhere, .prefix, .beginning: break
        }
        states.removeAll()
        return take(start..<last.end)
    }
}

/// How much of a query may have been read before a letter of the text, and before the next few.
struct LooseStates: Sendable {
    /// A key's letters are read at once, so what comes after it is known before what comes after its first.
    private static let slots = LatinSpellings.longestKey + 1

    private let width: Int
    /// The slots, `width` numbers each; -1 where no match has read that number of letters.
    private var starts: [Int]
    private var current = 0

    /// - Parameter letters: of the query.
    init(letters: Int) {
        width = letters + 1
        starts = [Int](repeating: -1, count: Self.slots * width)
    }

    mutating func removeAll() {
        for slot in 0..<Self.slots { clear(slot) }
    }

    private mutating func clear(_ slot: Int) {
        for index in slot * width..<(slot + 1) * width { starts[index] = -1 }
    }

    /// A match may begin before this letter.
    mutating func begin(at start: Int) { set(0, in: current, start) }

    /// Whether a match may have read this number of letters of the query before this letter of the text.
    func isActive(_ count: Int) -> Bool { starts[current * width + count] >= 0 }

    /// A match that has read `count` letters has read `newCount` after `length` letters of the text.
    mutating func move(_ count: Int, to newCount: Int, after length: Int) {
        set(newCount, in: (current + length) % Self.slots, starts[current * width + count])
    }

    /// Where the match began that is complete after `length` letters of the text; nil if none is.
    func matchStart(after length: Int) -> Int? {
        let start = starts[(current + length) % Self.slots * width + width - 1]
        return start >= 0 ? start : nil
    }

    mutating func advance() {
        clear(current)
        current = (current + 1) % Self.slots
    }

    private mutating func set(_ count: Int, in slot: Int, _ start: Int) {
        let index = slot * width + count
        if starts[index] < 0 || start < starts[index] { starts[index] = start }
    }
}
