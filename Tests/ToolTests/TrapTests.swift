// Runs among names that aren't castline's, where it would expect its own: nothing of the user's is changed, and no run waits.

import Foundation
import TestSupport
import Testing

@Suite("What isn't castline's") struct TrapTests {
    /// A command, and names that it uses without the user's having said so.
    private struct Run {
        let tool: String
        let arguments: [String]
        var input = ""
        /// Of the names that a run in an empty directory leaves, those where traps are set; and others.
        var isUsed: @Sendable (String) -> Bool = { _ in false }
        var names: [String] = []
        /// What the tool may replace where it is a regular file, since castline alone gives such names.
        var replaces: @Sendable (String) -> Bool = { _ in false }
        /// A run that makes what this one is to find.
        var prepares: [String] = []
    }

    private static let quick = ["--retries", "0", "--deadline", "20s"]
    private static let temporary = "castline-0123456789abcdef"

    private static func runs(_ server: LocalServer) throws -> [Run] {
        let picture = try Data(contentsOf: URL(fileURLWithPath: "\(Fixtures.pictures)/cat.png"))
        let inline = "{\"name\":\"Mick\",\"imageURL\":\"data:image/png;base64,\(picture.base64EncodedString())\"}\n"
        let linked = "{\"name\":\"Mick\",\"imageURL\":\"\(server.url)/images/cat.png\"}\n"
        let list = ["--base-url", server.url, "--rate", "1000000/second"] + quick
        let isDigest: @Sendable (String) -> Bool = { $0.split(separator: "/").last.map { $0.count > 60 } ?? false }
        return [
            Run(
                tool: "fetch-images", arguments: ["--cache", "none", "--name", "{name}", "--gallery", "g.html"],
                input: inline, isUsed: { $0.hasPrefix("images/") },
                names: ["images", "images/.castline", ".g.html.\(temporary)"],
                replaces: { isDigest($0) || $0.contains(temporary) }),
            Run(
                tool: "fetch-images", arguments: ["--cache", "cache", "--allow-private"] + quick, input: linked,
                isUsed: { $0.hasPrefix("cache/") }, names: ["cache", "cache/.castline"],
                replaces: { $0.hasPrefix("cache/castline-") }),
            Run(
                tool: "fetch-images", arguments: ["--record", "r", "--allow-private"] + quick, input: linked,
                names: ["r", "r/.castline"]),
            Run(
                tool: "fetch-images", arguments: ["--verify"], isUsed: isDigest, names: ["images"],
                prepares: ["fetch-images", "--cache", "none"]),
            Run(
                tool: "fetch-characters", arguments: list + ["--cache", "cache", "--limit", "5"],
                isUsed: { $0.hasPrefix("cache/") }, names: ["cache", "cache/.castline"],
                replaces: { isDigest($0) || $0.hasPrefix("cache/castline-") }),
            Run(
                tool: "fetch-characters", arguments: list + ["--replay", "r", "--limit", "5"],
                isUsed: { $0.hasPrefix("r/") }, names: ["r"],
                prepares: ["fetch-characters"] + list + ["--record", "r", "--limit", "5"]),
            Run(
                tool: "fetch-characters", arguments: list + ["--record", "r", "--limit", "5"],
                names: ["r", "r/.castline"]
            ),
            Run(
                tool: "fetch-characters",
                arguments: list + ["--cache", "none", "--state", "place", "--limit", "5"],
                names: ["place", ".place.lock", ".place.\(temporary)"], replaces: { $0.contains(temporary) }),
            Run(
                tool: "fetch-characters", arguments: list + ["--cache", "none", "--limit", "5"],
                isUsed: { $0.hasPrefix("usual/castline/rate") }, names: ["usual/castline", "usual/castline/rate"]),
            Run(
                tool: "store-plist", arguments: ["s.plist", "--backup", ".old"], input: "{\"name\":\"Mick\"}\n",
                names: [".s.plist.lock", ".s.plist.\(temporary)"], replaces: { $0.contains(temporary) }),
        ]
    }

    private static func session(
        _ tool: String, _ arguments: [String], _ input: String, _ folder: ScratchFolder
    ) throws -> Session {
        try Session(
            tool, arguments, input: input.utf8, environment: ["XDG_CACHE_HOME": folder.path("usual")],
            folder: folder,
            limitSeconds: 30)
    }

    private static func prepared(_ run: Run, _ input: String) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        try Trap.prepare(folder)
        if let tool = run.prepares.first { _ = try session(tool, Array(run.prepares.dropFirst()), input, folder) }
        return folder
    }

    @Test(arguments: 0..<10)
    func `is left as it is, and no run waits for it`(number: Int) throws {
        let server = try LocalServer()
        let run = try Self.runs(server)[number]
        let input = try run.prepares.isEmpty ? run.input : Self.runs(server)[0].input
        let usual = try Self.prepared(run, input)
        #expect(try Self.session(run.tool, run.arguments, run.input, usual).status == 0)
        let used = try Trap.look(usual).keys.filter { run.isUsed($0) }
        let names = (used + run.names).sorted()
        #expect(!names.isEmpty)
        for name in names {
            for trap in Trap.allCases where trap != .file || !run.replaces(name) {
                let folder = try Self.prepared(run, input)
                try trap.set(name, folder)
                let before = try Trap.look(folder)
                let session = try Self.session(run.tool, run.arguments, run.input, folder)
                let after = try Trap.look(folder)
                let changed = before.keys.filter { before[$0] != after[$0] }.sorted()
                #expect(changed.isEmpty, "\(trap) \(name): \(session.status) \(session.errors)")
                #expect(session.status < 128 && session.status != 70, "\(trap) \(name): \(session.errors)")
            }
        }
    }
}
