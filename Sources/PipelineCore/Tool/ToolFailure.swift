// What ends a run early: the status and the one line that says what happened and what to do about it.

/// A failure on its way to the tool's `main`.
package struct ToolFailure: Error, Equatable, Sendable {
    package let status: ExitStatus
    /// One line in lower case: what happened; what to do about it. Without the tool's name. Empty where it has been told.
    package let message: String

    package init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// A stream broke while it was read or written.
    package init(_ error: SystemError) { self.init(.inputOutput, error.advice) }

    /// Tells the failure now, for a run that ends with it later.
    package func told(by diagnostics: Diagnostics) -> ToolFailure {
        if !Signals.isRequested { diagnostics.error(message) }
        return ToolFailure(status, "")
    }
}

extension ToolFailure {
    /// Runs what reads or writes a stream; its failure becomes the run's.
    package static func onSystemError<Result>(
        _ body: () throws(SystemError) -> Result
    ) throws(ToolFailure) -> Result {
        do throws(SystemError) { return try body() } catch { throw ToolFailure(error) }
    }
}
