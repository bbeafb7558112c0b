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

    @Test func `base64 is what Foundation makes of the same bytes`() {
        var generator = SplitMix64(seed: 7)
        for count in 0..<300 {
            let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            let text = Base64.encoded(bytes.span)
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

    @Test func `a URL may be as long as the limit, and no longer`() {
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

// Names out of foreign data: what file systems refuse, what shells take for something else, what collides.

@Suite("Names of pictures")
struct SafeFileNameTests {
    @Test(arguments: [
        ("Mickey Mouse", "Mickey Mouse"), ("../../etc/passwd", "etc_passwd"),
        ("a/b\\c:d*e?f\"g<h>i|j", "a_b_c_d_e_f_g_h_i_j"),
        ("-rf", "rf"), (" .hidden", "hidden"), ("dots...", "dots"), ("space \u{A0} ", "space"), ("CON", "_CON"),
        ("com¹.x", "_com¹.x"), ("CONIN$", "_CONIN$"), ("con .foo", "_con .foo"), ("con foo.x", "con foo.x"),
        ("lpt1.txt", "_lpt1.txt"), ("COM9", "_COM9"), ("Lpt9.x", "_Lpt9.x"), ("COM10", "COM10"),
        ("Conrad", "Conrad"), ("a\u{0}b\nc\u{7}", "ab c"),
        ("\u{202E}gnp.exe", "gnp.exe"), (".\u{301}hidden", "hidden"), ("-\u{20DD}\u{301}rf", "rf"),
        (" \u{301}", "picture"),
        ("", "picture"), ("...", "picture"), ("/", "picture"), ("Bj\u{F6}rk 北", "Bj\u{F6}rk 北"),
    ])
    func `a name is made safe`(_ text: String, _ expected: String) { #expect(SafeFileName.name(text) == expected) }

    @Test func `a name is cut between characters, to what file systems take`() {
        for character in ["a", "é", "北", "👨‍👩‍👧"] {
            let name = SafeFileName.name(String(repeating: character, count: 400))
            #expect(name.utf8.count <= 239)
            #expect(name.allSatisfy { String($0).utf8.count <= character.utf8.count })
            #expect(!name.isEmpty)
        }
    }

    @Test func `any text gives a name that is safe, and safe names stay as they are`() {
        var generator = SplitMix64(seed: 3)
        let pieces = [
            "/", "\\", ".", " ", "-", "CON", "a", "é", "\u{301}", "\u{0}", "\n", "\u{202E}", ":", "x.y", "北", "👍🏽",
        ]
        for _ in 0..<5000 {
            let text = (0..<Int(generator.next() % 12)).map { _ in pieces[Int(generator.next() % 16)] }.joined()
            let name = SafeFileName.name(text)
            #expect(!name.isEmpty && name.utf8.count <= 239)
            #expect(!name.unicodeScalars.contains { "/\\:*?\"<>|".unicodeScalars.contains($0) || $0.value < 0x20 })
            #expect(name.utf8.first.map { !".- ".utf8.contains($0) } == true)
            #expect(name.utf8.last.map { !". ".utf8.contains($0) } == true)
        }
    }

    @Test func `names that some file system takes for one have one key`() {
        let key = SafeFileName.collisionKey
        #expect(key("Bj\u{F6}rk.png") == key("BJO\u{308}RK.PNG"))
        #expect(key("a.png") != key("b.png"))
    }

    @Test func `a template names members of the record`() throws {
        let template = try NameTemplate("{name} ({a.id})!")
        #expect(template.text(["Mick", "7"]) == "Mick (7)!")
        #expect(template.text([nil, nil]) == " ()!")
        var reader = ImageRecordReader(labels: template.fields)
        let (record, urls) = try reader.read(Array(#"{"name":"M\u00fcck","a":{"id":1.50},"image":"u"}"#.utf8).span)
        #expect(record.labels == ["M\u{FC}ck", "1.50"] && urls == ["u"])
        let deep = try NameTemplate("{tags[0]}-{$.films[?@.title == '{}'].year}")
        var deepReader = ImageRecordReader(labels: deep.fields)
        let tagged = try deepReader.read(
            Array(#"{"tags":["a","b"],"films":[{"title":"{}","year":1950}]}"#.utf8).span)
        #expect(deep.text(tagged.record.labels) == "a-1950")
        for text in ["plain", "{", "}", "{a", "a}{b}", "{}", "{a[}]}", "{a b}"] {
            #expect(throws: UsageError.self, "\(text)") { try NameTemplate(text) }
        }
    }
}
