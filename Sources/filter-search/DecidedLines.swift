// Lines of a block that were decided together.

/// The outcome for the first lines of a block.
struct DecidedLines {
    /// The number of lines decided, and their bytes.
    var lines = 0
    var bytes = 0
    /// The number of those that match, and their range: consecutive lines with their line ends.
    var matches = 0
    var matching = 0..<0

    /// Adds the next line, which ends before `end`.
    mutating func add(lineUpTo end: Int, isMatch: Bool) {
        if isMatch {
            matching = (matches == 0 ? bytes : matching.lowerBound)..<end
            matches += 1
        }
        lines += 1
        bytes = end
    }
}
