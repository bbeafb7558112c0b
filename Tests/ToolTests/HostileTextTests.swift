// Text of others in what a person reads: names of files, of members, of hosts.

import Foundation
import Testing

@Suite struct HostileTextTests {
    /// Reverses, hides, ends a line.
    static let hostile = "a\u{202E}gpj\u{2066}b\u{200B}\u{FEFF}\u{85}\u{2028}\u{E0041}c"
    static let shown = #"a\u{202e}gpj\u{2066}b\u{200b}\u{feff}\u{85}\u{2028}\u{e0041}c"#

    @Test(arguments: [
        ("filter-search", ["x", hostile]), ("store-plist", ["--load", hostile]),
        ("fetch-characters", ["--source", hostile + "."]),
        ("fetch-images", ["--field", "a[" + hostile]), ("filter-search", ["--" + hostile]),
        ("store-plist", ["--key", "[" + hostile]),
    ])
    func `an argument that is quoted shows what is in it`(tool: String, arguments: [String]) throws {
        let run = try Session(tool, arguments)
        #expect(run.status != 0 && run.output.isEmpty && run.errors.contains(Self.shown), "\(run.errors)")
    }

    @Test func `a member's name in a message shows what is in it, and in JSON stays the same name`() throws {
        let input = Array("{\"\(Self.hostile)\":\"mick\"}\n".utf8)
        let run = try Session("filter-search", ["--explain", "-a", "mick"], input: input)
        #expect(run.status == 0 && run.output == input)
        let found = try Session.object(run.errors.utf8)
        let field = try #require(found["field"] as? String)
        #expect(field.unicodeScalars.elementsEqual(Self.hostile.unicodeScalars), "\(run.errors)")
        #expect(!run.errors.unicodeScalars.contains { Self.hostile.unicodeScalars.contains($0) && $0.value > 0x7F })
    }

    @Test func `what a service sends is shown, and stays in the records as it is`() throws {
        let body = FetchCharactersTests.body(
            "{\"data\":{\"_id\":\"\(Self.hostile)\",\"name\":\"x\"},\"info\":{\"totalPages\":1}}")
        let server = try LocalServer(faults: [body])
        let other = try FetchCharactersTests.fetch(server, ["--id", "5"])
        #expect(other.status == 76 && other.errors.contains("the record \(Self.shown)"), "\(other.errors)")
        let list = try FetchCharactersTests.fetch(server)
        #expect(list.status == 0)
        #expect(list.text == "{\"source\":\"disney\",\"id\":\"\(Self.hostile)\",\"name\":\"x\"}\n")
    }
}
