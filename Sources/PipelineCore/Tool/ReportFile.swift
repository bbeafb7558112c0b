// The file that `--report` names. It is opened before the run, so a wrong path is reported before anything is
// fetched.

/// The report of a run, which `Tool.run` writes as the run ends.
package struct ReportFile {
    /// Nil without `--report`.
    private let descriptor: Descriptor?
    private let tool: String
    private let startSeconds = MonotonicClock.seconds
    package var figures = RunReport()
    /// Whether it was written before the step that can't be undone.
    private var isAhead = false

    /// - Throws: status 73 if the file can't be created.
    init(_ path: String?, tool: String) throws(ToolFailure) {
        self.tool = tool
        descriptor =
            if let path {
                try ToolFailure.of(.cannotCreate, orElse: "choose another --report", Descriptor.writing(path))
            } else { nil }
        // A run whose reader is gone must be reported too, so SIGPIPE mustn't end it.
        if descriptor != nil { Signals.ignoreBrokenPipe() }
    }

    /// Writes the figures of a run before the step that can't be undone, as if that had succeeded: a report that
    /// can't be written is an error while nothing has been done yet. If the step fails, `write` corrects it.
    package mutating func writeAhead(_ figures: RunReport) throws(SystemError) {
        guard let descriptor else { return }
        try descriptor.writeAll(line(figures, ExitStatus.done.rawValue, nil).span)
        try descriptor.closeCopy()
        isAhead = true
    }

    /// Writes the figures of a run that ended. It replaces what was written ahead, except in a stream.
    func write(_ result: Result<ExitStatus, ToolFailure>) throws(ToolFailure) {
        guard let descriptor else { return }
        let (status, failure): (ExitStatus, ToolFailure?) =
            switch result {
            case .success(let status): (status, nil)
            case .failure(let failure): (failure.status, failure)
            }
        // What was written ahead is true then, and nothing may fail any more.
        if isAhead, case .success = result, Signals.exitStatus == nil { return }
        do throws(SystemError) {
            descriptor.rewind()
            try descriptor.writeAll(line(figures, Signals.exitStatus ?? status.rawValue, failure).span)
            try descriptor.close()
        } catch {
            guard let failure else { throw ToolFailure(error) }
            // One disk may be full for both. Why the run failed matters more.
            throw ToolFailure(
                failure.status.combined(with: .inputOutput),
                "\(failure.message) (and the report isn't written: \(error))")
        }
    }

    /// - Parameter failure: what ends the run and isn't reported yet.
    private func line(_ figures: RunReport, _ status: Int32, _ failure: ToolFailure?) -> ByteBuffer {
        let last = Signals.isRequested ? nil : failure?.message
        return figures.line(
            tool: tool, status: status, seconds: MonotonicClock.seconds - startSeconds,
            messages: Diagnostics.firstMessages(and: last))
    }
}
