// What a search found in a part of a file, to be joined with what was found before it.

import PipelineCore

/// The outcome of one part.
struct Findings: Sendable {
    /// A line that is no record.
    struct Fault: Sendable {
        /// Counted from 1 at the part's beginning.
        var line: Int
        /// Nil for a line that is too long.
        var error: JSONError?
    }

    /// The records that match, with their line ends.
    var output: [UInt8] = []
    var faults: [Fault] = []
    var lines = 0
    var bytes = 0
    var records = 0
    var matches = 0
    /// The seal that the part ends with.
    var seal = HeldSeal()
    /// Whether the part has a line that isn't blank, which voids a seal before it.
    var isBlank = true
    /// What ended the reading too early.
    var failure: ToolFailure?
}
