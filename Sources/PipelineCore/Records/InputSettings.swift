// What the options say about the input.

/// What every tool that reads records can be told about its input.
package struct InputSettings: Sendable {
    /// `--on-bad-line`: each bad line is named on stderr, and then the run goes on or ends.
    package enum BadLinePolicy: Sendable {
        case skip
        case stop
    }

    package var badLines: BadLinePolicy
    package var lineLimitBytes = LineReader.defaultLimitBytes
    /// The file of `--rejects`.
    package var rejectsPath: String?

    package init(badLines: BadLinePolicy) { self.badLines = badLines }
}
