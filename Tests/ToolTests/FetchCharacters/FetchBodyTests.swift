// Lists that are requested with POST: the body as it is sent, as it is explained, and where its keys are not.

import Foundation
import TestSupport
import Testing

@Suite struct FetchBodyTests {
    private static let keys = ["KEY": "s3cret-one+/&'", "OTHER": "s3cret-two=", "LOGIN": "me:s3cret thr€e"]
    private static let answer = FetchCharactersTests.body(
        #"{"data":[{"_id":1}],"echo":["s3cret-one+/&'","s3cret-two="]}"#)

    private static func description(_ server: LocalServer, _ members: String) -> String {
        """
        {"name": "x", "baseURL": "\(server.url)", "path": "/list", "records": "data", "method": "POST",
         "pagination": {"type": "none"}, "members": {"id": "_id"}, \(members)}
        """
    }

    static let bodies: [(members: String, body: String)] = [
        (#""body": {"a": "it's \"$HOME\"", "n": 1.50}"#, #"{"a":"it's \"$HOME\"","n":1.50}"#),
        (
            #""body": {"a": 1}, "key": {"body": "$.auth.key", "prefix": "k ", "env": "OTHER"}"#,
            #"{"a":1,"auth":{"key":"k s3cret-two="}}"#
        ),
        (#""form": {"a": "b c'&"}, "key": {"form": "k", "env": "KEY"}"#, "a=b%20c%27%26&k=s3cret-one%2B%2F%26%27"),
        (
            #""body": {"long": "\#(String(repeating: "it's ", count: 60_000))"}, "key": {"body": "k", "env": "OTHER"}"#,
            #"{"long":"\#(String(repeating: "it's ", count: 60_000))","k":"s3cret-two="}"#
        ),
    ]

    @Test(arguments: bodies) func `what is explained sends the same body`(members: String, body: String) throws {
        let server = try LocalServer(faults: [Self.answer])
        let folder = try ScratchFolder()
        let file = try FetchSource.file(Self.description(server, members), folder)
        let run = try FetchSource.fetch(server, file, at: "", ["--explain"], environment: Self.keys)
        #expect(run.status == 0 && !run.errors.contains("s3cret"), "\(run.errors.prefix(500))")
        let command = try #require(run.errors.split(separator: "\n").first)
        // From a file, as no word of a command may be that long.
        try folder.write("\(command) -o out\n", to: "command")
        let again = try Session.script(". ./command", environment: Self.keys, folder: folder)
        #expect(again.status == 0, "\(again.errors.prefix(500))")
        let requests = try server.requests
        try #require(requests.count == 2)
        #expect(requests[0].body == body && requests[1].body == body)
        #expect(requests[0].header("content-type") == requests[1].header("content-type"))
    }

    @Test func `several keys go to the API, and into nothing that is written`() throws {
        let server = try LocalServer(faults: [Self.answer])
        let folder = try ScratchFolder()
        let keys =
            #"[{"body": "$.key", "env": "KEY", "required": true}, {"query": "k", "env": "OTHER"}, {"basic": true, "env": "LOGIN"}]"#
        try folder.write(Self.description(server, #""body": {"a": 1}, "key": \#(keys)"#), to: "source.json")
        for options in [
            ["--cache", "cache"], ["--record", "r"], ["--replay", "r"], ["--cache", "none", "--plan"],
        ] {
            let run = try Session(
                "fetch-characters", ["--source", "source.json", "--explain", "--report", "report"] + options,
                environment: Self.keys, folder: folder)
            #expect(run.status == 0 && !run.errors.contains("s3cret"), "\(run.errors)")
            #expect(run.text.contains("\"id\"") || options.contains("--plan"))
        }
        let replayed = try Session(
            "fetch-characters", ["--source", "source.json", "--replay", "r"], folder: folder)
        #expect(replayed.status == 0 && replayed.text.contains("\"id\""), "a recording is played without keys")
        let requests = try server.requests
        #expect(requests.count == 2)
        let login = Data("me:s3cret thr€e".utf8).base64EncodedString()
        for request in requests {
            #expect(request.body == #"{"a":1,"key":"s3cret-one+/&'"}"#)
            #expect(request.target == "/list?k=s3cret-two%3D")
            #expect(request.header("authorization") == "Basic \(login)")
        }
        let found = try Session.script("grep -rlE 's3cret|\(login)' cache r report", folder: folder)
        #expect(found.lines == [])
    }

    @Test(arguments: [("me", "USER:PASSWORD"), ("me:\u{7F}", "USER:PASSWORD")])
    func `a login has a user and a password`(login: String, message: String) throws {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        try folder.write(
            Self.description(server, #""body": {}, "key": {"basic": true, "env": "LOGIN"}"#), to: "source.json")
        let run = try Session(
            "fetch-characters", ["--source", "source.json"], environment: ["LOGIN": login], folder: folder)
        #expect(run.status == 77 && run.errors.contains(message) && !run.errors.contains("me:"), "\(run.errors)")
        #expect(try server.requests.isEmpty)
    }
}
