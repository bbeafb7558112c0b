// The example scripts do what they say, against the local server: what they print, and what they leave.

import Foundation
import TestSupport
import Testing

@Suite("The example script", .enabled(if: Shells.has("jq"), "no jq"))
struct AppExampleTests {
    /// Runs a script of scripts/examples in a directory.
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

    @Test
    func `of Disney's characters lists, searches, shows one and keeps what was found`() throws {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        let run = try Self.run("disney", [server.url], in: folder)
        #expect(run.status == 0 && run.errors == "", "\(run.errors)")
        let list = Self.section("The list", of: run)
        #expect(list.count == 11 && list.first == "Mick Tidewater" && list.last == "Inés de la Cueva")
        #expect(list.contains("Björk Ålander"))
        #expect(
            Self.section("The whole list", of: run) == [#"{"$seal":{"records":120,"complete":true,"by":"count"}}"#])
        let typed = Self.section("While you type", of: run)
        #expect(typed.prefix(3) == [#"m: {"count":8}"#, #"mi: {"count":5}"#, #"mick: {"count":3}"#])
        #expect(typed.count == 3 + 3 + 6 && typed.contains("Mick of the Marsh"))
        #expect(Self.section("Nobody", of: run) == ["Sorry, there are no characters."])
        let one = Self.section("One of them", of: run)
        #expect(one.contains(#"  "name": "Mick Tidewater","#) && one.contains(#"    "Tidewater Tales""#))
        let again = Self.section("Again", of: run)
        #expect(again.first?.contains(#""written":false"#) == true && again.count == 7)
        #expect(try Self.records("found.plist", in: folder).count == 6)
        #expect(try folder.text("found.html").contains("Count Mickelbrook"))
        #expect(try folder.names() == ["characters.jsonl", "found.html", "found.plist", "pictures"])
    }

    @Test
    func `of dogs keeps a list with its pictures, edits it, and has a sample where nothing comes`() throws {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        let run = try Self.run("dogs-list", [server.url + "/dogs"], in: folder)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("refused the connection") && run.errors.count { $0 == "\n" } == 1)
        let rows = ["Bosun, 5", "Pepper, 3", "Admiral, 8", "Biscuit, 4", "Pepper, 2", "Tock, 11", "Łatka, 1"]
        #expect(Self.section("The stored list", of: run).dropFirst() == rows[...])
        let deleted = Self.section("Delete one", of: run).dropFirst()
        #expect(Array(deleted) == rows.filter { $0 != "Biscuit, 4" })
        let ordered = Self.section("Reorder", of: run).filter { !$0.hasPrefix("{") }
        #expect(ordered.count == 12 && ordered.prefix(6).reversed() == Array(ordered.suffix(6)))
        #expect(ordered.first == "Admiral, 8")
        #expect(Self.section("Delete one of two", of: run).count { $0.hasPrefix("Pepper") } == 1)
        #expect(Self.section("Delete the last", of: run).suffix(7) == rows[...])
        #expect(Self.section("No service", of: run).last == "Sample, 1")
        let records = try Self.records("dogs.plist", in: folder)
        #expect(records.count == 7 && records.allSatisfy { ($0["imageData"] as? Data)?.isEmpty == false })
        let states = records.compactMap { ($0["imageFile"] as? [String: Any])?["status"] as? String }
        #expect(states.count { $0 == "placeholder" } == 1)
        // The second time it starts from what is stored: the list isn't asked for before the last row has gone.
        let before = try server.requests.count { $0.target.hasPrefix("/dogs/") }
        let again = try Self.run("dogs-list", [server.url + "/dogs"], in: folder)
        #expect(Self.section("The stored list", of: again) == rows)
        #expect(try server.requests.count { $0.target.hasPrefix("/dogs/") } == before + 1)
    }

    @Test
    func `of pets searches breeds, shows one with its traits, and gets more pictures with a key`() throws {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        let key = ["DOG_API_KEY": "live_pets"]
        let run = try Self.run("pets", [server.url + "/dogapi/v1"], in: folder, environment: key)
        #expect(run.status == 0 && run.errors == "", "\(run.errors)")
        let found = Self.section("Breeds whose name", of: run)
        #expect(found.count == 6 && found.last == "Vale Terrier")
        let one = Self.section("One of them", of: run)
        #expect(one.contains(#"  "life_span": "10 - 13 years","#))
        #expect(one.contains(#"    "Patient","#) && one.contains(#"    "Clever""#))
        #expect(Self.section("Breeds with", of: run) == ["Anchor Terrier"])
        #expect(Self.section("Its page", of: run) == ["no page"])
        #expect(Self.section("More pictures", of: run).last?.hasPrefix("pictures/") == true)
        let records = try Self.records("breeds.plist", in: folder)
        #expect(records.allSatisfy { ($0["traits"] as? [String])?.count == 4 })
        // Pictures are at another origin, and the key doesn't go there.
        let told = try server.requests.filter { $0.header("x-api-key") == "live_pets" }
        #expect(told.count == 2 && told.allSatisfy { $0.header("host") == "127.0.0.1:\(server.port)" })
        #expect(try folder.text("dog-images.json").contains("https://api.thedogapi.com/v1"))
    }

    @Test
    func `of cats lists breeds with pictures, shows those of one, and asks nothing the second time`() throws {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        let run = try Self.run(
            "cats", [server.url + "/catapi/v1"], in: folder,
            environment: ["XDG_CACHE_HOME": folder.path("cache")])
        #expect(run.status == 0 && run.errors == "", "\(run.errors)")
        let breeds = Self.section("All breeds", of: run)
        #expect(breeds.count == 29 && breeds.contains("Ærø Forest Cat"))
        #expect(Self.section("How many have", of: run) == ["3 none", "25 ok"])
        #expect(Self.section("Its description", of: run) == ["Sleeps on charts and knows every tide."])
        #expect(run.text.contains("\n# The pictures of the chosen one: Alley Duchess\n"))
        #expect(Self.section("The pictures of the chosen", of: run).dropFirst().count >= 8)
        #expect(try Self.records("chosen.plist", in: folder).count == 10)
        #expect(Self.section("Once more", of: run).first?.contains(#""records":28,"#) == true)
        let targets = try server.requests.map(\.target)
        #expect(targets.count { $0.hasPrefix("/catapi/v1/breeds") } == 1)
        // A picture that two lists name is asked for again only whether it still holds.
        let again = Dictionary(grouping: try server.requests, by: \.target).values.flatMap { $0.dropFirst() }
        #expect(again.allSatisfy { $0.status == 304 && $0.target.hasPrefix("/images/") })
        let none = try Self.run(
            "cats", [server.url + "/catapi/v1"], in: folder,
            environment: ["CATS_CHOICE": "Nobody", "XDG_CACHE_HOME": folder.path("cache")])
        #expect(none.status == 1)
        #expect(none.errors == "cats: no breed has the name 'Nobody'; choose one from the list above\n")
    }

    @Test
    func `of the museum pages, searches, shows one, works offline and tells what is wrong`() throws {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        let addresses = [server.url + "/rijksmuseum", server.url + "/rijksmuseum-v1/api"]
        let environment = ["XDG_CACHE_HOME": folder.path("cache"), "RIJKSMUSEUM_SEARCH": "teapot"]
        let run = try Self.run("rijksmuseum", addresses, in: folder, environment: environment)
        #expect(run.status == 0 && run.errors == "", "\(run.errors)")
        let paintings = Self.section("Paintings", of: run)
        #expect(paintings.count == 8 && paintings[1] == "Copper Keeper" && paintings[7] == "6 of page 1")
        #expect(Self.section("A search", of: run).allSatisfy { $0.contains("Teapot") })
        let one = Self.section("One of them", of: run)
        #expect(one.count == 7 && one[1] == #"  "id": "RP-T-1930-1(V)","#)
        #expect(Self.section("Its maker", of: run) == ["Saskia van der Kaai"])
        let offline = Self.section("Offline", of: run)
        #expect(offline == Array(paintings[1...6]) + [#"{"count":6}"#])
        let wrong = Self.section("Errors", of: run)
        #expect(wrong.count == 4 && wrong[1] == "status 76" && wrong[3] == "status 77")
        let keyed = try Self.run(
            "rijksmuseum", addresses, in: folder,
            environment: environment.merging(["RIJKSMUSEUM_API_KEY": "live_1"]) { $1 })
        let first = Self.section("The first API", of: keyed)
        #expect(
            first.prefix(4) == [
                "Copper Keeper", "Salty Barnacle", "Crooked Teapot", "Old Ferry",
            ])
        #expect(first.contains(##""#261808""##))
        #expect(!(keyed.text + keyed.errors).contains("live_1"))
    }
}
