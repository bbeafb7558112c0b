// One query or several, and which of them have been found in a record.

import PipelineCore

struct QuerySet: ~Copyable {
    private var queries: [Query]
    /// The same queries for `--best`, else none.
    private var ranked: [RankedQuery]
    let requiresAll: Bool
    /// The queries found in this record; kept only if all are required.
    private var found: [Bool]
    private(set) var isSatisfied = false
    private var decoded: [UInt8] = []

    init(_ settings: FilterSettings) throws(UsageError) {
        let texts = try settings.searchedTexts()
        let isRanked = settings.wantedBest != nil && !settings.hasConditionsOnly
        let queries = try texts.map { (text) throws(UsageError) in try Query(text, settings) }
        let ranked = try (isRanked ? texts : []).map { (text) throws(UsageError) in
            try RankedQuery(text, settings)
        }
        self.queries = queries
        self.ranked = ranked
        requiresAll = settings.matching.requiresAll && queries.count > 1
        found = [Bool](repeating: false, count: queries.count)
    }

    /// Skips lines that none of the queries can match; nil if only searching the texts can decide.
    var linePrefilter: LinePrefilter? { queries.count == 1 ? queries[0].linePrefilter : nil }

    mutating func begin() {
        isSatisfied = false
        guard requiresAll else { return }
        for index in found.indices { found[index] = false }
    }

    mutating func compare(_ string: JSONString, in line: Span<UInt8>) {
        _ = withText(of: string, in: line) { (text, set) in set.compare(text) }
    }

    /// Compares a string of the record, and locates the match.
    /// - Returns: where a query not found before was found, in bytes of the string's text; nil if none was.
    mutating func find(_ string: JSONString, in line: Span<UInt8>) -> Range<Int>? {
        withText(of: string, in: line) { (text, set) in
            set.compare(text).flatMap { set.queries[$0].range(in: text) }
        }
    }

    mutating func bestMatch(in string: JSONString, of line: Span<UInt8>) -> RankedMatch? {
        withText(of: string, in: line) { (text, set) in
            var best: RankedMatch?
            for index in set.ranked.indices {
                guard let match = set.ranked[index].bestMatch(in: text) else { continue }
                if best.map({ match.rank < $0.rank }) ?? true { best = match }
            }
            return best
        }
    }

    /// Everything that the queries find in a string of the record, in bytes of the line.
    mutating func finds(in string: JSONString, of line: Span<UInt8>) -> [Range<Int>] {
        withText(of: string, in: line) { (text, set) in
            var ranges: [Range<Int>] = []
            for index in set.queries.indices { ranges += set.queries[index].ranges(in: text) }
            return JSONStringDecoder.sourceRanges(of: ranges.merged, in: string, line)
        }
    }

    @inline(__always)
    private mutating func withText<Result>(
        of string: JSONString, in line: Span<UInt8>, _ use: (Span<UInt8>, inout QuerySet) -> Result
    ) -> Result {
        let content = line.extracting(string.range)
        guard string.hasEscapes else { return use(content, &self) }
        var text: [UInt8] = []
        swap(&text, &decoded)
        defer { swap(&text, &decoded) }
        text.removeAll(keepingCapacity: true)
        JSONStringDecoder.append(content, to: &text)
        return use(text.span, &self)
    }

    /// - Returns: the index of a query that is found in the text and wasn't found before.
    private mutating func compare(_ text: Span<UInt8>) -> Int? {
        var first: Int?
        for index in found.indices where !isSatisfied && !found[index] {
            guard queries[index].matches(text) else { continue }
            first = first ?? index
            guard requiresAll else {
                isSatisfied = true
                return index
            }
            found[index] = true
            isSatisfied = found.allSatisfy { $0 }
        }
        return first
    }
}
