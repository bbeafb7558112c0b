// The records that --each reads: values that come twice, and seals that don't speak for all of them.

import TestSupport
import Testing

@Suite struct FetchParentTests {
    let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    private func each(_ server: LocalServer, _ input: String, _ more: [String] = []) throws -> Session {
        try Session(
            "fetch-characters",
            [
                "--source", "cat-images", "--base-url", server.url + "/catapi/v1", "--each", "id", "--rate",
                "100000/s",
            ]
                + more, input: input.utf8, folder: folder)
    }

    @Test(arguments: ["1", "4"])
    func `a value that comes twice is asked for once, and its records come for each parent`(
        jobs: String
    ) throws {
        let server = try LocalServer()
        let parents = ["alle", "bayl", "alle", "none", "alle", "none", "bayl"]
        let options = ["--jobs", jobs, "--cache", "none", "--with-each", "--seal"]
        let run = try each(server, parents.map { "{\"id\":\"\($0)\"}\n" }.joined(), options)
        #expect(run.status == 0, "\(run.errors)")
        let asked = try server.requests.map(\.target)
        #expect(asked.count == Set(asked).count, "\(asked)")
        var expected: [String] = []
        for parent in parents { expected += try each(server, "{\"id\":\"\(parent)\"}\n", options.dropLast()).lines }
        #expect(run.lines.dropLast() == expected[...])
        let limited = try each(
            server, "{\"id\":\"alle\"}\n{\"id\":\"alle\"}\n",
            options.dropLast() + ["--limit", "\(expected.count / 5 + 2)"])
        #expect(limited.lines.count <= expected.count / 5 + 2)
    }

    @Test(arguments: [
        (#"{"$seal":{"records":3,"complete":true,"by":"count"}}"#, Int32(0)),
        (#"{"$seal":{"records":2,"complete":true,"by":"count"}}"#, 0),
        (#"{"$seal":{"records":1,"complete":true,"by":"count"}}"#, 65),
        (#"{"$seal":{"records":2,"complete":false}}"#, 65), (#"{"$seal":{"complete":true,"records":"x"}}"#, 65),
    ])
    func `parents that their own seal doesn't speak for are 65`(seal: String, status: Int32) throws {
        let server = try LocalServer()
        let run = try each(server, "{\"id\":\"alle\"}\n{\"id\":\"bayl\"}\n\(seal)\n", ["--seal"])
        #expect(run.status == status, "\(run.errors)")
        #expect(run.text.contains("$seal") == (status == 0))
        #expect(run.errors.contains("seal") == (status != 0), "\(run.errors)")
    }

    @Test func `a line behind the seal is 65 too, but not one that a limit leaves unread`() throws {
        let server = try LocalServer()
        let seal = #"{"$seal":{"records":1,"complete":true,"by":"count"}}"#
        let input = "{\"id\":\"alle\"}\n\(seal)\n{\"id\":\"bayl\"}\n"
        #expect(try each(server, input).status == 65)
        #expect(try each(server, input, ["--limit", "1"]).status == 0)
    }
}
