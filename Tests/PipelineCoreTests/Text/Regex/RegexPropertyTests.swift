// Random patterns on random texts give what other matchers find: one that backtracks, and ICU's.

import Foundation
import PipelineCore
import TestSupport
import Testing

struct RegexPropertyTests {
    private static let letters: [Unicode.Scalar] = [
        "a", "b", "é", "日", " ", "\n", "A", "k", "\u{212A}", "É", "ς", "Σ", "-",
    ]
    private static let assertions = ["^", "$", "\\A", "\\z", "(?m:^)", "(?m:$)", "\\b", "\\B"]

    @Test(arguments: 1...8)
    func `a match is the one that a backtracking matcher finds first`(seed: UInt64) throws {
        let letters = Array(Self.letters.prefix(seed.isMultiple(of: 2) ? 4 : 13))
        var generator = RegexGenerator(
            random: SplitMix64(seed: seed), letters: letters,
            assertions: seed.isMultiple(of: 3) ? [] : Self.assertions)
        var compared = 0
        for _ in 0..<500 {
            let pattern = generator.pattern(depth: 4)
            let ignoresCase = Bool.random(using: &generator.random)
            let regex = try #require(PlainRegex(pattern, ignoringCase: ignoresCase), "\(pattern)")
            for _ in 0..<5 {
                let text = generator.text()
                var matcher = PlainMatcher(Array(text.utf8))
                let expected: String?
                switch matcher.firstMatch(of: regex) {
                case .match(let range): expected = "\(range.lowerBound)-\(range.upperBound)"
                case .none: expected = nil
                case .unknown: continue
                }
                compared += 1
                let found = try regexMatch(pattern, text, caseInsensitive: ignoresCase)
                // How much a repetition of what may be empty takes is a matter of taste; where it begins is not.
                let kept = { (match: String?) in regex.repeatsNullable ? match?.prefix { $0 != "-" } : match?[...] }
                #expect(kept(found) == kept(expected), "\(pattern) in \(text.unicodeScalars)")
            }
        }
        #expect(compared > 2_400)
    }

    @Test(arguments: 101...104)
    func `a match is the one that ICU finds`(seed: UInt64) throws {
        var generator = RegexGenerator(
            random: SplitMix64(seed: seed), letters: ["a", "b", "é", "日", " ", "A", "B"],
            assertions: ["^", "\\A", "\\z", "\\b", "\\B"])
        for _ in 0..<500 {
            let pattern = generator.pattern(depth: 4)
            let regex = try #require(PlainRegex(pattern), "\(pattern)")
            if regex.repeatsNullable || pattern.isEmpty { continue }
            let ignoresCase = Bool.random(using: &generator.random)
            let icu = try NSRegularExpression(pattern: pattern, options: ignoresCase ? [.caseInsensitive] : [])
            for _ in 0..<5 {
                let text = generator.text()
                let range = icu.firstMatch(in: text, range: NSRange(text.startIndex..., in: text))?.range
                let expected = range.flatMap { Range($0, in: text) }.map { range in
                    "\(text[..<range.lowerBound].utf8.count)-\(text[..<range.upperBound].utf8.count)"
                }
                let found = try regexMatch(pattern, text, caseInsensitive: ignoresCase)
                #expect(found == expected, "\(pattern) in \(text.unicodeScalars)")
            }
        }
    }

    @Test(arguments: 201...204)
    func `a cache that holds a few states changes no answer`(seed: UInt64) throws {
        var generator = RegexGenerator(
            random: SplitMix64(seed: seed), letters: ["a", "b", "é", "\n"], assertions: Self.assertions)
        for _ in 0..<100 {
            let pattern = generator.pattern(depth: 5)
            for limit in [0, 1_000, 1_500] {
                let text = (0..<20).map { _ in generator.text() }.joined()
                _ = try regexMatch(pattern, text, cacheLimitBytes: limit)
            }
        }
    }

    @Test(arguments: 301...302)
    func `every match contains a required literal, folded where they are`(seed: UInt64) throws {
        var generator = RegexGenerator(
            random: SplitMix64(seed: seed), letters: Array(Self.letters.prefix(9)), assertions: Self.assertions)
        var checked = 0
        for _ in 0..<400 {
            let pattern = generator.pattern(depth: 4)
            let program = try RegexProgram(pattern, caseInsensitive: Bool.random(using: &generator.random))
            guard let required = program.requiredLiteral else { continue }
            let matcher = TextMatching(program)
            for _ in 0..<10 {
                let text = Array(generator.text().utf8)
                guard let range = matcher.range(in: text) else { continue }
                let match = folded(Array(text[range]), required.ignoresCase)
                #expect(has(match, required.bytes), "\(pattern) in \(text)")
                checked += 1
            }
        }
        #expect(checked > 200)
    }

    private func folded(_ bytes: [UInt8], _ isFolded: Bool) -> [UInt8] {
        guard isFolded else { return bytes }
        let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
        return scalars.flatMap { scalar in
            Array((scalar == "\u{212A}" ? "k" : scalar.properties.lowercaseMapping).utf8)
        }
    }

    private func has(_ bytes: [UInt8], _ literal: [UInt8]) -> Bool {
        (0...max(0, bytes.count - literal.count)).contains { Array(bytes[$0...].prefix(literal.count)) == literal }
    }
}
