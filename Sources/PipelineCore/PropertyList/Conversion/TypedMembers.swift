// Which values of a record are dates or data: those that the paths of `--date` and `--data` find.

/// Finds the values whose stored type isn't their JSON type.
struct TypedMembers {
    enum Kind {
        case date
        case data

        /// Why a value at such a path can't be stored.
        var reason: PropertyListError.Reason { self == .date ? .notDate : .notData }
    }

    private var paths: [(evaluator: JSONPathEvaluator, kind: Kind)]
    /// By the offsets of the values in the line.
    private var kinds: [Int: Kind] = [:]

    /// Nil if there are no such paths.
    init?(_ rules: ValueRules) {
        paths =
            rules.dates.map { (JSONPathEvaluator($0), .date) } + rules.data.map { (JSONPathEvaluator($0), .data) }
        if paths.isEmpty { return nil }
    }

    /// Finds the values of a line, which is read to its end before any of them counts.
    mutating func beginRecord(_ line: Span<UInt8>) throws(JSONError) {
        kinds.removeAll(keepingCapacity: true)
        for index in paths.indices {
            try paths[index].evaluator.evaluate(line, isChecked: true)
            for node in paths[index].evaluator.nodes { kinds[node.range.lowerBound] = paths[index].kind }
        }
    }

    /// The type of the value at this offset; nil if no path leads there.
    func kind(at offset: Int) -> Kind? { kinds[offset] }
}
