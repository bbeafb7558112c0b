// What filter-search needs of each kind of query.

/// Looks for a query of one kind in texts, which are valid UTF-8. It keeps its buffers from one to the next.
package protocol TextMatcher {
    mutating func matches(_ text: Span<UInt8>) -> Bool
    /// The range of a match that covers whole characters: the first, of `--loose` the one that ends first, of `--fuzzy` the
    /// first word that is near one of the query's. Words that only match together go from the first of them to the last.
    mutating func range(in text: Span<UInt8>) -> Range<Int>?
    /// The ranges of all matches, one after another and none of them empty.
    mutating func ranges(in text: Span<UInt8>) -> [Range<Int>]
}

extension TextMatcher {
    package mutating func matches(_ text: Span<UInt8>) -> Bool { range(in: text) != nil }
}
