// Lists of parents: several values of --each, --with-each, lists that aren't there or fail, and --state in between.

import Foundation
import TestSupport
import Testing

@Suite struct FetchParentTests {
    static let people = """
        {"name": "x", "baseURL": "http://h", "path": "/harbours/{harbour}/{kind}", "records": "$",
         "each": {"harbour": {"path": "harbour"}, "kind": {"path": "kind"}}, "pagination": {"type": "none"},
         "members": {"id": "id", "name": "name"}}
        """
    static let options = ["--each", "harbour=at.name", "--each", "kind=kind"]

    static func parents(_ names: [String]) -> String {
        names.map { #"{"at":{"name":"\#($0)"},"kind":"people"}"# + "\n" }.joined()
    }

    func fetch(
        _ server: LocalServer, _ names: [String], _ arguments: [String] = [], folder: ScratchFolder? = nil
    ) throws -> Session {
        let own = try folder ?? ScratchFolder()
        let file = try FetchSource.file(Self.people, own)
        return try Session(
            "fetch-characters",
            ["--source", file, "--base-url", server.url + "/oddities"] + Self.options + arguments,
            input: Self.parents(names).utf8, folder: own)
    }

    @Test func `several values go where the description says, and come out as the last member`() throws {
        let run = try fetch(try LocalServer(), ["north", "south"], ["--with-each", "--with-page", "--seal"])
        #expect(run.status == 0 && run.errors == "", "\(run.errors)")
        let lines = run.lines
        #expect(lines.count == 47)
        #expect(lines[0].hasSuffix(#","page":1,"each":{"harbour":"north","kind":"people"}}"#), "\(lines[0])")
        #expect(lines[23].hasSuffix(#","each":{"harbour":"south","kind":"people"}}"#), "\(lines[23])")
        // Ids are unique within a parent.
        let ids = try FetchSource.texts("id", run).compactMap(\.self)
        #expect(Array(ids[..<23]) == Array(ids[23...]))
        #expect(lines.last == #"{"$seal":{"records":46,"complete":true,"by":"answer"}}"#)
    }

    @Test(arguments: [[], ["--on-error=stop"], ["--on-error=skip"]])
    func `a parent without a list is told, the others come, and there is no seal`(options: [String]) throws {
        let run = try fetch(try LocalServer(), ["north", "east", "south"], ["--seal"] + options)
        #expect(run.status == 1)
        #expect(
            run.errors
                == "fetch-characters: harbour east, kind people: the service has no list for it; check "
                + "the value\n")
        #expect(run.lines.count == 46 && !run.text.contains("$seal"))
    }

    @Test func `a list that fails ends the run, or is told and its status kept`() throws {
        let faults = ["path=/oddities/harbours/south,status=403"]
        let stopped = try fetch(try LocalServer(faults: faults), ["north", "south", "north"])
        #expect(stopped.status == 77 && stopped.lines.count == 23)
        let skipped = try fetch(
            try LocalServer(faults: faults), ["north", "south", "east", "north"], ["--on-error=skip", "--seal"])
        #expect(skipped.status == 77 && skipped.lines.count == 46 && !skipped.text.contains("$seal"))
        let messages = skipped.errors.split(separator: "\n")
        #expect(messages.count == 2, "\(skipped.errors)")
        #expect(messages.first?.contains("harbour south, kind people") ?? false, "\(skipped.errors)")
    }

    @Test func `a run that went on after a failure keeps its status over a restart`() throws {
        let folder = try ScratchFolder()
        let names = ["south", "north", "north", "north"]
        let file = try FetchSource.file(Self.people, folder)
        try Data(Self.parents(names).utf8).write(to: URL(fileURLWithPath: folder.path("parents")))
        let broken = try LocalServer(faults: ["path=/oddities/harbours/south,status=403"])
        let command = """
            fetch-characters --source \(file) --base-url BASE --each harbour=at.name --each kind=kind --jobs 1 \
                --on-error=skip --state state < parents
            """
        // The reader goes away while later lists wait for their turn.
        let cut = try Session.script(
            command.replacing("BASE", with: broken.url + "/oddities --rate 2/second") + " | head -1", folder: folder
        )
        #expect(cut.lines.count == 1)
        let rest = try Session.script(
            command.replacing("BASE", with: broken.url + "/oddities"), folder: folder)
        #expect(rest.status == 77 && rest.lines.count < 69 && rest.lines.count >= 23, "\(rest.errors)")
    }

    @Test(arguments: [
        (["--each", "at.name"], "--each takes NAME=PATH for harbour, kind, not 'at.name'"),
        (["--each", "harbour=at.name"], "x needs a member for kind; add --each kind=PATH"),
        (
            ["--each", "harbour=a", "--each", "harbour=b", "--each", "kind=c"],
            "--each sets harbour twice; leave one of them out"
        ),
        (["--with-each"], "--with-each needs --each [NAME=]MEMBER, whose lists it is about"),
        (["--on-error", "skip"], "--on-error needs --each [NAME=]MEMBER, whose lists it is about"),
        (["--on-error", "drop"] + FetchParentTests.options, "--on-error takes stop or skip, not 'drop'"),
    ])
    func `a wrong choice of values is named`(options: [String], message: String) throws {
        let folder = try ScratchFolder()
        let file = try FetchSource.file(Self.people, folder)
        let run = try Session(
            "fetch-characters", ["--source", file, "--plan"] + options, input: "".utf8, folder: folder)
        #expect(run.status == 64 && run.errors == "fetch-characters: \(message)\n", "\(run.errors)")
    }

    @Test func `a value that can't be sent is a bad line`() throws {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        let file = try FetchSource.file(
            """
            {"name": "x", "baseURL": "http://h", "path": "/oddities/texts", "records": "$", "pagination": {"type": "none"},
             "each": {"parameter": {"header": "X-E"}}}
            """, folder)
        let run = try Session(
            "fetch-characters", ["--source", file, "--base-url", server.url, "--each", "e"],
            input: (#"{"e":"a"}"# + "\n" + #"{"e":"x\r\ny"}"# + "\n" + #"{"e":"b"}"# + "\n").utf8, folder: folder)
        #expect(run.status == 65 && run.lines.count == 46, "\(run.errors)")
        #expect(run.errors.contains("<stdin>:2:1: its values can't be requested"), "\(run.errors)")
    }

    @Test func `a record without one of the values is a bad line`() throws {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        let file = try FetchSource.file(Self.people, folder)
        let run = try Session(
            "fetch-characters", ["--source", file, "--base-url", server.url + "/oddities"] + Self.options,
            input: (#"{"at":{"name":"north"}}"# + "\n" + Self.parents(["north"])).utf8, folder: folder)
        #expect(run.status == 65 && run.lines.count == 23)
        #expect(run.errors.contains("<stdin>:1") && run.errors.contains("expected a text or a number in kind"))
    }
}
