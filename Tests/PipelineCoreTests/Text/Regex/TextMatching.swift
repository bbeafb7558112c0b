// A matcher that can stand inside an expectation, which takes neither spans nor what mutates.

import PipelineCore

final class TextMatching {
    private var matcher: RegexMatcher

    init(_ program: RegexProgram, cacheLimitBytes: Int = RegexMatcher.defaultCacheLimitBytes) {
        matcher = RegexMatcher(program, cacheLimitBytes: cacheLimitBytes)
    }

    /// With a copy of the other's matcher.
    init(copying other: TextMatching) { matcher = other.matcher }

    var steps: Int { matcher.steps }
    var flushes: Int { matcher.flushes }

    func finds(_ text: [UInt8]) -> Bool { matcher.matches(text.span) }
    func range(in text: [UInt8]) -> Range<Int>? { matcher.range(in: text.span) }
    func simulatedRange(in text: [UInt8]) -> Range<Int>? { matcher.simulate(text.span, anyWillDo: false) }
}
