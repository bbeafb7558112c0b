// What the four tools have in common. Command/Tool+Run.swift has the frame of a run.

/// A tool.
package enum Tool {
    /// The version of all four.
    package static let version = "0.1.0"
}
