// The gallery's search finds what filter-search finds, and what it finds with --loose: its scripts against the searches
// of the core.

import Foundation
import PipelineCore
import TestSupport
import Testing

@Suite("The gallery's folding")
struct GalleryFoldingTests {
    /// What runs JavaScript here.
    private static let node = Programs.path(["node", "nodejs"])
    private static let isAvailable = node != nil || Browser.path != nil
    private static let why: Comment = "neither node nor a browser is here"

    private struct Case: Encodable {
        let query: String
        let text: String
    }

    private struct Tables: Encodable {
        var shift = FoldingTexts.blockShift
        var count = FoldingTexts.stageCount
        var stages = "\(FoldingTexts.stages)"
        var blocks = "\(FoldingTexts.blocks)"
        var atoms = "\(FoldingTexts.atoms)"
        var spellings = "\(FoldingTexts.spellings)"
    }

    /// Whether each query is found, as the scripts see it.
    private static func found(_ cases: [Case], loosely: Bool) throws -> [Bool] {
        let source = try ["folding.js", "loose.js"].map {
            try String(
                contentsOfFile: Fixtures.checkout + "/Sources/fetch-images/Gallery/Page/" + $0, encoding: .utf8)
        }.joined()
        func literal(_ value: some Encodable) throws -> String {
            String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
                .replacingOccurrences(of: "<", with: "\\u003c")
        }
        let script = """
            \(source)
            const tables = \(try literal(Tables())), folding = new Folding(tables);
            const search = \(loosely ? "new LooseSearch(folding, tables.spellings)" : "folding");
            const found = \(try literal(cases)).map(({query, text}) => search.query(query)(search.text(text)) ? 1 : 0);
            const answer = "[" + found.join("") + "]";
            """
        let folder = try ScratchFolder()
        let response: String
        if let node {
            try folder.write((script + "console.log(answer);").utf8, to: "folding.js")
            response = try Session(node, ["folding.js"], folder: folder).text
        } else {
            let page = "<!DOCTYPE html><body><script>\(script)document.body.textContent = answer;</script>"
            try folder.write(("<meta charset=utf-8>" + page).utf8, to: "folding.html")
            response = try Browser.document("folding.html", in: folder)
        }
        let start = try #require(response.range(of: "<body>[")?.upperBound ?? response.range(of: "[")?.upperBound)
        return response[start...].prefix { $0 != "]" }.map { $0 == "1" }
    }

    private static func check(_ cases: [Case], loosely: Bool = false) throws {
        let found = try found(cases, loosely: loosely)
        try #require(found.count == cases.count)
        for (entry, isFound) in zip(cases, found) {
            var query = TextQuery(Array(entry.query.utf8).span)
            let text = Array(entry.text.utf8)
            var loose = loosely ? LooseQuery(Array(entry.query.utf8).span) : nil
            let isExpected = query.matches(text.span) || loose?.matches(text.span) ?? false
            let codes = (entry.query + "|" + entry.text).unicodeScalars.map { String($0.value, radix: 16) }
            #expect(isExpected == isFound, "'\(entry.query)' in '\(entry.text)': \(codes)")
        }
    }

    @Test(
        .enabled(if: isAvailable, why),
        arguments: [
            ("mick", "Mick", true), ("bjork", "Björk", true), ("bjork", "BJO\u{308}RK", true),
            ("björk", "Bjork", false), ("strasse", "Straße", true), ("kelvin", "\u{212A}elvin", true),
            ("istanbul", "İstanbul", true), ("lodz", "Łódź", true), ("aether", "Æther", true),
            ("mick", "Ｍｉｃｋ", true), ("ﬁ", "Finn", true), ("か", "が", false), ("ガ", "ｶﾞ", true),
            ("한", "\u{1112}\u{1161}\u{11AB}", true), ("하", "한", false), ("ô", "ộ", true), ("", "x", true),
        ])
    func `people find what they look for, and an accent that they type is demanded`(
        query: String, text: String, isFound: Bool
    ) throws {
        #expect(try Self.found([Case(query: query, text: text)], loosely: false) == [isFound])
    }

    @Test(
        .enabled(if: isAvailable, why),
        arguments: [
            ("Spider-Man 2-1", ["spiderman", "spider man", "s.p", "2-1", "2/1", "man2"], ["21", "spidermen"]),
            ("Москва", ["moskva", "moskwa", "oskv", "москва"], ["moscow", "moskwo", "mōskva"]),
            ("Шевченко", ["sevcenko", "shevchenko", "ševčenko", "hev"], ["čevčenko", "sevzenko"]),
            ("Александр", ["aleksandr", "alexandr"], ["aleksander"]),
            ("Горький", ["gorky", "gor'kij"], ["korky"]), ("Αθήνα", ["athina", "athena", "athína"], ["atina"]),
            ("Καζαντζάκης", ["kazantzakis", "kazandzakis"], ["kazansakis"]),
            ("ラブレター", ["raburetaa", "rabureta", "らぶれたー"], ["rabureto"]),
            ("とうきょう", ["tokyo", "toukyou", "tôkyô", "トウキョウ"], ["tokio"]), ("が", ["ga", "ガ"], ["ka", "か"]),
            ("Björk", ["b-jork", "björk"], ["bjo-rk!n"]), ("Mick", ["c k", ""], ["kc"]),
            ("?", ["?", ""], ["!", "\u{301}"]),
        ])
    func `names are found however people type them`(text: String, queries: [String], others: [String]) throws {
        let cases = (queries + others).map { Case(query: $0, text: text) }
        let expected = queries.map { _ in true } + others.map { _ in false }
        #expect(try Self.found(cases, loosely: true) == expected)
        try Self.check(cases, loosely: true)
    }

    @Test(.enabled(if: isAvailable, why), arguments: 1...4)
    func `generated queries are found loosely where the core finds them`(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let latin = Array("aeiouyhkstcnrgzvbx'").map(String.init)
        try Self.check(
            (0..<4000).map { index in
                let whole = Self.generated(&generator, from: index % 2 == 0 ? Self.letters : Self.spelt)
                guard index % 3 == 0 else { return whole }
                let query = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                    latin.randomElement(using: &generator) ?? ""
                }
                return Case(query: query.joined(), text: whole.text)
            }, loosely: true)
    }

    @Test(.enabled(if: isAvailable, why), arguments: 1...4)
    func `generated queries are found where the core finds them`(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        try Self.check((0..<4000).map { _ in Self.generated(&generator, from: Self.letters) })
    }

    @Test(.enabled(if: isAvailable, why))
    func `each character is found where the core finds it`() throws {
        let scalars = (UInt32(0x20)...0x1FFFF).compactMap(Unicode.Scalar.init).filter {
            !"\u{20}".unicodeScalars.contains($0) && $0.properties.generalCategory != .unassigned
                && !(0x3400...0x9FFF).contains($0.value) && !(0xAC10...0xD7A3).contains($0.value)
                && !(0x17000...0x18FFF).contains($0.value) && !(0xE000...0xF8FF).contains($0.value)
        }
        let cases = scalars.flatMap { scalar in
            let text = "a\(scalar)e"
            let folded = String(scalar).decomposedStringWithCompatibilityMapping.lowercased()
            return [Case(query: folded, text: text), Case(query: String(scalar), text: "A" + folded + "e")]
        }
        try Self.check(cases)
    }

    private static let letters = [
        "a", "e", "o", "s", "i", "S", "I", "ß", "ſ", "ﬃ", "æ", "Ǿ", "ı", "İ", "ŉ", "’", "é", "ệ", "\u{301}",
        "\u{302}",
        "\u{323}", "\u{338}", "\u{20DD}", " ", "か", "が", "ｶ", "ﾞ", "\u{3099}", "ぱ", "㌀", "㎏", "한", "가", "각",
        "\u{1100}", "\u{1161}", "\u{11A8}", "ㄱ", "ﾡ", "㈎", "ᾳ", "ᾴ", "ι", "\u{345}", "\u{313}", "ς", "Σ", "ΐ", "ͺ",
        "क", "ि", "्", "\u{93C}", "क़", "ก", "\u{E48}", "\u{DCA}", "\u{DD9}", "\u{AD}", "\u{200D}", "\u{FE0F}", "🚀",
        "²", "２", "א", "שׁ", "\u{5B0}", "أ", "\u{654}", "й", "\u{483}", "\u{2F801}", "\u{E0041}", "\u{1D15E}",
    ]

    /// Letters that have Latin spellings, some together, and what is between words.
    private static let spelt = [
        "щ", "ь", "Ш", "к", "с", "и", "й", "о", "в", "е", "ё", "\u{301}", "-", "1", "2", "’", "α", "υ", "ύ", "ν",
        "τ",
        "μ", "π", "γ", "Γ", "ι", "ς", "ΐ", "し", "ゃ", "う", "ー", "っ", "ん", "ち", "あ", "ア", "ガ", "ｶ", "ﾞ", "ヵ", "ヽ",
        "゙",
        "s", "k", "ū", " ", "・", "²", "♥",
    ]

    private static func generated(_ generator: inout SplitMix64, from letters: [String]) -> Case {
        func text(_ lengths: ClosedRange<Int>) -> String {
            // Neighbours in the list meet more often than others.
            let place = Int.random(in: 0..<letters.count, using: &generator)
            return (0..<Int.random(in: lengths, using: &generator)).map { _ in
                let isNear = UInt8.random(in: 0..<4, using: &generator) > 0
                let offset = Int.random(in: 0..<(isNear ? 8 : letters.count), using: &generator)
                return letters[(place + offset) % letters.count]
            }.joined()
        }
        let whole = text(0...8)
        guard UInt8.random(in: 0..<4, using: &generator) > 0 else { return Case(query: text(0...3), text: whole) }
        let scalars = Array(whole.unicodeScalars)
        let start = Int.random(in: 0...scalars.count, using: &generator)
        let end = Int.random(in: start...scalars.count, using: &generator)
        var query = String.UnicodeScalarView()
        query.append(contentsOf: scalars[start..<end])
        let part = String(query)
        switch UInt8.random(in: 0..<4, using: &generator) {
        case 0: return Case(query: part.decomposedStringWithCompatibilityMapping, text: whole)
        case 1: return Case(query: part.uppercased(), text: whole)
        case 2: return Case(query: part, text: whole.decomposedStringWithCanonicalMapping)
        default: return Case(query: part, text: whole)
        }
    }
}
