// The counts of a run, for its status, its last message and its report.

import PipelineCore

/// Counts of records and failures.
struct RunCounts {
    /// Records read.
    var records = 0
    private(set) var recordsWritten = 0
    private var causes = FailureCauses()
    /// The failures' combined status.
    private(set) var status = ExitStatus.done
    /// Records whose picture was got, by how.
    private var origins: [ImageOutcome.Origin: Int] = [:]
    private var placeholders = 0
    /// Records that name no picture.
    private var nameless = 0

    var failures: Int { causes.count }

    /// Counts a failure.
    /// - Parameter line: the record's number in the input.
    mutating func count(_ outcome: ImageOutcome, line: Int) {
        if let fault = outcome.fault { causes.count(fault, line: line) }
        status = status.combined(with: outcome.exitStatus)
    }

    /// Counts a record that is written.
    mutating func write(_ outcome: ImageOutcome) {
        recordsWritten += 1
        switch outcome.status {
        case .ok: if let origin = outcome.origin { origins[origin, default: 0] += 1 }
        case .placeholder: placeholders += 1
        case .none: nameless += 1
        case .failed: break
        }
    }

    /// Whether there were records, and none of them named a picture.
    var isNameless: Bool { records > 0 && nameless == records }

    /// The counts, for `--report`.
    var report: RunReport {
        var report = RunReport()
        report.recordsIn = records
        report.recordsOut = recordsWritten
        report.fetch = RunReport.Fetch()
        report.members = [("images", images)]
        return report
    }

    /// Records by their pictures, as JSON: how they were got, or why they weren't.
    private var images: String {
        let got = ImageOutcome.Origin.allCases.map { ($0.rawValue, origins[$0, default: 0]) }
        let missing = [("placeholder", placeholders), ("none", nameless), ("failed", failures)]
        return "{" + (got + missing).map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }

    /// What went wrong; nil if nothing did.
    /// - Parameter input: the name of what the records were read from.
    func summary(input: String) -> String? { causes.summary(records: records, input: input) }
}
