// Runs with `--source` against a local server, for the suites of sources, descriptions, plans and `--each`.

import Foundation
import TestSupport
import Testing

/// Runs of fetch-characters on a source, and what came.
enum FetchSource {
    static func fetch(
        _ server: LocalServer, _ source: String, at path: String, _ arguments: [String] = [], input: String = "",
        environment: [String: String] = [:]
    ) throws -> Session {
        // A plan tells the rate of the description.
        let rate = arguments.contains("--plan") ? [] : ["--rate", "1000000/second"]
        return try Session(
            "fetch-characters", ["--source", source, "--base-url", server.url + path] + rate + arguments,
            input: input.utf8, environment: environment)
    }

    /// A run of a source whose list is at that path.
    static func run(
        _ server: LocalServer, _ folder: ScratchFolder, _ members: String, _ arguments: [String] = [],
        at path: String = "/list", input: String = "", environment: [String: String] = [:]
    ) throws -> Session {
        let pagination = members.contains("\"pagination\"") ? "" : #""pagination":{"type":"none"},"#
        let records = members.contains("\"records\"") ? "" : #""records":"$","#
        try folder.write(
            """
            {"name":"s","baseURL":"\(server.url)","path":"\(path)",\(pagination)\(records)\(members)}
            """.utf8, to: "s.json")
        return try Session(
            "fetch-characters", ["--source", "s.json", "--rate", "1000000/second"] + arguments, input: input.utf8,
            environment: environment, folder: folder)
    }

    /// Writes a description of a list with these members, `x.json`.
    static func describe(_ members: String, _ folder: ScratchFolder) throws {
        try folder.write(
            #"""
            {"name":"x","baseURL":"http://h","path":"/list","records":"$.data","pagination":{"type":"none"},
            \#(members)}
            """#.utf8, to: "x.json")
    }

    static func texts(_ name: String, _ run: Session) throws -> [String?] {
        try run.records().map { $0[name] as? String }
    }

    static func file(_ description: String, _ folder: ScratchFolder) throws -> String {
        try folder.write(description, to: "source.json")
        return folder.path("source.json")
    }
}
