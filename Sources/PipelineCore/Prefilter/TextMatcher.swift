// What each kind of query gives filter-search: a way to look for it, and the lines that it can't match.

/// What looks for a query of one kind in texts, which are valid UTF-8. It keeps its buffers from one to the next.
package protocol TextMatcher {
    mutating func matches(_ text: Span<UInt8>) -> Bool
    /// The range of a match that covers whole characters: the first, or of `--loose` the one that ends first. That of several
    /// words is from the first to the last.
    mutating func range(in text: Span<UInt8>) -> Range<Int>?
    /// The ranges of all matches, one after another.
    mutating func ranges(in text: Span<UInt8>) -> [Range<Int>]
    /// Skips the lines that have no match; nil if only searching the texts can decide.
    var linePrefilter: LinePrefilter? { get }
}

extension TextMatcher {
    package mutating func matches(_ text: Span<UInt8>) -> Bool { range(in: text) != nil }
    package var linePrefilter: LinePrefilter? { nil }
}

extension RegexMatcher: TextMatcher {}

extension TextQuery: TextMatcher {
    package var linePrefilter: LinePrefilter? { LetterPairs(text: letters, strength).map { LinePrefilter($0) } }
}

extension LooseQuery: TextMatcher {
    package var linePrefilter: LinePrefilter? { LetterPairs(loose: letters, strength).map { LinePrefilter($0) } }
}

extension FuzzyQuery: TextMatcher {
    /// Skips the lines that can't have one of the words: the one whose letters are rarest.
    package var linePrefilter: LinePrefilter? {
        guard !isPlainText else { return exact.linePrefilter }
        let candidates = boundedWords.compactMap { LetterPairs(word: $0.letters, errors: $0.errors, strength) }
        return candidates.min { $0.frequency < $1.frequency }.map { LinePrefilter($0) }
    }
}
