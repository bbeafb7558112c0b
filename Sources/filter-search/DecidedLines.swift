// Lines of a block that were decided together.

/// What is known of the first lines of a block.
struct DecidedLines {
    /// Lines that need no further look, and their bytes.
    var lines = 0
    var bytes = 0
    /// Those of them that match: one after the other, with their line ends.
    var matches = 0
    var matching = 0..<0

    /// The line after them, which ends before `end`.
    mutating func add(lineUpTo end: Int, isMatch: Bool) {
        if isMatch {
            matching = (matches == 0 ? bytes : matching.lowerBound)..<end
            matches += 1
        }
        lines += 1
        bytes = end
    }
}
