// What may be passed unread: every decision about a record that needs no reading of it as JSON.
//
//     two letters of the query   pass over most lines, whatever is in them                   LinePrefilter
//     the field's name           finds its texts in the others, and most lack the query      MemberFinder
//     the text of a match        counts where the line is a record and the member its own    JSONValidator
//
// Whatever these can't tell is read. A line that doesn't match need not even be a record, though one that was cut off is
// noticed; one that matches has been checked to its end.

import PipelineCore

/// The quick ways to decide a record.
struct Prefilter {
    /// What is known of a line.
    enum Verdict {
        case noMatch
        /// It is a record, and one of its fields has the query.
        case match
        /// Only reading the record can tell.
        case unsure
    }

    private static let longestRest = 32

    private var lines: LinePrefilter?
    /// `lines` is left out for that many lines, the more the more often it was of no use: where lines that match are
    /// frequent it only costs (Benchmarks/filter-search, every line matches, with a query: 1.2 times the time).
    private var rest = 0
    private var failures = 0
    /// The members that are searched; empty where each record has to be read.
    private let fields: [FieldName]
    /// One member is searched, and found in many lines at once.
    private let decidesBlocks: Bool
    /// A line whose field has the query matches, if it is a record.
    private let decidesMatches: Bool
    /// The line that was decided last matched. The next one most likely has to be checked as well, and its text is found
    /// on the way: every line matches, 1.3 times as fast.
    private var hasMatched = false

    init(_ settings: FilterSettings, _ fields: Fields, _ queries: borrowing QuerySet) {
        // What is counted out under `-v` is written, so it has to be a record.
        let readsAll = settings.isInverted || settings.isStrict || settings.explains || settings.hasConditionsOnly
        if case .members(let names) = fields, !readsAll {
            self.fields = names.map { FieldName($0) }
        } else {
            self.fields = []
        }
        lines = readsAll ? nil : queries.linePrefilter
        decidesBlocks = self.fields.count == 1 && self.fields[0].isSearchable
        decidesMatches = settings.conditions.isEmpty && !queries.requiresAll
    }

    /// Decides one line.
    mutating func verdict(_ line: Span<UInt8>, _ queries: inout QuerySet) -> Verdict {
        if lines?.passes(line) == true { return .noMatch }
        guard !fields.isEmpty, line.isEnclosedInBraces else { return .unsure }
        queries.begin()
        var isFieldThere = false
        for field in fields {
            guard field.isSearchable else { return .unsure }
            var finder = MemberFinder(line: line, field)
            switch Self.search(&finder, line, &queries) {
            case .absent: break
            case .noMatch: isFieldThere = true
            case .unsure: return .unsure
            case .match(let text):
                return !queries.requiresAll && Self.isOwn(text, of: field, line, 0..<line.count) ? .match : .unsure
            }
        }
        // A line without any of the fields may be no record at all, and there are few of them: it is read.
        return isFieldThere ? .noMatch : .unsure
    }

    /// Decides the first lines of a block, as long as that takes no more than their field's text and a quick check: some
    /// that don't match, then some that do. Where none can be decided so, the first has to be read.
    /// - Parameters:
    ///   - limitBytes: a longer line isn't decided.
    ///   - wanted: it stops after that many matches.
    mutating func decide(
        _ block: Span<UInt8>, limitBytes: Int, wanted: Int, _ queries: inout QuerySet
    ) -> DecidedLines {
        var decided = DecidedLines()
        guard decidesBlocks else {
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
                hasMatched = decidesMatches && queries.isSatisfied
                guard hasMatched == queries.isSatisfied else { return decided }
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

    /// Passes over the lines after those that are decided.
    private mutating func pass(_ block: Span<UInt8>, _ limitBytes: Int, _ decided: inout DecidedLines) {
        guard rest == 0 else {
            rest -= 1
            return
        }
        guard let passed = lines?.pass(block, from: decided.bytes, limitBytes: limitBytes) else { return }
        failures = passed.wasQuick ? failures / 2 : min(failures + 1, Self.longestRest)
        rest = failures
        decided.lines += passed.lines
        decided.bytes = passed.end
    }

    /// What the texts after a field's name in a line tell.
    private enum Outcome {
        case absent
        case noMatch
        /// This one has the query; it may be another member's, deeper in the record.
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
                guard queries.mayMatch(text, in: bytes) else { continue }
                queries.compare(text, in: bytes)
                if queries.isSatisfied { return .match(text) }
            }
        }
    }

    /// Whether a line is a record, and the text that of its own and only member of the name.
    private static func isOwn(
        _ text: JSONString, of field: FieldName, _ bytes: Span<UInt8>, _ line: Range<Int>
    ) -> Bool {
        JSONValidator(bytes, end: line.upperBound).text(ofMember: field.name, from: line.lowerBound)?.range
            == text.range
    }

    /// The field's text in the line that begins at `start`, where that is a record, and where the next line begins.
    private func record(_ block: Span<UInt8>, _ start: Int, _ limitBytes: Int) -> (text: JSONString, end: Int)? {
        guard let end = block.firstIndex(of: 0x0A, from: start), end - start > 4, end - start <= limitBytes,
            block[start + 2] != UInt8(ascii: "$"),
            let text = JSONValidator(block, end: end).text(ofMember: fields[0].name, from: start)
        else { return nil }
        return (text, end + 1)
    }
}
