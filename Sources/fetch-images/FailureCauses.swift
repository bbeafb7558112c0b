// Why records of a run got no picture, for its last message: each cause once, the most frequent first.
//
//     9 of 120 records got no picture: 7 times a.example answered 404, not found, first at <stdin>:3;
//     2 times not an image but JSON, first at <stdin>:8; check the address

/// The causes of a run's failures.
package struct FailureCauses {
    /// Causes that are counted each for itself. There are fewer; a bound, as a run may never end.
    private static let limit = 64
    /// Causes that are named.
    private static let namedCount = 5
    /// The most characters of a cause, which may quote the data.
    private static let characterLimit = 200

    private struct Cause {
        let fault: ImageFault
        var count = 0
        var firstLine = Int.max
        /// Whether the failures differ in their text.
        var isVaried = false

        /// What is wrong, and what to do about it.
        var parts: (fault: Substring, cure: Substring) {
            let text = isVaried ? fault.kind : fault.text
            let end = text.firstIndex(of: ";") ?? text.endIndex
            return (text[..<end].prefix(FailureCauses.characterLimit), text[end...])
        }
    }

    package private(set) var count = 0
    private var causes: [String: Cause] = [:]

    package init() {}

    /// - Parameter line: the record's number in the input.
    package mutating func count(_ fault: ImageFault, line: Int) {
        count += 1
        guard causes[fault.kind] != nil || causes.count < Self.limit else { return }
        var cause = causes[fault.kind] ?? Cause(fault: fault)
        cause.count += 1
        cause.firstLine = min(cause.firstLine, line)
        cause.isVaried = cause.isVaried || cause.fault != fault
        causes[fault.kind] = cause
    }

    /// What went wrong, and the cure of most of it; nil if nothing did.
    /// - Parameters:
    ///   - records: the number of records read.
    ///   - input: the name of what they were read from.
    package func summary(records: Int, input: String) -> String? {
        let sorted = causes.values.sorted { ($1.count, $0.firstLine) < ($0.count, $1.firstLine) }
        guard let most = sorted.first else { return nil }
        let named = sorted.prefix(Self.namedCount)
        var parts = named.map { cause in
            let times = sorted.count == 1 ? "" : cause.count == 1 ? "once " : "\(cause.count) times "
            return "\(times)\(cause.parts.fault), first at \(input):\(cause.firstLine)"
        }
        let rest = count - named.reduce(0) { $0 + $1.count }
        if rest > 0 { parts.append("\(rest) for other reasons") }
        return "\(count) of \(records) records got no picture: \(parts.joined(separator: "; "))\(most.parts.cure)"
    }
}
