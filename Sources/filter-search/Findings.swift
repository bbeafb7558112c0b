// What a search found in a part of a file, to be joined with what was found before it.

import PipelineCore

/// The outcome of one part.
struct Findings: Sendable {
    /// The records that match, with their line ends.
    var output: [UInt8] = []
    var input = RecordInput.Part()
    /// Of the part.
    var bytes = 0
    var records = 0
    var matches = 0
    /// What ended the reading too early.
    var failure: ToolFailure?
}
