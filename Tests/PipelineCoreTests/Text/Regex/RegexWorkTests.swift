// The work is linear in the text: it is counted, in states looked at, not timed.

import TestSupport
import Testing

@testable import PipelineCore

struct RegexWorkTests {
    private func bytes(_ text: String, _ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<count { bytes.append(contentsOf: text.utf8) }
        return bytes
    }

    @Test(arguments: [
        ("(a*)*b", "a"), ("(a|aa)+$", "ab"), ("(a+)+c", "a"), ("(.*)*x", "a"), ("(a|a?)+b", "a"),
        ("^(\\w+\\s?)*$", "ab. "),
        ("(x+x+)+y", "x"), ("a?a?a?a?a?a?a?a?aaaaaaaa$", "ab"), ("(?:a.{0,20}){3}b", "a"), ("(a|b|ab)*c", "ab"),
        ("\\b(a+ ?)+\\b!", "aa "), ("(é|éé)+\\b!", "é"), ("(([a-z])+.)+[A-Z]([a-z])+$", "aaa "),
    ])
    func `patterns that others need exponential time for take a few steps for each byte and state`(
        pattern: String, text: String
    ) throws {
        let program = try RegexProgram(pattern)
        for count in [100, 1_000, 10_000] {
            let text = bytes(text, count)
            let bound = 4 * (text.count + 1) * program.stateCount
            let simulated = TextMatching(program)
            _ = simulated.simulatedRange(in: text)
            #expect(simulated.steps <= bound)
            let matcher = TextMatching(program)
            _ = matcher.finds(text)
            #expect(matcher.steps <= 2 * bound)
            let starved = TextMatching(program, cacheLimitBytes: 2_000)
            _ = starved.finds(text)
            #expect(starved.steps <= 2 * bound)
        }
    }

    @Test(arguments: [10, 50, 200])
    func `n optional letters before n letters take n times n steps`(count: Int) throws {
        let pattern = String(repeating: "a?", count: count) + String(repeating: "a", count: count)
        let program = try RegexProgram(pattern)
        let matcher = TextMatching(program)
        let text = bytes("a", count)
        #expect(matcher.finds(text))
        #expect(matcher.simulatedRange(in: text) == 0..<count)
        #expect(matcher.steps <= 4 * (count + 1) * program.stateCount)
    }

    @Test
    func `a text of the same kind is matched without looking at a state again`() throws {
        let matcher = TextMatching(try RegexProgram("(mick|minnie).*mouse", caseInsensitive: true))
        let text = bytes("Mickey and Donald, ", 10)
        #expect(!matcher.finds(text))
        let steps = matcher.steps
        #expect(steps > 0)
        for _ in 0..<100 { #expect(!matcher.finds(text)) }
        #expect(matcher.steps == steps)
    }

    @Test
    func `a pattern with too many states of sets fills the cache, empties it, and gives up for the simulation`()
        throws
    {
        // Which of the last 16 letters were a: 65,536 sets.
        let program = try RegexProgram("a.{16}b.{3}c")
        var random = SplitMix64(seed: 7)
        let text = (0..<20_000).map { _ in Bool.random(using: &random) ? UInt8(ascii: "a") : UInt8(ascii: "b") }
        let matcher = TextMatching(program, cacheLimitBytes: 20_000)
        #expect(!matcher.finds(text))
        #expect(matcher.flushes == 1)
        for _ in 0..<20 { #expect(!matcher.finds(text)) }
        #expect(matcher.flushes == 8)
        #expect(matcher.steps <= 4 * 21 * (text.count + 1) * program.stateCount)
    }

    @Test
    func `a cache that is emptied now and then goes on`() throws {
        let program = try RegexProgram("(a|b)[^x]{2,9}(c|d)[yz]$")
        let matcher = TextMatching(program, cacheLimitBytes: 9_000)
        var random = SplitMix64(seed: 9)
        var text: [UInt8] = []
        for _ in 0..<300 {
            text += bytes("x", 400)
            text += (0..<10).map { _ in UInt8(ascii: "a") + UInt8.random(in: 0..<4, using: &random) }
        }
        #expect(!matcher.finds(text))
        #expect(matcher.flushes > 1)
        text += bytes("aaaacz", 1)
        #expect(matcher.finds(text))
        #expect(matcher.range(in: text)?.upperBound == text.count)
    }

    @Test
    func `the states in its sets count for the cache`() throws {
        let matcher = TextMatching(try RegexProgram("a.{30}b"), cacheLimitBytes: 12_000)
        var random = SplitMix64(seed: 11)
        let text = (0..<120).map { _ in random.pick([UInt8(ascii: "a"), UInt8(ascii: "c")]) }
        #expect(!matcher.finds(text))
        #expect(matcher.flushes > 0)
    }

    @Test
    func `a copy of a matcher has its own memory`() throws {
        let matcher = TextMatching(try RegexProgram("a+b"))
        #expect(matcher.finds(bytes("aab", 1)))
        let copy = TextMatching(copying: matcher)
        #expect(copy.finds(bytes("xaab", 1)))
        #expect(!copy.finds(bytes("xaa", 1)))
        #expect(matcher.finds(bytes("aab", 1)))
    }
}

/// What a terminal shows in colour is all matches of a text.
struct RegexFindsTests {
    private static let patterns = [
        "a.*b|a", "(?:a|.*c)", "a*?b|a", "(?:ab|a)(?:.*c)?", "\\b(?:a+|.*z)", "a?", "(?:é|a.*é)", "^a.*b|b",
        "(?m)^.*?$",
        "(?:a|b)(?:(?:a|b)*c)?", "a{1,3}(?:.*x)?", "", ".*?", "(?:a*)*b?", "\\B.|a.*b",
    ]

    @Test(arguments: patterns)
    func `reading backwards finds what the search from match to match finds`(pattern: String) throws {
        let program = try RegexProgram(pattern)
        var random = SplitMix64(seed: 7)
        for _ in 0..<300 {
            var text: [UInt8] = []
            for _ in 0..<Int.random(in: 0..<90, using: &random) {
                text += Array(["a", "a", "b", "c", "é", " ", "\n"].randomElement(using: &random)?.utf8 ?? "".utf8)
            }
            var matcher = RegexMatcher(program)
            var expected: [Range<Int>] = []
            var position = 0
            while position <= text.count,
                let match = matcher.simulate(text.span, from: position, anyWillDo: false),
                !program.isAnchored || position == 0
            {
                if !match.isEmpty { expected.append(match) }
                position = match.upperBound
                if match.isEmpty {
                    position = position < text.count ? text.span.codePoint(at: position).next : .max
                }
            }
            var finds = RegexFinds(program)
            let backwards = finds.ranges(in: text.span, from: 0)
            #expect(program.isAnchored || backwards == expected)
            let found = matcher.ranges(in: text.span)
            #expect(found == expected)
        }
    }

    @Test(arguments: patterns)
    func `all matches of a text of twice the length take twice the steps`(pattern: String) throws {
        func steps(_ count: Int) throws -> Int {
            var matcher = RegexMatcher(try RegexProgram(pattern))
            let text = [UInt8](repeating: UInt8(ascii: "a"), count: count)
            _ = matcher.ranges(in: text.span)
            return matcher.steps
        }
        // A quadratic search takes 64 times as many.
        #expect(try steps(32_000) <= 12 * steps(4_000) + 1000)
    }
}
