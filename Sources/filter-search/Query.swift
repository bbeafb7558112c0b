// One query of any kind: a text, words with typing errors, or a regular expression.

import PipelineCore

/// What to look for in texts.
enum Query {
    case text(Buffered<TextQuery>)
    case fuzzy(Buffered<FuzzyQuery>)
    case regex(Buffered<RegexMatcher>)

    /// Keeps a query's buffers from one text to the next, changed in place whatever its kind.
    final class Buffered<Value> {
        var value: Value

        init(_ value: Value) { self.value = value }
    }

    /// - Throws: if a regular expression is invalid.
    init(_ text: String, _ settings: FilterSettings) throws(UsageError) {
        let bytes = Array(text.utf8)
        if settings.isRegex {
            self = .regex(Buffered(RegexMatcher(try Self.program(text, settings))))
        } else if settings.isFuzzy {
            self = .fuzzy(Buffered(FuzzyQuery(bytes.span, strength: settings.strength)))
        } else {
            let query = TextQuery(bytes.span, strength: settings.strength, placement: settings.placement)
            self = .text(Buffered(query))
        }
    }

    private static func program(_ query: String, _ settings: FilterSettings) throws(UsageError) -> RegexProgram {
        do throws(RegexError) {
            // Compiled alone first, so that an error's position refers to what was typed.
            let program = try RegexProgram(query, caseInsensitive: settings.strength != .exact)
            let placed =
                switch settings.placement {
                case .anywhere: query
                case .prefix: "\\A(?:\(query))"
                case .word: "\\b(?:\(query))\\b"
                case .whole: "\\A(?:\(query))\\z"
                }
            guard placed != query else { return program }
            return try RegexProgram(placed, caseInsensitive: settings.strength != .exact)
        } catch {
            throw UsageError("the regular expression '\(query)' is wrong: \(error)")
        }
    }

    /// Whether the query is found in the text, which is valid UTF-8.
    func matches(_ text: Span<UInt8>) -> Bool {
        switch self {
        case .text(let query): query.value.matches(text)
        case .fuzzy(let query): query.value.matches(text)
        case .regex(let query): query.value.matches(text)
        }
    }

    /// The range of the first match in the text.
    func range(in text: Span<UInt8>) -> Range<Int>? {
        switch self {
        case .text(let query): query.value.range(in: text)
        case .fuzzy(let query): query.value.range(in: text)
        case .regex(let query): query.value.firstMatch(in: text)
        }
    }

    /// Whether the query may be found in part of the line. Quick; false positives are possible.
    func mayMatch(in line: Span<UInt8>, _ part: Range<Int>) -> Bool {
        switch self {
        case .text(let query): query.value.mayMatch(in: line, part)
        case .fuzzy, .regex: true
        }
    }

    /// Skips lines that the query can't match; nil if only searching the texts can decide.
    var linePrefilter: LinePrefilter? {
        switch self {
        case .text(let query): query.value.linePrefilter
        case .fuzzy, .regex: nil
        }
    }
}
