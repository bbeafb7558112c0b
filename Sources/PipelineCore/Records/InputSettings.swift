// What the options say about the input.

/// What every tool that reads records can be told about its input.
package struct InputSettings: Sendable {
    package var badLines: BadLines.Policy
    package var lineLimitBytes = LineReader.defaultLimitBytes
    /// The file of `--rejects`.
    package var rejectsPath: String?

    package init(badLines: BadLines.Policy) { self.badLines = badLines }
}
