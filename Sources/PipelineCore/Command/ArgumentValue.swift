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
        guard let seconds = DurationText.seconds(text) else {
            throw UsageError("\(option) takes a duration such as 500ms, 5s, 10m, 2h or 7d, not '\(text)'")
        }
        return seconds
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
}
