// The file that `--report` names: opened before the run, so that a wrong path is told before anything is fetched.

/// A report that is still to be written.
package struct ReportFile {
    private let descriptor: Descriptor

    /// - Throws: status 73 where the file can't be made.
    package init(_ path: String) throws(ToolFailure) {
        do throws(SystemError) {
            descriptor = try Descriptor.writing(path)
        } catch {
            throw ToolFailure(.cannotCreate, error.advice(orElse: "choose another --report"))
        }
        // A run whose reader has gone is to be reported too, so it ends by its own hand.
        Signals.ignoreBrokenPipe()
    }

    /// - Parameter path: of `--report`; nil where that isn't given.
    package static func opened(_ path: String?) throws(ToolFailure) -> ReportFile? {
        guard let path else { return nil }
        return try ReportFile(path)
    }

    /// Writes the figures of a run before the step that can't be taken back, as if that had ended well: a report that
    /// can't be written is told while nothing is done. Where the step fails, `write` corrects it.
    package func writeAhead(_ report: RunReport, _ status: ExitStatus) throws(SystemError) {
        try descriptor.writeAll(report.line(status: status.rawValue).span)
        try descriptor.closeCopy()
    }

    /// Writes the figures of a run that ended so. What was written ahead goes; in a stream it stays before this.
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
            throw ToolFailure(error)
        }
    }
}
