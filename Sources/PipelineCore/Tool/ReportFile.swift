// The file that `--report` names: opened before the run, so that a wrong path is told before anything is fetched.

/// A report that is still to be written.
package struct ReportFile {
    private let descriptor: Descriptor

    /// - Throws: status 73 where the file can't be made.
    package init(_ path: String) throws(ToolFailure) {
        do throws(SystemError) {
            descriptor = try Descriptor.writing(path)
        } catch {
            throw ToolFailure(.cannotCreate, "\(error); choose another --report")
        }
    }

    /// Writes the figures of a run that ended so.
    package func write(_ report: RunReport, _ result: Result<ExitStatus, ToolFailure>) throws(ToolFailure) {
        let status: ExitStatus =
            switch result {
            case .success(let status): status
            case .failure(let failure): failure.status
            }
        let line = Array(report.line(status: Interruption.exitStatus ?? status.rawValue).utf8)
        do throws(SystemError) {
            try descriptor.writeAll(line.span)
            try descriptor.close()
        } catch {
            throw ToolFailure(error)
        }
    }
}
