// Which values of a record are dates or data: those that the paths of `--date` and `--data` find in its line.

/// Finds the values that are stored as something else than JSON says.
struct TypedMembers {
    enum Kind {
        case date
        case data

        /// Why a value at such a path can't be stored.
        var reason: PropertyListError.Reason { self == .date ? .notDate : .notData }
    }

    private var paths: [(evaluator: JSONPathEvaluator, kind: Kind)]
    /// By where the values begin in the line.
    private var kinds: [Int: Kind] = [:]

    /// Nil where there are no such paths.
    init?(_ rules: ValueRules) {
        paths =
            rules.dates.map { (JSONPathEvaluator($0), .date) } + rules.data.map { (JSONPathEvaluator($0), .data) }
        if paths.isEmpty { return nil }
    }

    /// Goes to a line, which is read to its end before what was found in it counts.
    mutating func beginRecord(_ line: Span<UInt8>) throws(JSONError) {
        kinds.removeAll(keepingCapacity: true)
        for index in paths.indices {
            try paths[index].evaluator.evaluate(line, isChecked: true)
            for node in paths[index].evaluator.nodes { kinds[node.range.lowerBound] = paths[index].kind }
        }
    }

    /// What the value that begins there is to be; nil where no path ends.
    func kind(at offset: Int) -> Kind? { kinds[offset] }
}
