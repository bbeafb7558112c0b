// `fetch-images --gallery`: the page as a browser shows it.

import Foundation
import PipelineCore
import TestSupport
import Testing

@Suite("The gallery in a browser", .enabled(if: Browser.path != nil, "no browser is here"))
struct GalleryBrowserTests {
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    private static let hostile = #"""
        {"id":"</script>","name":"</script><script>document.title='taken'</script>","pageURL":"javascript:alert(1)",
        "description":"<!-- <script> <img src=x onerror=\"document.title='taken'\"> \u2028\u2029 ]]> \u0000 & &amp; ' \"",
        "<b>\"":"<b>bold</b>","__proto__":{"constructor":1},"films":["data:text/html,<b>","https://x.test/\"><b>","http://[",
        "HTTP://X.TEST/a"],"same":1,"same":1.50e1,"big":123456789012345678901234567890,"0":"\ud800","none":[],
        "imageURL":"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='top.document.title=1' width='9' height='9'/>"}
        """#.replacingOccurrences(of: "\n", with: "\r")

    @Test
    func `nothing of the data becomes markup, a script or a link to anything but the web`() throws {
        #expect(try GalleryTests.run([Self.hostile, "{\"name\":\"<!--\"}"], in: folder).status == 0)
        let document = try Browser.document("gallery.html", in: folder, fragment: "%3C%2Fscript%3E")
        #expect(
            document.contains(
                "<title>&lt;/script&gt;&lt;script&gt;document.title='taken'&lt;/script&gt; – gallery<"))
        let script = """
            [document.scripts.length - 1, document.querySelectorAll("#grid b, dialog b, dialog script").length,
             [...document.links].map(link => [link.href, link.rel]), document.querySelectorAll(".tile").length,
             document.getElementById("members").textContent]
            """
        let value = try Browser.value(of: script, on: "gallery.html", in: folder, fragment: "%3C%2Fscript%3E")
        let parts = try #require(try JSONSerialization.jsonObject(with: Data(value.utf8)) as? [Any])
        // Settings, four tables, the page's own, a picture and the records.
        #expect(parts[0] as? Int == 8 && parts[1] as? Int == 0 && parts[3] as? Int == 2)
        #expect(
            parts[2] as? [[String]] == [
                ["https://x.test/%22%3E%3Cb%3E", "noopener noreferrer"],
                ["http://x.test/a", "noopener noreferrer"],
            ])
        let members = try #require(parts[4] as? String)
        for text in [
            "javascript:alert(1)", "<!-- <script> <img src=x onerror=\"document.title='taken'\"> \u{2028}",
            "<b>bold</b>",
            "same1", "same1.50e1", "123456789012345678901234567890", "data:text/html,<b>", "0\u{FFFD}", "http://[",
            "__proto__" + "constructor1", "Nothing innone",
        ] { #expect(members.contains(text), "\(text) in \(members)") }
    }

    @Test
    func `the page forbids itself all but its own script, its style and its pictures`() throws {
        #expect(try GalleryTests.run(["{\"name\":\"one\"}"], in: folder).status == 0)
        var page = try folder.text("gallery.html")
        #expect(page.contains("default-src 'none'; img-src data:; style-src 'sha256-"))
        page = page.replacingOccurrences(of: "</body>", with: "<script>document.title = 'taken'</script></body>")
        try folder.write(page.utf8, to: "gallery.html")
        let document = try Browser.document("gallery.html", in: folder)
        // Its own script runs, another doesn't.
        #expect(document.contains("1 record<") && document.contains("<title>gallery<"))
    }

    @Test(arguments: [([], "auto", "data:image/svg+xml"), (["--gallery-links"], "lazy", "file:///")])
    func `all pictures of a record are under one tile, in the page or linked`(
        _ arguments: [String], _ loading: String, _ source: String
    ) throws {
        let pictures = (1...3).map { "\"\(GalleryTests.picture(paddedBy: $0).url)\"" } + ["\"data:,\""]
        let lines = [
            "{\"name\":\"four\",\"p\":[\(pictures.joined(separator: ","))]}", "{\"name\":\"none\",\"p\":[]}",
        ]
        let run = try GalleryTests.run(lines, ["--pictures", "all", "--field", "p[*]"] + arguments, in: folder)
        #expect(run.status == 76)
        let script = """
            (async () => {
                const until = async holds => {
                    for (let i = 0; i < 1000 && !holds(); i++) await new Promise(done => setTimeout(done, 20));
                };
                const texts = [...document.querySelectorAll(".tile")].map(tile => tile.textContent);
                location.hash = "#/1"; await until(() => detail.open);
                const buttons = [...strip.children];
                buttons[1].click();
                await until(() => buttons.slice(0, 3).every(button => button.firstChild.naturalWidth === 8));
                const large = pane.querySelector("img");
                await until(() => large.naturalWidth === 8);
                return [
                    texts, buttons.map(button => button.getAttribute("aria-pressed")), buttons[3].textContent,
                    large.naturalWidth, large.loading, large.src.startsWith("\(source)"),
                    document.querySelectorAll("#members summary").length,
                ];
            })()
            """
        let value = try Browser.value(of: script, on: "gallery.html", in: folder)
        let tiles = #"[["4 picturesfour","NNo picturenone"],["false","true","false","false"],"#
        let rest = #""FNot an image but an empty response",8,"\#(loading)",true,4]"#
        #expect(value == tiles + rest)
    }

    @Test
    func `all members are searched when asked, and credits stand below the pictures`() throws {
        let lines = [
            #"{"name":"Lighthouse","maker":{"name":"Björk"},"credit":"Given by Mick","licence":"CC0"}"#,
            #"{"name":"Boat","films":["The Lighthouse"]}"#, #"{"name":"Mick"}"#,
        ]
        #expect(try GalleryTests.run(lines, in: folder).status == 0)
        let script = """
            [["mick", ""], ["mick", "*"], ["bjork", "*"], ["lighthouse", "*"], ["png", "*"]].map(([text, name]) => {
                query.value = text;
                choice.value = name;
                choice.dispatchEvent(new Event("change"));
                return [shown.map(record => record.index), query.placeholder, location.hash];
            })
            """
        let value = try Browser.value(of: script, on: "gallery.html", in: folder, fragment: "q=ck&in=*")
        let found = [
            ##"[[2],"Search names","#q=mick"]"##, ##"[[0,2],"Search all members","#q=mick&in=*"]"##,
            ##"[[0],"Search all members","#q=bjork&in=*"]"##,
            ##"[[0,1],"Search all members","#q=lighthouse&in=*"]"##,
            ##"[[],"Search all members","#q=png&in=*"]"##,
        ]
        #expect(value == "[\(found.joined(separator: ","))]")
        let credits = try Browser.value(
            of: #"[...document.querySelectorAll(".credit")].map(each => each.textContent)"#, on: "gallery.html",
            in: folder, fragment: "q=i&in=*")
        #expect(credits == #"["Given by Mick · CC0","",""]"#)
    }

    @Test(arguments: [
        (["disney", "disney"], "Characters of Disney's films and shows"),
        (["disney", "cat-breeds"], "gallery"),
    ])
    func `a page of several sources has the file's name as its title`(_ sources: [String], _ title: String) throws {
        #expect(try GalleryTests.run(sources.map { "{\"source\":\"\($0)\"}" }, in: folder).status == 0)
        let titles = try Browser.value(
            of: "[document.title, byID(\"title\").textContent]", on: "gallery.html", in: folder)
        #expect(titles == "[\"\(title)\",\"\(title)\"]")
    }

    @Test
    func `the search finds what filter-search --loose finds`() throws {
        let names = [
            "Mick", "\\u004dickey", "Björk", "Bjo\u{308}rk", "Bjork", "Straße", "Łódź", "が", "か", "Ｍｉｃｋ", "mic k",
            "",
        ]
        let lines = names.map { "{\"name\":\"\($0)\"}" }
        #expect(try GalleryTests.run(lines, in: folder).status == 0)
        let queries = ["mick", "bjork", "björk", "strasse", "lodz", "か", "c k", "ga", "nobody"]
        let script = """
            \(String(decoding: try JSONEncoder().encode(queries), as: UTF8.self)).map(text => {
                query.value = text;
                query.dispatchEvent(new Event("input"));
                return [shown.length, document.getElementById("none").hidden];
            })
            """
        let value = try Browser.value(of: script, on: "gallery.html", in: folder)
        let expected = try queries.map { query in
            let run = try Session(
                "filter-search", ["--loose", "-c", query], input: lines.joined(separator: "\n").utf8)
            let count = try #require(Int(run.text.filter(\.isNumber)))
            return "[\(count),\(count > 0)]"
        }
        #expect(value == "[" + expected.joined(separator: ",") + "]")
    }

    @Test
    func `thousands of records are a few tiles, and the keyboard reaches the last`() throws {
        let picture = GalleryTests.picture(paddedBy: 1).url
        let lines = (1...3000).map { "{\"id\":\"n\($0)\",\"name\":\"Number \($0)\",\"imageURL\":\"\(picture)\"}" }
        #expect(try GalleryTests.run(lines, in: folder).status == 0)
        let script = """
            (async () => {
                const press = (target, key) =>
                    target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
                const pause = () => new Promise(done => setTimeout(done, 20));
                const until = async holds => { for (let i = 0; i < 1000 && !holds(); i++) await pause(); };
                const focus = () => document.activeElement.textContent || document.activeElement.id;
                const seen = [];
                press(document.body, "/"); seen.push(focus());
                press(query, "ArrowDown"); seen.push(focus());
                press(document.activeElement, "ArrowRight"); seen.push(focus());
                press(document.activeElement, "End"); seen.push(focus());
                seen.push(document.querySelectorAll(".tile").length < 100);
                seen.push(document.activeElement.parentNode.getAttribute("aria-posinset"));
                document.activeElement.click(); await until(() => detail.open);
                seen.push(detail.open, location.hash, focus());
                press(detail, "ArrowLeft"); await until(() => focus() !== "Number 3000"); seen.push(focus());
                document.getElementById("close").click(); seen.push(location.hash, focus());
                query.value = "number 2999"; query.dispatchEvent(new Event("input"));
                seen.push(count.textContent);
                press(query, "Escape"); seen.push(count.textContent);
                location.hash = "#nobody"; await pause(); await pause(); seen.push(detail.open);
                location.hash = "#n7"; await until(() => detail.open); seen.push(focus());
                history.back(); await until(() => !detail.open); seen.push(detail.open);
                return seen;
            })()
            """
        let value = try Browser.value(of: script, on: "gallery.html", in: folder)
        #expect(
            value == #"["query","Number 1","Number 2","Number 3000",true,"3000",true,"#
                + ##""#n3000","Number 3000","Number 2999","","Number 2999","##
                + #""1 of 3,000 records","3,000 records",false,"Number 7",false]"#)
    }

    @Test(.enabled(if: Shells.has("python3"), "no python3"))
    func `the picture of the README is drawn from what the tools make, and small`() throws {
        let run = try Session(
            Fixtures.checkout + "/scripts/draw-gallery", [folder.path("gallery.webp")],
            environment: ["CASTLINE_BIN": Executables.folder])
        #expect(run.status == 0, "\(run.errors)")
        let pictures = [
            try folder.data("gallery.webp"),
            try Data(contentsOf: URL(fileURLWithPath: Fixtures.checkout + "/Documentation/gallery.webp")),
        ]
        for picture in pictures {
            #expect(picture.starts(with: "RIFF".utf8) && picture.dropFirst(8).starts(with: "WEBP".utf8))
            #expect((10_000..<200_000).contains(picture.count))
        }
    }

    @Test
    func `records without a picture, a name or an id have their place`() throws {
        let lines = [
            "{}", "{\"title\":\"Untitled\",\"id\":7}", "{\"id\":\"/1\",\"name\":\"  \"}",
            "{\"name\":\"Äpfel und Öl\",\"id\":\"7\"}",
            "{\"name\":\"broken\",\"imageURL\":\"data:,\"}",
        ]
        #expect(try GalleryTests.run(lines, in: folder).status == 76)
        let script = """
            (async () => {
                const tiles = () => [...document.querySelectorAll(".tile")].map(t => t.textContent);
                for (let i = 0; i < 1500 && !tiles().length; i++) await new Promise(done => setTimeout(done, 20));
                return [tiles(), records.map(r => r.key)];
            })()
            """
        let value = try Browser.value(of: script, on: "gallery.html", in: folder)
        #expect(
            value == #"[["R1No pictureRecord 1","UNo pictureUntitled","/No picture/1","#
                + #""ÄUNo pictureÄpfel und Öl","BNot an image but an empty responsebroken"],"#
                + #"["/1","7","/3","/4","/5"]]"#)
    }
}

// The gallery's search finds what filter-search finds, and what it finds with --loose: its scripts against the searches
// of the core.

@Suite(
    "The gallery's folding",
    .enabled(if: Programs.node != nil || Browser.path != nil, "neither node nor a browser is here"))
struct GalleryFoldingTests {
    private struct Case: Encodable {
        let query: String
        let text: String
    }

    private struct Tables: Encodable {
        var shift = FoldingTables.blockShift
        var count = FoldingTables.stageCount
        var stages = "\(FoldingTables.stages)"
        var blocks = "\(FoldingTables.blocks)"
        var atoms = "\(FoldingTables.atoms)"
        var spellings = "\(SpellingTables.spellings)"
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
        if let node = Programs.node {
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

    @Test(arguments: [
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

    @Test(arguments: [
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

    @Test(arguments: 1...4)
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

    @Test(arguments: 1...4)
    func `generated queries are found where the core finds them`(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        try Self.check((0..<4000).map { _ in Self.generated(&generator, from: Self.letters) })
    }

    @Test
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
