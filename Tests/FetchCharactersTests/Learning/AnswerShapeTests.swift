// What an answer shows of its list: where the records are, what leads on, how many there are.

import PipelineCore
import PipelineHTTP
import Testing

@testable import fetch_characters

@Suite("What an answer shows")
struct AnswerShapeTests {
    private static func read(_ text: String) throws -> AnswerValue { try AnswerValue.read(Array(text.utf8).span) }

    private static func place(_ text: String) throws -> RecordsPlace {
        try #require(RecordsPlace.all(in: read(text)).first)
    }

    // MARK: Records

    @Test(arguments: [
        (#"[{"id":1},{"id":2}]"#, "$", 2),
        (#"{"data":[{"id":1,"name":"a"}],"links":[{"rel":"a","href":"b"},{"rel":"c","href":"d"}]}"#, "$.data", 1),
        (#"{"a":{"b b":[{"id":1}]}}"#, "$.a['b b']", 1),
        (#"{"hits":{"hits":[{"_id":"1"}],"total":1}}"#, "$.hits.hits", 1),
        (
            #"{"data":{"films":{"edges":[{"node":{"id":1},"cursor":"a"},{"node":{"id":2},"cursor":"b"}]}}}"#,
            "$.data.films.edges[*].node", 2
        ),
        (#"[{"node":{"id":1}},{"node":2}]"#, "$", 2), (#"[{"page":1},[{"id":1}]]"#, "$[1]", 1),
        (#"{"1":{"id":1,"a":2},"2":{"id":2,"a":2},"3":{"id":3,"a":2}}"#, "$", 3),
        (
            #"{"facets":[{"n":1,"v":"many more bytes"},{"n":2,"v":"many more bytes"}],"docs":[{"id":1}]}"#,
            "$.docs", 1
        ),
    ])
    func `are the records, the most of it, or what has a name for records`(
        _ text: String, _ path: String, _ count: Int
    )
        throws
    {
        let place = try Self.place(text)
        #expect(place.path == path && place.count == count)
    }

    @Test(arguments: [
        #"{"a":1}"#, #"[]"#, #"{"data":[]}"#, #"[1,2]"#, #"{"a":{"x":1},"b":{"y":2},"c":{"z":3}}"#, "[{}]",
    ])
    func `isn't a list where no objects are alike`(_ text: String) throws {
        #expect(try RecordsPlace.all(in: Self.read(text)).isEmpty)
    }

    @Test func `may be two lists that nothing tells apart`() throws {
        let places = try RecordsPlace.all(in: Self.read(#"{"a":[{"id":1},{"id":2}],"b":[{"id":3},{"id":4}]}"#))
        #expect(places.count == 2 && places[0].isHard(toTellFrom: places[1]))
        let named = try RecordsPlace.all(in: Self.read(#"{"a":[{"id":1},{"id":2}],"data":[{"id":3},{"id":4}]}"#))
        #expect(named[0].path == "$.data" && named[0].isBetterNamed(than: named[1]))
    }

    @Test func `is cut where it is long, and counted`() throws {
        let text =
            "{\"a\":[" + (0..<1000).map { "{\"id\":\($0)}" }.joined(separator: ",")
            + "],\"b\":\"\(String(repeating: "x", count: 20_000))\"}"
        guard case .array(let elements, let count, let bytes)? = try Self.read(text)["a"] else {
            Issue.record("no array")
            return
        }
        #expect(elements.count == 50 && count == 1000 && bytes > 9000)
        #expect(try Self.read(text)["b"]?.text == nil)
        let members = "{" + (0..<2000).map { "\"m\($0)\":\($0)" }.joined(separator: ",") + "}"
        #expect(try Self.read(members).members.count == 500)
    }

    @Test(arguments: [
        (#"{"ids":[1,2]}"#, "$.ids has 2 texts"),
        (#"{"type":"list","first":"https://h/list?page=1"}"#, "the URL in $.first"),
        (#"{"a":[],"b":{"c":1}}"#, nil),
    ])
    func `without a list of objects is said to have what it has`(_ text: String, _ words: String?) throws {
        let answer = try Self.read(text)
        #expect(RecordsPlace.all(in: answer).isEmpty)
        let other = RecordsPlace.otherArray(in: answer, "$")
        #expect(other?.description.contains(words ?? "none") ?? (words == nil), "\(other?.description ?? "")")
    }

    // MARK: What leads on

    private static let request: ListRequest = {
        do throws(HTTPFailure) { return ListRequest(try HTTPURL("https://h/list")) } catch {
            preconditionFailure("\(error)")
        }
    }()

    private static func signs(_ text: String, _ headers: HTTPHeaders = HTTPHeaders()) throws -> Envelope {
        try Envelope(of: read(text), beside: place(text).names, headers, request.list, count: 1)
    }

    @Test(arguments: [
        (#"{"data":[{"id":1}],"next":"https://h/list?page=2"}"#, ["the URL at $.next"]),
        (
            #"{"data":[{"id":1}],"links":{"next":"/list?page=2","prev":null,"last":"/list?page=9"}}"#,
            ["the URL at $.links.next"]
        ),
        (
            #"{"data":[{"id":1}],"links":[{"rel":"prev","href":"/a"},{"rel":"next","href":"/b?x"}]}"#,
            ["the URL at $.links[?@.rel == 'next'].href"]
        ),
        (
            #"{"data":[{"id":1,"name":"long enough to be the list"}],"link":[{"relation":"next","url":"/b?x"}]}"#,
            ["the URL at $.link[?@.relation == 'next'].url"]
        ),
        (#"{"data":[{"id":1}],"older":"/list?before=5"}"#, ["the URL at $.older"]),
        (#"{"data":[{"id":1}],"part":{"first":{"id":"/list?a=1"},"last":{"id":"/list?a=9"}}}"#, []),
        (
            #"{"data":[{"id":1}],"meta":{"next_cursor":"abc"}}"#,
            ["cursor, from $.meta.next_cursor", "next_cursor, from $.meta.next_cursor"]
        ),
        (
            #"{"data":[{"id":1}],"nextPageToken":"12"}"#,
            ["pageToken, from $.nextPageToken", "nextPageToken, from $.nextPageToken"]
        ),
        (
            #"{"data":[{"id":1}],"next_batch":"s1_2"}"#,
            [
                "batch", "next_batch", "since", "cursor", "after", "from", "page_token", "page", "start_cursor",
            ].map { "\($0), from $.next_batch" }
        ),
        (
            #"{"data":[{"id":1}],"pageInfo":{"endCursor":"x","hasNextPage":true}}"#,
            ["after, from $.pageInfo.endCursor", "cursor, from $.pageInfo.endCursor"]
        ),
        (
            #"{"query":{"pages":[{"id":1}]},"continue":{"from":"x","continue":"-||"}}"#,
            ["from and continue, from $.continue"]
        ),
        (
            #"{"data":[{"id":1}],"search-continue":7}"#,
            ["continue", "search-continue"].map { "\($0), from $['search-continue']" }
        ),
        (#"{"member":[{"id":1}],"view":{"@id":"/list?page=1"}}"#, []),
        (#"{"data":[{"id":1,"next":"https://h/own"}],"next":null,"previous":"https://h/0"}"#, []),
    ])
    func `is what its names say to be next`(_ text: String, _ expected: [String]) throws {
        let places = try Self.signs(text).nexts(of: Self.request)
        #expect(places.map(\.text).prefix(max(expected.count, 1)) == expected[...])
    }

    @Test func `may lead on in its header`() throws {
        var headers = HTTPHeaders()
        headers.append("Link", "<https://h/list?page=2>; rel=\"next\", <https://h/list?page=9>; rel=last")
        headers.append("Next-Page", "/list?page=2")
        headers.append("X-Other", "/other?page=2")
        headers.append("X-Older", "https://h/list?before=3")
        let signs = try Self.signs(#"[{"id":1}]"#, headers)
        let places = signs.nexts(of: Self.request)
        #expect(
            places.map(\.text) == [
                "the URL in the header Link", "the URL in the header Next-Page", "the URL in the header X-Older",
            ])
        #expect(signs.parameters(of: Self.request).first == PageParameter(.query("page"), .page))
    }

    @Test func `shows a parameter in its links, or repeats its name`() throws {
        let text =
            #"{"data":[{"id":1}],"first":"/list?offset=0&limit=3","meta":{"currentPage":1,"skip":0,"page_no":7}}"#
        let parameters = try Self.signs(text).parameters(of: Self.request)
        #expect(
            parameters.map(\.name) == ["offset", "page", "currentPage", "skip"]
                && parameters.map(\.kind) == [.offset, .page, .page, .offset])
    }

    // MARK: How many there are

    @Test func `counts records and pages, and other things that don't count`() throws {
        let text = #"""
            {"data":[{"id":1}],"took":3,"count":20,"meta":{"total":"45","totalPages":5,"perPage":20,"currentPage":1,
             "per_page_total":20},"last_page":5,"totalCount":-1,"limit":20,"took_size":9}
            """#
        var headers = HTTPHeaders()
        headers.append("X-Total-Count", "45")
        headers.append("X-RateLimit-Limit", "60")
        headers.append("X-Pagination", #"{"total":46}"#)
        let totals = try Self.signs(text, headers).totals
        #expect(
            totals.map(\.place.text) == [
                "$.meta.total", "the header X-Total-Count", "$.count",
                "$.meta.totalPages", "$.last_page",
            ])
        #expect(totals.map(\.unit) == [.records, .records, .records, .pages, .pages])
        #expect(totals.map(\.value) == [45, 45, 20, 5, 5])
    }

    @Test func `counts no more than it says to count`() throws {
        let capped = #"{"data":[{"id":1}],"total":{"value":10000,"relation":"gte"}}"#
        #expect(try Self.signs(capped).totals.isEmpty)
        let round = #"{"data":[{"id":1}],"total":10000,"found":1001,"count":1000}"#
        #expect(try Self.signs(round).totals.map(\.isRound) == [true, false, true])
    }

    @Test func `may be one page of several by its length`() {
        #expect([5, 12, 15, 64, 90, 950, 1500].allSatisfy(ListEnd.isUsualPageSize))
        #expect(![13, 14, 65, 110, 1050].contains(where: ListEnd.isUsualPageSize))
    }

    @Test func `may be a record, or an empty list, with something else in it`() throws {
        let record = try Self.read(#"{"id":5,"parts":[{"p":1},{"p":2}]}"#)
        #expect(try #require(RecordsPlace.all(in: record).first).isPart(of: record))
        let empty = try Self.read(#"{"total":0,"artObjects":[],"facets":[{"n":1},{"n":2}]}"#)
        let place = try #require(RecordsPlace.all(in: empty).first)
        #expect(!place.isPart(of: empty))
        let texts = [
            (#"{"total":0,"artObjects":[],"facets":[{"n":1},{"n":2}]}"#, "$.artObjects"),
            (#"{"items":[],"total":0}"#, "$.items"), ("[]", "$"), (#"{"facets":[]}"#, nil),
            (#"{"fields":[{"a":1},{"a":2}],"features":[]}"#, "$.features"),
            (#"{"users":[{"a":1}],"list":{"topics":[]}}"#, "$.list.topics"),
            (#"{"users":[],"list":{"topics":[{"a":1}]}}"#, nil), (#"{"messages":[],"result":[{"a":1}]}"#, nil),
            (#"{"cards":[{"a":1}],"tags":[]}"#, nil), (#"{"a":[]}"#, nil),
            (
                #"{"users":[],"list":{"topics":[\#(Array(repeating: #"{"a":1}"#, count: 10).joined(separator: ","))]}}"#,
                nil
            ), (#"{"data":[{"a":1}],"tags":[]}"#, nil),
        ]
        for (text, path) in texts {
            let answer = try Self.read(text)
            let place = RecordsPlace.all(in: answer).first
            #expect(RecordsPlace.emptyList(in: answer, besides: place, path: "/v1/cards") == path, "\(text)")
        }
    }
}
