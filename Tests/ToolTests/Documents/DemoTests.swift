// The demonstration: what it leaves and says, and its server for the examples of the README.

import Foundation
import TestSupport
import Testing

@Suite("scripts/demo", .enabled(if: Executables.testsPackages, "scripts/test --packages runs it"))
struct DemoTests {
    /// A checkout with the script and the catalogue, in which a run leaves its files.
    private static func checkout() throws -> ScratchFolder {
        let folder = try ScratchFolder()
        try folder.makeFolder("scripts")
        // Not by this process: a child that another test starts meanwhile would hold it open for writing, and nothing
        // that is open for writing can be run.
        let copy = try Session.script("cp '\(Fixtures.checkout)/scripts/demo' scripts/demo", folder: folder)
        try #require(copy.status == 0, "\(copy.errors)")
        try folder.link("Tests", to: Fixtures.checkout + "/Tests")
        return folder
    }

    private static let built = ["CASTLINE_BIN": Executables.folder]

    @Test
    func `does the main job, leaves a page to look at, and ends with what is next`() throws {
        let folder = try Self.checkout()
        let run = try Session(folder.path("scripts/demo"), ["--local"], environment: Self.built, folder: folder)
        #expect(run.status == 0, "\(run.errors)")
        #expect(try folder.names() == ["Tests", "characters.html", "characters.plist", "images", "scripts"])
        #expect(try folder.text("characters.html").contains("<title>Characters named Mick</title>"))
        #expect(run.text.contains("{\"stored\":\"characters.plist\",\"format\":\"xml\",\"records\":6,"))
        let look = "Open \(folder.path("characters.html")) in a browser to look at them."
        #expect(run.lines.suffix(2).first == look)
        #expect(run.lines.last?.contains("man castline") == true)
        let ignored = try String(contentsOfFile: Fixtures.checkout + "/.gitignore", encoding: .utf8)
        for name in ["/characters.html", "/characters.plist", "/images/"] { #expect(ignored.contains(name + "\n")) }
    }

    @Test
    func `explains itself, and refuses what it doesn't know`() throws {
        let folder = try Self.checkout()
        let help = try Session(folder.path("scripts/demo"), ["--help"], environment: Self.built)
        #expect(help.status == 0 && help.errors.isEmpty)
        for option in ["--local", "--serve"] { #expect(help.text.contains("scripts/demo \(option)")) }
        let wrong = try Session(folder.path("scripts/demo"), ["--sreve"], environment: Self.built)
        #expect(wrong.status == 64 && wrong.errors == "usage: scripts/demo [--local|--serve]\n")
    }

    /// Shells that read commands from stdin.
    @Test(arguments: [("bash", ["--norc"]), ("zsh", ["-f"]), ("fish", ["--no-config"])])
    func `serves the examples to a shell in which its line was pasted, until Ctrl-C`(
        shell: String, arguments: [String]
    ) throws {
        guard let path = Programs.path([shell]) else {
            withKnownIssue("no \(shell)") { Issue.record("not run") }
            return
        }
        let folder = try Self.checkout()
        let server = try ChildProcess(
            folder.path("scripts/demo"), ["--serve"], environment: Session.environment(folder, Self.built),
            folder: folder.path)
        let line = try #require(server.line())
        #expect(server.errors.contains("demo: the local server answers at http://127.0.0.1:"))
        let commands = """
            \(line)
            fetch-characters | fetch-images --on-error=drop | store-plist
            bash -c 'fetch-characters --limit 2' | filter-search -c mick
            """
        // Its own PATH doesn't have the tools.
        let run = try Session(
            path, arguments, input: (commands + "\n").utf8, environment: ["PATH": "/usr/bin:/bin"], folder: folder)
        #expect(
            run.text.contains("\"records\":") && run.text.hasSuffix("{\"count\":1}\n"), "\(run.text)\(run.errors)")
        server.signal(SIGINT)
        #expect(server.finish(limitSeconds: 10) && server.status == 130, "\(server.errors)")
        #expect(try folder.names().filter { $0.hasPrefix("tmp.") } == [])
    }
}
