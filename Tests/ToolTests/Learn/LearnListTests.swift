// Lists that mislead: parameters that do nothing, totals of something else, pages without an end, two lists in one answer.

import Foundation
import TestSupport
import Testing

@Suite("A list to be learnt")
struct LearnListTests {
    /// A list of the local server's model `learning`, with 45 records.
    struct List: CustomTestStringConvertible, Sendable {
        let path: String
        /// Parts of the description.
        let parts: [String]
        /// What is said to be missing; empty where it is learnt.
        let missing: [String]

        var testDescription: String { path }

        static func learnt(_ path: String, _ parts: String...) -> List {
            List(path: path, parts: parts, missing: [])
        }

        static func unlearnt(_ path: String, _ missing: String...) -> List {
            List(path: path, parts: [], missing: missing)
        }
    }

    static let lists: [List] = [
        .unlearnt(
            "/hidden", "10 is a round number of records",
            "tried: page, offset, start, skip, from and 14 others led to no"),
        .unlearnt("/hidden/counted", "$.total is 45", "nothing shows that these 9 records are all"),
        .unlearnt("/hidden/limited", "a larger page has more records"),
        .unlearnt("/hidden/limited?limit=9", "the list has more than these 9, so write pagination"),
        .learnt(
            "/pages", #""type": "page", "parameter": "page", "first": 1, "total": {"path": "$.total"}"#,
            #""item": "/learning/pages/{id}""#),
        .learnt("/pages?page=3", #""first": 1, "total""#),
        .learnt("/pages/from/0", #""first": 0, "total": {"path": "$.totalElements"}"#),
        .learnt("/pages/from/0?page=2", #""first": 0, "total": {"path": "$.totalElements"}"#),
        .learnt("/pages/required?page=2", #""first": 0, "total""#),
        .learnt("/pages/by/number", #""parameter": "pageNumber""#),
        .unlearnt("/total/other", "$.total is 999, and the pages have another number"),
        .learnt("/total/of/page", #""type": "page", "parameter": "page", "first": 1}"#),
        .learnt("/total/text", #""total": {"path": "$.totalResults"}"#),
        .learnt("/total/pages", #""pages": {"path": "$.totalPages"}"#),
        .unlearnt("/two/alike", "two lists, $.alpha (10) and $.beta (10)"),
        .unlearnt("/two/whole", "two lists, $.alpha (45) and $.beta (45)"),
        .learnt("/two/constant", #""records": "$.people""#),
        .learnt("/offsets", #""type": "offset", "parameter": "skip", "total": {"path": "$.total"}"#),
        .learnt(
            "/offsets/capped?limit=30", #""type": "offset", "parameter": "offset"}"#, #""query": {"limit": "20"}"#),
        .learnt("/offsets/from/1", #""type": "offset", "parameter": "start", "first": 1, "total""#),
        .learnt("/offsets/from/1?start=11", #""parameter": "start", "first": 1, "total""#),
        .learnt("/end/absent", #""end": ["not-found"]"#),
        .unlearnt("/end/failure", "a page past the end is answered with 500"),
        .learnt("/end/repeated", #"{"type": "page", "parameter": "page", "first": 1}"#),
        .learnt("/token", #""type": "cursor", "parameter": "pageToken", "next": "$.nextPageToken"}"#),
        .unlearnt("/flag", "nothing shows that these 9 records are all"),
        .learnt("/header", #""next": {"header": "X-Next"}"#),
        .learnt("/relations", #""next": "$.links[?@.rel == 'next'].href""#),
        // The response may well have them all; a person says so.
        .unlearnt("/lines", "take \"assumed\" out of the description"),
        .unlearnt("/keyed", "these 45 records are all"),
        .unlearnt("/whole", "these 45 records are all"), .unlearnt("/pictures", "imageURL from image"),
        .unlearnt("/no/pictures", "imageURL from image, "),
    ]

    @Test(arguments: lists)
    func `is given whole, or not given`(_ list: List) throws {
        let server = try LocalServer()
        let learnt = try LearnSession(server, "/learning" + list.path)
        #expect(learnt.requests.count <= 8)
        guard list.missing.isEmpty else {
            #expect(learnt.run.status == 76)
            for words in list.missing { #expect(learnt.run.errors.contains(words), "\(learnt.run.errors)") }
            // What is written is never sealed as whole until a person says that it is.
            let rest = try learnt.records(["--raw", "--seal"])
            #expect(rest.status == 76 && !rest.text.contains("$seal"), "\(rest.status), \(rest.lines.count)")
            return
        }
        #expect(learnt.run.status == 0, "\(learnt.run.errors)")
        for part in list.parts { #expect(learnt.run.text.contains(part), "\(learnt.run.text)") }
        let run = try learnt.records([])
        #expect(run.status == 0, "\(run.errors)")
        #expect(try Set(run.texts("id")) == Set((1...45).map { "\($0)" }))
    }

    @Test func `keeps a filter that the links to its pages forget`() throws {
        let server = try LocalServer()
        let learnt = try LearnSession(server, "/character?name=e")
        #expect(learnt.run.status == 0 && learnt.run.text.contains(#""keepQuery": true"#), "\(learnt.run.errors)")
        let written = try Session("fetch-characters", ["--base-url", server.url, "--param", "name=e", "--raw"])
        #expect(try written.lines.count > 50 && learnt.records().text == written.text)
    }

    @Test(arguments: [(1, "page=1 isn't the page without it"), (2, "repeats 3 records of the first one")])
    func `isn't given where its pages overlap`(_ page: Int, _ words: String) throws {
        let server = try LocalServer(faults: ["path=/learning/pages,query=page=\(page),shift=3"])
        let learnt = try LearnSession(server, "/learning/pages")
        #expect(learnt.run.status == 76 && learnt.run.errors.contains(words), "\(learnt.run.errors)")
    }

    @Test(arguments: [
        ("", "$.data"), (#""papers":900,"#, "$.papers is 900"),
        (#""older":"/list?p=2","#, "$.older is a URL of the list"),
        (#""note":"showing 13","#, "these 13 records"), (#""total":13,"#, "these 13 records"),
        (#""has_more":false,"#, "these 13 records"), (#""blorp":"c3d4","#, "these 13 records"),
        (#""state":"c3d4","next_cursor":"e5","#, "$.next_cursor could be a position"),
    ])
    func `that nothing shows to be whole is asked about, with what speaks against it`(
        _ members: String, _ words: String
    ) throws {
        let records = (1...13).map { #"{"id":\#($0)}"# }.joined(separator: ",")
        let server = try Self.service(("", "{\(members)\"data\":[\(records)]}"))
        let learnt = try LearnSession(server, "/list")
        #expect(learnt.run.status == 76 && learnt.run.errors.contains(words), "\(learnt.run.errors)")
        #expect(learnt.run.text.contains(#""pagination": {"type": "none", "assumed": true}"#))
        let asked = learnt.run.errors.split(separator: "\n").filter { !$0.contains("request ") }
        #expect(asked.count <= 9, "\(learnt.run.errors)")
    }

    @Test(arguments: ["status=500", "status=400", "html"])
    func `of which other pages are refused isn't taken for whole`(_ fault: String) throws {
        let records = (1...14).map { #"{"id":\#($0)}"# }.joined(separator: ",")
        let whole = "path=/list," + FetchCharactersTests.body("[\(records)]")
        let server = try LocalServer(faults: ["path=/list,query=page=2,\(fault)", whole])
        let learnt = try LearnSession(server, "/list")
        #expect(learnt.run.status == 76 && learnt.run.errors.contains("page=2"), "\(learnt.run.errors)")
        let down = try LocalServer(faults: ["path=/list,query=page=2,status=502", whole])
        #expect(try LearnSession(down, "/list").run.status == 69)
    }

    @Test func `is learnt with the filter of its URL, or not at all`() throws {
        let server = try LocalServer()
        // Its name is that of a position, and it is none.
        let filtered = try LearnSession(server, "/learning/pages?from=2024")
        #expect(
            filtered.run.status == 0 && filtered.run.text.contains(#""from": "2024""#), "\(filtered.run.errors)")
        let flagged = try LearnSession(server, "/learning/relations?flag&page=3")
        #expect(try flagged.run.status == 0 && flagged.records().lines.count == 45)
        let unknown = try LearnSession(server, "/rick-and-morty/api/character?seite=2&page=2")
        #expect(try unknown.run.status == 0 && unknown.records().lines.count == 45)
    }

    @Test(arguments: ["category=3", "floor=2", "lat=50", "season=4", "offset=7", "start=2024"])
    func `keeps a filter with a number, which selects other records`(_ filter: String) throws {
        let page = { (ids: ClosedRange<Int>) in
            #"{"total":14,"data":[\#(ids.map { #"{"id":\#($0)}"# }.joined(separator: ","))]}"#
        }
        let server = try Self.service(
            ("page=2&\(filter)", page(11...14)), ("page=1&\(filter)", page(1...10)),
            ("page=", #"{"total":14,"data":[]}"#),
            (filter, page(1...10)), ("", page(31...40)))
        let learnt = try LearnSession(server, "/list?\(filter)")
        #expect(learnt.run.status == 0, "\(learnt.run.errors)")
        #expect(try learnt.records().lines == (1...14).map { #"{"id":\#($0)}"# })
    }

    /// A list whose responses depend on the query; the first that fits counts.
    private static func service(_ pages: (query: String, body: String)...) throws -> LocalServer {
        let faults = pages.map {
            "path=/list," + ($0.query.isEmpty ? "" : "query=\($0.query),") + FetchCharactersTests.body($0.body)
        }
        return try LocalServer(faults: faults)
    }

    @Test(arguments: [
        (#""zq":false"#, #""zq":true"#, "$.zq"), (#""last":true"#, #""last":false"#, "$.last"),
        (#""next":null"#, #""next":"x""#, "$.next"), (#""count":14"#, #""count":15"#, "$.count"),
        (#""took":3"#, #""took":"3""#, "$.took"), (#""took":3"#, #""took":3,"left":41"#, "$.left"),
    ])
    func `that was whole is refused once its shape says that it has grown`(
        _ before: String, _ after: String, _ words: String
    ) throws {
        let list = { (members: String, count: Int) in
            "{\(members),\"data\":[\((1...count).map { #"{"id":\#($0)}"# }.joined(separator: ","))]}"
        }
        // Of a part the count is less, and `n` leads on, so that the whole is proved.
        let part = { (count: Int) in
            list(before.replacing("14", with: "\(count)") + #","n":"/list?x=1""#, count)
        }
        let whole = list(before + #","n":null"#, 14)
        let learnt = try LearnSession(
            Self.service(("limit=7", part(7)), ("limit=4", part(4)), ("", whole)), "/list")
        #expect(learnt.run.status == 0 && learnt.run.text.contains(#""beside": {"#), "\(learnt.run.errors)")
        let same = try Self.service(("", whole))
        #expect(try learnt.records(["--base-url", same.url]).status == 0)
        let grown = try Self.service(("", list(after + #","n":null"#, 14)))
        let run = try learnt.records(["--base-url", grown.url])
        #expect(run.status == 76 && run.errors.contains(words), "\(run.errors)")
    }

    @Test(arguments: [
        (#""x":null"#, ""), (#""available":250"#, "$.available"), (#""iterator":"AAA=""#, "$.iterator"),
    ])
    func `that is only assumed to be whole gets no seal until a person says that it is`(
        _ beside: String, _ changed: String
    ) throws {
        let list = { (members: String) in
            "{" + members + #","data":[{"id":1},{"id":2},{"id":3}]}"#
        }
        let learnt = try LearnSession(Self.service(("", list(#""x":null"#))), "/list")
        #expect(learnt.run.text.contains(#""assumed": true"#), "\(learnt.run.errors)")
        let later = try Self.service(("", list(beside)))
        let plain = try learnt.records(["--base-url", later.url])
        if changed.isEmpty {
            #expect(plain.status == 0 && plain.lines.count == 3, "\(plain.errors)")
            #expect(plain.errors.contains("nothing shows that these 3 records are all"), "\(plain.errors)")
        } else {
            #expect(plain.status == 76 && plain.errors.contains(changed), "\(plain.errors)")
        }
        let sealed = try learnt.records(["--base-url", later.url, "--seal"])
        #expect(sealed.status == 76 && !sealed.text.contains("$seal"), "\(sealed.errors)")
    }

    @Test func `ends with the empty pages that lead on for ever`() throws {
        let server = try Self.service(
            ("cursor=t1", #"{"data":[{"id":4}],"next_cursor":"t2"}"#),
            ("cursor=t2", #"{"data":[],"next_cursor":"t3"}"#),
            ("cursor=t3", #"{"data":[],"next_cursor":"t4"}"#), ("cursor=", #"{"data":[],"next_cursor":"t5"}"#),
            ("", #"{"data":[{"id":1},{"id":2},{"id":3}],"next_cursor":"t1"}"#))
        let learnt = try LearnSession(server, "/list")
        #expect(learnt.run.text.contains(#""end": ["empty-page"]"#), "\(learnt.run.errors)")
        #expect(try learnt.records(["--seal"]).lines.count == 5)
    }

    @Test func `continues past an empty page that names a next one`() throws {
        let cursors = try Self.service(
            ("cursor=t1", #"{"data":[{"id":4}],"next_cursor":"t2"}"#),
            ("cursor=t2", #"{"data":[],"next_cursor":"t3"}"#),
            ("cursor=t3", #"{"data":[{"id":5}],"next_cursor":null}"#),
            ("", #"{"data":[{"id":1},{"id":2},{"id":3}],"next_cursor":"t1"}"#))
        let learnt = try LearnSession(cursors, "/list")
        #expect(try learnt.run.status == 0 && learnt.records().lines.count == 5, "\(learnt.run.errors)")
    }
}
