// A recipe as a command that tests run in a directory of its own, and what has to be there before.

import Foundation
import TestSupport
import Testing

struct RecipeUnderTest {
    static let folder = Fixtures.checkout + "/scripts/examples/recipes"

    /// What a shell runs.
    let command: String
    /// The file that it keeps.
    let store: String
    /// The files that a failed run leaves as they were.
    var kept: String { store == "Catalogue.plist" ? "Catalogue.plist CatalogueEntry.swift" : store }
    /// What is done once, before the first run.
    var preparation = ""
    /// How its source comes to give half a list where no server does that, and the whole again.
    var losingHalf = ""
    var findingHalf = ""

    /// - Parameter waits: whether it waits for a lock as the recipe says, or not at all.
    init(_ name: String, waits: Bool = false) throws {
        let options = waits ? "" : "--wait 0"
        let path = Self.folder + "/" + name
        switch name {
        case "castline-refresh.service":
            command = try Self.serviceCommand(home: "$PWD").replacing("10m", with: waits ? "10m" : "0")
            store = "characters.plist"
        case "Makefile":
            // The options are make's own to know, as it tells lists apart by them.
            let makefile = waits ? path : "<(sed 's/--wait 10m/--wait 0/' \(path))"
            command = "options=$FETCH_FAULT; unset FETCH_FAULT; make -s -f \(makefile) FETCH=\"$options\" QUERY="
            store = "characters.plist"
        case "github-actions.yml":
            command = try "set -o pipefail\n" + Self.step()
            store = "Resources/characters.plist"
            preparation = "mkdir -p Tests Resources; fetch-characters --record Tests/answers >/dev/null"
            losingHalf = "rm $(grep -l page=3 Tests/answers/*.head | sed 's/head$/*/')"
            findingHalf = "rm -r Tests/answers; fetch-characters --record Tests/answers >/dev/null"
        case "app-bundle":
            command = path + " ."
            store = "Catalogue.plist"
        default:
            command = "export STORE_OPTIONS='\(options)'; \(path) s.plist"
            store = "s.plist"
            // A backup may be made before the disk is found to be full.
            preparation =
                "git init -q; git config user.name a; git config user.email a@example.org; touch s.plist.old"
        }
    }

    /// What the service of systemd runs, as systemd reads it.
    static func serviceCommand(home: String) throws -> String {
        let unit = try String(contentsOfFile: folder + "/castline-refresh.service", encoding: .utf8)
        let line = try #require(unit.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
        return String(line.dropFirst(10)).replacing("%h", with: home).replacing("$$", with: "$")
    }

    /// The step of GitHub Actions that makes the catalogue.
    static func step() throws -> String {
        let text = try String(contentsOfFile: folder + "/github-actions.yml", encoding: .utf8)
        let start = try #require(text.range(of: "run: |\n"))
        return text[start.upperBound...].split(separator: "\n").prefix { $0.hasPrefix("          ") }.joined(
            separator: "\n")
    }

    /// Runs a script in a room, which has the command as the file `command`, and may mount file systems that go with it.
    func run(_ script: String, in room: ExampleRoom) throws -> Session {
        try room.folder.write(command, to: "command")
        try room.folder.write(script, to: "script")
        guard script.contains("mount ") else { return try room.run("bash script") }
        return try room.run("unshare \(geteuid() == 0 ? "" : "--user --map-root-user") --mount bash script")
    }
}
