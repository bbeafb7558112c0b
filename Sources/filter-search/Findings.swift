// What a search found in part of a file, to be joined with the parts before it.

import PipelineCore

/// The result for one part.
struct Findings: Sendable {
    /// The matching records, with their line ends.
    var output: [UInt8] = []
    /// In place of the output: the best of the part.
    var best: [BestRecords.Entry] = []
    var input = RecordInput.Part()
    /// Of the part.
    var bytes = 0
    var records = 0
    var matches = 0
    var paths = UnmatchedPaths.Findings()
    /// The failure that ended reading early.
    var failure: ToolFailure?
}
