// The counts of a run, for its status and its last message.

import PipelineCore

/// Counts of records and failures.
struct RunCounts {
    /// Records read.
    var records = 0
    private(set) var recordsWritten = 0
    private let start = RunReport(tool: "fetch-images")
    private(set) var failures = 0
    /// The failures' combined status.
    private(set) var status = ExitStatus.done
    /// The location and the cause of the last failure.
    private var last = (location: "", error: "")
    /// Records that name no picture.
    private var nameless = 0

    /// - Parameter location: of the record, such as `<stdin>:17`.
    mutating func count(_ outcome: ImageOutcome, at location: String) {
        failures += 1
        status = status.combined(with: outcome.exitStatus)
        last = (location, outcome.error ?? "")
    }

    /// Counts a record that is written.
    mutating func write(_ outcome: ImageOutcome) {
        recordsWritten += 1
        if outcome.status == .none { nameless += 1 }
    }

    /// Whether there were records, and none of them named a picture.
    var isNameless: Bool { records > 0 && nameless == records }

    /// The counts, for `--report`.
    var report: RunReport {
        var report = start
        report.recordsIn = records
        report.recordsOut = recordsWritten
        report.fetch = RunReport.Fetch()
        return report
    }

    /// What went wrong; nil if nothing did.
    var summary: String? {
        guard failures > 0 else { return nil }
        return
            "\(failures) of \(records) records got no picture, the last of them at \(last.location): \(last.error)"
    }
}
