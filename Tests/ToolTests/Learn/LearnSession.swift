// A run of --learn, and the run of what it has learnt.

import Foundation
import TestSupport
import Testing

/// What a list has taught.
struct LearnSession {
    let run: Session
    /// Requests that the server has seen, without those of the learnt description.
    let requests: [LoggedRequest]

    /// No test asks anybody but the local server: everything else goes to a proxy that isn't there.
    static let environment = [
        "http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9", "no_proxy": "127.0.0.1,localhost",
    ]

    /// - Parameters:
    ///   - target: of the URL of a list, with its query.
    ///   - header: a header field with a key, which makes it a curl command.
    init(
        _ server: LocalServer, _ target: String, _ arguments: [String] = [], folder: ScratchFolder? = nil,
        header: String? = nil, key: [String: String] = [:]
    ) throws {
        let before = try server.requests.count
        let url = server.url + target
        let command = header.map { "curl '\(url)'" + ($0.isEmpty ? "" : " -H '\($0)'") }
        run = try Session(
            "fetch-characters", ["--learn", command ?? url] + arguments,
            environment: Self.environment.merging(key) { $1 }, folder: folder)
        requests = Array(try server.requests.dropFirst(before))
    }

    /// The records that the learnt description gives.
    func records(_ arguments: [String] = ["--raw"], key: [String: String] = [:]) throws -> Session {
        try Self.records(of: run, arguments, key: key)
    }

    static func records(
        of run: Session, _ arguments: [String] = ["--raw"], key: [String: String] = [:]
    ) throws -> Session {
        let folder = try ScratchFolder()
        try folder.write(run.output, to: "learnt.json")
        return try Session(
            "fetch-characters", ["--source", "learnt.json", "--cache", "none"] + arguments,
            environment: environment.merging(key) { $1 }, folder: folder, limitSeconds: 120)
    }

    /// The description without what differs from server to server.
    func text(_ server: LocalServer) -> String { run.text.replacing(server.url, with: "http://h") }
}
