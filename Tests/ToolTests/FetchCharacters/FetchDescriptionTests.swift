// Descriptions of a user's own: what they make a source, where a key goes, and how a mistake is told.

import Foundation
import TestSupport
import Testing

@testable import fetch_characters

@Suite struct FetchDescriptionTests {
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

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

    @Test(
        arguments: [
            (heritage, "/europeana", 66, "HERITAGE_KEY"), (issues, "/github-issues", 75, "NONE"),
            (openAccess, "/smithsonian", 57, "SI_KEY"),
        ], ["1", "4"])
    func `a description makes any paginated API a source`(
        api: (description: String, path: String, count: Int, key: String), jobs: String
    ) throws {
        let server = try LocalServer()
        let file = try FetchSource.file(api.description, folder)
        let arguments = ["--min-records", "\(api.count)", "--jobs", jobs]
        let run = try FetchSource.fetch(server, file, at: api.path, arguments, environment: [api.key: "live_1"])
        #expect(run.status == 0 && run.errors == "", "\(run.errors)")
        #expect(try Set(FetchSource.texts("id", run)).count == api.count)
        #expect(try run.records().allSatisfy { $0["name"] is String })
        #expect(try !server.requests.contains { $0.status != 200 })
    }

    @Test(arguments: ["page=3,empty", "page=3,body=hello", "page=3,repeat-page=1", "page=3,status=404"])
    func `a page that fails leaves a reason, whatever the pagination`(fault: String) throws {
        for (description, path, key) in [
            (Self.heritage, "/europeana", "HERITAGE_KEY"), (Self.issues, "/github-issues", "NONE"),
            (Self.openAccess, "/smithsonian", "SI_KEY"),
        ] {
            let server = try LocalServer(faults: [fault])
            let run = try FetchSource.fetch(
                server, try FetchSource.file(description, folder), at: path, ["--retries", "1"],
                environment: [key: "live_1"])
            // The offsets overlap by a record, so the service's third page of nine is the fourth.
            let page = path == "/smithsonian" ? "page 4" : "page 3"
            #expect([75, 76].contains(run.status) && run.errors.contains(page), "\(path) \(run.errors)")
            #expect(run.lines.count > 15)
        }
    }

    @Test func `a key goes to its own origin only, by redirect, link and step`() throws {
        let other = try LocalServer()
        let body = FetchCharactersTests.body(#"{"data":[{"u":"\#(other.url)/x"}],"n":"\#(other.url)/list"}"#)
        for place in ["header", "query"] {
            let description = """
                {"name": "x", "baseURL": "http://h", "path": "/list", "records": "data",
                 "pagination": {"type": "next-url", "next": "n"}, "expand": [{"name": "s", "url": "u"}],
                 "headers": {"Authorization": "Bearer live_secret"},
                 "key": {"\(place)": "k", "env": "KEY", "required": true}}
                """
            let file = try FetchSource.file(description, folder)
            let before = try other.requests.count
            let linked = try LocalServer(faults: [body])
            let run = try FetchSource.fetch(
                linked, file, at: "", ["--explain"], environment: ["KEY": "live_secret"])
            #expect(run.status == 77 && run.errors.contains("another origin than the API's own"), "\(run.errors)")
            #expect(run.lines.count == 1)
            #expect(!run.errors.contains("live_secret"))
            #expect(try other.requests.count == before)
            let redirecting = try LocalServer(faults: ["redirect=\(other.url)/list"])
            let redirected = try FetchSource.fetch(redirecting, file, at: "", environment: ["KEY": "live_secret"])
            #expect(redirected.status == 76 && !redirected.errors.contains("live_secret"))
            let leaked = try other.requests.contains { request in
                request.target.contains("secret") || request.headers.contains { $0[1].contains("secret") }
            }
            #expect(try !leaked && other.requests.count == before + 1)
            #expect(try redirecting.requests.count { $0.headers.contains { $0[1].contains("secret") } } == 1)
            // A service that repeats the key itself.
            for echo in ["/list?k=live_secret", "/list?k=live%5Fsecret"] {
                let telling = try LocalServer(faults: ["redirect=\(other.url)\(echo)"])
                let told = try FetchSource.fetch(telling, file, at: "", environment: ["KEY": "live_secret"])
                #expect(told.status == 77 && told.errors.contains("which would get the key"), "\(told.errors)")
                #expect(try !told.errors.contains("secret") && other.requests.count == before + 1)
            }
            // A key of one letter stands in any address.
            let short = try FetchSource.fetch(redirecting, file, at: "", environment: ["KEY": "l"])
            #expect(short.status == 76 && !short.errors.contains("with the key"), "\(short.errors)")
        }
    }

    @Test(arguments: [
        ("header", "Bearer s3cret-tok", 0), ("query", "s3cret tok", 77), ("header", "s3cret\u{7F}tok", 77),
        ("header", "s3cret\ntok", 77),
    ])
    func `a header's key may have a word before it`(place: String, key: String, status: Int32) throws {
        let server = try LocalServer(faults: [
            FetchCharactersTests.body(#"{"data":[{"_id":1}],"echo":"s3cret-tok"}"#)
        ])
        let description = """
            {"name": "x", "baseURL": "\(server.url)", "path": "/list", "records": "data",
             "pagination": {"type": "none"}, "key": {"\(place)": "Authorization", "env": "KEY"}}
            """
        let file = try FetchSource.file(description, folder)
        let arguments = ["--explain", "--record", folder.path("r"), "--report", folder.path("report")]
        let run = try FetchSource.fetch(server, file, at: "", arguments, environment: ["KEY": key])
        #expect(run.status == status && !run.errors.contains("s3cret"), "\(run.errors)")
        guard status == 0 else { return #expect(run.errors.contains("a key is one line of ASCII")) }
        #expect(try server.requests.first?.header("authorization") == key)
        #expect(run.errors.contains("-H 'Authorization: '\"$KEY\""), "\(run.errors)")
        // curl would take it along to wherever it is sent on.
        #expect(run.errors.hasPrefix("curl -sS -A "), "\(run.errors)")
        let kept = try Session.script("cat r/* report", folder: folder)
        #expect(!kept.text.contains("s3cret") && kept.text.contains("\"echo\":\"**********\""))
    }

    @Test func `a key in the query is explained as a command that sends the same`() throws {
        let server = try LocalServer()
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

    @Test func `a built-in description is printed, and is a source as a file`() throws {
        let table = try Session("fetch-characters", ["--list-sources"]).lines
        let names = table.map { String($0.prefix { $0 != " " }) }
        #expect(names == BuiltInSource.all.map(\.name))
        for name in names {
            let shown = try Session("fetch-characters", ["--show-source", name])
            #expect(shown.status == 0 && shown.errors == "")
            let description = try JSONSerialization.jsonObject(with: Data(shown.output)) as? [String: Any]
            #expect(description?["name"] as? String == name)
            let file = try FetchSource.file(shown.text, folder)
            let plans = try [file, name].map { try Session("fetch-characters", ["--source", $0, "--plan"]) }
            #expect(plans[0].status == 0 && plans[0].text == plans[1].text && plans[0].errors == plans[1].errors)
        }
    }
}
