// Options that describe the input.

/// The input options of every tool that reads records.
package struct InputSettings: Sendable {
    /// `--on-bad-line`: each bad line is reported on stderr, and then the run continues or ends.
    package enum BadLinePolicy: Sendable {
        case skip
        case stop
    }

    package var badLines: BadLinePolicy
    package var lineLimitBytes = LineReader.defaultLimitBytes
    /// `--rejects`.
    package var rejectsPath: String?
    /// Whether files besides stdin are read, so that a command with stdin in place of one has to name it.
    package var hasSeveralInputs = false

    package init(badLines: BadLinePolicy) { self.badLines = badLines }
}
