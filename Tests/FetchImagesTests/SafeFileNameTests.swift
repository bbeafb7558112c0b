// Names out of foreign data: what file systems refuse, what shells take for something else, what collides.

import PipelineCore
import TestSupport
import Testing
import fetch_images

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

    @Test
    func `a name is cut between characters, to what file systems take`() {
        for character in ["a", "é", "北", "👨‍👩‍👧"] {
            let name = SafeFileName.name(String(repeating: character, count: 400))
            #expect(name.utf8.count <= 239)
            #expect(name.allSatisfy { String($0).utf8.count <= character.utf8.count })
            #expect(!name.isEmpty)
        }
    }

    @Test
    func `any text gives a name that is safe, and safe names stay as they are`() {
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

    @Test
    func `names that some file system takes for one have one key`() {
        let key = SafeFileName.collisionKey
        #expect(key("Bj\u{F6}rk.png") == key("BJO\u{308}RK.PNG"))
        #expect(key("a.png") != key("b.png"))
    }

    @Test
    func `a template names members of the record`() throws {
        let template = try NameTemplate("{name} ({a.id})!")
        #expect(template.text(["Mick", "7"]) == "Mick (7)!")
        #expect(template.text([nil, nil]) == " ()!")
        var reader = ImageRecordReader(labels: template.fields, added: "imageFile")
        let record = try reader.read(Array(#"{"name":"M\u00fcck","a":{"id":1.50},"image":"u"}"#.utf8).span)
        #expect(record.labels == ["M\u{FC}ck", "1.50"] && record.url == "u")
        let deep = try NameTemplate("{tags[0]}-{$.films[?@.title == '{}'].year}")
        var deepReader = ImageRecordReader(labels: deep.fields, added: "imageFile")
        let tagged = try deepReader.read(
            Array(#"{"tags":["a","b"],"films":[{"title":"{}","year":1950}]}"#.utf8).span)
        #expect(deep.text(tagged.labels) == "a-1950")
        for text in ["plain", "{", "}", "{a", "a}{b}", "{}", "{a[}]}", "{a b}"] {
            #expect(throws: UsageError.self, "\(text)") { try NameTemplate(text) }
        }
    }
}
