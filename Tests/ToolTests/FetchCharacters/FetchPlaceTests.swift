// Where requests go: no record, no link and no redirect leads them out of the place that the description names.

import TestSupport
import Testing

@Suite struct FetchPlaceTests {
    /// A description's members, arguments and stdin, and the path whose answer is redirected.
    struct Way: CustomStringConvertible, Sendable {
        let description: String
        let members: String
        var arguments: [String] = []
        var input = ""
        let path: String
        var isFirst = false
    }

    static let ways = [
        Way(description: "the list", members: #""members":{"id":"id"}"#, path: "/list", isFirst: true),
        Way(
            description: "a page by its number",
            members: #""pagination":{"type":"page","parameter":"p"},"members":{"id":"id"}"#,
            path: "/list,query=p=2"),
        Way(
            description: "a linked page",
            members: #""records":"d","pagination":{"type":"next-url","next":"n"},"members":{"id":"id"}"#,
            path: "/more"),
        Way(
            description: "a step",
            members: #""expand":[{"name":"s","url":"/step/{$.id}","record":true}],"members":{"id":"id"}"#,
            path: "/step/1"),
        Way(
            description: "a second item", members: #""item":"/items/{id}","members":{"id":"id"}"#,
            arguments: ["--id", "1", "--id", "2"], path: "/items/2"),
        Way(
            description: "a second list of --each", members: #""each":{"parameter":"of"},"members":{"id":"id"}"#,
            arguments: ["--each", "id"], input: "{\"id\":1}\n{\"id\":2}\n", path: "/list,query=of=2"),
    ]

    /// A service that redirects one of its paths.
    static func server(_ way: Way, to target: String) throws -> LocalServer {
        try LocalServer(faults: [
            "path=\(way.path),redirect=\(target)", "path=/step/1,\(FetchCharactersTests.body(#"{"id":1}"#))",
            "path=/items/1,\(FetchCharactersTests.body(#"{"id":1}"#))",
            "path=/list,query=p=3,\(FetchCharactersTests.body("[]"))",
            "path=/list,\(FetchCharactersTests.body(way.path == "/more" ? #"{"d":[{"id":1}],"n":"/more"}"# : #"[{"id":1}]"#))",
            "path=/here,\(FetchCharactersTests.body(way.path == "/step/1" ? #"{"id":1}"# : way.path == "/more" ? #"{"d":[{"id":2}],"n":null}"# : way.path == "/items/2" ? #"{"id":2}"# : #"[{"id":2}]"#))",
        ])
    }

    @Test(arguments: ways) func `only the first request is redirected to another origin`(way: Way) throws {
        let other = try LocalServer(faults: ["path=/there,\(FetchCharactersTests.body(#"[{"id":2}]"#))"])
        let away = try FetchSource.run(
            try Self.server(way, to: other.url + "/there"), try ScratchFolder(), way.members, way.arguments,
            input: way.input)
        #expect(away.status == (way.isFirst ? 0 : 77), "\(away.errors)")
        #expect(way.isFirst || away.errors.contains("redirects to another scheme, host or port"), "\(away.errors)")
        #expect(try other.requests.isEmpty != way.isFirst)
        let server = try Self.server(way, to: "/here")
        let within = try FetchSource.run(
            server, try ScratchFolder(), way.members, way.arguments, input: way.input)
        #expect(within.status == 0, "\(within.errors)")
        #expect(try server.requests.contains { $0.target == "/here" })
    }

    @Test func `a service that answers elsewhere is followed there, and a step where origins allow it`() throws {
        let image = try LocalServer(faults: ["path=/i,\(FetchCharactersTests.body(#"{"p":"x"}"#))"])
        let home = try LocalServer(faults: [
            "path=/list,query=p=1,\(FetchCharactersTests.body(#"[{"id":1}]"#))",
            "path=/list,query=p=2,\(FetchCharactersTests.body(#"[]"#))",
        ])
        let old = try LocalServer(faults: [
            "path=/list,query=p=1,redirect=\(home.url)/list?p=1",
            "path=/list,query=p=2,redirect=\(home.url)/list?p=2",
            "path=/s/1,redirect=\(image.url)/i",
        ])
        let members = """
            "pagination":{"type":"page","parameter":"p"},"members":{"id":"id","name":{"step":"s","path":"p"}},
            "expand":[{"name":"s","url":"\(old.url)/s/{$.id}","origins":["\(image.url)"]}]
            """
        let run = try FetchSource.run(old, try ScratchFolder(), members)
        #expect(run.status == 0 && run.lines == [#"{"source":"s","id":"1","name":"x"}"#], "\(run.errors)")
    }

    @Test(arguments: [
        #""query":{"api_key":"s3cret","q":"1"},"pagination":{"type":"next-url","next":"n"}"#,
        #""path":"/list?api_key=s3cret&q=1","pagination":{"type":"next-url","next":"n"}"#,
        #""path":"/list?api_key=s3cret&q=1","pagination":{"type":"next-url","next":"n","keepQuery":true}"#,
        #""path":"/list?q=1&api_key=s3cret","pagination":{"type":"page","parameter":"p","pages":{"path":"of"}}"#,
    ])
    func `a key that the description has in a query goes with each page, and is shown nowhere`(
        members: String
    ) throws {
        let last = FetchCharactersTests.body(#"{"d":[{"id":2}],"n":null,"of":2}"#)
        let server = try LocalServer(faults: [
            "path=/list,query=p=2,\(last)",
            "path=/list,\(FetchCharactersTests.body(#"{"d":[{"id":1}],"n":"/list?p=2&api_key=s3cret","of":2}"#))",
        ])
        let folder = try ScratchFolder()
        let path = members.contains(#""path""#) ? "" : #""path":"/list","#
        let description =
            #"{"name":"s","baseURL":"\#(server.url)",\#(path)"records":"d","members":{"id":"id"},\#(members)}"#
        try folder.write(description.utf8, to: "s.json")
        let plan = try Session("fetch-characters", ["--source", "s.json", "--plan", "--explain"], folder: folder)
        let run = try Session(
            "fetch-characters", ["--source", "s.json", "--explain", "--report", "report", "--record", "r"],
            folder: folder)
        #expect(plan.status == 0 && run.status == 0 && run.lines.count == 2, "\(run.errors)")
        #expect(try server.requests.map { $0.target.contains("api_key=s3cret") } == [true, true])
        let shown = try [plan.text, plan.errors, run.text, run.errors, folder.text("report")]
        let heads = try Session.script("cat r/*.head", folder: folder).text
        #expect(shown.allSatisfy { !$0.contains("s3cret") } && !heads.contains("s3cret"), "\(shown)")
        #expect(run.errors.contains("api_key=…"))
    }

    @Test(arguments: [
        "http://127.0.0.1:9/x", "http://169.254.169.254/latest", "http://[::1]/", "http://localhost/",
    ])
    func `no redirect leads from a public service to an address that isn't public`(target: String) throws {
        // A proxy stands for the public service, so nothing leaves this machine.
        let proxy = try LocalServer(faults: ["path=/list,redirect=\(target)"])
        let folder = try ScratchFolder()
        try folder.write(
            #"""
            {"name":"s","baseURL":"http://api.example","path":"/list","records":"$","pagination":{"type":"none"}}
            """#.utf8, to: "s.json")
        for arguments in [["--source", "s.json"], ["--learn", "http://api.example/list"]] {
            let run = try Session(
                "fetch-characters", arguments, environment: ["http_proxy": proxy.url], folder: folder)
            #expect(run.status == 77 && run.output.isEmpty, "\(run.errors)")
            #expect(run.errors.contains("is not a public address"), "\(run.errors)")
            #expect(!run.errors.contains("--allow-private"))
        }
        #expect(try proxy.requests.count == 2)
    }

    @Test func `redirects count among the requests of --learn`() throws {
        let hops = (1...7).map { "path=/h\($0),redirect=/h\($0 + 1)" }
        let list = #"[{"id":1,"t":"a"},{"id":2,"t":"b"},{"id":3,"t":"c"}]"#
        for (start, isLearnt) in [("h1", true), ("h5", true), ("h0", false)] {
            let server = try LocalServer(
                faults: hops + ["path=/h0,redirect=/h1", "path=/h8,\(FetchCharactersTests.body(list))"])
            let run = try Session("fetch-characters", ["--learn", "\(server.url)/\(start)"])
            #expect(try server.requests.count <= 8, "\(run.errors)")
            #expect(run.errors.contains("redirects more than 7 times") != isLearnt, "\(run.errors)")
        }
    }

    @Test func `a composed step asks for each record by its own name, and for none that is a place`() throws {
        let names = ["C", "C#", "Who?", "50%41", "AC/DC", ".."]
        let body = "[" + names.map { "{\"v\":\"\($0)\"}" }.joined(separator: ",") + "]"
        let server = try LocalServer(faults: ["path=/list,\(FetchCharactersTests.body(body))", "path=/,status=404"])
        let run = try FetchSource.run(
            server, try ScratchFolder(),
            #""params":{"t":{}},"expand":[{"name":"s","url":"/{t}/of/{$.v}"}],"members":{"id":"v","imageURL":"https://i.example/{$.v}.png"}"#,
            ["--param", "t=x y"])
        #expect(
            run.status == 76
                && run.errors.contains("step s found nothing for 6 records: 5 answered 404, 1 without a URL"),
            "\(run.errors)")
        #expect(
            Set(try server.requests.dropFirst().map(\.target)) == [
                "/x%20y/of/C", "/x%20y/of/C%23", "/x%20y/of/Who%3F", "/x%20y/of/50%2541", "/x%20y/of/AC/DC",
            ])
        #expect(
            try FetchSource.texts("imageURL", run) == [
                "https://i.example/C.png", "https://i.example/C%23.png", "https://i.example/Who%3F.png",
                "https://i.example/50%2541.png", "https://i.example/AC/DC.png", "https://i.example/...png",
            ])
        let lacking = try FetchSource.run(
            server, try ScratchFolder(), #""expand":[{"name":"s","url":"/{t}/of/{$.v}"}],"members":{"id":"v"}"#)
        #expect(lacking.status == 64 && lacking.errors.contains("{t}"), "\(lacking.errors)")
    }

    @Test(arguments: [
        (#"{"id":1,"n":"x"}"#, 0), (#"{"id":"1.0"}"#, 0), (#"{"id":2}"#, 76), (#"{"error":"slow"}"#, 76),
        (#"{"n":"x"}"#, 76),
    ])
    func `the answer of a step is the record that was asked for`(answer: String, status: Int32) throws {
        let server = try LocalServer(faults: [
            "path=/list,\(FetchCharactersTests.body(#"[{"id":1}]"#))",
            "path=/one/1,\(FetchCharactersTests.body(answer))",
        ])
        let run = try FetchSource.run(
            server, try ScratchFolder(),
            #""expand":[{"name":"s","url":"/one/{$.id}","record":true}],"members":{"id":"id"}"#)
        #expect(run.status == status, "\(run.errors)")
        #expect((status == 0) == run.errors.isEmpty && (status == 0) != run.output.isEmpty)
        let numbers = try LocalServer(faults: [
            "path=/list,\(FetchCharactersTests.body("[1]"))", "path=/one/1,\(FetchCharactersTests.body(answer))",
        ])
        let bare = try FetchSource.run(
            numbers, try ScratchFolder(),
            #""expand":[{"name":"s","url":"/one/{$.value}","record":true}],"members":{"id":"id"}"#)
        #expect(bare.status == status, "\(bare.errors)")
    }

    @Test(arguments: ["..", ".", "%2e%2E", "../admin"])
    func `a place in a path is no id, no parameter and no parent`(value: String) throws {
        let server = try LocalServer(faults: ["path=/,\(FetchCharactersTests.body(#"[{"id":1}]"#))"])
        let members =
            #""path":"/of/{v}","params":{"v":{"default":"x"}},"item":"/items/{id}","each":{"parameter":{"path":"v"}},"members":{"id":"id"}"#
        let description =
            #"{"name":"s","baseURL":"\#(server.url)","records":"$","pagination":{"type":"none"},\#(members)}"#
        let folder = try ScratchFolder()
        try folder.write(description.utf8, to: "s.json")
        for (arguments, name) in [
            (["--id", "7", "--id", value], "--id"), (["--param", "v=\(value)"], "--param v"),
        ] {
            let run = try Session("fetch-characters", ["--source", "s.json"] + arguments, folder: folder)
            #expect(run.status == 64 && run.errors.contains(name), "\(run.errors)")
        }
        #expect(try server.requests.isEmpty)
        let input = ["a", value, "b"].map { "{\"v\":\"\($0)\"}\n" }.joined()
        for arguments in [["--plan"], ["--seal"]] {
            let run = try Session(
                "fetch-characters", ["--source", "s.json", "--each", "v"] + arguments, input: input.utf8,
                folder: folder)
            #expect(
                run.status == 1 && run.errors.contains("v \(value): ., .. and empty segments name another place"),
                "\(run.errors)")
            #expect(!run.text.contains("$seal"))
        }
        #expect(try server.requests.map(\.target) == ["/of/a", "/of/b"])
    }
}
