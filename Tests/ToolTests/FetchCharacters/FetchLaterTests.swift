// Lists whose later pages take other requests than the first, and what says that they go on or end.

import TestSupport
import Testing

@Suite struct FetchLaterTests {
    static let members = #""records": "data", "members": {"id": "id", "name": "name"}"#

    static let lists = [
        (
            "/later/files",
            #""method": "POST", "body": {"folder": "/"}, "pagination": {"type": "cursor", "next": "cursor", "more": "has_more","#
                + #" "parameter": {"body": "$.cursor"}, "later": {"path": "/later/files/continue", "body": {}}}"#
        ),
        (
            "/later/sorted",
            #""query": {"sort": "new", "n": "10"}, "pagination": {"type": "cursor", "next": "after", "parameter": "after","#
                + #" "later": {"query": {"n": "10"}}}"#
        ),
        (
            "/later/done",
            #""pagination": {"type": "cursor", "next": "next", "parameter": "c", "end": [{"where": "$.end_of_stream"}]}"#
        ),
        (
            "/later/field",
            #""pagination": {"type": "page", "parameter": "page", "size": {"parameter": "n", "value": 10},"#
                + #" "total": {"header": "X-Pagination", "path": "$.total"}}"#
        ),
        (
            "/later/places",
            #""pagination": {"type": "cursor", "next": ["$.meta.next", "$.paging.after"], "parameter": "c"}"#
        ),
    ]

    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    private func fetch(
        _ server: LocalServer, _ path: String, _ members: String, _ arguments: [String]
    ) throws -> Session {
        try FetchSource.run(server, folder, "\(Self.members), \(members)", arguments, at: path)
    }

    @Test(arguments: lists) func `a list is read to its end`(path: String, members: String) throws {
        let server = try LocalServer()
        let run = try fetch(server, path, members, ["--seal"])
        #expect(run.status == 0 && run.errors == "", "\(run.errors)")
        #expect(try run.records().dropLast().compactMap { $0["id"] as? String } == (1...45).map { "\($0)" })
        #expect(try server.requests.count == 5 && server.requests.allSatisfy { $0.status == 200 })
        #expect(run.lines.last?.contains(#""complete":true"#) == true)
    }

    @Test(arguments: lists) func `a run that was stopped goes on with the requests of later pages`(
        path: String, members: String
    ) throws {
        let server = try LocalServer(faults: ["every=3,times=1,status=404"])
        let state = ["--state", "state"]
        let first = try fetch(server, path, members, state)
        #expect(first.status == 76, "\(first.errors)")
        let second = try fetch(server, path, members, state)
        #expect(second.status == 0, "\(second.errors)")
        let ids = try first.records() + second.records()
        #expect(ids.compactMap { $0["id"] as? String } == (1...45).map { "\($0)" })
    }

    @Test(
        arguments: [
            (
                "/later/undone",
                #""pagination": {"type": "cursor", "next": "next", "parameter": "c", "end": [{"where": "end_of_stream"}]}"#,
                "page 5 says that another follows, and doesn't lead to it; got 45"
            ),
            (
                "/later/garbled",
                #""pagination": {"type": "page", "parameter": "page", "total": {"header": "X-Pagination", "path": "$.total"}}"#,
                "a header X-Pagination that isn't JSON"
            ),
            (
                "/later/field",
                #""pagination": {"type": "page", "parameter": "page", "total": {"header": "X-Pagination", "path": "$.all"}}"#,
                "without $.all in the header X-Pagination"
            ),
        ])
    func `what contradicts the description ends the run`(path: String, members: String, message: String) throws {
        let run = try fetch(try LocalServer(), path, members, ["--seal"])
        #expect(run.status == 76 && run.errors.contains(message), "\(run.errors)")
        #expect(!run.text.contains("$seal"))
    }
}
