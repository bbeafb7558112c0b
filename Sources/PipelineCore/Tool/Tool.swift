// What the four tools have in common. How one is run is in Command/Tool+Run.swift.

/// A tool.
package enum Tool {
    /// The version of all four.
    package static let version = "0.1.0"
}
