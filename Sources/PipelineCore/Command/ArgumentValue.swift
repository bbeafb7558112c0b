// The values of options: numbers, sizes and durations as people write them.

/// Reads values that several options share. Each error names the option and shows a valid value.
package enum ArgumentValue {
    /// A whole number, such as `50`.
    package static func count(
        _ text: String, option: String, in range: ClosedRange<Int> = 0...Int.max
    ) throws(UsageError) -> Int {
        guard let digits = digits(text), let value = Int(digits), range.contains(value) else {
            let bounds =
                range.upperBound == Int.max
                ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
            throw UsageError("\(option) takes a whole number \(bounds), not '\(text)'")
        }
        return value
    }

    /// Larger numbers of bytes are clamped to this one: adding what is in memory can't overflow an `Int`.
    private static let mostBytes = 1 << 60
    /// Longer durations are clamped to this one, some thirty thousand years: its milliseconds fit in an `Int`.
    private static let mostSeconds = 1e12

    /// A number of bytes, such as `512`, `64k`, `16M`, `1G` (powers of 1,024).
    package static func bytes(_ text: String, option: String) throws(UsageError) -> Int {
        let shifts: [Character: Int] = ["k": 10, "K": 10, "M": 20, "G": 30]
        let shift = text.last.flatMap { shifts[$0] }
        let number = digits(shift == nil ? Substring(text) : text.dropLast()).flatMap { Int($0) }
        let (value, overflow) = (number ?? 0).multipliedReportingOverflow(by: 1 << (shift ?? 0))
        guard !overflow, value > 0 else {
            throw UsageError("\(option) takes a number of bytes such as 512, 64k, 16M or 1G, not '\(text)'")
        }
        return min(value, mostBytes)
    }

    /// A duration in seconds, such as `500ms`, `5s`, `10m`, `2h`, `7d`; a bare number is seconds.
    package static func duration(_ text: String, option: String) throws(UsageError) -> Double {
        let units: [(suffix: String, seconds: Double)] = [
            ("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("d", 86400), ("", 1),
        ]
        for unit in units where text.hasSuffix(unit.suffix) {
            let seconds = decimal(text.dropLast(unit.suffix.count)).map { $0 * unit.seconds }
            if let seconds, seconds.isFinite { return min(seconds, mostSeconds) }
        }
        throw UsageError("\(option) takes a duration such as 500ms, 5s, 10m, 2h or 7d, not '\(text)'")
    }

    /// One of a few words.
    package static func word<Value>(
        _ text: String, option: String, _ words: [(String, Value)]
    ) throws(UsageError) -> Value {
        for (word, value) in words where word == text { return value }
        let known = words.map(\.0)
        let list = known.dropLast().joined(separator: ", ") + " or " + (known.last ?? "")
        throw UsageError("\(option) takes \(list), not '\(text)'")
    }

    /// A JSONPath, such as `$.films[0]`, or its short form, `image.url`.
    package static func path(_ text: String, option: String) throws(UsageError) -> JSONPath {
        do throws(JSONPathError) { return try JSONPath(text) } catch {
            throw UsageError("\(option) '\(text)': \(error.account)")
        }
    }

    /// The path at the beginning of a text, and the rest of the text.
    package static func pathPrefix(
        of text: String, option: String
    ) throws(UsageError) -> (path: JSONPath, rest: String.UnicodeScalarView.SubSequence) {
        do throws(JSONPathError) { return try JSONPath.prefix(of: text) } catch {
            throw UsageError("\(option) '\(text)': \(error.account)")
        }
    }

    private static func digits(_ text: some StringProtocol) -> String? {
        let isNumber =
            !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isNumber ? String(text) : nil
    }

    /// `5`, `0.5`, `.5`; no sign, no exponent.
    private static func decimal(_ text: Substring) -> Double? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard !text.isEmpty, text != ".", parts.allSatisfy({ $0.isEmpty || digits($0) != nil }) else { return nil }
        return Double(text.hasPrefix(".") ? "0" + text : text.hasSuffix(".") ? text + "0" : String(text))
    }
}
