// Where examples are run as they are written: `fetch-characters` asks the local server, `fetch-images` may do so, and the
// files that examples name are there.

import Foundation
import TestSupport
import Testing

/// A scratch directory and the commands in it. What `FETCH_FAULT` holds are further options of `fetch-characters`.
struct ExampleRoom {
    let folder: ScratchFolder
    private let server: LocalServer
    private let path: String

    /// - Parameter tools: a directory of further commands.
    init(_ server: LocalServer, tools: String? = nil) throws {
        self.server = server
        folder = try ScratchFolder()
        let bin = folder.path(".bin")
        try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: false)
        let commands = [
            "fetch-characters": "--base-url \(server.url) $FETCH_FAULT", "fetch-images": "--allow-private",
        ]
        // A shell writes them: a file that a test had open for writing could be inherited, and not be run then.
        let files = commands.map { name, option in
            "printf '#!/bin/sh\\nexec \(Executables.path(name)) \(option) \"$@\"\\n' >\(name); chmod +x \(name)"
        }
        _ = try Session.script("cd \(bin); " + files.joined(separator: "; "))
        path =
            "\(bin):\(Executables.folder):/usr/bin:/bin:\(Fixtures.checkout)/scripts/examples/recipes"
            + (tools.map { ":" + $0 } ?? "")
    }

    /// A server for rooms: its catalogue is the project's own, without the one number that no property list can hold.
    static func server(faults: [String] = [], port: UInt16 = 0) throws -> LocalServer {
        let text = try String(contentsOfFile: Fixtures.catalogue, encoding: .utf8)
        let folder = try ScratchFolder()
        try folder.write(text.replacing("90071992547409931234", with: "90071992547409").utf8, to: "catalogue")
        return try LocalServer(faults: faults, catalogue: folder.path("catalogue"), port: port)
    }

    /// Makes the files that the manual's examples read.
    func furnish() throws {
        let records = try run("fetch-characters")
        for name in ["characters.jsonl", "cats.jsonl"] { try folder.write(records.output, to: name) }
        try folder.write("{\"message\":\"an error\"}\n".utf8, to: "log.jsonl")
        _ = try run("store-plist -q cats.plist <cats.jsonl")
    }

    func run(_ script: String, environment: [String: String] = [:], limitSeconds: Double = 60) throws -> Session {
        try Session.script(
            script, environment: environment.merging(["PATH": path]) { $1 }, folder: folder,
            limitSeconds: limitSeconds)
    }

    /// What a document shows, with the address of the server as that of this room's.
    func shown(_ text: String) -> String {
        text.replacing(/http:\/\/127\.0\.0\.1:[0-9]{4,}/, with: server.url)
    }
}
