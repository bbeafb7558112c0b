// Answers of more than 64 MiB: refused from a service, and read from a file.

import TestSupport
import Testing

@Suite struct FetchLargeAnswerTests {
    /// Of 10 kB each, 70 MB in all.
    private static let count = 7000

    @Test func `a large answer is 76 with the command that reads it`() throws {
        let folder = try ScratchFolder()
        let pad = String(repeating: "x", count: 9960)
        let records = (0..<Self.count).map { "\n{\"_id\":\($0),\"name\":\"n\",\"pad\":\"\(pad)\"}" }
        try folder.write(
            "{\"count\":\(Self.count),\"data\":[\(records.joined(separator: ","))]}".utf8, to: "list.json")
        _ = try FetchSource.file(
            """
            {"name": "x", "baseURL": "http://h", "path": "/list", "records": "$.data",
             "pagination": {"type": "none", "total": {"path": "$.count"}}, "members": {"id": "_id", "name": "name"}}
            """, folder)
        let server = try LocalServer(faults: ["body-file=" + folder.path("list.json")])
        let fetch = "fetch-characters --source source.json --seal"
        let live = try Session.script("\(fetch) --base-url \(server.url)", folder: folder)
        #expect(live.status == 76 && live.output.isEmpty)
        #expect(
            live.errors
                == "fetch-characters: page 1: the response has more than 64 MiB; ask for less of it, or read it with "
                + "curl … | fetch-characters --input -\n")
        #expect(try server.requests.count == 1)
        let saved = try Session.script("\(fetch) --input - <list.json", folder: folder, limitSeconds: 240)
        #expect(saved.status == 0 && saved.lines.count == Self.count + 1, "\(saved.errors)")
        #expect(saved.lines.last == FetchStateTests.seal(of: Self.count, by: "answer", last: Self.count + 1))
    }
}
