// What people search for and what they expect to find.

import PipelineCore
import Testing

func finds(
    _ query: String, in text: String, _ strength: TextStrength = .search, _ placement: TextPlacement = .anywhere
) -> Bool {
    var query = TextQuery(Array(query.utf8).span, strength: strength, placement: placement)
    let text = Array(text.utf8)
    let matches = query.matches(text.span)
    let range = query.range(in: text.span)
    #expect(matches == (range != nil))
    return matches
}

struct TextQueryTests {
    @Test(arguments: [
        ("mick", "Mick"), ("mick", "MICK"), ("MICK", "mick"), ("bjork", "Björk"), ("bjork", "BJÖRK"),
        ("bjork", "Bjo\u{308}rk"), ("bjork", "Bjork"), ("björk", "Björk"), ("björk", "BJÖRK"),
        ("björk", "Bjo\u{308}rk"), ("bjo\u{308}rk", "Björk"), ("strasse", "Straße"), ("strasse", "STRASSE"),
        ("strasse", "STRAẞE"), ("straße", "STRASSE"), ("straße", "Straße"), ("STRAẞE", "strasse"),
        ("kelvin", "\u{212A}elvin"), ("\u{212A}elvin", "kelvin"), ("istanbul", "İstanbul"),
        ("istanbul", "ISTANBUL"), ("İstanbul", "istanbul"), ("İnş", "inşaat"), ("inş", "İNŞAAT"), ("İ", "i\u{307}"),
        ("i\u{307}", "İ"), ("i\u{307}", "i"), ("سلام", "ســلام"), ("ســلام", "سلام"), ("isparta", "ısparta"),
        ("lodz", "Łódź"), ("łodz", "ŁÓDŹ"), ("ore", "Øre"),
        ("aether", "Æther"), ("æther", "ÆTHER"), ("ther", "Þér"), ("か", "か"), ("が", "か\u{3099}"),
        ("か\u{3099}", "が"), ("ガ", "ｶﾞ"), ("mickey", "Ｍｉｃｋｅｙ"), ("ê", "ệ"), ("ệ", "e\u{302}\u{323}"),
        ("sse", "Straße"), ("efi", "Eﬁ"), ("x2", "x²"), ("don't", "Don\u{2019}t"), ("a-b", "a\u{2010}b"),
        ("sofa", "so\u{AD}fa"), ("❤", "❤\u{FE0F}"), ("한국", "\u{1112}\u{1161}\u{11AB}국"),
        ("राम", "रामायण"), ("ไทย", "ประเทศไทย"), ("σοφος", "ΣΟΦΌΣ"), ("й", "и\u{306}"), ("и", "й"),
        ("احمد", "أَحْمَد"), ("שלום", "שָׁלוֹם"), ("", "x"), ("", ""), ("\u{AD}", "x"),
        // Beyond the characters that a scan remembers, and accented letters with the second letter after them or not.
        ("mick", "\u{2000B}\u{2000B} Mick"), ("el", "été, éa, él"), ("el", "é\u{2000B}e\u{301}l"),
        ("e", "\u{2000B}é"),
        ("el", "éé\u{20D0}l"),
        // A virama that is a letter has its marks, whatever stands before it.
        ("\u{200D}\u{DCA}\u{301}２", "👩\u{200D}\u{DCA}\u{301}２"), ("\u{DCA}", "\u{E48}\u{20DD}\u{DCA}"),
        // Behind the first letter of several that a character folds to, which could be the first of the query.
        ("sszene", "Schlußszene"), ("ssa", "ßsa"), ("ßa", "ßsa"), ("ssx", "ßſx"), ("ffi", "ﬀfi"),
        ("ssa", "ʦsa"),
    ])
    func `a query finds what people expect`(query: String, text: String) {
        #expect(finds(query, in: text))
    }

    @Test(arguments: [
        ("björk", "Bjork"), ("björk", "Bjørk"), ("か", "が"), ("か", "か\u{3099}"), ("が", "か"), ("は", "ば"),
        ("ば", "ぱ"), ("カ", "ｶﾞ"), ("ø", "o"), ("ö", "ø"), ("æ", "ae"), ("ł", "l"), ("ı", "i"), ("e\u{301}", "e"),
        ("하", "한"), ("하", "\u{1112}\u{1161}\u{11AB}"), ("ᄒ", "한"), ("ㅎ", "한"), ("हनद", "हिन्दी"),
        ("क", "क़"), ("मा", "ม่า"), ("ที", "ที่"), ("ệ", "ê"), ("x", ""), ("a b", "ab"), ("=", "≠"),
        ("mick", "\u{2000B}\u{2000B}"), ("el", "été \u{2000B} éa"), ("el", "é\u{2000B}l"), ("em", "fée"),
        // A vowel whose number comes right before those of the consonants that end a syllable.
        ("가\u{11A7}", "가"), ("가x", "가\u{11A7}x"), ("가", "\u{1100}\u{1161}\u{11A8}"),
    ])
    func `a query doesn't find what people don't expect`(query: String, text: String) {
        #expect(!finds(query, in: text))
    }

    @Test(arguments: [
        ("björk", "BJÖRK", true), ("BJÖRK", "bjo\u{308}rk", true), ("bjork", "Björk", false),
        ("e", "e\u{301}", false), ("lodz", "Łódź", false), ("ŁÓDŹ", "łódź", true), ("strasse", "Straße", true),
        ("kelvin", "\u{212A}elvin", true), ("istanbul", "İstanbul", false),
        ("i\u{307}stanbul", "İstanbul", true),
        ("mickey", "Ｍｉｃｋｅｙ", false), ("fi", "ﬁ", true), ("x2", "x²", false), ("か", "か\u{3099}", false),
    ])
    func `with accents as typed, case and spelling alone are ignored`(query: String, text: String, expected: Bool) {
        #expect(finds(query, in: text, .accents) == expected)
    }

    @Test(arguments: [
        ("Björk", "Bjo\u{308}rk", true), ("Bjo\u{308}rk", "Björk", true), ("björk", "Björk", false),
        ("Bjork", "Björk", false), ("e", "e\u{301}", false), ("strasse", "straße", false), ("ß", "ẞ", false),
        ("Kelvin", "\u{212A}elvin", true), ("kelvin", "\u{212A}elvin", false),
        ("한", "\u{1112}\u{1161}\u{11AB}", true),
    ])
    func `with case as typed, spelling alone is ignored`(query: String, text: String, expected: Bool) {
        #expect(finds(query, in: text, .exact) == expected)
    }

    @Test(arguments: [
        ("mick", "Mickey", TextPlacement.prefix, true), ("key", "Mickey", .prefix, false),
        ("ae", "Æther", .prefix, true), ("a", "Æther", .prefix, true), ("mickey", "MICKEY", .whole, true),
        ("micke", "Mickey", .whole, false), ("mickey", "Mickey ", .whole, false),
        ("aether", "Æther", .whole, true), ("", "", .whole, true), ("", "x", .whole, false),
        ("", "\u{AD}", .whole, true), ("\u{AD}", "x", .whole, false), ("", "x", .prefix, true),
        ("", "x", .word, true),
        ("a", "æ", .whole, false), ("か", "か\u{3099}", .whole, false), ("か", "がき", .prefix, false),
        ("mouse", "Mickey Mouse", .word, true), ("mous", "Mickey Mouse", .word, false),
        ("ouse", "Mickey Mouse", .word, false), ("mickey mouse", "(Mickey Mouse)", .word, true),
        ("can", "can't", .word, false), ("can't", "I can't", .word, true), ("3", "3.5", .word, false),
        ("mouse", "Mousetrap, Mouse", .word, true), ("cafe", "Cafe\u{301}!", .word, true),
        ("s", "ß", .word, false), ("ss", "ß", .word, true), ("京", "東京", .word, true), ("", "x", .word, true),
        ("🇫🇷", "🇩🇪🇫🇷", .word, true), ("\u{1F1EA}\u{1F1EB}", "🇩🇪🇫🇷", .word, false),
    ])
    func `a query stands where it has to`(query: String, text: String, placement: TextPlacement, expected: Bool) {
        #expect(finds(query, in: text, .search, placement) == expected)
    }

    @Test(arguments: [
        ("sse", "Straße!", 4..<7), ("bjork", "Ole Bjo\u{308}rk!", 4..<11), ("a", "\u{E6}", 0..<2),
        ("", "x", 0..<0),
        ("か", "がか", 3..<6), ("sofa", "so\u{AD}fa", 0..<6),
    ])
    func `the bytes of a match are whole characters`(query: String, text: String, expected: Range<Int>) {
        var query = TextQuery(Array(query.utf8).span)
        #expect(query.range(in: Array(text.utf8).span) == expected)
    }

    @Test(arguments: [
        ("mick", "Mick", "Minnie m"), ("bjork", "Björk", "Éé bjö "), ("か", "か", "がきミ"), ("한", "한", "하국"),
        ("ß", "sS", "sch "), ("😀", "😀", "😁 ü"), ("x", "X", "abc"), ("ι", "\u{1FB3}", "αβγ"),
        ("q'", "Q’", "q-q"),
    ])
    func `a query is found wherever in a long text it is, and where it isn't it isn't`(
        query: String, word: String, filler: String
    ) {
        for length in 0..<80 {
            let before = String(String(repeating: filler, count: 80).unicodeScalars.prefix(length))
            for after in ["", " ", filler, String(repeating: filler, count: 9)] {
                #expect(finds(query, in: "\(before) \(word)\(after.isEmpty ? "" : " ")\(after)"), "\(length)")
                #expect(!finds(query, in: "\(before) \(after)"), "\(length)")
            }
        }
    }

    @Test(arguments: 0..<70)
    func `a query with a zero byte finds no more than that`(length: Int) {
        let text = String(repeating: "a", count: length)
        #expect(!finds("\0", in: text))
        #expect(!finds("a\0", in: text))
        #expect(finds("a\0", in: text + "a\0"))
    }

    @Test(.enabled(if: ReferenceSearch.isAvailable))
    func `a letter of the script's own table is found by its base, and demanded where it is typed`() throws {
        let table = try ReferenceSearch.folds()
        #expect(table.count > 200)
        for (letter, base) in table {
            #expect(finds(base, in: "x\(letter)"), "\(letter)")
            // The capital of ı is I, which is i's too.
            #expect(finds(letter, in: letter == "ı" ? letter : letter.uppercased()), "\(letter)")
            #expect(!finds(base, in: letter, .accents), "\(letter)")
            #expect(finds(letter, in: base) == !base.allSatisfy(\.isLetter), "\(letter)")
        }
    }
}
