// The loose search: names as CLDR spells them, signs that don't count, and that nothing is lost by it.

import PipelineCore
import TestSupport
import Testing

struct LooseQueryTests {
    private func loose(_ query: String) -> LooseQuery? { LooseQuery(Array(query.utf8).span) }

    private func range(
        _ query: String, _ text: String, _ strength: TextStrength = .search, _ placement: TextPlacement = .anywhere
    ) -> Range<Int>? {
        var loose = LooseQuery(Array(query.utf8).span, strength: strength, placement: placement)
        return loose?.range(in: Array(text.utf8).span)
    }

    @Test
    func `names are found by what is written of them`() {
        for (text, query) in SpellingPairs.found {
            #expect(range(query, text) != nil, "\(query) in \(text)")
            #expect(range(text, text) != nil, "\(text)")
        }
    }

    @Test
    func `near misses are not found`() {
        for (text, query) in SpellingPairs.notFound { #expect(range(query, text) == nil, "\(query) in \(text)") }
    }

    @Test(arguments: [
        ("spiderman", "Spider-Man", 0..<10), ("spider man", "The Spider\u{2010}Man!", 4..<16),
        ("s.p", "s p", 0..<3),
        ("björk", "Bj\u{F6}rk", 0..<6), ("bjork", "B jo\u{308}rk", 0..<8), ("1-2", "0 1/2", 2..<5),
        ("strassenbahn", "Straße-n-Bahn", 0..<14), ("senb", "Straße-n-Bahn", 4..<11),
        ("raburetaa", "ﾗﾌﾞﾚﾀｰ", 0..<18),
        ("らぶ", "♥ラブ♥", 3..<9), ("moskva", "г. Москва-Сити", 4..<16), ("oskv", "Москва", 2..<10),
        ("гоголь", "Го-голь", 0..<13), ("gogol", "Гоголь", 0..<10),
        ("keycap 1", "keycap 1\u{FE0F}\u{20E3}", 0..<14),
        ("ab", "a\u{1F3FB}b", 0..<6), ("한국", "한-국", 0..<7),
    ])
    func `signs and spaces don't count`(query: String, text: String, expected: Range<Int>) {
        #expect(range(query, text) == expected)
    }

    @Test(arguments: [
        ("12", "1-2"), ("1-2", "12"), ("björk", "bjork"), ("か", "が"), ("か", "カ\u{3099}"), ("ga", "か"),
        ("spiderman", ""),
        ("spiderman", "-"), ("xyz", "ь"), ("x", "ъьъь"), ("spidermans", "spider-man"), ("moskva", "моск"),
    ])
    func `what is another text is not found`(query: String, text: String) {
        #expect(range(query, text) == nil)
    }

    @Test(arguments: ["", "-", " ! ", "♥", "\u{301}", "\u{FE0F}", "🦊"])
    func `a query without letters and digits is an ordinary one`(query: String) {
        let isLoose = LooseQuery(Array(query.utf8).span) != nil
        #expect(!isLoose)
    }

    @Test
    func `it keeps to its place in the text`() {
        #expect(range("gogol", "Гоголь", .search, .whole) == 0..<12)
        #expect(range("gogol", "Гоголь", .search, .word) == 0..<12)
        #expect(range("gogol", "Н. Гоголь", .search, .prefix) == nil)
        #expect(range("ngogol", "«Н. Гоголь»", .search, .prefix) == 2..<16)
        #expect(range("spiderman", "Spider-Man 2", .search, .whole) == nil)
        #expect(range("spiderman", "(Spider-Man)", .search, .whole) == 1..<11)
        #expect(range("spiderm", "Spider-Man", .search, .word) == nil)
        #expect(range("man", "Spider-Man, Batman", .search, .word) == 7..<10)
        #expect(range("man", "Batman, Spider-Mann", .search, .beginning) == 15..<18)
        #expect(range("hevchenko", "Шевченко", .search, .word) == nil)
        #expect(range("shevc", "Шевченко", .search, .prefix) == 0..<8)
    }

    @Test
    func `case and accents count as the strength has it`() {
        #expect(range("Moskva", "Москва", .exact) != nil)
        #expect(range("moskva", "Москва", .exact) == nil)
        #expect(range("SHCHUKA", "ЩУКА", .exact) != nil)
        #expect(range("shchuka", "ЩУКА", .accents) != nil)
        #expect(range("andrey", "Андрей", .accents) != nil)
        #expect(range("athina", "Αθήνα", .accents) != nil)
        #expect(range("らぶ", "ラブ", .accents) != nil)
        #expect(range("bjork", "Bj-örk", .accents) == nil)
    }

    @Test(arguments: [("a", 3000), ("ш", 3000), ("ら", 2500), ("ー", 1023), ("-", 5000), ("1", 2000), ("ь", 1100)])
    func `a name is found wherever the parts of a long text end`(filler: String, count: Int) {
        for length in count - 3...count + 3 {
            let text = String(repeating: filler, count: length)
            for (name, query) in [
                ("Щёкин", "shchyokin"), ("Spider-Man", "spiderman"), ("とーきょー", "tokyo"), ("1-2", "x1-2"),
            ] {
                let range = range(query, text + "x" + name, .search, .anywhere) ?? self.range(query, text + name)
                #expect(range?.upperBound ?? 0 > length, "\(filler) \(length) \(name)")
            }
        }
    }

    @Test(arguments: ["1", "-", "!a", " ", "🦊", "1-"])
    func `spellings of several letters are read wherever parts end`(filler: String) {
        for length in 1000...1030 {
            let text = String(repeating: filler, count: length)
            for (name, query) in [("ксения", "xeniya"), ("きょう", "kyou"), ("けっこう", "kekko"), ("ラブレター", "raburetaa")]
            {
                #expect(range(query, text + name) != nil, "\(length) \(filler) \(name)")
                guard filler != "1", filler != "1-", filler != "!a" else { continue }
                #expect(range(query, text + name, .search, .whole) != nil, "\(length) \(filler) \(name)")
                #expect(range(query, name + text, .search, .whole) != nil, "\(length) \(filler) \(name)")
                #expect(range(query, name + text + "x", .search, .whole) == nil, "\(length) \(filler) \(name)")
            }
        }
    }

    @Test
    func `all that is found is told, each once`() throws {
        var query = try #require(loose("aa"))
        let found = query.ranges(in: Array("a-a a aaa".utf8).span)
        #expect(found == [0..<3, 4..<7, 7..<9])
    }

    private static let alphabet = [
        "a", "b", "S", "s", "ß", "é", "e", "\u{301}", "\u{308}", "-", " ", ".", "'", "_", "1", "2", "ш", "Щ", "е",
        "ё", "ь", "к",
        "с", "α", "ύ", "ο", "υ", "ら", "ラ", "ー", "っ", "か", "が", "\u{3099}", "ﾗ", "ﾞ", "한", "ᄒ", "ᅡ", "🦊", "\u{FE0F}",
        "\u{200D}", "½",
        "№", "\u{AD}", "I", "ı", "k", "\u{212A}", "ﬁ", "東",
    ]

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `no line is passed over that has what is searched`(seed: UInt64) {
        var random = SplitMix64(seed: 77 + seed)
        var found = 0
        for _ in 0..<4000 {
            let text = (0..<Int.random(in: 1...20, using: &random)).map { _ in
                Self.alphabet.randomElement(using: &random) ?? ""
            }
            let part = text[Int.random(in: 0..<text.count, using: &random)...].prefix(
                Int.random(in: 1...6, using: &random))
            var query = part.joined()
            // Some by their Latin spelling.
            if Bool.random(using: &random) {
                for (letter, spelling) in [
                    ("ш", "sh"), ("Щ", "shch"), ("е", "ye"), ("к", "k"), ("с", "s"), ("ら", "ra"),
                ] {
                    query = query.split(separator: letter, omittingEmptySubsequences: false).joined(
                        separator: spelling)
                }
            }
            let line = Array("{\"a\":\"\(text.joined())\"}".utf8)
            for strength in TextStrength.allCases {
                guard range(query, text.joined(), strength) != nil,
                    var prefilter = LooseQuery(Array(query.utf8).span, strength: strength)?.linePrefilter
                else { continue }
                found += 1
                let isPassed = prefilter.passes(line.span)
                #expect(!isPassed, "\(query) in \(text.joined()) \(strength)")
            }
        }
        #expect(found > 20)
    }

    @Test
    func `an escape between the letters is no letter, and lines without it are passed over`() throws {
        var prefilter = try #require(loose("spiderman")?.linePrefilter)
        let others = ["Spider Woman", "Iron Man", "spidr-man", "Björk – a singer", #"two\nlines"#]
        for text in others + [
            #"spider\nman"#, #"spider\"man"#, #"spider\/man"#, #"spider\\man"#, #"spider\u002dman"#,
            #"spi-der--m.a n"#, "SPIDER–MAN", #"\nspiderman"#, #"spiderman\n"#, #"s\np\ni\nd\ne\nr\nm\na\nn"#,
        ] {
            let isPassed = prefilter.passes(Array("{\"a\":\"\(text)\"}".utf8).span)
            #expect(isPassed == others.contains(text), "\(text)")
        }
    }
}
