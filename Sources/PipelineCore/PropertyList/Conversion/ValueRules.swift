// How to store values that JSON has and property lists don't.

package struct ValueRules: Sendable {
    package enum Null: Equatable, Sendable {
        /// Leaves out members; a null in an array is an error, since the elements after it would move.
        case omitMembers
        case omit
        case fault
        case text([UInt8])
    }

    package var null = Null.omitMembers
    /// `--lossy text`: integers outside −2^63 … 2^64−1 become texts, and what XML or Unicode doesn't allow U+FFFD. On the
    /// way out NaN and infinity become texts. All are errors otherwise.
    package var isLossy = false
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
    package var controlsReplaced = 0
    package var surrogatesReplaced = 0
    package var duplicatesDropped = 0
    package var fractionsDropped = 0

    private typealias Count = WritableKeyPath<Substitutions, Int> & Sendable

    private static let counts: [(count: any Count, member: StaticString)] = [
        (\.nullsOmitted, "nullsOmitted"), (\.nullsReplaced, "nullsReplaced"),
        (\.bigIntegersAsText, "bigIntegersAsText"), (\.controlsReplaced, "controlsReplaced"),
        (\.surrogatesReplaced, "surrogatesReplaced"), (\.duplicatesDropped, "duplicatesDropped"),
        (\.fractionsDropped, "fractionsDropped"),
    ]

    package static func + (first: Substitutions, second: Substitutions) -> Substitutions {
        var sum = first
        for (count, _) in counts { sum[keyPath: count] += second[keyPath: count] }
        return sum
    }

    /// For the report.
    package var parts: [(member: StaticString, count: Int)] {
        Self.counts.map { ($0.member, self[keyPath: $0.count]) }.filter { $0.count > 0 }
    }

    /// One line for the end of the run about the losses that nobody chose; nil if there are none. All others are what an
    /// option asks for, or what the manual says of nulls.
    package var summary: Message? {
        let unasked = [
            (text: "duplicate keys dropped (the last wins)", count: duplicatesDropped),
            (text: "parts of a second dropped from dates", count: fractionsDropped),
        ].filter { $0.count > 0 }
        guard !unasked.isEmpty else { return nil }
        let counts = unasked.map { "\($0.text): \($0.count)" }.joined(separator: ", ")
        return "some values were changed to fit the format: \(counts)"
    }
}
