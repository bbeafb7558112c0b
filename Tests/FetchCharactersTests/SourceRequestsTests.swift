// The requests that a source is asked with.

import PipelineCore
import PipelineHTTP
import Testing

@testable import fetch_characters

struct SourceRequestsTests {
    func url(_ requests: SourceRequests, _ position: PagePosition, size: Int? = 50) throws -> String {
        try requests.page(position, size: size).url.text
    }

    @Test(arguments: [
        ("http://h", "", "http://h/character?page=2&pageSize=50"),
        ("http://h/", "", "http://h/character?page=2&pageSize=50"),
        ("http://h/mirror/", "x", "http://h/mirror/character?page=2&pageSize=50&name=x"),
        ("http://h", "Mr. (X)", #"http://h/character?page=2&pageSize=50&name=Mr%5C.%20%5C%28X%5C%29"#),
        ("http://h", "ü&=", "http://h/character?page=2&pageSize=50&name=%C3%BC%26%3D"),
    ])
    func `every page has every parameter`(base: String, search: String, expected: String) throws {
        #expect(try url(try SourceRequests(.named("disney"), base: base, search: search), .number(2)) == expected)
    }

    @Test func `the user's parameters come last, escaped`() throws {
        let requests = try SourceRequests(.named("disney"), parameters: [Source.Parameter("a b", "c+d")])
        #expect(
            try url(requests, .number(1), size: 2)
                == "https://api.disneyapi.dev/character?page=1&pageSize=2&a%20b=c%2Bd")
    }

    @Test(arguments: [
        ("6", "/character/6"), ("a/b", "/character/a%2Fb"), ("...", "/character/..."), ("..a", "/character/..a"),
        ("é?#", "/character/%C3%A9%3F%23"),
    ])
    func `an id is one segment of the path`(id: String, path: String) throws {
        let request = try SourceRequests(.named("disney"), base: "http://h").item(id)
        #expect(request.url.text == "http://h" + path)
    }

    @Test(arguments: [".", "..", "../admin", "a/..", "a/./b", "%2e%2e", ".%2E", #"..\a"#, "..;x"])
    func `a value never makes a path lead elsewhere`(value: String) throws {
        let source = try Source.having(
            #""path":"/{v}/list","item":"/{id}","params":{"v":{}},"each":{"parameter":{"path":"v"}},"pagination":{"type":"none"}"#
        )
        #expect(throws: HTTPFailure(.dotSegment)) { try SourceRequests(.named("disney")).item(value) }
        #expect(throws: HTTPFailure(.dotSegment)) {
            try SourceRequests(source, parameters: [Source.Parameter("v", value)]).page(.start, size: nil)
        }
        #expect(throws: HTTPFailure(.dotSegment)) {
            try SourceRequests(source).setting(.path("v"), to: value).page(.start, size: nil)
        }
    }

    @Test(arguments: ["", "h", "http://h?x", "http://h#x", "ftp://h", "http://h\n"])
    func `a base that can't be asked is refused`(base: String) {
        #expect(throws: HTTPFailure.self) { try SourceRequests(.named("disney"), base: base) }
    }

    @Test(
        arguments: [
            (
                #"{"type":"offset","parameter":"o","size":{"parameter":"n","value":9}}"#, .offset(18),
                "?o=18&n=50&q=1"
            ),
            (#"{"type":"cursor","parameter":"c","next":"n"}"#, .start, "?q=1"),
            (
                #"{"type":"cursor","next":{"values":[{"parameter":"c","next":"n"},{"parameter":{"header":"H"},"next":"m"}]}}"#,
                .cursor([.string("a=&b"), .integer(1)]), "?c=a%3D%26b&q=1"
            ),
            (#"{"type":"none"}"#, .start, "?q=1"),
            (#"{"type":"link-header","size":{"parameter":"n","value":9}}"#, .start, "?n=50&q=1"),
        ] as [(String, PagePosition, String)])
    func `each kind of pagination asks in its own way`(
        pagination: String, position: PagePosition, query: String
    ) throws {
        let source = try Source.having(#""pagination":\#(pagination),"query":{"q":1}"#)
        #expect(try url(try SourceRequests(source), position) == "https://h/list" + query)
    }

    @Test func `a first cursor of the description gives way to those of the responses`() throws {
        let source = try Source.having(
            #""pagination":{"type":"cursor","parameter":"c","next":"n"},"query":{"c":"*","q":1}"#)
        let requests = try SourceRequests(source)
        #expect(try url(requests, .start) == "https://h/list?c=%2A&q=1")
        #expect(try url(requests, .cursor([.string("x")])) == "https://h/list?c=x&q=1")
    }

    @Test func `values that lead on together are sent together, and one that is gone isn't sent`() throws {
        let source = try Source.having(
            #""pagination":{"type":"cursor","next":{"values":{"from":"a","continue":"b"}}},"query":{"continue":"","q":1}"#
        )
        let requests = try SourceRequests(source)
        #expect(try url(requests, .start) == "https://h/list?continue=&q=1")
        let both: [JSONTree] = [.string("x y"), .integer(7)]
        #expect(try url(requests, .cursor(both)) == "https://h/list?from=x%20y&continue=7&q=1")
        #expect(try url(requests, .cursor([both[0], nil])) == "https://h/list?from=x%20y&q=1")
        #expect(try url(requests, .cursor([nil, both[1]])) == "https://h/list?continue=7&q=1")
    }

    @Test func `a parameter of the user's takes the place of the description's`() throws {
        let requests = try SourceRequests(.named("cat-images"), parameters: [Source.Parameter("limit", "3")])
        #expect(try url(requests, .start, size: nil) == "https://api.thecatapi.com/v1/images/search?limit=3")
        let each = requests.setting(.query("breed_ids"), to: "abys").setting(.query("breed_ids"), to: "a b")
        #expect(try url(each, .start, size: nil).hasSuffix("/images/search?limit=3&breed_ids=a%20b"))
    }

    @Test func `a search may have a path of its own`() throws {
        let requests = try SourceRequests(.named("dog-breeds"), search: "nor")
        // It has no pages.
        #expect(try url(requests, .start) == "https://api.thedogapi.com/v1/breeds/search?attach_image=1&q=nor")
    }

    // MARK: Keys

    @Test(arguments: [
        #""query":{"api_key":"s3cret","q":"1"}"#,
        #""headers":{"api_key":"s3cret"},"query":{"q":"1"}"#,
        #""path":"/list?api_key=s3cret&q=1""#, #""path":"/list?q=1&%61pi_key=s3cret""#,
        #""path":"/list?api_key=s3cret","query":{"q":"1"}"#,
    ])
    func `a key that stands in the description is sent and not shown`(members: String) throws {
        let source = try Source.having(#"\#(members),"pagination":{"type":"next-url","next":"n"}"#)
        let requests = try SourceRequests(source)
        for position in [PagePosition.start, .link("https://h/list?q=1&page=2")] {
            let request = try requests.page(position, size: nil)
            #expect(!request.url.text.contains("s3cret") && request.url.text.contains("q=1"))
            #expect(request.fields.contains { $0.name == "api_key" && $0.value == "s3cret" && $0.isSecret })
        }
    }

    @Test func `a key in the path of a record or the URL of a step is sent and not shown`() throws {
        let source = try Source.having(
            #""pagination":{"type":"none"},"item":"/list/{id}?q=1&api_key=s3cret","#
                + #""expand":[{"name":"a","url":"/more/{$.id}?token=s3cret&q={$.id}"},{"name":"b","url":"$.url"}]"#)
        let requests = try SourceRequests(source)
        let page = try HTTPURL("https://h/list")
        let item = try requests.item("7")
        let own = try #require(try requests.step(source.expand[0], "/more/7?token=s3cret&q=7", from: page))
        for (request, url) in [(item, "https://h/list/7?q=1"), (own, "https://h/more/7?q=7")] {
            #expect(request.url.text == url)
            #expect(request.fields.map(\.value) == ["s3cret"] && request.fields.allSatisfy(\.isSecret))
            #expect(request.keyParameters.count == 1)
        }
        // What a record says tells one request from the others.
        let other = try #require(try requests.step(source.expand[1], "/more/7?token=s3cret", from: page))
        #expect(other.url.text == "https://h/more/7?token=s3cret" && other.fields.isEmpty)
    }

    @Test func `a parameter of the user's that is a key is one too`() throws {
        let source = try Source.having(#""pagination":{"type":"none"},"query":{"token":"a","q":"1"}"#)
        let requests = try SourceRequests(source, parameters: [Source.Parameter("token", "b")])
        let request = try requests.page(.start, size: nil)
        #expect(request.url.text == "https://h/list?q=1")
        #expect(request.fields.map(\.value) == ["b"] && request.fields.allSatisfy(\.isSecret))
        // What tells one request from the others is shown.
        let each = try requests.setting(.query("token"), to: "c").page(.start, size: nil)
        #expect(each.url.text.contains("token=c") && each.fields.isEmpty)
    }

    @Test(arguments: [
        ("2", "https://h/list?page=2&api_key=2", "https://h/list?page=2&size=5"),
        ("k9Secret7731", "https://h/list?page=2&x=k9Secret7731", "https://h/list?page=2&size=5"),
        ("demo", "https://h/list?page=demo&size=5&%61pi_key=demo", "https://h/list?page=demo&size=5"),
    ])
    func `a link loses the key, and no value that only looks like it`(
        key: String, link: String, expected: String
    ) throws {
        let source = try Source.having(
            #""pagination":{"type":"next-url","next":"n","keepQuery":true},"query":{"size":"5"},"key":{"query":"api_key","env":"K"}"#
        )
        let secret = HTTPSecret(key: "K", HTTPSecret.Value(key), shellText: "")
        let requests = try SourceRequests(source, keys: source.keys.map { SentKey($0, secret) })
        #expect(try requests.link(link, from: try HTTPURL("https://h/list"), size: nil).text == expected)
    }

    @Test func `names of a link are compared decoded`() throws {
        let source = try Source.having(
            #""pagination":{"type":"next-url","next":"n"},"query":{"page[number]":"1","page[size]":"5"}"#)
        let link = "https://h/list?page%5Bnumber%5D=2&page[size]=5"
        let found = try SourceRequests(source).link(link, from: try HTTPURL("https://h/list"), size: nil)
        #expect(found.text.ranges(of: "number").count == 1 && !found.text.contains("=1"))
    }

    @Test func `a key is a secret field of requests to the API's own origin`() throws {
        let requests = try SourceRequests(.named("cat-breeds"), keys: [.named("K", .header("x-api-key"))])
        let fields = try requests.page(.number(0), size: nil).fields.filter(\.isSecret)
        #expect(fields.map(\.name) == ["x-api-key"] && fields.map(\.value) == ["castline-K-key"])
    }

    @Test func `a key in the query stays out of the URL`() throws {
        let requests = try SourceRequests(.named("rijksmuseum-v1"), keys: [.named("K", .query("key"))])
        let request = try requests.page(.number(1), size: nil)
        #expect(!request.url.text.contains("key"))
        #expect(request.fields.filter { $0.location == .query }.map(\.value) == ["castline-K-key"])
    }

    @Test(
        arguments: [
            ("https://h/x", true), ("https://other/x", false), ("https://h:444/x", nil), ("https://www.h/x", nil),
        ] as [(String, Bool?)])
    func `a step takes the key to the API's own origin only, and goes where it may`(url: String, hasKey: Bool?)
        throws
    {
        let source = try Source.having(
            #""pagination":{"type":"none"},"key":{"header":"x-key","env":"K"},"headers":{"X-Token":"T","A":"B"},"#
                + #""expand":[{"name":"one","url":"u","origins":["https://other"]}]"#)
        let requests = try SourceRequests(source, keys: [.named("K", .header("x-key"))])
        let request = try requests.step(source.expand[0], url, from: try HTTPURL("https://h/list"))
        #expect((request == nil) == (hasKey == nil))
        if let request {
            #expect(request.fields.map(\.name) == (hasKey == true ? ["X-Token", "A", "x-key"] : ["A"]))
        }
    }

    // MARK: Links

    static let links: [(text: String, expected: String?)] = [
        ("https://h/list?page=2&s=x", "https://h/list?page=2&s=x"), ("?page=2", "https://h/list?page=2"),
        ("/other", "https://h/other"), ("//h/list?a", "https://h/list?a"),
        ("http://h/list?p=2", "https://h/list?p=2"),
        ("http://h:8080/list", nil), ("https://h:444/list", nil),
        ("https://h.evil/list", nil), ("https://evil@h/list", "https://evil@h/list"), ("//evil/list", nil),
        ("file:///etc/passwd", nil), ("http://evil/list", nil), ("https://", nil),
        // The API has put the key back.
        ("/list?p=2&api_key=K", "https://h/list?p=2"),
        // It keeps one parameter and loses another; it keeps none.
        ("/list?n=9&p=2", "https://h/list?n=9&p=2&name=x"), ("/list?token=t", "https://h/list?token=t"),
        ("/list?n=9&name=y", "https://h/list?n=9&name=y"),
    ]

    @Test(arguments: links) func `a link is followed within its origin`(text: String, expected: String?) throws {
        let source = try Source.having(
            #""pagination":{"type":"next-url","next":"n","size":{"parameter":"n","value":9}},"search":"#
                + #"{"parameter":"name"},"members":{"name":"n"},"key":{"query":"api_key","env":"K"}"#)
        let requests = try SourceRequests(source, search: "x", keys: [.named("K", .query("api_key"))])
        let found: String?
        do {
            found = try requests.link(text, from: try HTTPURL("https://h/list?n=9&name=x"), size: 9).text
        } catch {
            found = nil
        }
        #expect(found == expected)
    }

    @Test func `a link gets back the query that it has lost where the description says so`() throws {
        let source = try Source.having(
            #""pagination":{"type":"next-url","next":"n","keepQuery":true},"search":{"parameter":"name"},"members":{"name":"n"}"#
        )
        let requests = try SourceRequests(source, search: "x y")
        #expect(
            try requests.link("/list?page=2", from: try HTTPURL("https://h/list"), size: nil).text
                == "https://h/list?page=2&name=x%20y")
    }
}
