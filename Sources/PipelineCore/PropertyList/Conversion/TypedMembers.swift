// Which values of a line are dates or data: those that the paths of `--date` and `--data` find, and those whose paths lead
// to dates or data in the old store.

struct TypedMembers {
    /// What a value has to be.
    enum Demand {
        /// `--date`.
        case date
        /// `--data`.
        case data
        /// What the old store has there; the number is that of the path.
        case kept(StoredKinds.Kinds, Int)

        /// Whether anything but a text is stored as it is.
        var allowsOthers: Bool {
            switch self {
            case .date, .data: false
            case .kept(let kinds, _): !kinds.isSubset(of: .typed)
            }
        }

        /// Why a value is refused.
        var reason: BadRecord.Reason {
            switch self {
            case .date: .notDate
            case .data: .notData
            case .kept(let kinds, _): .notKept(kinds)
            }
        }
    }

    enum Value {
        case date(Double)
        case data([UInt8])
    }

    private var paths: [(evaluator: JSONPathEvaluator, demand: Demand)]
    private let stored: StoredKinds?
    /// By the offset in the line where the value begins.
    private var demands: [Int: Demand] = [:]
    /// The kinds of the line's ambiguous texts that are still to come, the last one first.
    private var ambiguous: [StoredKinds.Kinds] = []
    /// How many lines have come that read alike.
    private var alike: [WideHash: Int] = [:]

    init?(_ rules: ValueRules) {
        paths =
            rules.dates.map { (JSONPathEvaluator($0), .date) } + rules.data.map { (JSONPathEvaluator($0), .data) }
        stored = rules.stored
        if paths.isEmpty, stored == nil { return nil }
    }

    /// Finds the values of a line, which is read to its end before any of them counts. What an option says comes before
    /// what the old store has.
    mutating func beginRecord(_ line: Span<UInt8>) throws(JSONError) {
        demands.removeAll(keepingCapacity: true)
        if let stored {
            try find(stored, in: line)
            if stored.hasAmbiguousTexts { findAmbiguous(stored, line) }
        }
        for index in paths.indices {
            try paths[index].evaluator.evaluate(line, isChecked: true)
            for node in paths[index].evaluator.nodes { demands[node.range.lowerBound] = paths[index].demand }
        }
    }

    func demand(at offset: Int) -> Demand? { demands[offset] }

    /// - Returns: the value that a text stands for; nil if it is stored as a text.
    mutating func value(of text: Span<UInt8>, _ demand: Demand, at start: Int) throws(BadRecord) -> Value? {
        switch demand {
        case .date: return try Self.date(text, demand, at: start)
        case .data: return try Self.data(text, demand, at: start)
        case .kept(let kinds, let path):
            guard kinds.areMixed else { return try Self.value(of: text, kinds, demand, at: start) }
            var own = stored?.kinds(of: text, at: path) ?? []
            if StoredKinds.isAmbiguous(own) { own = ambiguous.popLast() ?? own.intersection(.typed) }
            if own.isEmpty, kinds.contains(.date), DateText.seconds(text) != nil { own = .date }
            guard !own.isDisjoint(with: .typed) else { return nil }
            return try Self.value(of: text, own, demand, at: start)
        }
    }

    /// No text is both a date and base64: a date has colons.
    private static func value(
        of text: Span<UInt8>, _ kinds: StoredKinds.Kinds, _ demand: Demand, at start: Int
    ) throws(BadRecord) -> Value {
        if kinds.contains(.date), !kinds.contains(.data) || DateText.seconds(text) != nil {
            return try date(text, demand, at: start)
        }
        return try data(text, demand, at: start)
    }

    private static func date(_ text: Span<UInt8>, _ demand: Demand, at start: Int) throws(BadRecord) -> Value {
        guard let seconds = DateText.seconds(text) else { throw BadRecord(demand.reason, at: start) }
        // The binary form could hold it, and so could a keyed record, but `--load` couldn't write it.
        guard DateText.writable.contains(seconds) else { throw BadRecord(.farDate, at: start) }
        return .date(seconds)
    }

    private static func data(_ text: Span<UInt8>, _ demand: Demand, at start: Int) throws(BadRecord) -> Value {
        guard let content = Base64.decoded(text) else { throw BadRecord(demand.reason, at: start) }
        return .data(content)
    }

    // MARK: What the old store has

    /// Follows the paths of the old store through a line, and skips what none of them leads to.
    private mutating func find(_ stored: StoredKinds, in line: Span<UInt8>) throws(JSONError) {
        var reader = JSONReader(line)
        try reader.beginRecord()
        // For each open container its path, or that of its elements where it is an array; nil where there is none.
        var open: [(path: Int?, isArray: Bool)] = [(StoredKinds.root, false)]
        var member: Int?
        while let token = try reader.next() {
            guard let container = open.last else { continue }
            switch token {
            case .name(let name):
                member = container.path.flatMap { Self.member(name, of: $0, stored, line) }
                continue
            case .endObject, .endArray:
                open.removeLast()
                continue
            default: break
            }
            guard let path = container.isArray ? container.path : member else {
                try reader.skipRest(of: token)
                continue
            }
            let kinds = stored.kinds(at: path)
            if !kinds.isDisjoint(with: .typed) { demands[reader.tokenStart] = .kept(kinds, path) }
            if token == .beginObject { open.append((path, false)) }
            if token == .beginArray { open.append((stored.elements(of: path), true)) }
        }
    }

    private static func member(
        _ name: JSONString, of path: Int, _ stored: StoredKinds, _ line: Span<UInt8>
    ) -> Int? {
        let text = line.extracting(name.range)
        guard name.hasEscapes else { return stored.member(text, of: path) }
        return stored.member(JSONStringDecoder.decoded(text).span, of: path)
    }

    /// Of records that read alike, the first one that comes is the first one of the old store.
    private mutating func findAmbiguous(_ stored: StoredKinds, _ line: Span<UInt8>) {
        let hash = StoredKinds.hash(of: line)
        ambiguous.removeAll(keepingCapacity: true)
        guard let records = stored.records(hash) else { return }
        let number = alike[hash, default: 0]
        alike[hash] = number + 1
        ambiguous = records[min(number, records.count - 1)].reversed()
    }
}
