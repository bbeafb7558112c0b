// The example scripts do what they say, against the local server: what they print, and what they leave.

import Foundation
import Testing

@Suite("The example script")
struct AppExampleTests {
    /// Runs a script of scripts/examples in a folder.
    static func run(
        _ name: String, _ arguments: [String], in folder: ScratchFolder, environment: [String: String] = [:]
    ) throws -> Session {
        let script = Fixtures.checkout + "/scripts/examples/" + name
        let quoted = ([script] + arguments).map { "'\($0)'" }.joined(separator: " ")
        return try Session.script(quoted, environment: environment, folder: folder)
    }

    /// The lines under a heading that begins with `# ` and a text, to the next heading.
    static func section(_ heading: String, of run: Session) -> [String] {
        let parts = run.text.components(separatedBy: "\n# ")
        let part = parts.first { $0.hasPrefix(heading) || $0.hasPrefix("# " + heading) } ?? ""
        return part.split(separator: "\n").dropFirst().map(String.init)
    }

    /// The records of a property list that is an array.
    static func records(_ name: String, in folder: ScratchFolder) throws -> [[String: Any]] {
        let data = Data(try folder.bytes(name))
        let list = try unsafe PropertyListSerialization.propertyList(from: data, format: nil)
        return try #require(list as? [[String: Any]])
    }

    @Test("of Disney's characters lists, searches, shows one and keeps what was found")
    func disney() throws {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        let run = try Self.run("disney", [server.url], in: folder)
        #expect(run.status == 0 && run.errors == "", "\(run.errors)")
        let list = Self.section("The list", of: run)
        #expect(list.count == 11 && list.first == "Mick Tidewater" && list.last == "Inés de la Cueva")
        #expect(Self.section("All of it", of: run) == [#"{"$seal":{"records":120,"complete":true}}"#])
        let typed = Self.section("As one types", of: run)
        #expect(typed.prefix(3) == [#"m: {"count":8}"#, #"mi: {"count":5}"#, #"mick: {"count":3}"#])
        #expect(typed.count == 3 + 3 + 6)
        #expect(Self.section("Nobody", of: run) == ["Sorry, there are no characters."])
        let one = Self.section("One of them", of: run)
        #expect(one.first == #""name":"Mick Tidewater""# && one.contains(#""tvShows":["Tidewater Tales"]"#))
        let again = Self.section("Again", of: run)
        #expect(again.first?.contains(#""written":false"#) == true && again.count == 7)
        #expect(try Self.records("found.plist", in: folder).count == 6)
        #expect(try folder.text("found.html").contains("Count Mickelbrook"))
        #expect(try folder.names() == ["characters.jsonl", "found.html", "found.plist", "pictures"])
    }
}
