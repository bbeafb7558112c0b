// What is newer than a time: by a parameter, by the order of a list, and as the seal says it.

import Foundation
import TestSupport
import Testing

@Suite struct FetchSinceTests {
    static func description(_ since: String, records: String = "$", path: String = "/oddities/changes") -> String {
        """
        {"name": "x", "baseURL": "http://h", "path": "\(path)", "records": "\(records)", "since": \(since),
         "pagination": {"type": "page", "parameter": "page"}, "members": {"id": "id", "name": "name"}}
        """
    }

    func fetch(_ server: LocalServer, _ description: String, _ arguments: [String]) throws -> Session {
        let folder = try ScratchFolder()
        let file = try FetchSource.file(description, folder)
        return try Session(
            "fetch-characters", ["--source", file, "--base-url", server.url] + arguments, folder: folder)
    }

    @Test func `a parameter asks for it, and the seal says so`() throws {
        let source = Self.description(#"{"parameter": "since", "format": "date", "member": "updated"}"#)
        let server = try LocalServer()
        let run = try fetch(server, source, ["--since", "2024-01-21T23:00:00-02:00", "--seal"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.lines.last
                == #"{"$seal":{"records":\#(run.lines.count - 1),"complete":true,"by":"count","since":"2024-01-21T23:00:00-02:00"}}"#
        )
        #expect(try server.requests.allSatisfy { $0.target.contains("since=2024-01-22") })
        let all = try fetch(server, source, ["--since", "", "--seal"])
        #expect(all.status == 0 && all.lines.count == 24)
        #expect(all.lines.last == #"{"$seal":{"records":23,"complete":true,"by":"count"}}"#)
    }

    @Test func `a list with the newest first is read until its pages are older`() throws {
        // The model's list, whose newest come first.
        let source = """
            {"name": "x", "baseURL": "http://h", "path": "/locked/people", "records": "$",
             "since": {"newestFirst": true, "member": "updated"}, "key": {"basic": true, "env": "LOGIN", "required": true},
             "pagination": {"type": "page", "parameter": "page"}, "members": {"id": "id", "name": "name"}}
            """
        let server = try LocalServer()
        let folder = try ScratchFolder()
        let file = try FetchSource.file(source, folder)
        func run(_ arguments: [String]) throws -> [[String: Any]] {
            let run = try Session(
                "fetch-characters", ["--source", file, "--base-url", server.url, "--jobs", "1"] + arguments,
                environment: ["LOGIN": "live_user:x"], folder: folder)
            #expect(run.status == 0, "\(run.errors)")
            return try FetchSource.records(run)
        }
        let all = try run([])
        let requests = try server.requests.count
        let times = all.compactMap { $0["updated"] as? String }
        #expect(times.count == all.count && times == times.sorted(by: >) && times.count > 6)
        let newer = try run(["--since", times[2]])
        #expect(newer.compactMap { $0["updated"] as? String } == times.filter { $0 >= times[2] })
        #expect(try server.requests.count - requests < requests)
    }

    @Test(arguments: [
        (
            "yesterday",
            "--since takes a time such as 2026-03-01T10:00:00Z, 2026-03-01 or 1772355600, not 'yesterday'"
        ),
        (
            "2026-02-30",
            "--since takes a time such as 2026-03-01T10:00:00Z, 2026-03-01 or 1772355600, not '2026-02-30'"
        ),
    ])
    func `what is no time is named`(text: String, message: String) throws {
        let source = Self.description(#"{"parameter": "since", "member": "updated"}"#)
        let folder = try ScratchFolder()
        let file = try FetchSource.file(source, folder)
        let run = try Session("fetch-characters", ["--source", file, "--plan", "--since", text], folder: folder)
        #expect(run.status == 64 && run.errors == "fetch-characters: \(message)\n", "\(run.errors)")
    }

    @Test func `a source that doesn't say what is newer takes no time`() throws {
        let run = try Session("fetch-characters", ["--since", "2026-03-01", "--plan"])
        #expect(run.status == 64)
        #expect(
            run.errors
                == "fetch-characters: the description of disney doesn't say what is newer; leave out --since\n")
    }
}
