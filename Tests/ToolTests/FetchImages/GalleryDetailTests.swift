// What the gallery says of a record, and how its picture is looked at.

import Foundation
import TestSupport
import Testing

@Suite("The gallery's view of a record", .enabled(if: Browser.path != nil, "no browser is here"))
struct GalleryDetailTests {
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

    @Test
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

    @Test(arguments: [
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

    @Test
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

    @Test(arguments: [
        (#"{"name":"x"}"#, [], #"["No picture"]"#),
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

    @Test
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

// The gallery's search in the page's address, and what of a record searches on a click.

@Suite("The gallery's address", .enabled(if: Browser.path != nil, "no browser is here"))
struct GalleryAddressTests {
    private static let lines = [
        #"{"id":"1","name":"Mick","films":["Up","Über den Fluß & zurück"],"tags":["x"]}"#,
        #"{"id":"2","name":"Mickey","films":[{"title":"up and away"}]}"#,
        #"{"id":"3","name":"Pearl","films":"Up","__proto__":["Up"]}"#,
        #"{"id":"a&q=b","name":"Odd 100%","films":[]}"#,
    ]

    /// What the page shows, as a function of its script.
    private static let look = """
        const pause = () => new Promise(done => setTimeout(done, 400));
        const look = () => [location.hash, query.value, field, shown.map(record => record.key).join(), detail.open];
        """

    private static func value(of script: String, fragment: String = "") throws -> String {
        let folder = try ScratchFolder()
        #expect(try GalleryTests.run(lines, in: folder).status == 0)
        return try Browser.value(
            of: "(async () => { \(look) \(script) })()", on: "gallery.html", in: folder, fragment: fragment)
    }

    @Test(arguments: [
        ("q=mick", ##"["#q=mick","mick","","1,2",false]"##),
        ("q=mICK&in=", ##"["#q=mICK&in=","mICK","","1,2",false]"##),
        ("q=up&in=films", ##"["#q=up&in=films","up","films","1,2,3",false]"##),
        ("q=up&in=__proto__", ##"["#q=up&in=__proto__","up","__proto__","3",false]"##),
        ("q=x&in=toString", ##"["#q=x&in=toString","x","toString","",false]"##),
        ("q=100%25", ##"["#q=100%25","100%","","a&q=b",false]"##),
        ("q=100%", ##"["#q=100%","100%","","a&q=b",false]"##),
        ("2", ##"["#2","","","1,2,3,a&q=b",true]"##),
        ("2&q=mick", ##"["#2&q=mick","mick","","1,2",true]"##),
        ("a%26q%3Db", ##"["#a%26q%3Db","","","1,2,3,a&q=b",true]"##),
        ("nobody", ##"["#nobody","","","1,2,3,a&q=b",false]"##),
        // A record that isn't among those found is shown among all.
        ("3&q=mick", ##"["#3","","","1,2,3,a&q=b",true]"##),
    ])
    func `an address opens the page with its search and its record`(fragment: String, seen: String) throws {
        let value = try Self.value(of: "return look();", fragment: fragment)
        #expect(value == seen)
    }

    @Test
    func `what is typed is in the address, and not in the history`() throws {
        let script = """
            const length = history.length, seen = [];
            const type = text => { query.value = text; query.dispatchEvent(new Event("input")); };
            for (const text of ["m", "mi", "mick "]) type(text);
            await pause(); seen.push(look(), history.length - length, document.title);
            document.querySelectorAll(".tile")[1].click(); await pause(); seen.push(look(), document.title);
            document.getElementById("next").click(); document.getElementById("previous").click();
            await pause(); seen.push(look());
            document.getElementById("close").click(); await pause(); seen.push(look());
            // What was typed just now is in the address that a record is opened from.
            type("pearl"); document.querySelector(".tile").click(); await pause(); seen.push(look());
            history.back(); await pause(); seen.push(look());
            type(""); await pause(); seen.push(look());
            return seen;
            """
        let value = try Self.value(of: script)
        #expect(
            value == ##"[["#q=mick","mick ","","1,2",false],0,"mick – gallery","##
                + ##"["#2&q=mick","mick ","","1,2",true],"Mickey – gallery","##
                + ##"["#1&q=mick","mick ","","1,2",true],["#q=mick","mick ","","1,2",false],"##
                + ##"["#3&q=pearl","pearl","","3",true],["#q=pearl","pearl","","3",false],"##
                + ##"["","","","1,2,3,a&q=b",false]]"##)
    }

    @Test
    func `the texts of an array search for the others that have them, and the way leads back`() throws {
        let script = """
            const seen = [], chips = () => [...document.querySelectorAll(".is-chip button")];
            seen.push(chips().map(chip => [chip.textContent, chip.title]));
            chips()[1].click(); await pause(); seen.push(look(), scope.textContent.trim(), query.placeholder);
            history.back(); await pause(); seen.push(look());
            chips()[0].click(); await pause(); seen.push(look());
            scope.click(); await pause(); seen.push(look(), scope.hidden, query.placeholder);
            return seen;
            """
        let value = try Self.value(of: script, fragment: "1")
        #expect(
            value == #"[[["Up","Search films for this"],["Über den Fluß & zurück","Search films for this"],"#
                + #"["x","Search tags for this"]],"#
                + ##"["#q=%C3%9Cber%20den%20Flu%C3%9F%20%26%20zur%C3%BCck&in=films","Über den Fluß & zurück","##
                + #""films","1",false],"films","Search films","#
                + ##"["#1","","","1,2,3,a&q=b",true],["#q=Up&in=films","Up","films","1,2,3",false],"##
                + #"["","","","1,2,3,a&q=b",false],true,"Search names"]"#)
    }

    @Test
    func `a member is searched as filter-search --field does`() throws {
        let queries = ["up", "über", "fluss", "away", "title", "nothing"]
        let script = """
            field = "films";
            return \(String(decoding: try JSONEncoder().encode(queries), as: UTF8.self)).map(text => {
                query.value = text;
                search();
                return shown.length;
            });
            """
        let counts = try queries.map { query in
            let input = Self.lines.joined(separator: "\n").utf8
            let run = try Session("filter-search", ["-c", "-f", "films", query], input: input)
            return run.text.filter(\.isNumber)
        }
        let value = try Self.value(of: script)
        #expect(value == "[" + counts.joined(separator: ",") + "]")
    }

    @Test(arguments: [
        ("q=zzzz", "No names match zzzz", "0 of 4 records"),
        ("q=%3Cb%3E&in=tvShows", "Nothing in TV shows matches <b>", "0 of 4 records"),
        ("q=pearl", "", "1 of 4 records"),
    ])
    func `a search that finds nothing says so`(fragment: String, none: String, count: String) throws {
        let script = """
            const none = document.getElementById("none");
            return [none.hidden ? "" : none.textContent, count.textContent];
            """
        let value = try Self.value(of: script, fragment: fragment)
        #expect(value == "[\"\(none)\",\"\(count)\"]")
    }
}
