// What is counted over a run, for its status and its last message.

import PipelineCore

/// Counts of records and failures.
struct ImageTally {
    /// Records read.
    var records = 0
    private(set) var failures = 0
    /// The smallest of the failures' statuses.
    private(set) var status = ExitStatus.done
    private var lastError = ""

    mutating func count(_ outcome: ImageOutcome) {
        failures += 1
        status = status.combined(with: outcome.exitStatus)
        lastError = outcome.error ?? ""
    }

    /// What went wrong, nil where nothing did.
    var summary: String? {
        guard failures > 0 else { return nil }
        return "\(failures) of \(records) records got no picture, the last one because: \(lastError)"
    }
}
