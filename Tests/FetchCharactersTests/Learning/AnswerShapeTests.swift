// What an answer shows of its list: where the records are, what leads on, how many there are.

import PipelineCore
import PipelineHTTP
import Testing

@testable import fetch_characters

@Suite("What an answer shows")
struct AnswerShapeTests {
    private static func read(_ text: String) throws -> JSONTree { try JSONTree.shape(of: Array(text.utf8).span) }

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
        (#"{"nodes":[{"id":1},null,{"id":2}]}"#, "$.nodes", 3),
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
        let elements = try #require(try Self.read(text)["a"]?.elements)
        #expect(elements.count == 1000 && elements.count { !$0.isNull } == 50)
        #expect(try Self.read(text)["b"]?.string?.isEmpty == true)
        #expect(try Self.place(text).count == 1000)
        let members = "{" + (0..<2000).map { "\"m\($0)\":\($0)" }.joined(separator: ",") + "}"
        #expect(try Self.read(members).members.count == 500)
    }

    @Test(arguments: [
        (#"{"ids":[1,2]}"#, "$.ids has 2 texts"),
        (#"{"type":"list","first":"https://h/list?page=1"}"#, "the URL in $.first"),
        (#"{"a":[],"b":{"c":1}}"#, "the list at $.a is empty"), (#"{"b":{"c":1}}"#, nil),
        (#"{"tags":["a"],"ids":[1,2,3,4,5,6]}"#, "$.ids has 6 texts"),
    ])
    func `without a list of objects is said to have what it has`(_ text: String, _ words: String?) throws {
        let answer = try Self.read(text)
        #expect(RecordsPlace.all(in: answer).isEmpty)
        let other = RecordsPlace.instead(in: answer)
        #expect(other?.description.contains(words ?? "none") ?? (words == nil), "\(other?.description ?? "")")
    }

    // MARK: What is proposed

    private static func proposals(
        _ text: String, at url: String = "https://h/list", _ headers: HTTPHeaders = HTTPHeaders()
    ) throws -> [Proposal] {
        let request = ListRequest(try HTTPURL(url))
        var description = LearntDescription(request)
        description.records = try place(text)
        let response = HTTPResponse(
            status: 200, headers: headers, body: Array(text.utf8), redirectChain: [try HTTPURL(url)])
        let start = try #require(try LearntPage(response, description, id: nil))
        let input = ProposalInput(
            request: request, start: start, place: description.place, id: nil, typed: nil, recorded: [])
        return input.all
    }

    @Test(arguments: [
        (#"{"data":[{"id":1}],"next":"https://h/list?page=2"}"#, "the URL at $.next"),
        (
            #"{"data":[{"id":1}],"links":{"next":"/list?page=2","prev":null,"last":"/list?page=9"}}"#,
            "the URL at $.links.next"
        ),
        (
            #"{"data":[{"id":1}],"links":[{"rel":"prev","href":"/a"},{"rel":"next","href":"/b?x"}]}"#,
            "the URL at $.links[?@.rel == 'next'].href"
        ),
        (#"{"data":[{"id":1}],"older":"/list?before=5"}"#, "the URL at $.older"),
        (#"{"data":[{"id":1}],"zzz":"/list?before=5"}"#, "the URL at $.zzz"),
        (#"{"data":[{"id":1}],"meta":{"next_cursor":"abc"}}"#, "cursor, from $.meta.next_cursor"),
        (#"{"data":[{"id":1}],"nextPageToken":"12"}"#, "pageToken, from $.nextPageToken"),
        (
            #"{"data":[{"id":1}],"pageInfo":{"endCursor":"x","hasNextPage":true}}"#,
            "after, from $.pageInfo.endCursor"
        ),
        (#"{"query":{"pages":[{"id":1}]},"continue":{"from":"x","continue":"-||"}}"#, "the values at $.continue"),
        (#"{"member":[{"id":1}],"view":{"@id":"/list?page=1"}}"#, "the URL at $.view['@id']"),
        (#"{"data":[{"id":1,"next":"https://h/own"}],"next":null,"previous":"https://h/0"}"#, "page"),
        (#"{"data":[{"id":1}],"meta":{"currentPage":1}}"#, "currentPage"),
        (#"{"data":[{"id":1}],"first":"/list?offset=0&limit=3"}"#, "the URL at $.first"),
    ])
    func `is first what its names say to be likely`(_ text: String, _ expected: String) throws {
        #expect(try Self.proposals(text).first?.name == expected)
    }

    @Test func `is the link of the header before those of the body, and a parameter of any link`() throws {
        var headers = HTTPHeaders()
        headers.append("Link", "<https://h/list?page=2>; rel=\"next\", <https://h/list?blatt=9&start=3>; rel=last")
        headers.append("X-Next", "/list?page=2")
        let names = try Self.proposals(#"[{"id":1}]"#, headers).map(\.name)
        #expect(names.prefix(2) == ["the URL in the header Link", "the URL at the header X-Next"])
        #expect(names.contains("page") && names.contains("start"))
    }

    @Test(arguments: [
        ("$top", "$skip"), ("_limit", "_page"), ("length", "start"), ("page[size]", "page[number]"),
        ("limit", "offset"),
    ])
    func `is the number that goes with the size of the request`(_ size: String, _ name: String) throws {
        let url = "https://h/list?\(size)=2"
        #expect(try Self.proposals(#"{"data":[{"id":1},{"id":2}]}"#, at: url).first?.name == name)
    }

    @Test func `is what the body of the next request has and the first one lacks`() throws {
        let request = try CurlCommand.request(#"curl https://h/list --json '{"limit":2}'"#).listRequest()
        var description = LearntDescription(request)
        let text = #"""
            {"features":[{"id":1},{"id":2}],"links":[{"rel":"next","href":"https://h/list","method":"POST",
             "body":{"limit":2,"token":"next:2"}}]}
            """#
        description.records = try Self.place(text)
        let response = HTTPResponse(
            status: 200, headers: HTTPHeaders(), body: Array(text.utf8),
            redirectChain: [try HTTPURL("https://h/list")])
        let start = try #require(try LearntPage(response, description, id: nil))
        let input = ProposalInput(
            request: request, start: start, place: description.place, id: nil, typed: nil, recorded: [])
        #expect(input.all.first?.name == "token, from $.links[?@.rel == 'next'].body.token")
    }

    // MARK: How many there are

    @Test func `may be counted by any number, first by those with usual names`() throws {
        let text = #"""
            {"data":[{"id":1}],"took":3,"meta":{"total":"45","totalPages":5},"limit":20}
            """#
        var headers = HTTPHeaders()
        headers.append("X-Pagination", #"{"total":46}"#)
        let values = try BesideValue.all(in: Self.read(text), besides: [.name("data")], headers)
        let totals = LearntTotal.all(in: values, atLeast: 1)
        #expect(
            totals.prefix(3).map(\.place.text)
                == ["$.meta.total", "$.meta.totalPages", "$.total in the header X-Pagination"])
        #expect(totals[1].unit == .pages)
        #expect(totals.contains { $0.place.text == "$.took" })
    }

    @Test func `is counted by no least number, and says where a number is exact`() throws {
        for (relation, exact) in [("gte", nil), ("eq", "$.hits[?@.relation == 'eq']")] {
            let text = #"{"hits":{"total":{"value":10000,"relation":"\#(relation)"},"hits":[{"id":1}]}}"#
            let values = try BesideValue.all(
                in: Self.read(text), besides: [.name("hits"), .name("hits")], HTTPHeaders())
            let totals = LearntTotal.all(in: values, atLeast: 1).filter { $0.unit == .records }
            #expect(totals.map(\.exact) == (exact == nil ? [] : [exact]))
        }
    }
}
