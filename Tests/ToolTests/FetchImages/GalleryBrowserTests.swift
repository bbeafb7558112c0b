// `fetch-images --gallery`: the page as a browser shows it.

import Foundation
import TestSupport
import Testing

@Suite("The gallery in a browser")
struct GalleryBrowserTests {
    private static let why: Comment = "no browser is here"
    private static let hasBrowser = Browser.path != nil

    private static let hostile = #"""
        {"id":"</script>","name":"</script><script>document.title='taken'</script>","pageURL":"javascript:alert(1)",
        "description":"<!-- <script> <img src=x onerror=\"document.title='taken'\"> \u2028\u2029 ]]> \u0000 & &amp; ' \"",
        "<b>\"":"<b>bold</b>","__proto__":{"constructor":1},"films":["data:text/html,<b>","https://x.test/\"><b>","http://[",
        "HTTP://X.TEST/a"],"same":1,"same":1.50e1,"big":123456789012345678901234567890,"0":"\ud800","none":[],
        "imageURL":"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='top.document.title=1' width='9' height='9'/>"}
        """#.replacingOccurrences(of: "\n", with: "\r")

    @Test(.enabled(if: hasBrowser, why))
    func `nothing of the data becomes markup, a script or a link to anything but the web`() throws {
        let folder = try ScratchFolder()
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

    @Test(.enabled(if: hasBrowser, why))
    func `the page forbids itself all but its own script, its style and its pictures`() throws {
        let folder = try ScratchFolder()
        #expect(try GalleryTests.run(["{\"name\":\"one\"}"], in: folder).status == 0)
        var page = try folder.text("gallery.html")
        #expect(page.contains("default-src 'none'; img-src data:; style-src 'sha256-"))
        page = page.replacingOccurrences(of: "</body>", with: "<script>document.title = 'taken'</script></body>")
        try folder.write(page.utf8, to: "gallery.html")
        let document = try Browser.document("gallery.html", in: folder)
        // Its own script runs, another doesn't.
        #expect(document.contains("1 record<") && document.contains("<title>gallery<"))
    }

    @Test(.enabled(if: hasBrowser, why))
    func `the search finds what filter-search --loose finds`() throws {
        let folder = try ScratchFolder()
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

    @Test(.enabled(if: hasBrowser, why))
    func `thousands of records are a few tiles, and the keyboard reaches the last`() throws {
        let folder = try ScratchFolder()
        let picture = GalleryTests.picture(paddedBy: 1).url
        let lines = (1...3000).map { "{\"id\":\"n\($0)\",\"name\":\"Number \($0)\",\"imageURL\":\"\(picture)\"}" }
        #expect(try GalleryTests.run(lines, in: folder).status == 0)
        let script = """
            (async () => {
                const press = (target, key) =>
                    target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
                const pause = () => new Promise(done => setTimeout(done, 20));
                const until = async holds => { for (let i = 0; i < 200 && !holds(); i++) await pause(); };
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

    @Test(.enabled(if: hasBrowser && Shells.has("python3"), "no browser, or no python3"))
    func `the picture of the README is drawn from what the tools make, and small`() throws {
        let folder = try ScratchFolder()
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

    @Test(.enabled(if: hasBrowser, why))
    func `records without a picture, a name or an id have their place`() throws {
        let folder = try ScratchFolder()
        let lines = [
            "{}", "{\"title\":\"Untitled\",\"id\":7}", "{\"id\":\"/1\",\"name\":\"  \"}",
            "{\"name\":\"Äpfel und Öl\",\"id\":\"7\"}",
            "{\"name\":\"broken\",\"imageURL\":\"data:,\"}",
        ]
        #expect(try GalleryTests.run(lines, in: folder).status == 76)
        let script = """
            (async () => {
                const tiles = () => [...document.querySelectorAll(".tile")].map(t => t.textContent);
                for (let i = 0; i < 200 && !tiles().length; i++) await new Promise(done => setTimeout(done, 20));
                return [tiles(), records.map(r => r.key)];
            })()
            """
        let value = try Browser.value(of: script, on: "gallery.html", in: folder)
        #expect(
            value == #"[["R1No picture namedRecord 1","UNo picture namedUntitled","/No picture named/1","#
                + #""ÄUNo picture namedÄpfel und Öl","BNot an image but an empty answerbroken"],"#
                + #"["/1","7","/3","/4","/5"]]"#)
    }
}
