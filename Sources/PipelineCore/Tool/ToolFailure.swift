// What ends a run early: the status, and one line that says what happened and what to do about it.

/// A failure on its way to the tool's `main`.
package struct ToolFailure: Error, Equatable, Sendable {
    package let status: ExitStatus
    /// One line in lower case, without the tool's name: what happened; what to do about it. Empty once reported.
    package let message: String

    package init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// A read from or write to a stream failed.
    package init(_ error: SystemError) { self.init(.inputOutput, error.advice) }

    /// Reports the failure now, for a run that ends with it later.
    package func told(by diagnostics: Diagnostics) -> ToolFailure {
        if !Signals.isRequested { diagnostics.error(message) }
        return ToolFailure(status, "")
    }
}

extension ToolFailure {
    /// Runs a body that reads or writes a stream, whose failure ends the run.
    package static func onSystemError<Result>(
        _ body: () throws(SystemError) -> Result
    ) throws(ToolFailure) -> Result {
        do throws(SystemError) { return try body() } catch { throw ToolFailure(error) }
    }
}
