// How to store values that JSON has and property lists don't.

package struct ValueRules: Sendable {
    package enum Null: Equatable, Sendable {
        /// Leaves out members; a null in an array is an error, since the elements after it would move.
        case omitMembers
        case omit
        case fault
        case text([UInt8])
    }

    /// `--big-integers`: integers outside −2^63 … 2^64−1.
    package enum BigInteger: Sendable { case fault, text, real }

    package var null = Null.omitMembers
    package var bigIntegers = BigInteger.fault
    /// `--control=replace`: U+FFFD for what XML or Unicode doesn't allow.
    package var replacesControls = false
    /// `--strict`: a duplicate name in an object is an error.
    package var refusesDuplicates = false
    /// `--date`: where strings are RFC 3339 dates.
    package var dates: [JSONPath] = []
    /// `--data`: where strings are base64.
    package var data: [JSONPath] = []
    /// Where the old store has dates and data.
    package var stored: StoredKinds?

    package init() {}
}

/// How often values were changed to be stored.
package struct Substitutions: Equatable, Sendable {
    package var nullsOmitted = 0
    package var nullsReplaced = 0
    package var bigIntegersAsText = 0
    package var bigIntegersAsReal = 0
    package var controlsReplaced = 0
    package var surrogatesReplaced = 0
    package var duplicatesDropped = 0
    package var fractionsDropped = 0

    private typealias Count = WritableKeyPath<Substitutions, Int> & Sendable

    private static let counts: [(count: any Count, text: String, member: StaticString)] = [
        (\.nullsOmitted, "nulls left out", "nullsOmitted"),
        (\.nullsReplaced, "nulls stored as text", "nullsReplaced"),
        (\.bigIntegersAsText, "big integers stored as text", "bigIntegersAsText"),
        (\.bigIntegersAsReal, "big integers stored as reals", "bigIntegersAsReal"),
        (\.controlsReplaced, "control characters replaced", "controlsReplaced"),
        (\.surrogatesReplaced, "lone surrogates replaced", "surrogatesReplaced"),
        (\.duplicatesDropped, "duplicate keys dropped (the last wins)", "duplicatesDropped"),
        (\.fractionsDropped, "parts of a second dropped from dates", "fractionsDropped"),
    ]

    package static func + (first: Substitutions, second: Substitutions) -> Substitutions {
        var sum = first
        for (count, _, _) in counts { sum[keyPath: count] += second[keyPath: count] }
        return sum
    }

    package var parts: [(text: String, member: StaticString, count: Int)] {
        Self.counts.map { ($0.text, $0.member, self[keyPath: $0.count]) }.filter { $0.count > 0 }
    }

    /// One line for the end of the run; nil if nothing was changed.
    package var summary: Message? {
        let parts = parts
        guard !parts.isEmpty else { return nil }
        let counts = parts.map { "\($0.text): \($0.count)" }.joined(separator: ", ")
        return "some values were changed to fit the format: \(counts)"
    }
}
