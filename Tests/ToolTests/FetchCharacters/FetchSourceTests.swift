// Sources other than the default: the built-in ones against models of their APIs, and descriptions of a user's own.

import Foundation
import Testing

@Suite struct FetchSourceTests {
    static func fetch(
        _ server: LocalServer, _ source: String, at path: String, _ arguments: [String] = [], input: String = "",
        environment: [String: String] = [:]
    ) throws -> Session {
        // A plan tells the rate of the description.
        let rate = arguments.contains("--plan") ? [] : ["--rate", "1000000/second"]
        return try Session(
            "fetch-characters", ["--source", source, "--base-url", server.url + path] + rate + arguments,
            input: input.utf8, environment: environment)
    }

    static func records(_ run: Session) throws -> [[String: Any]] {
        try run.lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    static func texts(_ name: String, _ run: Session) throws -> [String?] {
        try records(run).map { $0[name] as? String }
    }

    // MARK: Built in

    @Test(arguments: [("dog-breeds", "/dogapi/v1", "dog"), ("cat-breeds", "/catapi/v1", "cat")])
    func `breeds come whole, with ids that are texts and trimmed pictures`(
        source: String, path: String, file: String
    ) throws {
        let server = try LocalServer()
        let run = try Self.fetch(server, source, at: path, ["--page-size", "5"])
        #expect(run.status == 0 && run.errors == "")
        let data = try Data(contentsOf: URL(fileURLWithPath: Fixtures.records + "/\(file)-breeds.json"))
        let breeds = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        #expect(try Self.texts("id", run) == breeds.map { "\($0["id"] ?? "")" })
        #expect(try Self.texts("name", run) == breeds.map { $0["name"] as? String })
        #expect(try Self.records(run).allSatisfy { $0["source"] as? String == source })
        let pages = try server.requests.compactMap { $0.target.firstMatch(of: /page=(\d+)/)?.output.1 }
        #expect(pages.sorted() == (0..<(breeds.count + 4) / 5).map { "\($0)" }.sorted().map { Substring($0) })
    }

    @Test func `a breed is searched for where the API searches, and found by id`() throws {
        let server = try LocalServer()
        let all = try Self.fetch(server, "dog-breeds", at: "/dogapi/v1")
        let name = try #require(try Self.texts("name", all).compactMap { $0 }.first)
        let found = try Self.fetch(server, "dog-breeds", at: "/dogapi/v1", ["--search", name.uppercased()])
        #expect(try found.status == 0 && Self.texts("name", found).contains(name))
        #expect(try server.requests.last?.target.contains("/breeds/search?attach_image=1&") == true)
        let id = try #require(try Self.texts("id", all)[1])
        let one = try Self.fetch(server, "dog-breeds", at: "/dogapi/v1", ["--id", id, "--id", "none"])
        #expect(one.status == 1 && one.lines.count == 1 && one.errors.contains("no record has the id none"))
    }

    @Test func `the pictures of each breed come by the parameter of the description`() throws {
        let server = try LocalServer()
        let breeds = try Self.fetch(server, "cat-breeds", at: "/catapi/v1", ["--limit", "3"])
        let run = try Self.fetch(
            server, "cat-images", at: "/catapi/v1", ["--each", "id", "--seal"], input: breeds.text + "\n",
            environment: ["CAT_API_KEY": "live_secret"])
        #expect(run.status == 0 && run.errors == "" && run.lines.last?.contains(#""complete":true"#) == true)
        let asked = try server.requests.dropFirst().map(\.target)
        let ids = try Self.texts("id", breeds).compactMap { $0 }
        #expect(asked.sorted() == ids.map { "/catapi/v1/images/search?limit=10&breed_ids=\($0)" }.sorted())
        #expect(try server.requests.dropFirst().allSatisfy { $0.header("x-api-key") == "live_secret" })
    }

    @Test func `a seal on the records of --each says whether the lists are all`() throws {
        let server = try LocalServer()
        for (seal, isSealed) in [
            ("", true), (#"{"$seal":{"records":1,"complete":true}}"#, true),
            (#"{"$seal":{"records":1,"complete":false}}"#, false),
        ] {
            let run = try Self.fetch(
                server, "cat-images", at: "/catapi/v1", ["--each", "id", "--seal"],
                input: #"{"id":"none"}"# + "\n" + seal,
                environment: ["CAT_API_KEY": "live_secret"])
            #expect(run.status == 0 && run.text.contains("$seal") == isSealed, "\(seal)")
        }
    }

    @Test func `a record that stands alone where lists are wrapped is found by its id`() throws {
        let server = try LocalServer(faults: [
            "path=/one,body={\"_id\":3}", "path=/none,body={\"error\":\"x\"}",
            "path=/list,body={\"data\":[{\"_id\":1}]},header=X-Total: 3",
        ])
        let folder = try ScratchFolder()
        let description = """
            {"name":"s","baseURL":"\(server.url)","path":"/list","records":"data","members":{"id":"_id"},
            "pagination":{"type":"none","total":{"header":"X-Total"}},"item":"/{id}"}
            """
        try folder.write(description.utf8, to: "s.json")
        let run = try Session("fetch-characters", ["--source", "s.json", "--id", "one"], folder: folder)
        #expect(run.status == 0 && run.lines == [#"{"source":"s","id":"3"}"#], "\(run.errors)")
        let none = try Session("fetch-characters", ["--source", "s.json", "--id", "none"], folder: folder)
        #expect(none.status == 76 && none.errors.contains("an answer without 'data'"))
        // One answer that says how many there are is held to it.
        let list = try Session("fetch-characters", ["--source", "s.json"], folder: folder)
        #expect(list.status == 76 && list.errors.contains("got 1 of 3"), "\(list.errors)")
    }

    @Test(arguments: [("1.0", 0), ("1e0", 0), ("3.0", 76), ("1.5", 76), ("-1.0", 76), ("1e99", 76), ("\"1\"", 76)])
    func `a count may be written as a whole number with a fraction`(text: String, status: Int32) throws {
        let server = try LocalServer(faults: [FetchCharactersTests.body("{\"data\":[{}],\"n\":\(text)}")])
        let folder = try ScratchFolder()
        let description = """
            {"name":"s","baseURL":"\(server.url)","path":"/","records":"data",
            "pagination":{"type":"none","total":{"path":"n"}}}
            """
        try folder.write(description.utf8, to: "s.json")
        let run = try Session("fetch-characters", ["--source", "s.json"], folder: folder)
        #expect(run.status == status, "\(run.errors)")
    }

    @Test func `too few records are told though one of them isn't there`() throws {
        let server = try LocalServer()
        let run = try Session(
            "fetch-characters", ["--base-url", server.url, "--id", "none", "--min-records", "1"])
        #expect(run.status == 76 && run.errors.contains("got 0 of at least 1 records"))
    }

    @Test func `a list without ids keeps what stands there twice`() throws {
        let server = try LocalServer()
        let run = try Self.fetch(server, "dogs", at: "/dogs")
        let data = try Data(contentsOf: URL(fileURLWithPath: Fixtures.records + "/dogs.json"))
        let dogs = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        #expect(try run.status == 0 && Self.texts("name", run) == dogs.map { $0["dogName"] as? String })
        #expect(try Self.records(run).allSatisfy { $0["id"] == nil && $0["dogName"] == nil })
    }

    @Test func `the museum's records take their members from four answers each`() throws {
        let server = try LocalServer()
        let run = try Self.fetch(server, "rijksmuseum", at: "/rijksmuseum", ["--limit", "30", "--jobs", "8"])
        #expect(run.status == 0 && run.errors == "")
        let records = try Self.records(run)
        #expect(records.count == 30 && Set(records.compactMap { $0["id"] as? String }).count == 30)
        for record in records {
            #expect((record["name"] as? String)?.isEmpty == false && (record["description"] as? String) != nil)
            #expect((record["pageURL"] as? String)?.hasPrefix("http") == true && record["produced_by"] != nil)
            #expect((record["id"] as? String)?.hasPrefix("http") == false, "\(record["id"] ?? "")")
        }
        let pictures = records.compactMap { $0["imageURL"] as? String }
        #expect(pictures.count > 10 && pictures.count < 30)
        #expect(pictures.allSatisfy { $0.contains("/full/!800,800/0/") })
        // No more is asked than the records take.
        #expect(try server.requests.count { $0.target.contains("/search/collection") } == 1)
        let one = try Self.fetch(
            server, "rijksmuseum", at: "/rijksmuseum", ["--id", try #require(records[3]["id"] as? String)])
        #expect(one.status == 0 && one.lines == [run.lines[3]])
        #expect(try Self.fetch(server, "rijksmuseum", at: "/rijksmuseum", ["--id", "none"]).status == 1)
    }

    @Test(.timeLimit(.minutes(2)))
    func `the museum's whole list comes in its order, however many are asked at once`()
        throws
    {
        let server = try LocalServer()
        let runs = try ["1", "16"].map { jobs in
            try Self.fetch(
                server, "rijksmuseum", at: "/rijksmuseum", ["--seal", "--param", "type=drawing", "--jobs", jobs])
        }
        #expect(runs[0].status == 0 && runs[0].text == runs[1].text && runs[0].lines.count > 3)
    }

    @Test func `the museum's first API needs its key, which nobody sees`() throws {
        let server = try LocalServer()
        let path = "/rijksmuseum-v1/api"
        let missing = try Self.fetch(server, "rijksmuseum-v1", at: path)
        #expect(missing.status == 77 && missing.errors.contains("RIJKSMUSEUM_API_KEY"))
        #expect(try server.requests.isEmpty)
        let folder = try ScratchFolder()
        try Data("live_secret\n".utf8).write(to: URL(fileURLWithPath: folder.path("key")))
        let run = try Self.fetch(
            server, "rijksmuseum-v1", at: path,
            ["--key-file", folder.path("key"), "--explain", "--limit", "150", "--report", folder.path("report")])
        #expect(run.status == 0 && run.lines.count == 150)
        #expect(try server.requests.allSatisfy { $0.target.hasSuffix("&key=live_secret") })
        #expect(run.errors.contains(" -G --data-urlencode 'key='\"$(cat ") && !run.errors.contains("live_secret"))
        #expect(try !run.text.contains("live_secret") && !folder.text("report").contains("live_secret"))
        let wrong = try Self.fetch(
            server, "rijksmuseum-v1", at: path, environment: ["RIJKSMUSEUM_API_KEY": "guessed"])
        #expect(wrong.status == 77 && !wrong.errors.contains("guessed"))
    }

    // MARK: Descriptions of one's own

    static let heritage = """
        {"name": "heritage", "baseURL": "https://api.europeana.example", "path": "/record/v2/search.json",
         "query": {"query": "*", "cursor": "*"}, "records": "$.items",
         "pagination": {"type": "cursor", "parameter": "cursor", "next": "$.nextCursor",
                        "size": {"parameter": "rows", "value": 11}, "total": {"path": "$.totalResults"}},
         "key": {"query": "wskey", "env": "HERITAGE_KEY", "required": true},
         "members": {"id": "id", "name": "title[0]", "imageURL": "edmPreview[0]", "pageURL": "guid"}}
        """
    static let issues = """
        {"name": "issues", "baseURL": "https://api.github.example", "path": "/repos/pellow/lighthouse/issues",
         "records": "$", "pagination": {"type": "link-header", "size": {"parameter": "per_page", "value": 10}},
         "item": "/repos/pellow/lighthouse/issues/{id}", "search": {"parameter": "q"},
         "members": {"id": "number", "name": "title", "imageURL": "user.avatar_url", "pageURL": "html_url"}}
        """
    static let openAccess = """
        {"name": "open-access", "baseURL": "https://api.si.example", "path": "/openaccess/api/v1.0/search",
         "query": {"q": "*:*"}, "records": "$.response.rows",
         "pagination": {"type": "offset", "parameter": "start", "size": {"parameter": "rows", "value": 9},
                        "total": {"path": "$.response.rowCount"}},
         "key": {"header": "x-api-key", "env": "SI_KEY"},
         "members": {"id": "id", "name": "title",
                     "imageURL": "content.descriptiveNonRepeating.online_media.media[0].content"}}
        """

    static func file(_ description: String, _ folder: ScratchFolder) throws -> String {
        try Data(description.utf8).write(to: URL(fileURLWithPath: folder.path("source.json")))
        return folder.path("source.json")
    }

    @Test(
        arguments: [
            (heritage, "/europeana", 66, "HERITAGE_KEY"), (issues, "/github", 75, "NONE"),
            (openAccess, "/smithsonian", 57, "SI_KEY"),
        ], ["1", "4"])
    func `a description makes any paginated API a source`(
        api: (description: String, path: String, count: Int, key: String), jobs: String
    ) throws {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        let file = try Self.file(api.description, folder)
        let arguments = ["--expect", "\(api.count)", "--jobs", jobs]
        let run = try Self.fetch(server, file, at: api.path, arguments, environment: [api.key: "live_1"])
        #expect(run.status == 0 && run.errors == "", "\(run.errors)")
        #expect(try Set(Self.texts("id", run)).count == api.count)
        #expect(try Self.records(run).allSatisfy { $0["name"] is String })
        #expect(try !server.requests.contains { $0.status != 200 })
    }

    @Test(arguments: ["page=3,empty", "page=3,body=hello", "page=3,repeat-page=1", "page=3,status=404"])
    func `a page that fails leaves a reason, whatever the pagination`(fault: String) throws {
        let folder = try ScratchFolder()
        for (description, path, key) in [
            (Self.heritage, "/europeana", "HERITAGE_KEY"), (Self.issues, "/github", "NONE"),
            (Self.openAccess, "/smithsonian", "SI_KEY"),
        ] {
            let server = try LocalServer(faults: [fault])
            let run = try Self.fetch(
                server, try Self.file(description, folder), at: path, ["--retries", "1"],
                environment: [key: "live_1"])
            #expect([69, 76].contains(run.status) && run.errors.contains("page 3"), "\(path) \(run.errors)")
            #expect(run.lines.count > 15)
        }
    }

    @Test func `a key goes to its own origin only, by redirect, link and step`() throws {
        let other = try LocalServer()
        let body = FetchCharactersTests.body(#"{"data":[{"u":"\#(other.url)/x"}],"n":"\#(other.url)/list"}"#)
        let folder = try ScratchFolder()
        for place in ["header", "query"] {
            let description = """
                {"name": "x", "baseURL": "http://h", "path": "/list", "records": "data",
                 "pagination": {"type": "next-url", "next": "n"}, "expand": [{"name": "s", "url": "u"}],
                 "headers": {"Authorization": "Bearer live_secret"},
                 "key": {"\(place)": "k", "env": "KEY", "required": true}}
                """
            let file = try Self.file(description, folder)
            let before = try other.requests.count
            let linked = try LocalServer(faults: [body])
            let run = try Self.fetch(linked, file, at: "", ["--explain"], environment: ["KEY": "live_secret"])
            #expect(run.status == 77 && run.errors.contains("another origin than the API's own"), "\(run.errors)")
            #expect(run.errors.contains("a record comes without it") && run.lines.count == 1)
            #expect(!run.errors.contains("live_secret"))
            #expect(try other.requests.count == before)
            let redirecting = try LocalServer(faults: ["redirect=\(other.url)/list"])
            let redirected = try Self.fetch(redirecting, file, at: "", environment: ["KEY": "live_secret"])
            #expect(redirected.status == 76 && !redirected.errors.contains("live_secret"))
            let leaked = try other.requests.contains { request in
                request.target.contains("secret") || request.headers.contains { $0[1].contains("secret") }
            }
            #expect(try !leaked && other.requests.count == before + 1)
            #expect(try redirecting.requests.count { $0.headers.contains { $0[1].contains("secret") } } == 1)
            // A service that repeats the key itself.
            for echo in ["/list?k=live_secret", "/list?k=live%5Fsecret"] {
                let telling = try LocalServer(faults: ["redirect=\(other.url)\(echo)"])
                let told = try Self.fetch(telling, file, at: "", environment: ["KEY": "live_secret"])
                #expect(told.status == 77 && told.errors.contains("with the key in the address"), "\(told.errors)")
                #expect(try !told.errors.contains("secret") && other.requests.count == before + 1)
            }
            // A key of one letter stands in any address.
            let short = try Self.fetch(redirecting, file, at: "", environment: ["KEY": "l"])
            #expect(short.status == 76 && !short.errors.contains("with the key"), "\(short.errors)")
        }
    }

    @Test func `a key in the query is explained as a command that sends the same`() throws {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        let description = """
            {"name": "x", "baseURL": "\(server.url)", "path": "/list?p=1", "records": "data",
             "pagination": {"type": "none"}, "key": {"query": "k k", "env": "KEY"}}
            """
        try folder.write(description.utf8, to: "x.json")
        let script = """
            export KEY='a&b=c+d%"'
            fetch-characters --source x.json --cache none --explain 2>&1 | grep '^curl' >command; sh command
            """
        _ = try Session.script(script, folder: folder)
        let targets = try server.requests.map { $0.target.lowercased() }
        #expect(targets.count == 2 && targets[0] == targets[1] && targets[0].hasPrefix("/list?p=1&k"), "\(targets)")
    }

    // MARK: Descriptions told and checked

    @Test func `a built-in description is printed, and is a source as a file`() throws {
        let names = try Session("fetch-characters", ["--list-sources"]).lines
        #expect(
            names == [
                "disney", "dog-breeds", "cat-breeds", "cat-images", "rijksmuseum", "rijksmuseum-v1", "dogs",
            ])
        let folder = try ScratchFolder()
        for name in names {
            let shown = try Session("fetch-characters", ["--show-source", name])
            #expect(shown.status == 0 && shown.errors == "")
            let description = try JSONSerialization.jsonObject(with: Data(shown.output)) as? [String: Any]
            #expect(description?["name"] as? String == name)
            let file = try Self.file(shown.text, folder)
            let plans = try [file, name].map { try Session("fetch-characters", ["--source", $0, "--plan"]) }
            #expect(plans[0].status == 0 && plans[0].text == plans[1].text && plans[0].errors == "")
        }
    }

    @Test(
        arguments: [
            (
                #"{"name":"x","baseURL":"http://h","records":"$","pagination":{"type":"pages"},"q":1}"#, 65,
                [
                    "source.json: $.q: is not known",
                    "source.json: $.pagination.type: 'pages' is not known; use one of none, page, offset, cursor, next-url, "
                        + "link-header",
                ]
            ),
            ("{\n \"name\"}", 65, ["source.json:2:8: expected ':'"]),
            ("", 65, ["source.json:1:1: expected a value"]),
        ] as [(String, Int32, [String])])
    func `a description with mistakes is 65, and each is told`(text: String, status: Int32, words: [String]) throws
    {
        let folder = try ScratchFolder()
        let server = try LocalServer()
        let file = try Self.file(text, folder)
        for more in [["--plan"], []] {
            let run = try Self.fetch(server, file, at: "", more)
            #expect(run.status == status && run.output.isEmpty)
            for (line, words) in zip(run.errors.split(separator: "\n"), words) {
                #expect(line.hasPrefix("fetch-characters: ") && line.contains(words), "\(line)")
            }
            #expect(run.errors.count { $0 == "\n" } == words.count)
        }
        #expect(try server.requests.isEmpty)
    }

    @Test(
        arguments: [
            ("./none.json", 66, "cannot open ./none.json"), ("/", 66, "cannot read /"),
            ("disny", 64, "did you mean disney?"), ("pets", 64, "known are disney"),
        ] as [(String, Int32, String)])
    func `a source that isn't there is told`(name: String, status: Int32, words: String) throws {
        let run = try Session("fetch-characters", ["--source", name])
        #expect(run.status == status && run.errors.contains(words) && run.output.isEmpty, "\(run.errors)")
    }

    // MARK: Plans

    @Test func `a plan tells requests and time, and sends nothing`() throws {
        let server = try LocalServer()
        let run = try Self.fetch(server, "disney", at: "", ["--plan", "--explain", "--limit", "101"])
        #expect(run.status == 0 && run.lines.count == 4)
        #expect(
            run.lines[2] == #"{"request":3,"method":"GET","url":"\#(server.url)/character?page=3&pageSize=50","#
                + #""startSeconds":0.400}"#)
        #expect(run.lines[3] == #"{"requests":3,"seconds":0.400,"rate":"5/second","more":false}"#)
        #expect(run.errors.split(separator: "\n").count == 3)
        #expect(
            run.errors.hasPrefix(
                "curl -sSL -A castline/0.1.0 -H 'Accept: application/json' '\(server.url)/character?page=1&pageSize=50'\n"
            ))
        let open = try Self.fetch(server, "disney", at: "", ["--plan"])
        #expect(open.lines.count == 2 && open.lines[1].hasSuffix(#""more":true}"#))
        let museum = try Self.fetch(server, "rijksmuseum", at: "", ["--plan", "--limit", "10"])
        #expect(museum.lines.last?.hasPrefix(#"{"requests":31,"seconds":6.000,"#) == true)
        let each = try Self.fetch(
            server, "cat-images", at: "", ["--plan", "--each", "id"], input: "{\"id\":\"a\"}\n{\"id\":7}\n")
        #expect(each.lines.count == 3 && each.lines[1].contains("breed_ids=7"))
        #expect(try server.requests.isEmpty)
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

    // MARK: Records of --each

    @Test func `records of --each that give no value are told as bad lines are`() throws {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        let input =
            "{\"id\":\"a\"}\n{\"x\":1}\n\n[]\n{\"id\":\"\"}\n{\"$seal\":{\"records\":1,\"complete\":true}}\n"
        let run = try Self.fetch(
            server, "cat-images", at: "/catapi/v1", ["--each", "id", "--rejects", folder.path("bad")], input: input)
        #expect(run.status == 65)
        let errors = run.errors.split(separator: "\n")
        #expect(errors.count == 3 && errors[0].contains("<stdin>:2:1: expected a text or a number in 'id'"))
        #expect(errors[1].contains("<stdin>:4:1: expected a record"))
        #expect(try folder.text("bad") == "{\"x\":1}\n[]\n{\"id\":\"\"}\n")
        #expect(try server.requests.count == 1)
        let stopped = try Self.fetch(
            server, "cat-images", at: "/catapi/v1", ["--each", "id", "--on-bad-line", "stop"],
            input: "x\n{\"id\":1}\n")
        #expect(stopped.status == 65 && stopped.output.isEmpty)
        #expect(try server.requests.count == 1)
    }

    /// Records with the ids of some breeds.
    static let breeds = ["alle", "ashe", "bayl", "bomb", "brig", "cind", "cloc"]
    static let breedLines = breeds.map { "{\"id\":\"\($0)\"}\n" }

    @Test(arguments: [1, 4]) func `the first pages of later records are asked for ahead, no more than jobs`(
        jobs: Int
    ) throws {
        let server = try LocalServer(faults: ["query=breed_ids=alle,hang"])
        let run = try Self.fetch(
            server, "cat-images", at: "/catapi/v1",
            ["--each", "id", "--jobs", "\(jobs)", "--timeout", "1", "--retries", "0"],
            input: Self.breedLines.joined())
        // Nothing comes out of turn.
        #expect(run.status == 69 && run.output.isEmpty && run.errors.contains("breed_ids alle, page 1"))
        let asked = try server.requests.compactMap {
            $0.target.firstMatch(of: /breed_ids=(\w+)/).map { String($0.output.1) }
        }
        #expect(asked.sorted() == Self.breeds.prefix(jobs).sorted())
    }

    @Test func `lists come in the order of the records, however many are asked for at once`() throws {
        let server = try LocalServer(faults: ["query=breed_ids=ashe,delay=30ms", "query=breed_ids=bomb,delay=10ms"])
        let input = Self.breedLines.joined()
        let runs = try [1, 2, 3, 8].map {
            try Self.fetch(
                server, "cat-images", at: "/catapi/v1", ["--each", "id", "--jobs", "\($0)", "--cache", "none"],
                input: input)
        }
        #expect(runs.allSatisfy { $0.status == 0 && $0.errors.isEmpty && $0.output == runs[0].output })
        #expect(runs[0].lines.count > 12)
        let limited = try Self.fetch(
            server, "cat-images", at: "/catapi/v1", ["--each", "id", "--jobs", "8", "--limit", "12"], input: input)
        #expect(limited.status == 0 && limited.lines == Array(runs[0].lines.prefix(12)))
    }

    @Test func `a bad line that stops the run does so behind the records before it`() throws {
        let server = try LocalServer()
        let lines = Self.breedLines
        let run = try Self.fetch(
            server, "cat-images", at: "/catapi/v1", ["--each", "id", "--on-bad-line", "stop"],
            input: lines[0] + lines[1] + "x\n" + lines[2])
        let whole = try Self.fetch(
            server, "cat-images", at: "/catapi/v1", ["--each", "id"], input: lines[0] + lines[1])
        #expect(run.status == 65 && !run.output.isEmpty && run.output == whole.output)
        #expect(run.errors.contains("<stdin>:3:1: expected a record"))
        #expect(try !server.requests.contains { $0.target.contains("breed_ids=bayl") })
    }
}
