// What can be skipped unparsed: every decision about a record that doesn't need to parse it as JSON.
//
//     two letters of the query   skip most lines, whatever is in them                         LinePrefilter
//     the field's name           finds its texts in the rest, most of which lack the query    MemberFinder
//     the text of a match        counts if the line is a record and the member is its own     JSONValidator
//
// Whatever these can't decide is parsed. A line that doesn't match need not even be a record, though one that is
// cut off is noticed; a line that matches has been checked to its end.

import PipelineCore

struct Prefilter {
    enum Verdict {
        case noMatch
        /// It is a record, and one of its fields matches the query.
        case match
        /// Only parsing the record can tell.
        case unsure
    }

    private static let longestRest = 32

    private var lines: LinePrefilter?
    /// The number of lines for which `lines` isn't used. It grows each time `lines` was of no use: where matches
    /// are frequent it only costs (Benchmarks/filter-search, every line matches, with a query: 1.2 times the time).
    private var rest = 0
    private var failures = 0
    /// The members to search; empty if each record must be parsed.
    private let fields: [FieldName]
    /// Only parsing a line can decide that it matches, or find out all that is wanted of a match.
    private let parsesMatches: Bool
    /// A line whose field matches the query matches, if it is a record.
    private let decidesMatches: Bool
    /// The line decided last matched. The next one probably must be checked as well, and the check finds its text:
    /// every line matches, 1.3 times as fast.
    private var hasMatched = false

    init(_ settings: FilterSettings, _ names: [[UInt8]], _ queries: borrowing QuerySet) {
        // Under `-v`, a line without a match is written, so it must be a record.
        let readsAll =
            settings.matching.isInverted || settings.isStrict || settings.explains || settings.hasConditionsOnly
        let fields = readsAll ? [] : names.compactMap { FieldName($0) }
        self.fields = fields.count == names.count ? fields : []
        lines = readsAll ? nil : queries.linePrefilter
        parsesMatches = settings.needsEachMatch || queries.requiresAll
        decidesMatches = settings.conditions.isEmpty && !parsesMatches
    }

    mutating func verdict(_ line: Span<UInt8>, _ queries: inout QuerySet) -> Verdict {
        if lines?.passes(line) == true { return .noMatch }
        guard !fields.isEmpty, line.isEnclosedInBraces else { return .unsure }
        queries.begin()
        var isFieldThere = false
        for field in fields {
            var finder = MemberFinder(line: line, field)
            switch Self.search(&finder, line, &queries) {
            case .absent: break
            case .noMatch: isFieldThere = true
            case .unsure: return .unsure
            case .match(let text):
                return !parsesMatches && Self.isOwn(text, of: field, line, 0..<line.count) ? .match : .unsure
            }
        }
        // A line without any of the fields may not be a record. Such lines are few, so they are parsed.
        return isFieldThere ? .noMatch : .unsure
    }

    /// Decides the first lines of a block that need no more than their field's text and a quick check: some that
    /// don't match, then some that do. If none can be decided this way, the first must be parsed.
    /// - Parameters:
    ///   - limitBytes: a longer line isn't decided.
    ///   - wanted: stop after this many matches.
    mutating func decide(
        _ block: Span<UInt8>, limitBytes: Int, wanted: Int, _ queries: inout QuerySet
    ) -> DecidedLines {
        var decided = DecidedLines()
        // One member can be found in many lines at once.
        guard fields.count == 1 else {
            pass(block, limitBytes, &decided)
            return decided
        }
        var finder = MemberFinder(block, fields[0], limitBytes: limitBytes)
        while decided.matches < wanted {
            if hasMatched {
                guard let (text, end) = record(block, decided.bytes, limitBytes) else {
                    hasMatched = false
                    if decided.matches > 0 { return decided }
                    continue
                }
                queries.begin()
                queries.compare(text, in: block)
                hasMatched = queries.isSatisfied
                decided.add(lineUpTo: end, isMatch: hasMatched)
            } else {
                pass(block, limitBytes, &decided)
                finder.skip(to: decided.bytes)
                guard finder.advance() else { return decided }
                queries.begin()
                switch Self.search(&finder, block, &queries) {
                case .absent, .unsure: return decided
                case .noMatch: decided.add(lineUpTo: finder.nextLine, isMatch: false)
                case .match(let text):
                    let line = finder.lineStart..<finder.nextLine - 1
                    guard decidesMatches, Self.isOwn(text, of: fields[0], block, line) else { return decided }
                    hasMatched = true
                    decided.add(lineUpTo: finder.nextLine, isMatch: true)
                }
            }
            if !hasMatched, decided.matches > 0 { return decided }
        }
        return decided
    }

    /// Skips lines after those already decided.
    private mutating func pass(_ block: Span<UInt8>, _ limitBytes: Int, _ decided: inout DecidedLines) {
        guard rest == 0 else { return rest -= 1 }
        guard let passed = lines?.pass(block, from: decided.bytes, limitBytes: limitBytes) else { return }
        failures = passed.wasQuick ? failures / 2 : min(failures + 1, Self.longestRest)
        rest = failures
        decided.lines += passed.lines
        decided.bytes = passed.end
    }

    /// The result of searching the texts after a field's name in a line.
    private enum Outcome {
        case absent
        case noMatch
        /// This text matches the query. It may belong to another member, deeper in the record.
        case match(JSONString)
        case unsure
    }

    @inline(__always)
    private static func search(
        _ finder: inout MemberFinder, _ bytes: Span<UInt8>, _ queries: inout QuerySet
    ) -> Outcome {
        var isThere = false
        while true {
            switch finder.next() {
            case .end: return isThere ? .noMatch : .absent
            case .unsure: return .unsure
            case .other: isThere = true
            case .text(let text):
                isThere = true
                queries.compare(text, in: bytes)
                if queries.isSatisfied { return .match(text) }
            }
        }
    }

    /// Whether the line is a record, and the text belongs to its only member of that name.
    private static func isOwn(
        _ text: JSONString, of field: FieldName, _ bytes: Span<UInt8>, _ line: Range<Int>
    ) -> Bool {
        JSONValidator(bytes, end: line.upperBound).text(ofMember: field.name, from: line.lowerBound)?.range
            == text.range
    }

    /// The field's text in the line that begins at `start`, and the start of the next line; nil if it isn't a
    /// record.
    private func record(_ block: Span<UInt8>, _ start: Int, _ limitBytes: Int) -> (text: JSONString, end: Int)? {
        guard let end = block.firstIndex(of: 0x0A, from: start), end - start > 4, end - start <= limitBytes,
            block[start + 2] != UInt8(ascii: "$"),
            let text = JSONValidator(block, end: end).text(ofMember: fields[0].name, from: start)
        else { return nil }
        return (text, end + 1)
    }
}

/// The outcome for the first lines of a block.
struct DecidedLines {
    /// The number of lines decided, and their bytes.
    var lines = 0
    var bytes = 0
    /// The number of those that match, and their range: consecutive lines with their line ends.
    var matches = 0
    var matching = 0..<0

    mutating func add(lineUpTo end: Int, isMatch: Bool) {
        if isMatch {
            matching = (matches == 0 ? bytes : matching.lowerBound)..<end
            matches += 1
        }
        lines += 1
        bytes = end
    }
}
