// What completes a value is read off its name in the help.

import PipelineCore
import Testing

@Suite("The kind of a value")
struct ValueKindTests {
    @Test(arguments: [
        ("xml|binary", ["xml", "binary"], false, false), ("omit|error|TEXT", ["omit", "error"], false, false),
        ("FILE", [], true, false), ("FILE.html", [], true, false), ("NAME|FILE", [], true, false),
        ("DIR", [], false, true), ("DIR|none", ["none"], false, true), ("N", [], false, false),
        ("NAME=VALUE", [], false, false), ("N/second|minute|hour", [], false, false),
    ])
    func `is in its name`(_ name: String, words: [String], hasFiles: Bool, hasDirectories: Bool) {
        let kind = ValueKind(name)
        #expect(kind.words == words && kind.hasFiles == hasFiles && kind.hasDirectories == hasDirectories)
    }

    @Test
    func `is joined by the choices that the name doesn't give`() {
        #expect(ValueKind("NAME|FILE.json", choices: [OptionChoice("disney", "a")]).words == ["disney"])
    }

    @Test(arguments: [
        ("Stop after N records. Default: none.", "Stop after N records"), ("Say more.", "Say more"),
        ("What a null becomes: left out.", "What a null becomes: left out"),
        ("Look for it; repeat it.", "Look for it; repeat it"),
        ("Show 3.5 of them", "Show 3.5 of them"),
    ])
    func `is explained by the first sentence of the help`(_ help: String, _ sentence: String) {
        #expect(CommandOption<Void>.value("name", "N", help: help) { _, _ in }.firstSentence == sentence)
    }
}
