// Answers of more than 64 MiB: written while they come, asked for again where they break off.

import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct FetchLargeAnswerTests {
    /// Of 10 kB each, 70 MB in all.
    private static let count = 7000

    /// A list, and a source that describes it.
    private static func list(_ folder: ScratchFolder, hasIDs: Bool = true) throws {
        let pad = String(repeating: "x", count: 9960)
        var text = Array("{\"count\":\(count),\"data\":[".utf8)
        for index in 0..<count {
            text += "\(index > 0 ? "," : "")\n{\"_id\":\(index),\"name\":\"n\",\"pad\":\"\(pad)\"}".utf8
        }
        try folder.write(text + Array("]}".utf8), to: "list.json")
        let id = hasIDs ? "\"id\": \"_id\", " : ""
        _ = try FetchSource.file(
            """
            {"name": "x", "baseURL": "http://h", "path": "/list", "records": "$.data",
             "pagination": {"type": "none", "total": {"path": "$.count"}}, "members": {\(id)"name": "name"}}
            """, folder)
    }

    private static func fetch(_ fault: String, _ folder: ScratchFolder, _ arguments: [String] = []) throws
        -> Session
    {
        let body = "body-file=" + folder.path("list.json")
        let server = try LocalServer(faults: (fault.isEmpty ? [] : ["\(body),\(fault)"]) + [body])
        return try Session(
            "fetch-characters",
            ["--source", folder.path("source.json"), "--base-url", server.url, "--cache", "none", "--seal"]
                + arguments,
            limitSeconds: 240)
    }

    /// The ids in order, and whether a seal follows.
    private static func read(_ run: Session) -> (ids: [Int], isSealed: Bool) {
        let lines = run.lines
        let ids = lines.compactMap { line in
            line.firstRange(of: "\"id\":\"").flatMap { Int(line[$0.upperBound...].prefix { $0 != "\"" }) }
        }
        return (ids, lines.last == "{\"$seal\":{\"records\":\(count),\"complete\":true}}")
    }

    @Test(arguments: ["", "gzip,chunked", "truncate,times=2", "truncate-gzip,times=1"])
    func `every record comes once and in order, however the answer comes`(fault: String) throws {
        let folder = try ScratchFolder()
        try Self.list(folder)
        let run = try Self.fetch(fault, folder)
        #expect(run.status == 0, "\(run.errors.suffix(500))")
        let (ids, isSealed) = Self.read(run)
        #expect(ids == Array(0..<Self.count) && isSealed)
    }

    @Test func `one that breaks off each time ends with 69 and has no seal`() throws {
        let folder = try ScratchFolder()
        try Self.list(folder)
        let run = try Self.fetch("truncate", folder, ["--retries", "1"])
        #expect(run.status == 69 && run.errors.contains("was cut short"), "\(run.errors.suffix(500))")
        let (ids, isSealed) = Self.read(run)
        #expect(ids == Array(0..<ids.count) && ids.count < Self.count && ids.count > 0 && !isSealed)
    }

    @Test func `without ids one that breaks off isn't asked for again`() throws {
        let folder = try ScratchFolder()
        try Self.list(folder, hasIDs: false)
        let whole = try Self.fetch("", folder)
        #expect(whole.status == 0 && whole.lines.count == Self.count + 1, "\(whole.errors.suffix(500))")
        let run = try Self.fetch("truncate,times=1", folder)
        #expect(run.status == 69 && run.lines.count < Self.count, "\(run.errors.suffix(500))")
    }

    @Test func `without ids no other run goes on from the saved place`() throws {
        let folder = try ScratchFolder()
        try Self.list(folder, hasIDs: false)
        let server = try LocalServer(faults: ["body-file=\(folder.path("list.json")),truncate"])
        let arguments = [
            "--source", folder.path("source.json"), "--base-url", server.url, "--cache", "none", "--state",
            folder.path("place"),
        ]
        #expect(try Session("fetch-characters", arguments, limitSeconds: 240).status == 69)
        let run = try Session("fetch-characters", arguments)
        #expect(run.status == 65 && run.output.isEmpty && run.errors.contains("have no ids"), "\(run.errors)")
    }

    @Test func `an answer that comes again without what it had is no whole one`() throws {
        let folder = try ScratchFolder()
        try Self.list(folder)
        let body = "body-file=" + folder.path("list.json")
        let other = FetchCharactersTests.body("{\"count\":1,\"data\":[{\"_id\":1,\"name\":\"n\"}]}")
        let server = try LocalServer(faults: ["\(body),truncate,times=1", other])
        let run = try Session(
            "fetch-characters",
            ["--source", folder.path("source.json"), "--base-url", server.url, "--cache", "none", "--seal"],
            limitSeconds: 240)
        #expect(run.status == 76 && !run.text.contains("$seal"), "\(run.errors.suffix(500))")
        #expect(run.errors.contains("came again without records that it had"), "\(run.errors.suffix(500))")
    }

    @Test func `a limit ends it in the middle`() throws {
        let folder = try ScratchFolder()
        try Self.list(folder)
        let run = try Self.fetch("", folder, ["--limit", "100"])
        #expect(run.status == 0 && run.lines.count == 101, "\(run.errors.suffix(500))")
    }

    @Test func `a run that was killed goes on from its saved place`() throws {
        let folder = try ScratchFolder()
        try Self.list(folder)
        let server = try LocalServer(faults: ["body-file=" + folder.path("list.json")])
        let command =
            "fetch-characters --source source.json --base-url \(server.url) --cache none --seal --state place"
        let script = """
            \(command) >>out & until [ -s place ] && [ "$(wc -l <place)" -gt 9 ]; do sleep 0.05; done
            kill -9 $!; wait $!; wc -l <out; \(command) >>out; echo $?; grep -c '"id"' out; ls place 2>&1
            """
        let run = try Session.script(script, folder: folder, limitSeconds: 240)
        let lines = run.lines
        #expect(lines.count == 4 && lines[1] == "0", "\(run.text) \(run.errors)")
        let before = try #require(Int(lines[0]))
        let all = try #require(Int(lines[2]))
        // At most what was written and not saved comes twice.
        #expect(before > 500 && before < Self.count && all >= Self.count && all < Self.count + 300, "\(run.text)")
    }
}
