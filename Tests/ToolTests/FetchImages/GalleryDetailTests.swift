// What the gallery says of a record, and how its picture is looked at.

import Foundation
import TestSupport
import Testing

@Suite("The gallery's view of a record")
struct GalleryDetailTests {
    private static let why: Comment = "no browser is here"
    private static let hasBrowser = Browser.path != nil

    /// The value of a script over the page of a record.
    private static func value(of script: String, _ record: String, _ arguments: [String] = []) throws -> String {
        let folder = try ScratchFolder()
        _ = try GalleryTests.run([record], arguments, in: folder)
        return try Browser.value(of: script, on: "gallery.html", in: folder, fragment: "/1")
    }

    /// Names and values as they are read, from the top; those in `details` come after their title.
    private static let read = """
        [...document.querySelectorAll("#members > *")].map(part => part.matches("details")
            ? { [part.querySelector("summary").textContent]:
                [...part.querySelectorAll("dt")].map(term => term.textContent) }
            : [...part.querySelectorAll(":scope > div")].map(div => [...div.children].map(e => e.textContent).join("=")))
        """

    @Test(.enabled(if: hasBrowser, why))
    func `members have readable names, and what says little comes last and folded`() throws {
        let record = """
            {"__v":0,"source":"x","name":"Mick","imageURL":"data:,","pageURL":"https://x.test/","tvShows":["A"],\
            "shortFilms":[],"imdb_id":"tt1","sourceUrls":true,"HTTPServer":1.50,"_private":null}
            """
        let file = #"{"About the picture":["status","error"]}"#
        let value = try Self.value(of: Self.read, record)
        #expect(
            value == #"[["TV shows=A","IMDB ID=tt1","source URLs=true","HTTPServer=1.50","private=null","#
                + #""page URL=https://x.test/","Nothing in=short films"],"#
                + #"{"About this record":["__v","source","image URL"]},"# + file + "]")
    }

    @Test(
        .enabled(if: hasBrowser, why),
        arguments: [
            ("2024-03-01T00:05:09.000Z", "1 March 2024, 00:05 UTC"),
            ("2024-02-29t23:59:60.5z", "29 February 2024, 23:59 UTC"),
            ("1999-12-31 08:00:00+05:30", "31 December 1999, 08:00 UTC+05:30"),
            ("1999-12-31T08:00:00-03:00", "31 December 1999, 08:00 UTC−03:00"),
            ("1999-12-31T08:00:00-00:00", "31 December 1999, 08:00 UTC"),
            ("0001-01-02", "2 January 1"),
        ])
    func `a date of RFC 3339 is a date to people, and exact to others`(text: String, date: String) throws {
        let script = """
            [...document.querySelectorAll("#members time")].map(time => [time.textContent, time.title, time.dateTime])
            """
        let value = try Self.value(of: script, "{\"at\":\"\(text)\"}")
        #expect(value == "[[\"\(date)\",\"\(text)\",\"\(text)\"]]")
    }

    @Test(.enabled(if: hasBrowser, why))
    func `what is nearly a date stays as it is written`() throws {
        let texts = [
            "2023-02-29", "2024-13-01", "2024-00-10", "2024-01-00", "2024-01-01T24:00:00Z", "2024-01-01T10:60:00Z",
            "2024-01-01T10:00:61Z", "2024-01-01T10:00:00", "2024-01-01T10:00Z", "20240101", "on 2024-01-01",
            "12024-01-01",
        ]
        let record = "{" + texts.enumerated().map { "\"m\($0)\":\"\($1)\"" }.joined(separator: ",") + "}"
        let script = """
            [document.querySelectorAll("#members time").length,
             [...document.querySelectorAll("#members dd")].slice(0, \(texts.count)).map(dd => dd.textContent).join()]
            """
        let value = try Self.value(of: script, record)
        #expect(value == "[0,\"\(texts.joined(separator: ","))\"]")
    }

    @Test(
        .enabled(if: hasBrowser, why),
        arguments: [
            (#"{"name":"x"}"#, [], #"["No picture named"]"#),
            (#"{"imageURL":"data:text/html,<html>"}"#, [], #"["Not an image but an HTML page"]"#),
            (#"{"imageURL":"ftp://x.test/a"}"#, ["--placeholder"], #"["Placeholder","Placeholder: "#),
        ])
    func `a tile without its picture says why`(record: String, arguments: [String], words: String) throws {
        let script = """
            [...new Set([...document.querySelectorAll(".blank small, .badge")].map(small => small.textContent))]
            """
        let value = try Self.value(of: script, record, arguments)
        #expect(value.hasPrefix(words), "\(value)")
    }

    @Test(.enabled(if: hasBrowser, why))
    func `a picture is enlarged by a click or Enter, and Escape leaves that first`() throws {
        let picture = GalleryTests.picture(paddedBy: 1).url
        let script = """
            (async () => {
                const seen = [], image = () => document.querySelector("#picture img").getBoundingClientRect();
                const see = () => seen.push([isZoomed(), detail.open, document.activeElement.id || "picture"]);
                const press = key => document.activeElement.dispatchEvent(
                    new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
                const pause = () => new Promise(done => setTimeout(done, 50));
                await pause(); see();
                const fitted = image().width;
                press("Enter"); see();
                seen.push(image().width > 1.2 * fitted);
                press("ArrowRight"); press("Escape"); see();
                seen.push(image().width === fitted);
                document.querySelector(".zoom").click(); see();
                document.getElementById("close").click(); see();
                document.querySelector(".zoom").click();
                // What a phone does on its way back.
                detail.dispatchEvent(new Event("cancel", { cancelable: true })); see();
                document.querySelector(".zoom").click(); document.querySelector(".zoom").click(); see();
                document.getElementById("close").click(); await pause(); seen.push(detail.open);
                return seen;
            })()
            """
        let value = try Self.value(of: script, "{\"imageURL\":\"\(picture)\"}")
        #expect(
            value == #"[[false,true,"name"],[true,true,"picture"],true,[false,true,"picture"],true,"#
                + #"[true,true,"picture"],[false,true,"picture"],[false,true,"picture"],[false,true,"picture"],false]"#
        )
    }
}
