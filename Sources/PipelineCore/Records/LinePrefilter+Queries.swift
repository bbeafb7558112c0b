// The prefilter of each kind of query; nil if only searching the texts can decide.

extension TextQuery {
    /// Skips the lines that can't have the query.
    package var linePrefilter: LinePrefilter? { LineLure(letters, strength, .text).map { LinePrefilter($0) } }
}

extension LooseQuery {
    /// Skips the lines that can't have the query, loosely or as it is.
    package var linePrefilter: LinePrefilter? { LineLure(letters, strength, .loose).map { LinePrefilter($0) } }
}

extension FuzzyQuery {
    /// Skips the lines that can't have one of the words: the one whose letters are rarest.
    package var linePrefilter: LinePrefilter? {
        guard !isPlainText else { return exact.linePrefilter }
        let lures = boundedWords.compactMap { LineLure($0.letters, strength, .words(errors: $0.errors)) }
        return lures.min { $0.frequency < $1.frequency }.map { LinePrefilter($0) }
    }
}
