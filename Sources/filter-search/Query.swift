// One query of any kind: a text, words with typing errors, or a regular expression.

import PipelineCore

/// What to look for in texts.
enum Query {
    case text(Buffered<TextQuery>)
    case fuzzy(Buffered<FuzzyQuery>)
    case regex(Buffered<RegexMatcher>)
    case loose(Buffered<LooseQuery>)
    /// Found if either is.
    indirect case either(Query, Query)

    /// Keeps a query's buffers from one text to the next, changed in place whatever its kind.
    final class Buffered<Value> {
        var value: Value

        init(_ value: Value) { self.value = value }
    }

    /// - Throws: if a regular expression is invalid.
    init(_ text: String, _ settings: FilterSettings) throws(UsageError) {
        let bytes = Array(text.utf8)
        let (strength, placement) = (settings.strength, settings.placement)
        if settings.isRegex {
            self = .regex(Buffered(RegexMatcher(try .compiled(text, settings))))
        } else if settings.isFuzzy {
            self = .fuzzy(Buffered(FuzzyQuery(bytes.span, strength: strength)))
        } else {
            self = .text(Buffered(TextQuery(bytes.span, strength: strength, placement: placement)))
        }
        if settings.isLoose, let loose = LooseQuery(bytes.span, strength: strength, placement: placement) {
            // What is found without --loose is found with it.
            self = .either(self, .loose(Buffered(loose)))
        }
    }

    /// Whether the query is found in the text, which is valid UTF-8.
    func matches(_ text: Span<UInt8>) -> Bool {
        switch self {
        case .text(let query): query.value.matches(text)
        case .fuzzy(let query): query.value.matches(text)
        case .regex(let query): query.value.matches(text)
        case .loose(let query): query.value.matches(text)
        case .either(let one, let other): one.matches(text) || other.matches(text)
        }
    }

    /// The range of the first match in the text.
    func range(in text: Span<UInt8>) -> Range<Int>? {
        switch self {
        case .text(let query): query.value.range(in: text)
        case .fuzzy(let query): query.value.range(in: text)
        case .regex(let query): query.value.firstMatch(in: text)
        case .loose(let query): query.value.range(in: text)
        case .either(let one, let other): one.range(in: text) ?? other.range(in: text)
        }
    }

    /// The ranges of all matches in the text, in any order; those of two ways to find it may overlap.
    func ranges(in text: Span<UInt8>) -> [Range<Int>] {
        switch self {
        case .text(let query): query.value.ranges(in: text)
        case .fuzzy(let query): query.value.ranges(in: text)
        case .regex(let query): query.value.ranges(in: text)
        case .loose(let query): query.value.ranges(in: text)
        case .either(let one, let other): one.ranges(in: text) + other.ranges(in: text)
        }
    }

    /// Whether the query may be found in part of the line. Quick; false positives are possible.
    func mayMatch(in line: Span<UInt8>, _ part: Range<Int>) -> Bool {
        switch self {
        case .text(let query): query.value.mayMatch(in: line, part)
        case .fuzzy, .regex, .loose: true
        case .either(let one, let other): one.mayMatch(in: line, part) || other.mayMatch(in: line, part)
        }
    }

    /// Skips lines that the query can't match; nil if only searching the texts can decide.
    var linePrefilter: LinePrefilter? {
        switch self {
        case .text(let query): query.value.linePrefilter
        case .loose(let query), .either(.text, .loose(let query)): query.value.linePrefilter
        case .fuzzy(let query): query.value.linePrefilter
        case .regex, .either: nil
        }
    }
}
