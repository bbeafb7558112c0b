// The regular expression engine: the first line is a pattern, the rest the text.

import PipelineCore
import TestSupport

enum RegexCheck {
    /// Backtracking takes longer texts too long.
    private static let plainLimitBytes = 64

    static func check(_ bytes: [UInt8]) throws {
        let input = InputText(bytes)
        let plain = PlainRegex(input.head)
        for ignoresCase in [false, true] {
            let program: RegexProgram
            do throws(RegexError) {
                program = try RegexProgram(input.head, caseInsensitive: ignoresCase)
            } catch {
                try refuse(input.head, error, isPlain: plain != nil)
                continue
            }
            let match = try match(program, input.restInUTF8)
            if let plain, !ignoresCase { try compare(match, plain, input) }
        }
    }

    private static func refuse(_ pattern: String, _ error: RegexError, isPlain: Bool) throws {
        try demand(!isPlain || error.message.contains("MiB"), "refused '\(pattern)': \(error)")
        let count = pattern.unicodeScalars.count
        try demand((0...count).contains(error.offset), "a fault at \(error.offset) of '\(pattern)'")
    }

    /// The match; found in linear work, and by all ways alike.
    private static func match(_ program: RegexProgram, _ text: [UInt8]) throws -> Range<Int>? {
        var matcher = RegexMatcher(program)
        let simulated = matcher.simulate(text.span, anyWillDo: false)
        let bound = 4 * (text.count + 1) * program.stateCount
        try demand(matcher.steps <= bound, "\(matcher.steps) steps, more than \(bound)")
        for limitBytes in [RegexMatcher.defaultCacheLimitBytes, 1_500] {
            var matcher = RegexMatcher(program, cacheLimitBytes: limitBytes)
            let isFound = matcher.matches(text.span)
            try demand(
                isFound == (simulated != nil), "\(isFound) with a cache of \(limitBytes), \(!isFound) without")
            try demand(matcher.steps <= 2 * bound, "\(matcher.steps) steps, more than \(2 * bound)")
            let match = matcher.range(in: text.span)
            try demand(match == simulated, "a match that is not the simulated one")
        }
        if let simulated { try hasRequired(program, Array(text[simulated]), in: text, simulated) }
        return simulated
    }

    /// A match is whole characters, and has one of the literals that every match has.
    private static func hasRequired(
        _ program: RegexProgram, _ match: [UInt8], in text: [UInt8], _ range: Range<Int>
    ) throws {
        for end in [range.lowerBound, range.upperBound] where end < text.count {
            try demand(text[end] & 0xC0 != 0x80, "a match that ends inside a character, at \(end)")
        }
        guard let required = program.requiredLiteral, !required.ignoresCase else { return }
        let hasLiteral = match.indices.contains { match[$0...].starts(with: required.bytes) }
        try demand(hasLiteral, "a match without \(required.bytes)")
    }

    private static func compare(_ match: Range<Int>?, _ plain: PlainRegex, _ input: InputText) throws {
        let text = input.restInUTF8
        guard text.count <= plainLimitBytes else { return }
        var matcher = PlainMatcher(text)
        let expected: Range<Int>?
        switch matcher.firstMatch(of: plain) {
        case .match(let range): expected = range
        case .none: expected = nil
        case .unknown: return
        }
        let what = "'\(input.head)' in \(text)"
        try demand(
            match?.lowerBound == expected?.lowerBound, "\(what): a match at \(place(match)), not \(place(expected))"
        )
        guard !plain.repeatsNullable else { return }
        try demand(match == expected, "\(what): \(place(match)), not \(place(expected))")
    }

    private static func place(_ range: Range<Int>?) -> String { range.map { "\($0)" } ?? "none" }
}
