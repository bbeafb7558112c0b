// How to store values that JSON has and property lists don't.

package struct ValueRules: Sendable {
    /// `--null`.
    package enum Null: Equatable, Sendable {
        /// Leaves out members; a null in an array is an error, since the elements after it would move.
        case omitMembers
        case omit
        case fault
        case text([UInt8])
    }

    /// `--big-integers`: integers outside −2^63 … 2^64−1.
    package enum BigInteger: Equatable, Sendable {
        case fault
        case text
        case real
    }

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

    package init() {}

    /// Adds the counts of another part of the run.
    package mutating func add(_ other: Substitutions) {
        nullsOmitted += other.nullsOmitted
        nullsReplaced += other.nullsReplaced
        bigIntegersAsText += other.bigIntegersAsText
        bigIntegersAsReal += other.bigIntegersAsReal
        controlsReplaced += other.controlsReplaced
        surrogatesReplaced += other.surrogatesReplaced
        duplicatesDropped += other.duplicatesDropped
        fractionsDropped += other.fractionsDropped
    }

    /// The counts that aren't 0, with their names in words.
    package var parts: [(text: String, member: StaticString, count: Int)] {
        [
            ("nulls left out", "nullsOmitted", nullsOmitted),
            ("nulls stored as text", "nullsReplaced", nullsReplaced),
            ("big integers stored as text", "bigIntegersAsText", bigIntegersAsText),
            ("big integers stored as reals", "bigIntegersAsReal", bigIntegersAsReal),
            ("control characters replaced", "controlsReplaced", controlsReplaced),
            ("lone surrogates replaced", "surrogatesReplaced", surrogatesReplaced),
            ("duplicate keys dropped (the last wins)", "duplicatesDropped", duplicatesDropped),
            ("parts of a second dropped from dates", "fractionsDropped", fractionsDropped),
        ].filter { $0.count > 0 }
    }

    /// One line for the end of the run; nil if nothing was changed.
    package var summary: String? {
        let parts = parts
        guard !parts.isEmpty else { return nil }
        return "not all values were stored as they were: "
            + parts.map { "\($0.text): \($0.count)" }.joined(separator: ", ")
    }
}
