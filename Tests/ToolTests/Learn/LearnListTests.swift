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
            "/hidden", "has 10 records, as on one page of several",
            "page, offset, skip, start and 12 others change nothing"),
        .unlearnt(
            "/hidden/counted", "$.total is 45, and the response has 9 records",
            "offset, skip, start and 12 others change nothing"),
        .unlearnt("/hidden/limited", "or the like) returns more records"),
        .unlearnt("/hidden/limited?limit=9", "limit=9 asks for 9, and 9 arrived"),
        .learnt(
            "/pages", #""type": "page", "parameter": "page", "first": 1, "total": {"path": "$.total"}"#,
            #""item": "/learning/pages/{id}""#),
        .learnt("/pages?page=3", #""first": 1, "total""#),
        .learnt("/pages/from/0", #""first": 0, "total": {"path": "$.totalElements"}"#),
        .learnt("/pages/from/0?page=2", #""first": 0, "total": {"path": "$.totalElements"}"#),
        .learnt("/pages/required?page=2", #""first": 0, "total""#),
        .learnt("/pages/by/number", #""parameter": "pageNumber""#),
        .unlearnt("/total/other", "$.total says 999, and the pages have another number"),
        .learnt("/total/of/page", #""first": 1, "end": ["empty-page"]}"#),
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
        .unlearnt("/end/failure", "a page past it is answered with 500"),
        .learnt("/end/repeated", #"{"type": "page", "parameter": "page", "first": 1}"#),
        .learnt("/token", #""type": "cursor", "parameter": "pageToken", "next": "$.nextPageToken"}"#),
        .unlearnt("/flag", "$.has_more means that there are more than these 9"),
        .learnt("/header", #""next": {"header": "X-Next"}"#),
        .learnt("/relations", #""next": "$.links[?@.rel == 'next'].href""#),
        .learnt("/lines", #""format": "lines""#, #"{"type": "none"}"#),
        .learnt("/keyed", #""records": {"path": "$.people", "key": "key"}"#),
        .learnt("/whole", #"{"type": "none", "total": {"path": "$.count"}, "assumed": true}"#),
        .learnt("/pictures", #""imageURL": "image""#),
        .learnt("/no/pictures", #""members": {"id": "id", "name": "name"}"#),
    ]

    @Test(arguments: lists)
    func `is given whole, or not given`(_ list: List) throws {
        let server = try LocalServer()
        let learnt = try LearnSession(server, "/learning" + list.path)
        #expect(learnt.requests.count <= 8)
        guard list.missing.isEmpty else {
            #expect(learnt.run.status == 76)
            for words in list.missing { #expect(learnt.run.errors.contains(words), "\(learnt.run.errors)") }
            // What is left of the description can't be taken for whole, unless it is.
            let rest = try learnt.records()
            #expect(rest.status != 0 || rest.lines.count == 45, "\(rest.status), \(rest.lines.count)")
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

    @Test(arguments: [(1, "neither page=1 nor page=0"), (2, "the second page repeats 3 records of the first one")])
    func `isn't given where its pages overlap`(_ page: Int, _ words: String) throws {
        let server = try LocalServer(faults: ["path=/learning/pages,query=page=\(page),shift=3"])
        let learnt = try LearnSession(server, "/learning/pages")
        #expect(learnt.run.status == 76 && learnt.run.errors.contains(words), "\(learnt.run.errors)")
    }

    @Test(arguments: [
        (#""isLast":false"#, "$.isLast"), (#""has_more":1"#, "$.has_more"),
        (#""hits":{"total":{"value":45}}"#, "$.hits.total"),
        (#""LastEvaluatedKey":{"pk":"x"}"#, "$.LastEvaluatedKey.pk"), (#""nextOffset":13"#, "$.nextOffset"),
        (#""size":14"#, "$.size is 14"), (#""total":"1,045""#, "$.total is 1045"),
        (#""truncated":true"#, "$.truncated"), (#""total":14,"has_more":"Y""#, "$.has_more"),
        (#""total":14,"timed_out":true"#, "$.timed_out"), (#""total":14,"errors":["x"]"#, "$.errors"),
        (#""success":false"#, "$.success"), (#""status":"pending""#, "$.status"),
        (#""links":[{"rel":["next"],"href":"/list?x=2"}]"#, "$.links.next"), (#""last_id":13"#, "$.last_id"),
    ])
    func `that says anywhere that there may be more isn't taken for whole`(_ member: String, _ words: String) throws
    {
        let records = (1...14).map { #"{"id":\#($0)}"# }.joined(separator: ",")
        let server = try Self.service(("", "{\(member),\"data\":[\(records)]}"))
        let learnt = try LearnSession(server, "/list")
        #expect(learnt.run.status == 76 && learnt.run.errors.contains(words), "\(learnt.run.errors)")
        let whole = try Self.service(("", "{\"took\":53,\"data\":[\(records)]}"))
        #expect(try LearnSession(whole, "/list").run.status == 0)
    }

    @Test(arguments: ["status=500", "status=400", "html"])
    func `of which other pages are refused isn't taken for whole`(_ fault: String) throws {
        let records = (1...14).map { #"{"id":\#($0)}"# }.joined(separator: ",")
        let whole = "path=/list," + FetchCharactersTests.body("[\(records)]")
        let server = try LocalServer(faults: ["path=/list,query=page=2,\(fault)", whole])
        let learnt = try LearnSession(server, "/list")
        #expect(learnt.run.status == 76 && learnt.run.errors.contains("page=2 "))
        let down = try LocalServer(faults: ["path=/list,query=page=2,status=502", whole])
        #expect(try LearnSession(down, "/list").run.status == 69)
    }

    @Test func `is learnt with the filter of its URL, or not at all`() throws {
        let server = try LocalServer()
        // What looks like a position, and isn't what leads to the next page.
        let filtered = try LearnSession(server, "/learning/pages?from=2024")
        let words = "from in the request may select a page"
        #expect(filtered.run.status == 76 && filtered.run.errors.contains(words))
        let flagged = try LearnSession(server, "/learning/relations?flag&page=3")
        #expect(try flagged.run.status == 0 && flagged.records().lines.count == 45)
        let unknown = try LearnSession(server, "/rick-and-morty/api/character?seite=2&page=2")
        #expect(try unknown.run.status == 0 && unknown.records().lines.count == 45)
        let end = try Self.service(
            ("5", #"{"last":true,"data":[{"a":1},{"a":2}]}"#), ("", #"{"last":true,"data":[]}"#))
        #expect(
            try LearnSession(end, "/list?seite=5").run.errors.contains("seite in the request may select a page"))
        #expect(try LearnSession(end, "/list?rowStart=5").run.errors.contains("isn't the list's start"))
        let few = try Self.service(("", #"[{"id":1},{"id":2},{"id":3}]"#))
        #expect(try LearnSession(few, "/list?userId=4").run.status == 0)
        #expect(try LearnSession(end, "/list/page/5?5").run.errors.contains("the path may select a page"))
    }

    /// A list whose responses depend on the query; the first that fits counts.
    private static func service(_ pages: (query: String, body: String)...) throws -> LocalServer {
        let faults = pages.map {
            "path=/list," + ($0.query.isEmpty ? "" : "query=\($0.query),") + FetchCharactersTests.body($0.body)
        }
        return try LocalServer(faults: faults)
    }

    @Test(arguments: [
        (#""has_more":false"#, #""has_more":true"#), (#""last":true"#, #""last":false"#),
        (#""next":null"#, #""next":"x""#),
    ])
    func `that was whole is refused once it says that it has grown`(_ before: String, _ after: String) throws {
        let records = #","data":[{"id":1},{"id":2},{"id":3}]}"#
        let learnt = try LearnSession(Self.service(("", "{" + before + records)), "/list")
        #expect(learnt.run.status == 0, "\(learnt.run.errors)")
        let small = try Self.service(("", "{" + before + records))
        #expect(try learnt.records(["--base-url", small.url]).status == 0)
        let grown = try Self.service(("", "{" + after + records))
        let run = try learnt.records(["--base-url", grown.url])
        #expect(run.status == 76 && run.errors.contains("more records follow"), "\(run.errors)")
    }

    @Test(arguments: [#""available":250"#, #""iterator":"AAA=""#, #""cursor":"AAA=""#, #""x":null"#])
    func `that is only assumed to be whole gets no seal until a person says that it is`(_ beside: String) throws {
        let list = { (members: String) in
            "{" + members + #","data":[{"id":1},{"id":2},{"id":3}]}"#
        }
        let learnt = try LearnSession(Self.service(("", list(#""x":null"#))), "/list")
        #expect(learnt.run.text.contains(#""assumed": true"#), "\(learnt.run.errors)")
        let later = try Self.service(("", list(beside)))
        let plain = try learnt.records(["--base-url", later.url])
        #expect(plain.status == 0 && plain.lines.count == 3, "\(plain.errors)")
        #expect(plain.errors.contains("nothing shows that these 3 records are all"), "\(plain.errors)")
        let sealed = try learnt.records(["--base-url", later.url, "--seal"])
        #expect(sealed.status == 76 && !sealed.text.contains("$seal"), "\(sealed.errors)")
    }

    @Test func `ends with the empty pages that lead on for ever`() throws {
        let server = try Self.service(
            ("cursor=", #"{"data":[],"next_cursor":"t"}"#),
            ("", #"{"data":[{"id":1},{"id":2},{"id":3}],"next_cursor":"t1","links":{"start":"/list?limit=3"}}"#))
        let learnt = try LearnSession(server, "/list")
        #expect(learnt.run.errors.contains("the next page is empty, so these are all"), "\(learnt.run.errors)")
        #expect(try learnt.records(["--seal"]).lines.count == 4)
    }

    @Test func `that is as long as was requested, once it has grown, may have more`() throws {
        let learnt = try LearnSession(
            Self.service(("", #"{"count":3,"a":[{"id":1},{"id":2},{"id":3}]}"#)), "/list?limit=5")
        #expect(learnt.run.text.contains(#""size": {"parameter": "limit", "value": 5},"#))
        let grown = try Self.service(("", #"{"count":5,"a":[{"id":1},{"id":2},{"id":3},{"id":4},{"id":5}]}"#))
        let run = try learnt.records(["--base-url", grown.url])
        #expect(run.status == 76 && run.errors.contains("as many records as were requested"), "\(run.errors)")
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

    @Test func `isn't the one beside it`() throws {
        let body = FetchCharactersTests.body(#"{"total":1,"things":{"a":{"x":1}},"related":[{"id":1}]}"#)
        let server = try LocalServer(faults: ["path=/things," + body, "path=/related," + body])
        #expect(try LearnSession(server, "/things").run.errors.contains("usually stands beside the records"))
        #expect(try LearnSession(server, "/related").run.status == 0)
    }
}
