// `--plan` and `--explain`: what would be asked, and how to ask it by hand.

import TestSupport
import Testing

@Suite struct FetchPlanTests {
    @Test(arguments: ["9223372036854775807", "4611686018427387904"])
    func `a plan of more requests than can be counted ends the counting, not the run`(limit: String) throws {
        let folder = try ScratchFolder()
        // A list without pages, of which each record takes three further requests.
        try folder.write(
            #"""
            {"name":"x","baseURL":"http://h","path":"/list","records":"$.data","pagination":{"type":"none"},
            "each":{"parameter":"id"},"expand":[{"name":"a","url":"a"},{"name":"b","url":"b"},{"name":"c","url":"c"}],
            "members":{"id":"id"}}
            """#.utf8, to: "x.json")
        let run = try Session(
            "fetch-characters", ["--source", "x.json", "--plan", "--each", "id", "--limit", limit],
            input: "{\"id\":1}\n{\"id\":2}\n".utf8, folder: folder)
        #expect(run.status == 0, "\(run.status) \(run.errors)")
        #expect(run.lines.last?.hasPrefix("{\"requests\":9223372036854775807,") == true, "\(run.text)")
    }

    @Test func `a plan tells requests and time, and sends nothing`() throws {
        let server = try LocalServer()
        let run = try FetchSource.fetch(server, "disney", at: "", ["--plan", "--explain", "--limit", "101"])
        #expect(run.status == 0 && run.lines.count == 4)
        #expect(
            run.lines[2] == #"{"request":3,"method":"GET","url":"\#(server.url)/character?page=3&pageSize=50","#
                + #""startSeconds":0.400}"#)
        #expect(run.lines[3] == #"{"requests":3,"seconds":0.400,"rate":"5/second","more":false}"#)
        #expect(run.errors.split(separator: "\n").count == 4)
        #expect(
            run.errors.hasPrefix(
                "disney: GET /character; pages by page from 1, 50 records each by pageSize; ends after "
                    + "$.info.totalPages pages; search by name; no key\ncurl -sSL -A castline/0.1.0 -H 'Accept: application/json' '\(server.url)/character?page=1&pageSize=50'\n"
            ))
        let open = try FetchSource.fetch(server, "disney", at: "", ["--plan"])
        #expect(open.lines.count == 2 && open.lines[1].hasSuffix(#""more":true}"#))
        let museum = try FetchSource.fetch(server, "rijksmuseum", at: "", ["--plan", "--limit", "10"])
        #expect(museum.lines.last?.hasPrefix(#"{"requests":31,"seconds":6.000,"#) == true)
        let ids = try FetchSource.fetch(server, "rijksmuseum", at: "", ["--plan", "--id", "1", "--id", "2"])
        #expect(ids.lines.count == 3 && ids.lines[2].hasPrefix(#"{"requests":8,"#), "\(ids.lines)")
        let each = try FetchSource.fetch(
            server, "cat-images", at: "", ["--plan", "--each", "id"], input: "{\"id\":\"a\"}\n{\"id\":7}\n")
        #expect(each.lines.count == 3 && each.lines[1].contains("breed_ids=7"))
        #expect(try server.requests.isEmpty)
    }

    @Test(arguments: [("1", 1), ("49", 1), ("50", 1), ("51", 2), ("100", 2), ("0", 0)])
    func `a plan has as many pages as the limit takes`(limit: String, pages: Int) throws {
        let run = try Session("fetch-characters", ["--plan", "--limit", limit])
        #expect(run.status == 0 && run.lines.count == pages + 1, "\(run.text)")
        #expect(run.lines.last?.hasPrefix("{\"requests\":\(pages),") == true)
    }

    @Test func `a plan has a report, and is the only thing that is done in place of fetching`() throws {
        let folder = try ScratchFolder()
        let plan = try Session("fetch-characters", ["--plan", "--report", "r"], folder: folder)
        #expect(plan.status == 0)
        #expect(try folder.text("r").contains("\"exitStatus\":0,") && folder.text("r").contains("\"requests\":0,"))
        #expect(try folder.text("r").contains("\"bytesOut\":\(plan.output.count),"))
        for options in [["--plan"], ["--list-sources"], ["--report", "r"]] {
            let run = try Session("fetch-characters", ["--show-source", "dogs"] + options, folder: folder)
            #expect(run.status == 64 && run.output.isEmpty, "\(options)")
        }
        #expect(try Session("fetch-characters", ["--plan", "--plan"]).status == 0)
    }

    @Test func `what is explained asks the same`() throws {
        let server = try LocalServer()
        let run = try FetchCharactersTests.fetch(
            server, ["--limit", "2", "--search", "a'b \"$HOME\"", "--explain"])
        let first = try #require(run.errors.split(separator: "\n").first)
        let again = try Session.script("\(first) -o /dev/null")
        #expect(again.status == 0)
        let requests = try server.requests
        #expect(requests.count == 2 && requests[0].target == requests[1].target)
        #expect(requests[0].header("User-Agent") == requests[1].header("User-Agent"))
    }

    @Test(arguments: [
        "/character?ids=[1-3]", "/character?set={a,b}", "/character?a=[a-c]&b={1,2}&c=[", "/character?d=}]",
        "/character?e='$HOME'",
    ])
    func `what is explained asks once and the same, whatever is in the URL`(path: String) throws {
        let server = try LocalServer(faults: [FetchCharactersTests.body(#"{"data":[{"_id":1}]}"#)])
        let folder = try ScratchFolder()
        let source = try FetchSource.file(
            """
            {"name": "s", "baseURL": "\(server.url)", "path": "\(path)", "records": "$.data",
             "headers": {"X-Empty": "", "X-Full": "a'b"}, "pagination": {"type": "none"}, "members": {"id": "_id"}}
            """, folder)
        let run = try Session("fetch-characters", ["--source", source, "--explain", "--rate", "1000/second"])
        let command = try #require(run.errors.split(separator: "\n").first)
        #expect(try run.status == 0 && Session.script("\(command) -o out", folder: folder).status == 0)
        let requests = try server.requests
        try #require(requests.count == 2, "\(command)")
        #expect(requests[0].target == requests[1].target)
        for name in ["X-Empty", "X-Full"] {
            #expect(requests[0].header(name) != nil && requests[0].header(name) == requests[1].header(name))
        }
    }

    @Test func `a plan of any length comes as it is made, and ends at the deadline`() throws {
        let all = try Session(
            "/bin/sh",
            [
                "-c",
                "ulimit -v 400000; exec fetch-characters --plan --limit 9223372036854775807 --deadline 500ms | tail -n 1",
            ])
        #expect(all.errors.contains("the deadline came before the end of the plan"), "\(all.errors)")
        #expect(all.text.contains("\"request\":"))
        let first = try Session(
            "/bin/sh", ["-c", "fetch-characters --plan --limit 9223372036854775807 | head -n 1"])
        #expect(first.lines.count == 1 && first.text.hasPrefix("{\"request\":1,"))
    }
}
