// Random texts and queries: the fast search finds what the slow one finds, and a looser strength finds more.

import Foundation
import PipelineCore
import TestSupport
import Testing

struct SearchPropertyTests {
    /// Characters that fold, join, compose and reorder in every way there is.
    private static let alphabets =
        meeting + [
            ["i", "I", "İ", "ı", "í", "ｉ", "\u{307}", "\u{301}", "\u{323}", "n", "ş"],
            ["س", "ل", "ا", "أ", "م", "\u{640}", "\u{64E}", "\u{651}", "\u{654}", " "],
        ]

    /// Those whose characters come in texts of the others too.
    private static let meeting = [
        "abeoisABEOIS '-".unicodeScalars.map { String($0) },
        [
            "a", "e", "o", "s", "i", "ß", "ẞ", "ſ", "ﬀ", "ﬃ", "ﬆ", "æ", "Æ", "ǽ", "œ", "ø", "Ø", "ǿ", "ı", "İ", "ŉ",
            "’",
        ],
        [
            "e", "é", "ê", "ệ", "E", "o", "ö", "\u{301}", "\u{302}", "\u{323}", "\u{308}", "\u{338}", "\u{20DD}",
            " ",
        ],
        ["か", "が", "カ", "ｶ", "ﾞ", "\u{3099}", "\u{309A}", "は", "ぱ", "㌀", "㎏", "k", "g", "東"],
        ["한", "하", "가", "각", "\u{1100}", "\u{1161}", "\u{11A8}", "ㄱ", "ㅏ", "ﾡ", "㈎", "㉠", "(", ")", "\u{301}"],
        ["α", "ά", "ᾳ", "ᾴ", "ι", "Ι", "\u{345}", "\u{301}", "\u{313}", "ς", "σ", "Σ", "ΐ", "ͺ"],
        ["क", "ि", "्", "\u{93C}", "ष", "क़", "ก", "ิ", "\u{E48}", "ා", "\u{DCA}", "\u{DD9}", "\u{DDA}"],
        [
            "a", "b", "\u{AD}", "\u{200D}", "\u{FE0F}", "❤", "👩", "🚀", "🇫", "🇷", "1", "²", "２", "\u{301}",
            "\u{20E3}",
        ],
        [
            "א", "שׁ", "\u{5B0}", "\u{5C1}", "ا", "أ", "\u{654}", "\u{64E}", "и", "й", "ё", "қ",
            "\u{483}", "\u{489}",
        ],
    ]

    private static let everything = meeting.flatMap { $0 }

    private static func text(_ generator: inout SplitMix64, _ alphabet: [String], _ lengths: ClosedRange<Int>)
        -> String
    {
        (0..<Int.random(in: lengths, using: &generator)).map { _ in
            // One in twelve comes from all alphabets, so that they meet.
            let letters = UInt8.random(in: 0..<12, using: &generator) == 0 ? everything : alphabet
            return letters[Int.random(in: 0..<letters.count, using: &generator)]
        }.joined()
    }

    /// A part of the text, cut between code points.
    private static func part(_ generator: inout SplitMix64, _ text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        let start = Int.random(in: 0...scalars.count, using: &generator)
        let end = Int.random(in: start...scalars.count, using: &generator)
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars[start..<min(end, start + 6)])
        return String(view)
    }

    /// The same text to a person, in other code points.
    private static func variant(_ generator: inout SplitMix64, _ text: String, changesCase: Bool) -> String {
        switch Int.random(in: 0..<(changesCase ? 6 : 3), using: &generator) {
        case 0: text.decomposedStringWithCanonicalMapping
        case 1: text.precomposedStringWithCanonicalMapping
        case 2: text
        case 3: text.uppercased()
        case 4: text.lowercased()
        default: text.decomposedStringWithCanonicalMapping.uppercased().precomposedStringWithCanonicalMapping
        }
    }

    @Test(.enabled(if: ReferenceSearch.isAvailable), arguments: alphabets.indices)
    func `the search finds what the slow one finds`(number: Int) throws {
        let reference = try ReferenceSearch()
        var generator = SplitMix64(seed: 7 + UInt64(number))
        var wrong: [String] = []
        var found = 0
        for round in 0..<500 {
            let text = Self.text(&generator, Self.alphabets[number], round % 10 == 0 ? 20...90 : 0...9)
            let source =
                switch round % 4 {
                case 0: Self.text(&generator, Self.alphabets[number], 0...3)
                // Upper case has letters for what one character folds to: a part may begin inside it.
                case 1: Self.part(&generator, text.uppercased())
                default: Self.part(&generator, text)
                }
            let query = Self.variant(&generator, source, changesCase: true)
            for strength in TextStrength.allCases {
                for placement in TextPlacement.allCases
                where ![.word, .beginning].contains(placement) || text.utf8.count < 60 && Self.isPlain(text) {
                    let expected = reference.finds(query, in: text, strength, placement)
                    found += expected ? 1 : 0
                    guard finds(query, in: text, strength, placement) != expected else { continue }
                    wrong.append("\(escaped(query)) in \(escaped(text)) \(strength) \(placement): \(expected)")
                }
            }
        }
        #expect(wrong.prefix(20) == [])
        #expect(found > 500)
    }

    private func escaped(_ text: String) -> String {
        text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
    }

    /// Whether each character of the text stays a letter or a mark in every strength: none that a search ignores, none
    /// that it makes a mark or a part of a syllable.
    private static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            let isIgnored =
                scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.generalCategory == .enclosingMark
                || scalar.value == 0x640
            let joining: [ClosedRange<UInt32>] = [
                0x1100...0x11FF, 0x3130...0x318F, 0x3200...0x327F, 0xFF9E...0xFFDC,
            ]
            return !isIgnored && !joining.contains { $0.contains(scalar.value) }
        }
    }

    private static func startsWithMark(_ text: String) -> Bool {
        text.unicodeScalars.first?.properties.canonicalCombiningClass != .notReordered
    }

    @Test(arguments: alphabets.indices)
    func `a line that has the query is never passed over`(number: Int) {
        var generator = SplitMix64(seed: 4711 + UInt64(number))
        var found = 0
        for _ in 0..<1000 {
            let text = Self.text(&generator, Self.alphabets[number] + Self.alphabets[0], 2...40)
            let query = Self.variant(&generator, Self.part(&generator, text), changesCase: true)
            for strength in TextStrength.allCases where finds(query, in: text, strength, .anywhere) {
                guard var prefilter = TextQuery(Array(query.utf8).span, strength: strength).linePrefilter else {
                    continue
                }
                found += 1
                let isPassed = prefilter.passes(Array("{\"a\":\"\(text)\"}".utf8).span)
                #expect(!isPassed, "\(escaped(query)) \(escaped(text))")
            }
        }
        #expect(found > 50)
    }

    @Test(arguments: alphabets.indices)
    func `a text is found in any spelling of it, and a looser strength finds no less`(number: Int) {
        var generator = SplitMix64(seed: 99 + UInt64(number))
        for _ in 0..<200 {
            let text = Self.text(&generator, Self.alphabets[number], 0...12)
            let same = Self.variant(&generator, text, changesCase: false)
            for strength in TextStrength.allCases {
                #expect(finds(text, in: same, strength, .whole), "\(escaped(text)) \(escaped(same)) \(strength)")
            }
            let query = Self.variant(&generator, Self.part(&generator, text), changesCase: true)
            guard Self.isPlain(text), Self.isPlain(query), !query.isEmpty && !Self.startsWithMark(query) else {
                continue
            }
            for placement in TextPlacement.allCases {
                let found = TextStrength.allCases.map { finds(query, in: text, $0, placement) }
                #expect(!found[2] || found[1], "\(escaped(query)) \(escaped(text)) \(placement)")
                #expect(!found[1] || found[0], "\(escaped(query)) \(escaped(text)) \(placement)")
            }
        }
    }

    @Test(arguments: alphabets.indices)
    func `what is found is found again in the bytes it was found in`(number: Int) {
        var generator = SplitMix64(seed: 1234 + UInt64(number))
        for _ in 0..<200 {
            let text = Array(Self.text(&generator, Self.alphabets[number], 0...60).utf8)
            let query = Self.part(&generator, String(decoding: text, as: UTF8.self))
            for strength in TextStrength.allCases {
                var search = TextQuery(Array(query.utf8).span, strength: strength)
                guard let range = search.range(in: text.span) else { continue }
                let slice = String(decoding: text[range], as: UTF8.self)
                #expect(finds(query, in: slice, strength), "\(escaped(query)) \(escaped(slice)) \(strength)")
            }
        }
    }

    @Test(arguments: alphabets.indices)
    func `a search that goes on in linear time finds the same`(number: Int) {
        var generator = SplitMix64(seed: 4321 + UInt64(number))
        var found = 0
        for round in 0..<600 {
            // Few letters, so that much repeats.
            let letters = (0..<3).map { _ in Self.text(&generator, Self.alphabets[number], 1...2) }
            let text = Array(Self.text(&generator, letters, 0...60).utf8)
            let source =
                round % 2 == 0 ? Self.text(&generator, letters, 1...4) : Self.part(&generator, text.span.text)
            let query = Self.variant(&generator, source, changesCase: true)
            for strength in TextStrength.allCases {
                for placement in [TextPlacement.anywhere, .word] {
                    var search = TextQuery(Array(query.utf8).span, strength: strength, placement: placement)
                    let expected = search.range(in: text.span)
                    search.patience = -1
                    let range = search.range(in: text.span)
                    #expect(
                        range == expected,
                        "\(escaped(query)) in \(escaped(text.span.text)) \(strength) \(placement)")
                    found += range == nil ? 0 : 1
                }
            }
        }
        #expect(found > 300)
    }

    static let repetitions: [(query: String, text: String)] = [
        (String(repeating: "a", count: 3000) + "b", String(repeating: "A", count: 30_000)),
        (String(repeating: "ab", count: 3000) + "b", String(repeating: "Ab", count: 30_000)),
        (String(repeating: "é", count: 3000) + "e", String(repeating: "e\u{301}", count: 20_000)),
        (String(repeating: "é", count: 3000) + "ë", String(repeating: "é", count: 20_000)),
        (String(repeating: "か", count: 3000) + "が", String(repeating: "か", count: 30_000)),
        (String(repeating: "s", count: 3001) + "t", String(repeating: "ß", count: 20_000)),
        (String(repeating: "가", count: 3000) + "각", String(repeating: "\u{1100}\u{1161}", count: 10_000)),
    ]

    @Test(arguments: repetitions)
    func `a long query in a text that repeats itself takes steps in proportion to the text`(
        query: String, text: String
    ) {
        let bytes = Array(text.utf8)
        for strength in TextStrength.allCases {
            for placement in TextPlacement.allCases {
                var search = TextQuery(Array(query.utf8).span, strength: strength, placement: placement)
                _ = search.range(in: bytes.span)
                #expect(search.steps < 24 * bytes.count + 100_000, "\(search.steps) \(strength) \(placement)")
            }
        }
    }
}
