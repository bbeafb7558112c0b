// The values of options: numbers, sizes and durations as people write them.

/// Reads values that several options share. Each error names the option and shows a valid value.
package enum ArgumentValue {
    /// A text. The arguments are read as names of files, which are bytes.
    package static func text(_ argument: String, option: String) throws(UsageError) -> String {
        guard let text = argument.asText else { throw UsageError("\(option) isn't UTF-8; write it in UTF-8") }
        return text
    }

    package static func count(
        _ text: String, option: String, in range: ClosedRange<Int> = 0...Int.max
    ) throws(UsageError) -> Int {
        guard let value = wholeNumber(text), range.contains(value) else {
            let bounds =
                range.upperBound == Int.max && Double(text) ?? 0 < 0x1p63
                ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
            throw UsageError("\(option) takes a whole number \(bounds), not '\(text)'")
        }
        return value
    }

    /// Larger numbers of bytes are clamped to this one: adding what is in memory can't overflow an `Int`.
    private static let mostBytes = 1 << 60

    /// What the letters after a size stand for, as in the GNU tools: `M` and `MiB` are powers of 1,024, `MB` of 1,000.
    private static let sizes: [(unit: String, bytes: Int)] = [
        ("kB", 1000), ("KB", 1000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("kiB", 1 << 10), ("KiB", 1 << 10),
        ("MiB", 1 << 20), ("GiB", 1 << 30), ("k", 1 << 10), ("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30), ("", 1),
    ]

    /// A number of bytes, such as `512`, `64k`, `10MB`, `1GiB`.
    package static func bytes(_ text: String, option: String) throws(UsageError) -> Int {
        let size = sizes.first { text.hasSuffix($0.unit) } ?? ("", 1)
        let number = wholeNumber(text.dropLast(size.unit.count)) ?? 0
        let (value, overflow) = number.multipliedReportingOverflow(by: size.bytes)
        guard !overflow, value > 0 else {
            throw UsageError("\(option) takes a size such as 512k, 64M, 10MB or 1GiB, not '\(text)'")
        }
        return min(value, mostBytes)
    }

    /// A duration in seconds, such as `500ms`, `5s`, `5m30s`, `2h`, `7d`, `1w`; a bare number is seconds.
    package static func duration(_ text: String, option: String) throws(UsageError) -> Double {
        guard let seconds = DurationText.seconds(text) else {
            throw UsageError("\(option) takes a duration such as 500ms, 5s, 5m30s, 2h or 7d, not '\(text)'")
        }
        return seconds
    }

    /// The age from which something is removed: a duration with its unit, as nobody knows whether `2.5` means seconds or days.
    /// 0 needs none.
    package static func age(_ text: String, option: String) throws(UsageError) -> Double {
        let seconds = try duration(text, option: option)
        let hasUnit = text.last?.isLetter == true
        guard hasUnit || seconds == 0 else {
            throw UsageError("\(option) \(text) has no unit; write \(text)d for days, or \(text)s")
        }
        return seconds
    }

    package static func word<Value>(
        _ text: String, option: String, _ words: [(String, Value)]
    ) throws(UsageError) -> Value {
        for (word, value) in words where word == text { return value }
        let known = words.map(\.0)
        let list = known.dropLast().joined(separator: ", ") + " or " + (known.last ?? "")
        throw UsageError("\(option) takes \(list), not '\(text)'")
    }

    /// A JSONPath, such as `$.films[0]`, or its short form, `image.url`, also with the dot that jq puts in front.
    package static func path(_ text: String, option: String) throws(UsageError) -> JSONPath {
        do throws(JSONPathError) { return try JSONPath(withoutDot(text)) } catch {
            throw UsageError(severalPaths(text, option) ?? "\(option) '\(text)': \(error.account)")
        }
    }

    private static func withoutDot(_ path: String) -> String {
        path.hasPrefix(".") && !path.hasPrefix("..") ? String(path.dropFirst()) : path
    }

    /// What to write in place of `name,films`.
    private static func severalPaths(_ text: String, _ option: String) -> Message? {
        let names = text.split(separator: ",").map { $0.drop { $0 == " " } }
        guard names.count > 1, names.allSatisfy({ (try? JSONPath(String($0))) != nil }) else { return nil }
        return "\(option) takes one path, repeat it: \(names.map { "\(option) \($0)" }.joined(separator: " "))"
    }

    package static func pathPrefix(
        of text: String, option: String
    ) throws(UsageError) -> (path: JSONPath, rest: String.UnicodeScalarView.SubSequence) {
        do throws(JSONPathError) { return try JSONPath.prefix(of: withoutDot(text)) } catch {
            throw UsageError("\(option) '\(text)': \(error.account)")
        }
    }

    /// The two sides of the first `sign`, which is ASCII: `NAME=VALUE`. Nil if there is none.
    package static func pair(_ text: String, at sign: Unicode.Scalar) -> (name: String, value: String)? {
        let scalars = text.unicodeScalars
        guard let index = scalars.firstIndex(of: sign) else { return nil }
        return (String(scalars[..<index]), String(scalars[scalars.index(after: index)...]))
    }

    private static func wholeNumber(_ text: some StringProtocol) -> Int? {
        text.hasPrefix("+") || text.hasPrefix("-") ? nil : Int(text)
    }
}
