// Whether a record matches the query in one of its fields and meets the conditions.
//
// Most records don't, and the prefilter decides that without parsing them. The rest are parsed as JSON.

import PipelineCore

struct RecordFilter: ~Copyable {
    /// The record's own members to search, in UTF-8; nil for every member.
    private let names: [[UInt8]]?
    /// The paths to search, if any isn't a member of the record.
    private var paths: [JSONPathEvaluator]
    private var prefilter: Prefilter
    private let checkedLines: CheckedLines?
    private var queries: QuerySet
    private var conditions: [Condition]
    private let hasConditionsOnly: Bool
    let watchedPaths: [WatchedPath]
    private let needsEachMatch: Bool
    private let ranks: Bool
    private let paints: Bool
    /// Where the last record matched: its first match, or its best one under `--best`. Known for a record that had to
    /// be looked at, see `FilterSettings.needsEachMatch`.
    private(set) var location: FoundText?
    private(set) var rank: MatchRank?
    /// Everything found in the last record, in bytes of the line, for colours.
    private(set) var finds: [Range<Int>] = []

    /// - Throws: status 64 if a query, a path or a condition is wrong.
    static func checked(_ settings: FilterSettings) throws(ToolFailure) -> RecordFilter {
        do throws(UsageError) { return try RecordFilter(settings) } catch {
            throw ToolFailure(.usage, error.message)
        }
    }

    init(_ settings: FilterSettings) throws(UsageError) {
        let fields = settings.fields.isEmpty ? ["name"] : settings.fields
        let paths = try (settings.matching.searchesAnyField ? [] : fields).map { (text) throws(UsageError) in
            try ArgumentValue.path(text, option: "--field")
        }
        let conditions = try settings.conditions.map { (text) throws(UsageError) in
            try Condition(text, strength: settings.strength)
        }
        let queries = try QuerySet(settings)
        let members = paths.compactMap { $0.simpleMember }
        let areMembers = !paths.isEmpty && members.count == paths.count
        names = areMembers ? members : nil
        self.paths = areMembers ? [] : paths.map { JSONPathEvaluator($0) }
        self.conditions = conditions
        watchedPaths =
            (settings.hasConditionsOnly ? [] : paths).map {
                WatchedPath(path: $0, use: settings.fields.isEmpty ? .usualField : .field)
            } + conditions.map { WatchedPath(path: $0.path, use: .condition($0.comparison)) }
        prefilter = Prefilter(settings, names ?? [], queries)
        checkedLines = CheckedLines(
            settings, names ?? [], conditions, parsesMatches: settings.needsEachMatch || queries.requiresAll)
        self.queries = queries
        hasConditionsOnly = settings.hasConditionsOnly
        needsEachMatch = settings.needsEachMatch
        ranks = settings.wantedBest != nil
        paints = settings.display.paints
    }

    /// Decides the first lines of a block that need no parsing; see `Prefilter.decide` and `CheckedLines.decide`.
    /// - Parameter isWatched: what the paths find in lines that are read is counted.
    mutating func decide(_ block: Span<UInt8>, limitBytes: Int, wanted: Int, isWatched: Bool) -> DecidedLines {
        guard let checkedLines else {
            return prefilter.decide(block, limitBytes: limitBytes, wanted: wanted, &queries)
        }
        guard !isWatched else { return DecidedLines() }
        return checkedLines.decide(block, limitBytes: limitBytes, wanted: wanted, &queries, &conditions)
    }

    /// Whether the record matches. A match has been checked to its end, so that only records are passed on.
    mutating func matches(_ line: Span<UInt8>) throws(JSONError) -> Bool {
        switch prefilter.verdict(line, &queries) {
        case .noMatch: return false
        case .match: break
        case .unsure: guard try read(line) else { return false }
        }
        for index in conditions.indices where try !conditions[index].holds(for: line) { return false }
        return true
    }

    /// The slow path: parses the whole line as JSON and compares each string of a field.
    private mutating func read(_ line: Span<UInt8>) throws(JSONError) -> Bool {
        queries.begin()
        location = nil
        rank = nil
        finds.removeAll(keepingCapacity: true)
        var reader = JSONReader(line)
        try reader.beginRecord()
        if paths.isEmpty { try readMembers(line, &reader) }
        try reader.skipToEnd()
        for index in paths.indices { try readNodes(index, line) }
        return queries.isSatisfied || hasConditionsOnly
    }

    private mutating func readMembers(_ line: Span<UInt8>, _ reader: inout JSONReader) throws(JSONError) {
        while !isSettled, let token = try reader.next() {
            guard case .name(let name) = token, let value = try reader.next() else { continue }
            if names?.contains(where: { name.equals($0.span, in: line) }) ?? true {
                try search(value, in: line, &reader)
            } else {
                try reader.skipRest(of: value)
            }
        }
    }

    private mutating func readNodes(_ index: Int, _ line: Span<UInt8>) throws(JSONError) {
        try paths[index].evaluate(line, isChecked: true)
        for node in paths[index].nodes where !isSettled {
            var reader = JSONReader(line.extracting(..<node.range.upperBound), from: node.range.lowerBound)
            if let value = try reader.next() { try search(value, in: line, &reader) }
        }
    }

    /// Compares a string, or all strings in an array or an object.
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

    private var isSettled: Bool { queries.isSatisfied && !ranks && !paints }

    private mutating func compare(_ string: JSONString, in line: Span<UInt8>) {
        guard needsEachMatch else { return queries.compare(string, in: line) }
        if paints { finds += queries.finds(in: string, of: line) }
        if ranks {
            queries.compare(string, in: line)
            guard let match = queries.bestMatch(in: string, of: line), rank.map({ match.rank < $0 }) ?? true else {
                return
            }
            rank = match.rank
            location = FoundText(string: string, match: match.range)
        } else if let match = queries.find(string, in: line), location == nil {
            location = FoundText(string: string, match: match)
        }
    }
}

struct FoundText {
    let string: JSONString
    /// In bytes of the string's text.
    let match: Range<Int>

    /// The matching bytes of the line, extended to whole escapes.
    func range(in line: Span<UInt8>) -> Range<Int> {
        JSONStringDecoder.sourceRanges(of: [match], in: string, line)[0]
    }
}
