// Durations as people write them: `500ms`, `5s`, `1.5h`, `7d`; a bare number is seconds.

/// Reads durations.
package enum DurationText {
    /// Longer ones are clamped to this one, some thirty thousand years: its milliseconds fit in an `Int`.
    private static let mostSeconds = 1e12

    private static let units: [(suffix: String, seconds: Double)] = [
        ("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400), ("", 1),
    ]

    /// - Returns: nil if the text isn't a duration.
    package static func seconds(_ text: String) -> Double? {
        for unit in units where text.hasSuffix(unit.suffix) {
            let seconds = decimal(text.dropLast(unit.suffix.count)).map { $0 * unit.seconds }
            if let seconds, seconds.isFinite { return min(seconds, mostSeconds) }
        }
        return nil
    }

    /// `5`, `0.5`, `.5`; no sign, no exponent.
    private static func decimal(_ text: Substring) -> Double? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let isNumber = parts.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        guard !text.isEmpty, text != ".", isNumber else { return nil }
        return Double(text.hasPrefix(".") ? "0" + text : text.hasSuffix(".") ? text + "0" : String(text))
    }
}
