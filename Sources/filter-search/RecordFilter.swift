// Whether a record has the query in one of its fields.
//
// Most records don't, and most of a record's bytes have no part in that: where the fields are members by name, their
// texts are found and compared first, and only a record that may match is read as JSON. A line that may not need not even
// be a record, though one that was cut off is noticed.

import PipelineCore

/// Compares records with the queries and the conditions.
struct RecordFilter: ~Copyable {
    private var fields: Fields
    /// One for each member that is searched; empty where each record has to be read.
    let finders: [MemberFinder]
    /// One member is searched, and found in many lines at once.
    let siftsBlocks: Bool
    /// What passes over lines without a look at their fields, where not every line has to be read.
    var sieve: BlockSieve?
    /// The line that was decided last matched, by its text alone.
    var hasMatched = false
    var query: QuerySet
    var conditions: [Condition]
    private let hasConditionsOnly: Bool
    /// The text of a string with escapes; kept to be used again.
    private var decoded: [UInt8] = []
    private let explains: Bool
    /// Where the last record that matched did; kept only for `--explain`.
    private(set) var location: FoundText?

    /// The filter that the settings ask for.
    /// - Throws: status 64 where a query, a path or a condition is wrong.
    static func checked(_ settings: FilterSettings) throws(ToolFailure) -> RecordFilter {
        do throws(UsageError) {
            return try reading(settings)
        } catch {
            throw ToolFailure(.usage, error.message)
        }
    }

    /// - Throws: where a query, a path or a condition is wrong.
    static func reading(_ settings: FilterSettings) throws(UsageError) -> RecordFilter {
        let fields = try Fields(settings)
        let conditions = try settings.conditions.map { (text) throws(UsageError) in
            try Condition(text, strength: settings.strength)
        }
        return RecordFilter(settings, fields, try QuerySet.reading(settings), conditions)
    }

    private init(
        _ settings: FilterSettings, _ fields: Fields, _ query: consuming QuerySet, _ conditions: [Condition]
    ) {
        self.fields = fields
        self.query = query
        self.conditions = conditions
        hasConditionsOnly = settings.hasConditionsOnly
        explains = settings.explains
        // What is counted out under `-v` is written, so it has to be a record.
        let readsAll = settings.isInverted || settings.isStrict || settings.explains || settings.hasConditionsOnly
        if case .members(let names) = fields, !readsAll {
            finders = names.map { MemberFinder(name: $0) }
        } else {
            finders = []
        }
        sieve = readsAll ? nil : self.query.sieve.map { BlockSieve($0) }
        siftsBlocks = finders.count == 1 && finders[0].quotedName != nil
    }

    /// Whether the record matches. One that does has been read to its end, so that only what is a record is passed on.
    mutating func matches(_ line: Span<UInt8>) throws(JSONError) -> Bool {
        if sieve?.passes(line) == true { return false }
        guard try isFound(line) else { return false }
        for index in conditions.indices where try !conditions[index].holds(for: line) { return false }
        return true
    }

    /// Whether the queries are found in the record.
    private mutating func isFound(_ line: Span<UInt8>) throws(JSONError) -> Bool {
        switch guess(line) {
        case .none: return false
        case .member(let location):
            var reader = JSONReader(line)
            try reader.beginRecord()
            if try reader.skipToEnd(findingMemberAt: location) { return true }
            return try read(line)
        case .unsure: return try read(line)
        }
    }

    /// The plain path: the whole line is read as JSON, and each string of a field is compared.
    private mutating func read(_ line: Span<UInt8>) throws(JSONError) -> Bool {
        query.begin()
        location = nil
        var reader = JSONReader(line)
        try reader.beginRecord()
        switch fields {
        case .any: try readMembers(nil, line, &reader)
        case .members(let names): try readMembers(names, line, &reader)
        case .paths(let evaluators):
            try reader.skipToEnd()
            for index in evaluators.indices { try readNodes(index, line) }
        }
        try reader.skipToEnd()
        return query.isSatisfied || hasConditionsOnly
    }

    /// - Parameter names: those of the members to search; nil for all.
    private mutating func readMembers(
        _ names: [[UInt8]]?, _ line: Span<UInt8>, _ reader: inout JSONReader
    ) throws(JSONError) {
        while !query.isSatisfied, let token = try reader.next() {
            guard case .name(let name) = token, let value = try reader.next() else { continue }
            if isSearched(name, names, line) {
                try search(value, in: line, &reader)
            } else {
                try reader.skipRest(of: value)
            }
        }
    }

    /// Searches what a path finds.
    private mutating func readNodes(_ index: Int, _ line: Span<UInt8>) throws(JSONError) {
        guard case .paths(var evaluators) = fields else { return }
        fields = .paths([])
        defer { fields = .paths(evaluators) }
        try evaluators[index].evaluate(line, isChecked: true)
        for node in evaluators[index].nodes where !query.isSatisfied {
            var reader = JSONReader(line.extracting(..<node.range.upperBound), from: node.range.lowerBound)
            if let value = try reader.next() { try search(value, in: line, &reader) }
        }
    }

    /// What the texts that stand after the fields' names let expect.
    private enum Guess {
        /// None of them matches, and the record doesn't.
        case none
        /// The one whose name stands at this offset does; it may be another member's, deeper in the record.
        case member(Int)
        /// Only reading the record can tell.
        case unsure
    }

    private mutating func guess(_ line: Span<UInt8>) -> Guess {
        guard !finders.isEmpty, line.isEnclosedInBraces else { return .unsure }
        query.begin()
        var isFieldThere = false
        let hasEscapes = line.firstIndex(of: UInt8(ascii: "\\")) != nil
        for field in finders.indices {
            if hasEscapes, finders[field].mayBeHidden(in: line) { return .unsure }
            var index = 0
            search: while true {
                switch finders[field].next(in: line, from: &index) {
                case .end: break search
                case .unsure: return .unsure
                case .other: isFieldThere = true
                case .string(let string, let name):
                    isFieldThere = true
                    compare(string, in: line)
                    if query.isSatisfied { return query.requiresAll ? .unsure : .member(name) }
                }
            }
        }
        // A line without any of the fields may be no record at all, and there are few of them: it is read.
        return isFieldThere ? .none : .unsure
    }

    private mutating func isSearched(_ name: JSONString, _ names: [[UInt8]]?, _ line: Span<UInt8>) -> Bool {
        guard let names else { return true }
        let bytes = line.extracting(name.range)
        guard name.hasEscapes else { return names.contains { $0.span.equals(bytes) } }
        decoded.removeAll(keepingCapacity: true)
        JSONStringDecoder.append(bytes, to: &decoded)
        return names.contains(decoded)
    }

    /// Compares a string, or all the strings inside an array or an object.
    private mutating func search(
        _ value: JSONToken, in line: Span<UInt8>, _ reader: inout JSONReader
    ) throws(JSONError) {
        if case .string(let string) = value { return compare(string, in: line) }
        guard value == .beginObject || value == .beginArray else { return }
        let outer = reader.depth - 1
        while reader.depth > outer {
            if case .string(let string) = try reader.next() { compare(string, in: line) }
        }
    }

    mutating func compare(_ string: JSONString, in line: Span<UInt8>) {
        let match = Self.compare(line.extracting(string.range), string.hasEscapes, &decoded, &query, explains)
        if let match, location == nil { location = FoundText(content: string.range, match: match, in: line) }
    }

    /// - Returns: where the query was found, if that is asked for.
    private static func compare(
        _ content: Span<UInt8>, _ hasEscapes: Bool, _ decoded: inout [UInt8], _ query: inout QuerySet,
        _ explains: Bool
    ) -> Range<Int>? {
        guard hasEscapes else {
            let index = query.compare(content)
            return explains ? index.flatMap { query.range(of: $0, in: content) } : nil
        }
        decoded.removeAll(keepingCapacity: true)
        JSONStringDecoder.append(content, to: &decoded)
        let index = query.compare(decoded.span)
        return explains ? index.flatMap { query.range(of: $0, in: decoded.span) } : nil
    }
}
