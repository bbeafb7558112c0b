// Where the values of a request go: query, header, path, JSON body and form.

import PipelineCore
import PipelineHTTP
import Testing

@testable import fetch_characters

struct RequestPlacementTests {
    @Test(
        arguments: [
            (#""pagination":{"type":"page","parameter":{"header":"X-Page"}}"#, "GET /list", ["X-Page: 7"]),
            (
                #""path":"/list/{page}","pagination":{"type":"page","parameter":{"path":"page"}}"#, "GET /list/7",
                []
            ),
            (
                #""method":"POST","body":{"a":{"page":1,"q":"x"}},"pagination":{"type":"page","parameter":{"body":"$.a.page"}}"#,
                #"POST /list {"a":{"page":7,"q":"x"}}"#, []
            ),
            (
                #""method":"POST","pagination":{"type":"page","parameter":{"body":"$.a.page"}}"#,
                #"POST /list {"a":{"page":7}}"#, []
            ),
            (
                #""method":"POST","form":{"q":"a b","page":"1"},"pagination":{"type":"page","parameter":{"form":"page"}}"#,
                "POST /list q=a%20b&page=7", []
            ),
            (
                #""method":"POST","body":{"n":1.50,"big":12345678901234567890},"pagination":{"type":"page","parameter":"page"}"#,
                #"POST /list?page=7 {"n":1.50,"big":12345678901234567890}"#, []
            ),
            (
                #""pagination":{"type":"page","parameter":"page","size":{"parameter":{"header":"N"},"value":5}}"#,
                "GET /list?page=7", ["N: 50"]
            ),
        ] as [(String, String, [String])])
    func `a page's number goes where the description says`(members: String, line: String, headers: [String]) throws
    {
        let request = try SourceRequests(.having(members)).page(.number(7), size: 50)
        #expect(request.sent == line)
        #expect(request.fields.map { "\($0.name): \($0.value)" } == headers)
    }

    @Test(
        arguments: [
            ([:], "/www/list?q=1", "Accept: x/www"), (["v": "a/b"], "/a%2Fb/list?q=1", "Accept: x/a/b"),
            (["v": "..."], "/.../list?q=1", "Accept: x/..."),
            (["v": "ü", "q": "2"], "/%C3%BC/list?q=2", "Accept: x/ü"),
            (["other": "z"], "/www/list?q=1&other=z", "Accept: x/www"),
        ] as [([String: String], String, String)])
    func `a placeholder takes its value for where it stands`(
        values: [String: String], path: String, header: String
    ) throws {
        let text = #"""
            {"name":"t","baseURL":"https://h/{v}","path":"/list","records":"data","query":{"q":"{q}"},
             "headers":{"Accept":"x/{v}"},"params":{"v":{"default":"www"},"q":{"default":"1"}},
             "pagination":{"type":"none"}}
            """#
        let source = try Source(description: Array(text.utf8).span)
        let parameters = values.map { Source.Parameter($0.key, $0.value) }
        let request = try SourceRequests(source, parameters: parameters).page(.start, size: nil)
        #expect(request.url.text == "https://h" + path)
        #expect(request.fields.map { "\($0.name): \($0.value)" } == [header])
    }

    @Test func `a cursor's first page has a body too`() throws {
        let source = try Source.having(
            #""method":"POST","pagination":{"type":"cursor","parameter":{"body":"$.after"},"next":"next"}"#)
        #expect(try SourceRequests(source).page(.start, size: nil).sent == "POST /list {}")
    }

    @Test func `only described placeholders are filled in a body, and none in a file`() throws {
        let source = try Source.having(
            #"""
            "method":"POST","params":{"type":{}},"pagination":{"type":"none"},
            "body":{"query":{"$file":"q.graphql"},"variables":{"type":"{type}","other":"{other}"}}
            """#
        ) { $0 == "q.graphql" ? "query { a { type } {type} }" : nil }
        let requests = try SourceRequests(source, parameters: [Source.Parameter("type", "\"x\"")])
        #expect(
            try requests.page(.start, size: nil).sent
                == #"POST /list {"query":"query { a { type } {type} }","variables":{"type":"\"x\"","other":"{other}"}}"#
        )
    }

    @Test func `a search may have a path, records and pages of its own`() throws {
        let source = try Source.having(
            #"""
            "query":{"q":"none"},"pagination":{"type":"page","parameter":"p"},
            "search":{"parameter":"q","path":"/find","records":"hits","pagination":{"type":"offset","parameter":"o"}},
            "members":{"name":"n"}
            """#)
        #expect(source.searched.records.path.text == "hits")
        let found = try SourceRequests(source, search: "a&b").page(.offset(5), size: nil)
        #expect(found.sent == "GET /find?o=5&q=a%26b")
        #expect(try SourceRequests(source).page(.number(1), size: nil).sent == "GET /list?p=1&q=none")
    }

    @Test func `several values of --each have their places`() throws {
        let source = try Source.having(
            #"""
            "path":"/o/{owner}/{repo}/cards","pagination":{"type":"none"},
            "each":{"owner":{"path":"owner"},"repo":{"path":"repo"},"state":"state"}
            """#)
        #expect(source.placeholders == ["owner", "repo"])
        var requests = try SourceRequests(source)
        for (each, value) in zip(source.each, ["a/b", "c d", "open"]) {
            requests = requests.setting(each.placement, to: value)
        }
        #expect(try requests.page(.start, size: nil).sent == "GET /o/a%2Fb/c%20d/cards?state=open")
    }

    @Test(
        arguments: [
            ("iso", "updated=2026-02-28T23%3A00%3A05Z"), ("date", "updated=2026-02-28"),
            ("unix", "updated=1772319605"),
            ("unix-ms", "updated=1772319605250"),
        ])
    func `a time is rounded down to what the service takes`(format: String, query: String) throws {
        let source = try Source.having(
            #""pagination":{"type":"none"},"since":{"parameter":"updated","format":"\#(format)","member":"u"}"#)
        let text = Array("2026-03-01T00:00:05.25+01:00".utf8)
        let found = Instant(text.span)
        let instant = try #require(found)
        let request = try SourceRequests(source, since: instant).page(.start, size: nil)
        #expect(request.sent == "GET /list?" + query)
    }

    @Test func `what comes from elsewhere is no template`() throws {
        let source = try Source.having(
            #"""
            "query":{"x":"{p}"},"params":{"p":{}},"each":{"parameter":"e"},"search":{"parameter":"q"},
            "members":{"name":"n"},"pagination":{"type":"cursor","parameter":"c","next":"n"}
            """#)
        let requests = try SourceRequests(source, search: "{p}", parameters: [Source.Parameter("p", "P")])
            .setting(.query("e"), to: "{p}")
        let cursor = JSONTree.string("{p}")
        #expect(
            try requests.page(.cursor([cursor]), size: nil).sent
                == "GET /list?c=%7Bp%7D&x=P&q=%7Bp%7D&e=%7Bp%7D")
    }

    @Test func `a text that stands for a key isn't sent for a value`() throws {
        let source = try Source.having(
            #""method":"POST","each":{"parameter":{"body":"$.v"}},"pagination":{"type":"none"}"#)
        let key = SentKey.named("XK", .header("X-Key"))
        let requests = try SourceRequests(source, keys: [key])
        #expect(throws: HTTPFailure.self) {
            try requests.setting(.body([.name("v")]), to: "a\(key.secret.placeholder)b").page(.start, size: nil)
        }
        #expect(try requests.setting(.body([.name("v")]), to: "a").page(.start, size: nil).body != nil)
    }

    @Test func `a list whose path lacks a value can't be requested`() throws {
        let source = try Source.having(
            #""path":"/o/{owner}/{a,b}","each":{"parameter":{"path":"owner"}},"pagination":{"type":"none"}"#)
        #expect(throws: HTTPFailure.self) { try SourceRequests(source).page(.start, size: nil) }
        let request = try SourceRequests(source).setting(.path("owner"), to: "{owner}").page(.start, size: nil)
        #expect(request.sent.hasPrefix("GET /o/%7Bowner%7D/"))
    }

    @Test func `a link is followed without the key that it repeats under another name`() throws {
        let source = try Source.having(
            #""pagination":{"type":"next-url","next":"n"},"key":{"header":"X-Key","env":"K"}"#)
        let requests = try SourceRequests(source, keys: [.named("K", .header("X-Key"))])
        let link = try requests.link("/list?p=2&apikey=s3cret&q=1", from: try HTTPURL("https://h/list"), size: nil)
        #expect(link.text == "https://h/list?p=2&q=1")
    }

    @Test(arguments: [
        ("2026-03-01", 1_772_323_200), ("2026-03-01T00:00:00Z", 1_772_323_200), ("1772323200", 1_772_323_200),
        ("1772323200999", 1_772_323_200), ("2026-02-29", nil), ("yesterday", nil), ("", nil), ("1e9", nil),
        ("20260301", 1_772_323_200), ("20261301", 20_261_301), ("0000-01-01", -62_167_219_200),
        ("9999-12-31T23:59:59Z", 253_402_300_799), ("9999-12-31T23:59:60Z", nil), ("-62167219201000", nil),
        ("-9223372036854775808", nil), ("253402300799999", 253_402_300_799), ("253402300800000", nil),
        ("9223372036854775807", nil),
    ])
    func `a moment is read as services write it`(text: String, seconds: Int?) {
        let bytes = Array(text.utf8)
        let instant = Instant(bytes.span)
        #expect(instant?.seconds == seconds)
    }
}
