// Services that turn away whoever asks too fast or doesn't say who they are.

import PipelineCore
import TestSupport
import Testing

@Suite struct FetchWelcomeTests {
    private static func fetch(
        _ server: LocalServer, _ list: String, _ arguments: [String] = [], environment: [String: String] = [:]
    ) throws -> Session {
        let folder = try ScratchFolder()
        try folder.write(
            """
            {"name": "s", "baseURL": "\(server.url)/guarded", "path": "/\(list)", "records": "data",
             "pagination": {"type": "page", "parameter": "page", "total": {"path": "total"}},
             "members": {"id": "id", "name": "name"}, "contact": "required"}
            """.utf8, to: "s.json")
        return try Session(
            "fetch-characters", ["--source", "s.json"] + arguments, environment: environment, folder: folder)
    }

    private static let contact = ["CASTLINE_CONTACT": "mailto:me@example.org"]

    @Test(
        arguments: [
            ("fast", [200, 429, 200, 200, 200, 200, 200]), ("busy", [200, 200, 503, 200, 200, 200, 200]),
        ] as [(String, [Int])])
    func `a page for people slows the run down, and is asked for once more`(list: String, statuses: [Int]) throws {
        let server = try LocalServer()
        let run = try Self.fetch(server, list, ["--jobs", "1"], environment: Self.contact)
        #expect(run.status == 0 && run.errors == "" && run.lines.count == 30, "\(run.errors)")
        #expect(try server.requests.map(\.status) == statuses)
        #expect(
            try server.requests.allSatisfy {
                $0.header("user-agent")?.hasSuffix(" (+mailto:me@example.org)") == true
            })
    }

    @Test func `then the run ends and says what may be wrong`() throws {
        for (fault, status, code) in [
            ("status=429,content-type=text/html,retry-after=0", 429, Int32(75)),
            ("status=503,content-type=text/html,retry-after=0", 503, 75),
        ] {
            let server = try LocalServer(faults: [fault])
            let run = try Self.fetch(server, "busy", environment: Self.contact)
            #expect(run.status == code, "\(run.errors)")
            #expect(run.errors.contains("answered \(status) with an HTML page: asked too fast, or not welcome"))
            #expect(try server.requests.count == 2)
        }
        let lying = try Self.fetch(try LocalServer(), "lying", environment: Self.contact)
        #expect(lying.status == 75 && lying.errors.contains("unlike its other responses"), "\(lying.errors)")
    }

    @Test func `a run without retries asks once`() throws {
        let server = try LocalServer()
        let run = try Self.fetch(server, "closed", ["--retries", "0"], environment: Self.contact)
        #expect(try run.status == 77 && server.requests.count == 1, "\(run.errors)")
    }

    @Test func `a contact is asked for where the description wants one`() throws {
        let server = try LocalServer()
        let asked = "s asks its users to say who they are; set CASTLINE_CONTACT"
        let run = try Self.fetch(server, "unnamed", ["--retries", "0"])
        #expect(run.status == 77 && run.errors.contains(asked), "\(run.errors)")
        let plan = try Self.fetch(server, "unnamed", ["--plan"])
        #expect(plan.status == 0 && plan.errors.contains(asked) && plan.errors.contains("wants a contact"))
        #expect(try !Self.fetch(server, "unnamed", ["--plan", "-q"]).errors.contains(asked))
        let named = try Self.fetch(server, "unnamed", ["--plan"], environment: ["CASTLINE_USER_AGENT": "me"])
        #expect(!named.errors.contains(asked))
        let known = try Self.fetch(server, "unnamed", environment: Self.contact)
        #expect(known.status == 0 && known.lines.count == 30 && known.errors == "", "\(known.errors)")
    }

    @Test(arguments: ["a (b)", "a\nb", "é"]) func `a contact is one line of ASCII`(contact: String) throws {
        let run = try Session("fetch-characters", ["--plan"], environment: ["CASTLINE_CONTACT": contact])
        #expect(run.status == 64 && run.errors.contains("CASTLINE_CONTACT takes one line"), "\(run.errors)")
        let named = try Session(
            "fetch-characters", ["--plan"], environment: ["CASTLINE_CONTACT": contact, "CASTLINE_USER_AGENT": "me"])
        #expect(named.status == 0, "\(named.errors)")
        let images = try Session("fetch-images", ["--dir", "x"], environment: ["CASTLINE_CONTACT": contact])
        #expect(images.status == 64, "\(images.errors)")
    }

    @Test func `CASTLINE_USER_AGENT is sent as it stands, and is one line`() throws {
        let server = try LocalServer()
        for (agent, sent) in [("lamps/2 (me)", "lamps/2 (me)"), ("", "castline/\(Tool.version)")] {
            let arguments = ["--base-url", server.url, "--limit", "1", "--cache", "none"]
            let run = try Session(
                "fetch-characters", arguments, environment: ["CASTLINE_USER_AGENT": agent])
            #expect(run.status == 0, "\(run.errors)")
            #expect(try server.requests.last?.header("user-agent") == sent)
        }
        for tool in ["fetch-characters", "fetch-images"] {
            let run = try Session(tool, environment: ["CASTLINE_USER_AGENT": "a\r\nX: b"])
            #expect(run.status == 64 && run.errors.contains("CASTLINE_USER_AGENT takes one line"), "\(run.errors)")
        }
    }

    @Test func `a source may come by stdin`() throws {
        let shown = try Session("fetch-characters", ["--show-source", "disney"])
        let plans = try [
            Session("fetch-characters", ["--source", "-", "--plan"], input: shown.output),
            Session("fetch-characters", ["--source", "disney", "--plan"]),
        ]
        #expect(plans[0].status == 0 && plans[0].text == plans[1].text && plans[0].errors == plans[1].errors)
        let wrong = try Session("fetch-characters", ["--source", "-", "--plan"], input: "{".utf8)
        #expect(wrong.status == 65 && wrong.errors.contains("<stdin>:1:"), "\(wrong.errors)")
        let both = try Session("fetch-characters", ["--source", "-", "--input", "-"], input: "{}".utf8)
        #expect(both.status == 64, "\(both.errors)")
    }

    @Test func `a name that isn't known is near others by its parts, or is that of a file`() throws {
        let folder = try ScratchFolder()
        try folder.write("{}".utf8, to: "boats.json")
        for (name, words) in [
            ("boats", "boats.json is a file; use --source boats.json"),
            ("breeds", "did you mean dog-breeds or cat-breeds?"),
            ("cat-pictures", "did you mean cat-breeds or cat-images?"), ("xyzzy", "--list-sources lists"),
        ] {
            let run = try Session("fetch-characters", ["--source", name], folder: folder)
            #expect(run.status == 64 && run.errors.contains(words), "\(run.errors)")
        }
    }

    @Test func `a refused key is named by its variable or its file`() throws {
        let server = try LocalServer(faults: ["status=401"])
        let folder = try ScratchFolder()
        try folder.write("k".utf8, to: "key")
        for (arguments, environment, words) in [
            ([], ["PLANTS_KEY": "k"], "check the key in PLANTS_KEY"),
            (["--key-file", "key"], [:], "check the key in key"),
            ([], [:], "check the key in PLANTS_KEY, which isn't set"),
        ] as [([String], [String: String], String)] {
            let run = try FetchSource.run(
                server, folder, #""key": {"header": "x-key", "env": "PLANTS_KEY"}"#, arguments,
                environment: environment)
            #expect(run.status == 77 && run.errors.contains(words), "\(run.errors)")
        }
    }
}
