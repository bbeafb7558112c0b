// The record filter: a line that needn't be read as JSON is judged as one that is.
//
//     aw mick         options, one letter each; the query
//     {"name":…}      records, or what else stands there

import PipelineCore
import TestSupport

@testable import filter_search

enum FilterCheck {
    private static let fields: [Character: String] = ["f": "films", "g": "$['a/b']", "h": "\u{E9}", "p": "a[*].b"]

    static func check(_ bytes: [UInt8]) throws {
        let input = InputText(bytes)
        let parts = input.head.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return }
        let settings = settings(String(parts[0]), query: String(parts[1]))
        var strict = settings
        strict.isStrict = true
        var explaining = settings
        explaining.explains = true
        do throws(UsageError) {
            _ = try RecordFilter(settings)
        } catch {
            return try demand(error.message != "", "a refusal without words")
        }
        var filter = try RecordFilter(settings)
        var strictFilter = try RecordFilter(strict)
        var explainingFilter = try RecordFilter(explaining)
        var verdicts: [Verdict] = []
        for line in input.lines {
            let verdict = Verdict(&strictFilter, line)
            verdicts.append(verdict)
            try compare(Verdict(&filter, line), verdict, line)
            try demand(Verdict(&explainingFilter, line) == verdict, "another verdict with --explain, on \(line)")
            if verdict == .match, let location = explainingFilter.location { try isInside(location, line) }
            try isRecord(line, verdict)
            if let isFound = PlainFilter.finds(settings, in: line) {
                try demand((verdict == .match) == isFound, "\(verdict) under --strict, on \(line)")
            }
        }
        try compareLoosely(settings, input, verdicts)
        try show(settings, input, verdicts)
        let limitBytes = parts[0].contains("l") ? 64 : 1 << 20
        let wanted = parts[0].contains("1") ? 1 : Int.max
        try decide(settings, input, verdicts, limitBytes, wanted: wanted)
        // These read each line to its end.
        try decide(strict, input, verdicts, limitBytes, wanted: wanted)
        var inverted = settings
        inverted.matching.isInverted = true
        try decide(inverted, input, verdicts, limitBytes, wanted: wanted)
    }

    /// What is found without --loose is found with it.
    private static func compareLoosely(
        _ settings: FilterSettings, _ input: InputText, _ verdicts: [Verdict]
    ) throws {
        guard settings.kind != .regex else { return }
        var loose = settings
        loose.matching.isLoose = true
        var filter = try RecordFilter(loose)
        loose.isStrict = true
        var strictFilter = try RecordFilter(loose)
        for (line, verdict) in zip(input.lines, verdicts) {
            let strict = Verdict(&strictFilter, line)
            try compare(Verdict(&filter, line), strict, line)
            try demand(verdict != .match || strict == .match, "not found loosely, on \(line)")
        }
    }

    /// Every match has a rank, and in colour the same bytes.
    private static func show(_ settings: FilterSettings, _ input: InputText, _ verdicts: [Verdict]) throws {
        var shown = settings
        shown.color = .always
        shown.best = 1
        var filter = try RecordFilter(shown)
        let display = shown.display
        for (line, verdict) in zip(input.lines, verdicts) {
            try compare(Verdict(&filter, line), verdict, line)
            guard verdict == .match else { continue }
            try demand(filter.rank != nil || shown.hasConditionsOnly, "a match without a rank, on \(line)")
            var bytes: [UInt8] = []
            display.append(line.span, filter.finds, to: &bytes)
            for colour in RecordDisplay.colours { bytes = without(colour, bytes) }
            try demand(bytes == line + [0x0A], "other bytes in colour, on \(line)")
        }
    }

    private static func without(_ part: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
        var rest: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index...].starts(with: part) {
                index += part.count
            } else {
                rest.append(bytes[index])
                index += 1
            }
        }
        return rest
    }

    private static func settings(_ options: String, query: String) -> FilterSettings {
        var settings = FilterSettings()
        if options.contains("W") { settings.conditions = [query] } else { settings.operands = [query] }
        if options.contains("2") { settings.queries = query.split(separator: "|").map(String.init) }
        settings.matching.requiresAll = options.contains("A")
        settings.matching.searchesAnyField = options.contains("a")
        if options.contains("E") { settings.kind = .regex }
        settings.matching.isLoose = options.contains("L") && settings.kind != .regex
        if options.contains("s") { settings.strength = .exact }
        if options.contains("c") { settings.strength = .accents }
        if options.contains("b") { settings.placement = .prefix }
        if options.contains("w") { settings.placement = .word }
        if options.contains("x") { settings.placement = .whole }
        if options.contains("z"), settings.kind == .text, settings.placement == .anywhere { settings.kind = .fuzzy }
        settings.fields = options.compactMap { fields[$0] } + (options.contains("n") ? ["name"] : [])
        return settings
    }

    private enum Verdict: Equatable {
        case match, noMatch, noRecord, tooMuch

        init(_ filter: inout RecordFilter, _ line: [UInt8]) {
            do throws(JSONError) {
                self = try filter.matches(line.span) ? .match : .noMatch
            } catch {
                self = error.reason == .tooMuchForPath ? .tooMuch : .noRecord
            }
        }
    }

    /// A line that isn't a record may go by unread, where it couldn't match.
    private static func compare(_ verdict: Verdict, _ strict: Verdict, _ line: [UInt8]) throws {
        let isSame = verdict == strict || (strict == .noRecord && verdict == .noMatch)
        try demand(isSame, "\(verdict), and \(strict) under --strict, on \(line)")
    }

    /// Lines that are decided many at a time are decided as each alone, one after the other.
    private static func decide(
        _ settings: FilterSettings, _ input: InputText, _ verdicts: [Verdict], _ limitBytes: Int, wanted: Int
    ) throws {
        var filter = try RecordFilter(settings)
        let isInverted = settings.matching.isInverted
        let readsAll = isInverted || settings.isStrict || settings.hasConditionsOnly
        let lines = input.lines
        var start = 0
        var number = 0
        while number < lines.count {
            let decided = filter.decide(
                input.rest.span.extracting(start...), limitBytes: limitBytes, wanted: wanted, isWatched: false)
            try demand(number + decided.lines <= lines.count, "more lines than there are")
            try demand(decided.matches <= wanted, "\(decided.matches) matches where \(wanted) are enough")
            var bytes = 0
            var matches = 0..<0
            for (line, verdict) in zip(lines, verdicts).dropFirst(number).prefix(decided.lines) {
                let end = bytes + line.count + 1
                if decided.matching.contains(bytes) {
                    try demand(
                        verdict == (isInverted ? .noMatch : .match),
                        "kept unread, and \(verdict) under --strict: \(line)")
                    matches = (matches.isEmpty ? bytes : matches.lowerBound)..<end
                } else {
                    try demand(
                        verdict != (isInverted ? .noMatch : .match),
                        "dropped unread, and \(verdict) under --strict: \(line)")
                }
                let isPlain = line.count <= limitBytes && !line.span.isBlank && SealClaim(line.span) == nil
                try demand(isPlain && (!readsAll || verdict != .noRecord), "decided unread: \(line)")
                bytes = end
            }
            try demand(bytes == decided.bytes && matches == decided.matching, "lines that are cut elsewhere")
            // The line that can't be decided so is read alone.
            start += bytes
            number += decided.lines
            if decided.lines == 0 {
                start = min(start + lines[number].count + 1, input.rest.count)
                number += 1
            }
        }
    }

    private static func isInside(_ place: FoundText, _ line: [UInt8]) throws {
        let start = place.string.range.lowerBound - 1
        let range = place.range(in: line.span)
        try demand(
            line.indices.contains(start) && line[start] == 0x22 && range.lowerBound > start
                && range.upperBound <= line.count, "a match at \(range) of the string at \(start)")
    }

    private static func isRecord(_ line: [UInt8], _ strict: Verdict) throws {
        var isRecord = false
        do throws(PlainJSON.Fault) { isRecord = try PlainJSON.read(line).kind == .object } catch {
            isRecord = false
        }
        try demand(isRecord == (strict != .noRecord), "\(strict) under --strict, on \(line)")
    }
}
