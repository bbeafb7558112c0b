// The file that `--report` names. It is opened before the run, so a wrong path is reported before anything is
// fetched.

/// A report that is yet to be written.
package struct ReportFile {
    private let descriptor: Descriptor

    /// - Throws: status 73 if the file can't be created.
    package init(_ path: String) throws(ToolFailure) {
        do throws(SystemError) {
            descriptor = try Descriptor.writing(path)
        } catch {
            throw ToolFailure(.cannotCreate, error.advice(orElse: "choose another --report"))
        }
        // A run whose reader is gone must be reported too, so SIGPIPE mustn't end it.
        Signals.ignoreBrokenPipe()
    }

    /// - Parameter path: of `--report`; nil if that isn't given.
    package static func opened(_ path: String?) throws(ToolFailure) -> ReportFile? {
        guard let path else { return nil }
        return try ReportFile(path)
    }

    /// Writes the figures of a run before the step that can't be undone, as if that had succeeded: a report that
    /// can't be written is an error while nothing has been done yet. If the step fails, `write` corrects it.
    package func writeAhead(_ report: RunReport, _ status: ExitStatus) throws(SystemError) {
        try descriptor.writeAll(report.line(status: status.rawValue).span)
        try descriptor.closeCopy()
    }

    /// Writes the figures of a run that ended. It replaces what was written ahead, except in a stream.
    package func write(_ report: RunReport, _ result: Result<ExitStatus, ToolFailure>) throws(ToolFailure) {
        let status: ExitStatus =
            switch result {
            case .success(let status): status
            case .failure(let failure): failure.status
            }
        let line = report.line(status: Signals.exitStatus ?? status.rawValue)
        do throws(SystemError) {
            descriptor.rewind()
            try descriptor.writeAll(line.span)
            try descriptor.close()
        } catch {
            guard case .failure(let failure) = result else { throw ToolFailure(error) }
            // One disk may be full for both. Why the run failed matters more.
            throw ToolFailure(
                failure.status.combined(with: .inputOutput),
                "\(failure.message) (and the report isn't written: \(error))")
        }
    }
}
