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
    @Test(
        "a query finds what people expect",
        arguments: [
            ("mick", "Mick"), ("mick", "MICK"), ("bjork", "Björk"), ("bjork", "BJÖRK"), ("bjork", "Bjo\u{308}rk"),
            ("bjork", "Bjork"), ("björk", "Björk"), ("björk", "BJÖRK"), ("björk", "Bjo\u{308}rk"),
            ("bjo\u{308}rk", "Björk"), ("strasse", "Straße"), ("strasse", "STRASSE"), ("strasse", "STRAẞE"),
            ("straße", "STRASSE"), ("straße", "Straße"), ("kelvin", "\u{212A}elvin"), ("istanbul", "İstanbul"),
            ("lodz", "Łódź"), ("ore", "Øre"), ("aether", "Æther"), ("か", "か"), ("が", "か\u{3099}"),
            ("ê", "ệ"), ("sse", "Straße"), ("", "x"), ("", ""),
        ])
    func findsWhatPeopleExpect(query: String, text: String) {
        #expect(finds(query, in: text))
    }

    @Test(
        "a query doesn't find what people don't expect",
        arguments: [
            ("björk", "Bjork"), ("か", "が"), ("か", "か\u{3099}"), ("が", "か"), ("ø", "o"), ("æ", "ae"), ("ł", "l"),
            ("하", "한"), ("하", "\u{1112}\u{1161}\u{11AB}"), ("ᄒ", "한"), ("x", ""),
        ])
    func doesNotFindMore(query: String, text: String) {
        #expect(!finds(query, in: text))
    }
}
