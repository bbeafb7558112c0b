// Durations as people write them: `500ms`, `5s`, `1.5h`, `7d`, `1w`, `5m30s`; a bare number is seconds.

/// Reads durations.
package enum DurationText {
    /// Longer ones are clamped to this one, some thirty thousand years: its milliseconds fit in an `Int`.
    private static let mostSeconds = 1e12

    /// From the longest to the shortest, the order in which several are written.
    private static let units: [(name: String, seconds: Double)] = [
        ("w", 604_800), ("d", 86_400), ("h", 3600), ("m", 60), ("s", 1), ("ms", 0.001),
    ]

    /// - Returns: nil if the text isn't a duration.
    package static func seconds(_ text: String) -> Double? {
        if let seconds = decimal(text[...]) { return clamped(seconds) }
        var rest = text[...]
        var remaining = units[...]
        var sum = 0.0
        while !rest.isEmpty {
            let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            let name = rest.dropFirst(number.count).prefix { $0.isLetter }
            guard let index = remaining.firstIndex(where: { $0.name == name }), let count = decimal(number) else {
                return nil
            }
            sum += count * units[index].seconds
            remaining = units[(index + 1)...]
            rest = rest.dropFirst(number.count + name.count)
        }
        return text.isEmpty ? nil : clamped(sum)
    }

    private static func clamped(_ seconds: Double) -> Double? {
        seconds.isFinite ? min(seconds, mostSeconds) : nil
    }

    /// `5`, `0.5`, `.5`; no sign, no exponent.
    private static func decimal(_ text: Substring) -> Double? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let isNumber = parts.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        guard !text.isEmpty, text != ".", isNumber else { return nil }
        return Double(text.hasPrefix(".") ? "0" + text : text.hasSuffix(".") ? text + "0" : String(text))
    }
}
