// The seam between `match` and `search` and the engine for regular expressions.

/// The patterns of a path, compiled.
struct JSONPathPatterns: Sendable {
    func matches(_ text: Span<UInt8>, _ pattern: [UInt8], isWhole: Bool) -> Bool { false }
}
