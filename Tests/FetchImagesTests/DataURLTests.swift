// URLs that hold their content, and base64.

import Foundation
import PipelineCore
import PipelineHTTP
import TestSupport
import Testing
import fetch_images

@Suite("URLs of records")
struct DataURLTests {
    @Test(arguments: [
        ("data:,A%20brief%20note", "A brief note"),
        ("data:text/plain;charset=utf-8;base64,TWlja2V5", "Mickey"),
        ("DATA:image/png;BASE64,TWl%6Aa2V5", "Mickey"),
        ("data:;base64,TWlj a2V5%0A", "Mickey"),
        ("data:;base64,TWljaw", "Mick"),
        ("data:;base64,TWljaw==", "Mick"),
        ("data:image/svg+xml;utf8,<svg id='%2'/>#fragment", "<svg id='%2'/>"),
        ("data:base64,TWlj", "TWlj"),
        ("data:,a,b", "a,b"),
        ("data:;base64 ,TWlj", "Mic"), ("data:image/png; base64,TWlj", "Mic"), ("data:;base64;x,TWlj", "TWlj"),
        ("data:xbase64,TWlj", "TWlj"), ("data:;xbase64,TWlj", "TWlj"), ("data: base64,TWlj", "TWlj"),
        ("data:\(String(repeating: ";", count: 10_000))base64,TWlj", "Mic"),
        ("data:\(String(repeating: ";base64", count: 10_000)),TWlj", "Mic"),
        ("data:,", ""),
    ])
    func `a data URL gives its content`(_ url: String, _ expected: String) {
        #expect(DataURL.content(url).map { String(decoding: $0, as: UTF8.self) } == expected)
    }

    @Test(arguments: [
        "data:", "data:image/png;base64", "data:;base64,TWl*", "data:;base64,TWljY", "data:;base64,T=Wl",
    ])
    func `a broken one gives nothing`(_ url: String) { #expect(DataURL.content(url) == nil) }

    @Test
    func `base64 is what Foundation makes of the same bytes`() {
        var generator = SplitMix64(seed: 7)
        for count in 0..<300 {
            let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            var text: [UInt8] = []
            Base64.append(bytes.span, to: &text)
            #expect(String(decoding: text, as: UTF8.self) == Data(bytes).base64EncodedString())
            #expect(Base64.decoded(text.span) == bytes)
        }
    }

    @Test(arguments: [
        ("http://x/a.png", "http://x/a.png"), ("HTTPS://x/a b", "https://x/a%20b"), ("data:,x", "data"),
        ("DATA:,x", "data"), ("ftp://x/a", "refused"), ("file:///etc/passwd", "refused"),
        ("javascript:alert(1)", "refused"), ("a.png", "refused"), ("//x/a.png", "refused"),
        ("/a.png", "refused"),
        ("http://", "refused"), ("http://x:0/", "refused"),
    ])
    func `a URL is taken for what it is`(_ text: String, _ expected: String) {
        #expect(Self.described(ImageURL(text, base: nil)) == expected)
    }

    @Test(arguments: [
        ("a.png", "http://h/p/a.png"), ("/a.png", "http://h/a.png"), ("//x/a.png", "http://x/a.png"),
        ("../a", "http://h/a"), ("https://y/", "https://y/"), ("a.png#b", "http://h/p/a.png"),
        ("ftp://x/", "refused"), ("data:,x", "data"),
    ])
    func `a relative URL is completed by the base`(_ text: String, _ expected: String) throws {
        #expect(Self.described(ImageURL(text, base: try HTTPURL("http://h/p/q"))) == expected)
    }

    @Test
    func `a URL may be as long as the limit, and no longer`() {
        let url = "http://x/" + String(repeating: "a", count: (1 << 20) - 9)
        #expect(Self.described(ImageURL(url, base: nil)) == url)
        #expect(Self.described(ImageURL(url + "#b", base: nil)) == url)
        #expect(Self.described(ImageURL(url + "a", base: nil)) == "refused")
        #expect(Self.described(ImageURL("data:," + url, base: nil)) == "data")
    }

    private static func described(_ url: ImageURL) -> String {
        switch url {
        case .http(let url): url.text
        case .data: "data"
        case .refused: "refused"
        }
    }
}
