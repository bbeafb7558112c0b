// URLs composed of a record's values, read by a parser that isn't ours.

import Foundation
import PipelineCore
import PipelineHTTP
import Testing

@testable import fetch_characters

@Suite struct ComposedURLTests {
    /// Names that people have given to things, and some that nobody would.
    static let names = [
        "C", "C#", "Who?", "50%41", "AC/DC", "a b", "Tom & Jerry", "x=y", "a+b", "é", "日本", "a\\b", "a\"b", "<i>",
        "{x}",
        "a;b", "a:b", "@host", "evil.example", "//evil.example", "https://evil.example/x?y#z", "a\nb", "a\u{7F}b",
        "%2F",
        "...", "a..", "..a", "|^`", "~!$'()*,-_", "?", "#", "%", "&", "=",
    ]
    /// Those that no segment may be, and some that make one.
    static let dots = [".", "..", "../x", "x/..", "x/../y", "%2e", "%2E%2e", ".%2e", "..;x", "..\\x", "/.."]

    static func composed(_ text: String, _ record: String) throws -> String? {
        var evaluator = ComposedTextEvaluator(try ComposedText(text), isURL: true)
        return try evaluator.text(in: Array(record.utf8).span).map { $0.span.text }
    }

    static func record(_ value: String) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: ["a": value, "b": value]), as: UTF8.self)
    }

    @Test(arguments: names) func `a value is what its place says, whatever it has in it`(name: String) throws {
        let text = try #require(
            try Self.composed("https://api.example/things/{$.a}/full?q={$.b}&n=1#at-{$.a}", try Self.record(name)))
        let url = try #require(URLComponents(string: text))
        #expect(url.scheme == "https" && url.host == "api.example" && url.user == nil && url.port == nil)
        #expect(url.path == "/things/\(name)/full")
        #expect(url.queryItems?.map(\.name) == ["q", "n"] && url.queryItems?.first?.value == name)
        #expect(url.fragment == "at-\(name)")
        // A plus in a query is a space to many.
        #expect(url.percentEncodedQuery?.contains("+") == false)
        #expect(try HTTPURL(text).text.utf8.count >= text.utf8.count - 2)
    }

    @Test(arguments: names) func `a value that begins a relative URL gives it no scheme and no host`(name: String)
        throws
    {
        let isWhole = name.hasPrefix("//") || name.hasPrefix("https://")
        let base = try HTTPURL("https://api.example/list")
        for text in ["{$.a}", "{$.a}/x", "/{$.a}", "x/{$.a}"] where !(isWhole && text.hasPrefix("{")) {
            guard let found = try Self.composed(text, try Self.record(name)) else {
                #expect(text == "/{$.a}" && name.hasPrefix("//"))
                continue
            }
            #expect(try base.resolving(found).origin == "https://api.example", "\(text) \(name)")
        }
    }

    @Test(arguments: dots) func `no value makes a segment that names another place`(value: String) throws {
        for text in ["/things/{$.a}", "/things/{$.a}/full", "https://h/{$.a}?x", "../{$.a}", "{$.a}/x"] {
            #expect(try Self.composed(text, try Self.record(value)) == nil, "\(text)")
        }
        #expect(try Self.composed("https://h/x?q={$.a}", try Self.record(value)) != nil)
    }

    @Test(arguments: [
        ("{$.a}", "https://i.example/a b?x=1#y", "https://i.example/a b?x=1#y"),
        ("{$.a}?w=1", "//i.example/a", "//i.example/a?w=1"),
        ("https://{$.a}.example/", "cdn-2", "https://cdn-2.example/"),
        ("https://{$.a}.example/", "evil.example/x", nil),
        ("https://{$.a}.example/", "u@evil", nil),
        ("https://i.example{$.a}", "/b/c.jpg", "https://i.example/b/c.jpg"),
        ("https://i.example{$.a}", "@evil.example/", nil), ("https://{$.a}", "/evil.example/", nil),
        ("../things/{$.a}", "C#", "../things/C%23"), ("/a/.{$.a}", ".", nil), ("/{$.a}{$.b}", ".", nil),
        ("https://i.example/w{$.a}", "/p/a,b.png", "https://i.example/w/p/a,b.png"),
    ])
    func `a part may be a whole URL, a host's name or a path, each in its place alone`(
        text: String, value: String, expected: String?
    ) throws {
        #expect(try Self.composed(text, try Self.record(value)) == expected)
    }

    @Test func `half of a surrogate pair is in no URL`() throws {
        #expect(try Self.composed("https://h/{$.a}", #"{"a":"x\ud83d"}"#) == nil)
        #expect(try Self.composed("https://h/{$.a}", #"{"a":"\ud83d\ude00"}"#) == "https://h/%F0%9F%98%80")
    }
}
