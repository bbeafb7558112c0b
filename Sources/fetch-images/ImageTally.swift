// What is counted over a run, for its status and its last message.

import PipelineCore

/// Counts of records and failures.
struct ImageTally {
    /// Records read.
    var records = 0
    var recordsWritten = 0
    private let start = RunReport(tool: "fetch-images")
    private(set) var failures = 0
    /// The smallest of the failures' statuses.
    private(set) var status = ExitStatus.done
    private var lastError = ""

    mutating func count(_ outcome: ImageOutcome) {
        failures += 1
        status = status.combined(with: outcome.exitStatus)
        lastError = outcome.error ?? ""
    }

    /// What is counted here, for `--report`.
    var report: RunReport {
        var report = start
        report.recordsIn = records
        report.recordsOut = recordsWritten
        report.fetch = RunReport.Fetch()
        return report
    }

    /// What went wrong, nil where nothing did.
    var summary: String? {
        guard failures > 0 else { return nil }
        return "\(failures) of \(records) records got no picture, the last one because: \(lastError)"
    }
}
