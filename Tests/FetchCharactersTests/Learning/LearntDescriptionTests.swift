// The address of a list, taken apart, and the text of a description that is put together.

import PipelineCore
import PipelineHTTP
import Testing

@testable import fetch_characters

@Suite("A description in the making")
struct LearntDescriptionTests {
    private static func address(_ url: String) throws -> ListRequest { ListRequest(try HTTPURL(url)) }

    @Test(arguments: [
        ("https://h/list", "/list", []), ("https://h", "/", []),
        ("https://h:8443/a/b?x=1&y=%20z", "/a/b", ["x=1", "y= z"]),
        ("https://h/list?q=a+b&empty=", "/list", ["q=a b", "empty="]),
        ("https://h/list?a=1&a=2", "/list?a=1&a=2", []), ("https://h/list?flag", "/list?flag", []),
        ("https://h/list?x=%7By%7D", "/list?x=%7By%7D", []), ("https://h/list?x=%ff", "/list?x=%ff", []),
        ("https://h/list?x=1#part", "/list", ["x=1"]),
    ])
    func `has the query of its URL, as an object where it can be one`(
        _ url: String, _ path: String, _ query: [String]
    )
        throws
    {
        let address = try Self.address(url)
        #expect(
            address.path.lowercased() == path.lowercased()
                && address.query.map { "\($0.name)=\($0.value)" } == query)
    }

    @Test(arguments: [
        ("page=3", "page"), ("page[number]=3", "page[number]"), ("offset=40&limit=20", "offset"),
        ("cursor=abc", "cursor"),
        ("page=about", ""), ("q=3", ""), ("cursor=*", ""),
    ])
    func `knows which parameter may select a page`(_ query: String, _ name: String) throws {
        #expect(try Self.address("https://h/list?" + query).typedPositions.first?.name ?? "" == name)
    }

    @Test(arguments: [
        ("https://h/l?a=1&page=2", "https://h/l?a=1&page=3", "https://h/l?a=1&page=5"),
        ("https://h/l?page=1", "https://h/l?page=2", "https://h/l?page=4"),
        ("https://h/l?offset=20&b=2", nil, "https://h/l?offset=80&b=2"),
        ("https://h/l?page%5Bnumber%5D=2", nil, "https://h/l?page%5Bnumber%5D=5"),
        ("https://h/l?offset=7", nil, ""),
        ("https://h/l?page=2&seed=7", "https://h/l?page=3&seed=7", "https://h/l?page=5&seed=7"),
        ("https://h/l", nil, ""), ("https://h/l?page=9223372036854775807", nil, ""),
        ("https://h/l?after=2", "https://h/l?after=9", ""),
    ])
    func `changes the link to the second page into that to the fifth`(
        _ link: String, _ next: String?, _ expected: String
    ) throws {
        let number = LinkNumber(link, next: next.map { .link($0) }, size: 20)
        guard case .link(let changed)? = number?.page(5) else { return #expect(expected.isEmpty) }
        #expect(changed == expected)
    }

    @Test(arguments: [
        ("https://api.example.org/v2/cards", "example-cards"), ("https://h/list.json", "list"),
        ("http://127.0.0.1:8080/cards/search?q=a", "cards"), ("https://api.example.co/", "example"),
        ("http://127.0.0.1/", "source"), ("https://www.Ünï.org/Ä", "source"),
    ])
    func `is named after its service and its list`(_ url: String, _ name: String) throws {
        let description = LearntDescription(try Self.address(url))
        #expect(description.name == name || name == "source" && !description.name.isEmpty)
    }

    @Test func `is written in the usual order, and read again`() throws {
        var request = try Self.address("https://api.example.org/v2/cards?sort=name&limit=20")
        request.keys = [LearntKey(placement: .header("x-api-key"))]
        var description = LearntDescription(request)
        description.isProved = true
        let text = #"{"data":[{"id":1}],"total":45}"#
        let answer = try JSONTree.shape(of: Array(text.utf8).span)
        let place = try #require(RecordsPlace.all(in: answer).first)
        description.records = place
        description.pagination = LearntPagination(type: .page, places: [.query("page")])
        description.pagination.size = Pagination.Size(parameter: .query("limit"), value: 20, limit: nil)
        description.pagination.total =
            LearntTotal.all(in: BesideValue.all(in: answer, besides: place.steps, HTTPHeaders()), atLeast: 1).first
        description.item = "/v2/cards/{id}"
        description.members = [(.id, "id"), (.name, "$['my name']")]
        #expect(
            description.text == """
                {
                  "name": "example-cards",
                  "baseURL": "https://api.example.org",
                  "path": "/v2/cards",
                  "query": {"sort": "name"},
                  "records": "$.data",
                  "pagination": {
                    "type": "page",
                    "parameter": "page",
                    "first": 0,
                    "size": {"parameter": "limit", "value": 20},
                    "total": {"path": "$.total"}
                  },
                  "item": "/v2/cards/{id}",
                  "key": {"header": "x-api-key", "env": "EXAMPLE_CARDS_KEY", "required": true},
                  "members": {"id": "id", "name": "$['my name']"}
                }

                """)
        let source = try description.source()
        #expect(source.name == "example-cards" && source.pagination.size?.value == 20)
        description.isProved = false
        #expect(description.text.contains(#""pagination": {"type": "none", "assumed": true}"#))
    }

    @Test func `a text to search for isn't a query in GraphQL`() throws {
        var request = try Self.address("https://h/list")
        request.content = .json(.object([("query", .string(""))]))
        #expect(request.places(["page"]) == [.body([.name("page")])])
    }

    @Test func `the size of a page isn't where the id of its last record goes`() throws {
        let recorded = ListRequest(try HTTPURL("http://h/list?page_size=50&after=50"))
        #expect([recorded].places(of: "50") == [.query("after")])
    }
}
