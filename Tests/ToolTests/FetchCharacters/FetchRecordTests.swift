// What a description says of records and answers: objects of records, lines, refusals, what is absent, composed and
// relative URLs.

import Foundation
import TestSupport
import Testing

@Suite struct FetchRecordTests {
    static func body(_ text: String) -> String { FetchCharactersTests.body(text) }

    /// A run of a source whose list is `/list`.
    static func run(
        _ server: LocalServer, _ folder: ScratchFolder, _ members: String, _ arguments: [String] = [],
        input: String = "", environment: [String: String] = [:]
    ) throws -> Session {
        let pagination = members.contains("\"pagination\"") ? "" : #""pagination":{"type":"none"},"#
        let records = members.contains("\"records\"") ? "" : #""records":"$","#
        try folder.write(
            """
            {"name":"s","baseURL":"\(server.url)","path":"/list",\(pagination)\(records)\(members)}
            """.utf8, to: "s.json")
        return try Session(
            "fetch-characters", ["--source", "s.json", "--rate", "1000000/second"] + arguments, input: input.utf8,
            environment: environment, folder: folder)
    }

    // MARK: Records

    @Test func `an object of records comes as records with their names, raw ones too`() throws {
        let server = try LocalServer(faults: [
            "path=/list,\(Self.body(#"{"cards":{"a":{"id":7,"name":"X"},"b":[1,2]}}"#))"
        ])
        let folder = try ScratchFolder()
        let members = #""records":{"path":"$.cards","key":"slug"},"members":{"id":"slug","name":"name"}"#
        let run = try Self.run(server, folder, members)
        #expect(
            run.status == 0
                && run.lines == [
                    #"{"source":"s","id":"a","name":"X","_id":7}"#, #"{"source":"s","id":"b","value":[1,2]}"#,
                ], "\(run.errors)")
        let raw = try Self.run(server, folder, members, ["--raw"])
        #expect(raw.lines == [#"{"slug":"a","id":7,"name":"X"}"#, #"{"slug":"b","value":[1,2]}"#])
    }

    @Test func `numbers are records, and a page whose filter keeps nothing ends nothing`() throws {
        let page = { (number: Int, text: String) in "path=/list,page=\(number),\(Self.body(text))" }
        let server = try LocalServer(faults: [
            page(1, "[1,2]"), page(2, "[{\"k\":\"x\",\"n\":3},4]"), page(3, "[]"),
        ])
        let folder = try ScratchFolder()
        let pagination = #""pagination":{"type":"page","parameter":"page","first":1}"#
        let all = try Self.run(server, folder, pagination)
        #expect(all.status == 0 && all.lines.count == 4 && all.lines[0] == #"{"source":"s","value":1}"#)
    }

    @Test func `a line that is no JSON is named, and an answer cut in a line is asked for again`() throws {
        let folder = try ScratchFolder()
        let cut = try LocalServer(faults: [
            "path=/list,times=1,\(Self.body("{\"id\":1}\n{\"id\":"))", "path=/list,\(Self.body("{\"id\":1}\n5\n"))",
        ])
        let run = try Self.run(cut, folder, #""format":"lines","members":{"id":"id"}"#)
        #expect(run.status == 0 && run.lines == [#"{"source":"s","id":"1"}"#, #"{"source":"s","value":5}"#])
        #expect(try cut.requests.count == 2)
        let bad = try LocalServer(faults: ["path=/list,\(Self.body("{}\n{'a':1}\n"))"])
        let named = try Self.run(bad, folder, #""format":"lines""#)
        #expect(named.status == 76 && named.output.isEmpty && named.errors.contains("line 2: "), "\(named.errors)")
    }

    // MARK: Refusals

    @Test func `a refusal with 200 is told in the service's words without the key, and not kept`() throws {
        let refusal = Self.body(#"{"errors":[{"message":"no right for live_key_17"}],"data":null}"#)
        let server = try LocalServer(faults: ["path=/list,\(refusal),header=Cache-Control: max-age=600"])
        let folder = try ScratchFolder()
        let members = #""records":"$.data","errors":"$.errors","key":{"header":"x-api-key","env":"K"}"#
        for requests in 1...2 {
            let run = try Self.run(
                server, folder, members, ["--cache", folder.path("cache"), "--report", "r"],
                environment: ["K": "live_key_17"])
            #expect(
                run.status == 76 && run.errors.contains("refuses the request: no right for ***"), "\(run.errors)")
            #expect(try !run.errors.contains("live_key") && !folder.text("r").contains("live_key"))
            #expect(try server.requests.count == requests)
        }
    }

    @Test func `an answer that says the service is busy is waited for as a 429 is`() throws {
        let busy = Self.body(#"{"throttled":true}"#)
        let folder = try ScratchFolder()
        let members = #""records":"$.data","busy":"$.throttled","members":{"id":"id"}"#
        let server = try LocalServer(faults: [
            "path=/list,times=2,\(busy),header=Retry-After: 1", "path=/list,\(Self.body(#"{"data":[{"id":1}]}"#))",
        ])
        let run = try Self.run(server, folder, members)
        #expect(run.status == 0 && run.lines.count == 1, "\(run.errors)")
        let times = try server.requests.map(\.seconds)
        #expect(times.count == 3 && times[1] - times[0] >= 0.9 && times[2] - times[1] >= 0.9, "\(times)")
        let always = try LocalServer(faults: ["path=/list,\(busy)"])
        let given = try Self.run(always, folder, members, ["--retries", "1"])
        #expect(given.status == 75 && given.errors.contains("limits the rate"), "\(given.errors)")
        #expect(try always.requests.count == 2)
    }

    // MARK: Absent

    @Test func `a status that means nothing was found is no failure where something is looked for`() throws {
        let folder = try ScratchFolder()
        let server = try LocalServer(faults: ["path=/list,status=422", "path=/one,status=422"])
        let members =
            #""absent":[422],"search":{"parameter":"q"},"item":"/one/{id}","members":{"id":"id","name":"n"}"#
        let search = try Self.run(server, folder, members, ["--search", "nobody", "--seal"])
        #expect(
            search.status == 0 && search.lines == [#"{"$seal":{"records":0,"complete":true,"by":"answer"}}"#],
            "\(search.errors)")
        let item = try Self.run(server, folder, members, ["--id", "7"])
        #expect(item.status == 1 && item.errors.contains("no record has the id 7") && item.output.isEmpty)
        for arguments in [[], ["--search", ""]] {
            let list = try Self.run(server, folder, members, arguments)
            #expect(list.status == 76 && list.errors.contains("answered 422"), "\(list.errors)")
        }
        let other = try Self.run(
            try LocalServer(faults: ["path=/list,status=410"]), folder, members, ["--search", "nobody"])
        #expect(other.status == 76)
    }

    @Test func `a parent without a list is an empty list of --each`() throws {
        let folder = try ScratchFolder()
        let server = try LocalServer(faults: [
            "path=/list,query=of=b,status=404", "path=/list,\(Self.body(#"[{"id":1}]"#))",
        ])
        let run = try Self.run(
            server, folder, #""absent":[404],"each":{"parameter":"of"},"members":{"id":"id"}"#,
            ["--each", "id", "--seal"], input: "{\"id\":\"a\"}\n{\"id\":\"b\"}\n{\"id\":\"c\"}\n")
        #expect(run.status == 0 && run.lines.count == 3, "\(run.errors)")
        #expect(run.lines.last == #"{"$seal":{"records":2,"complete":true,"by":"answer"}}"#)
    }

    // MARK: URLs

    @Test func `relative pictures count from where the answer came from, after redirects`() throws {
        let body = Self.body(
            #"[{"id":1,"i":"a b.png","p":"/x?y"},{"id":2,"i":"//cdn.example/c.png","p":"http://h/p"}]"#)
        let server = try LocalServer(faults: [
            "path=/list,redirect=/other/place?key=1", "path=/other/place,\(body)",
        ])
        let members = #""members":{"id":"id","imageURL":"i","pageURL":"p"}"#
        let run = try Self.run(server, try ScratchFolder(), members)
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            try FetchSource.texts("imageURL", run) == ["\(server.url)/other/a%20b.png", "http://cdn.example/c.png"])
        #expect(try FetchSource.texts("pageURL", run) == ["\(server.url)/x?y", "http://h/p"])
    }

    @Test func `the URL of a step may be composed and relative, and its pictures count from it`() throws {
        let server = try LocalServer(faults: [
            "path=/list,\(Self.body(#"[{"id":5},{"n":1}]"#))",
            "path=/items/5/full,\(Self.body(#"{"pic":"p.png"}"#))",
        ])
        let members = """
            "expand":[{"name":"full","url":"items/{$.id}/full"}],
            "members":{"id":"id","imageURL":{"step":"full","path":"pic"},"pageURL":"https://w.example/{$.id}"}
            """
        let run = try Self.run(server, try ScratchFolder(), members)
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.lines == [
                "{\"source\":\"s\",\"id\":\"5\",\"imageURL\":\"\(server.url)/items/5/p.png\","
                    + "\"pageURL\":\"https://w.example/5\"}", #"{"source":"s","n":1}"#,
            ])
        #expect(try server.requests.count == 2)
    }
}
