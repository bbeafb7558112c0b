// --learn from what people copy: a curl command as a browser writes it, and a HAR.

import Foundation
import TestSupport
import Testing

@Suite("A copied request")
struct LearnCopiedTests {
    private static let environment = LearnSession.environment

    /// A description on one line.
    private static func flat(_ text: String) -> String {
        text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
    }

    /// An entry of a HAR.
    private static func entry(_ url: String, _ answer: String, method: String = "GET") throws -> String {
        let entry: [String: Any] = [
            "request": [
                "method": method, "url": url, "httpVersion": "http/2.0",
                "headers": [["name": "accept", "value": "*/*"], ["name": "Sec-Fetch-Mode", "value": "cors"]],
            ],
            "response": [
                "status": 200, "headers": [["name": "content-type", "value": "application/json"]],
                "content": ["mimeType": "application/json", "text": answer],
            ],
        ]
        return String(decoding: try JSONSerialization.data(withJSONObject: entry), as: UTF8.self)
    }

    private static func page(_ ids: ClosedRange<Int>, total: Int) -> String {
        "{\"total\":\(total),\"data\":[" + ids.map { "{\"id\":\($0)}" }.joined(separator: ",") + "]}"
    }

    @Test func `gives the list with its key in a variable, and the key to nobody`() throws {
        let server = try LocalServer(faults: [
            "path=/learning/pages,without=X-Api-Key,status=401", "path=/learning/pages,without=Cookie,status=403",
        ])
        let command = """
            curl '\(server.url)/learning/pages?page=2' \\
              -H 'accept: */*' -H 'accept-language: de' -H 'user-agent: Mozilla/5.0' -H 'sec-fetch-mode: cors' \\
              -H 'X-Api-Key: s3cret-k3y' -b 'sid=c00kie-s3cret' --compressed
            """
        for arguments in [["--learn", "-"], ["--learn", command], ["--learn", "-", "--explain"]] {
            let before = try server.requests.count
            let learnt = try Session(
                "fetch-characters", arguments, input: command.utf8, environment: Self.environment)
            let count = try server.requests.count - before
            #expect(learnt.status == 0 && count <= 12, "\(learnt.errors)")
            #expect(!(learnt.text + learnt.errors).contains("k3y") && !learnt.errors.contains("c00kie"))
            #expect(!learnt.text.contains("c00kie") && !learnt.text.contains("headers"), "\(learnt.text)")
            #expect(learnt.text.contains(#"{"header": "X-Api-Key", "env": "PAGES_KEY", "required": true}"#))
            let last = try #require(learnt.errors.split(separator: "\n").last)
            #expect(
                last.contains(
                    "set PAGES_KEY to the request's X-Api-Key, and PAGES_COOKIE to the request's Cookie"))
            let key = ["PAGES_KEY": "s3cret-k3y", "PAGES_COOKIE": "sid=c00kie-s3cret"]
            #expect(try LearnSession.records(of: learnt, key: key).lines.count == 45)
        }
    }

    @Test(arguments: [
        (
            "graphql",
            #"--json '{"query":"query($after: String) { people(after: $after) { nodes { id name } pageInfo { endCursor hasNextPage } } }","variables":{}}'"#,
            #""next": "$.data.people.pageInfo.endCursor""#
        ),
        (
            "form", "--data-raw 'list=people&page=2'",
            #"{"type": "page", "parameter": {"form": "page"}, "first": 1, "total": {"path": "$.total"}}"#
        ),
    ])
    func `is a POST whose body says which page is meant`(_ path: String, _ body: String, _ paging: String) throws {
        let server = try LocalServer()
        let learnt = try Session(
            "fetch-characters", ["--learn", "curl \(server.url)/learning/\(path) \(body)"],
            environment: Self.environment)
        #expect(learnt.status == 0 && Self.flat(learnt.text).contains(paging), "\(learnt.errors)\(learnt.text)")
        #expect(learnt.text.contains(#""errors": "$.errors""#) == (path == "graphql"))
        #expect(learnt.errors.contains("a POST is sent several times, so it must be one that only reads"))
        #expect(try server.requests.allSatisfy { $0.method == "POST" } && server.requests.count <= 12)
        #expect(try LearnSession.records(of: learnt).lines.count == 45)
    }

    @Test func `isn't learnt if its last page, as the answer numbers it, is empty`() throws {
        let server = try LocalServer()
        let query = try String(
            contentsOfFile: Fixtures.checkout + "/Documentation/sources/anilist-characters.graphql", encoding: .utf8
        )
        let body = try JSONSerialization.data(
            withJSONObject: ["query": query, "variables": ["page": 1, "perPage": 50]])
        let command = "curl \(server.url)/anilist-characters/ --json '\(String(decoding: body, as: UTF8.self))'"
        let learnt = try Session("fetch-characters", ["--learn", command], environment: Self.environment)
        #expect(
            learnt.status == 76 && learnt.errors.contains("is 5000, and the pages have another number"),
            "\(learnt.errors)")
    }

    @Test(arguments: ["", "&api_key=s3cret-k3y"])
    func `in a HAR is that of the list with the most records, whose answers count as seen`(key: String) throws {
        let server = try LocalServer()
        let url = server.url + "/learning/pages"
        let pages = try (1...2).map { try Session("/bin/sh", ["-c", "curl -s '\(url)?page=\($0)'"]).text }
        let entries = [
            try Self.entry(server.url + "/other", Self.page(1...3, total: 3)),
            try Self.entry(url + "?page=1" + key, pages[0]), try Self.entry(url + "?page=2" + key, pages[1]),
            try Self.entry(server.url + "/changed", Self.page(1...30, total: 30), method: "PUT"),
        ]
        let har = "\u{FEFF}{\"log\":{\"version\":\"1.2\",\"entries\":[\(entries.joined(separator: ","))]}}"
        let before = try server.requests.count
        let learnt = try Session(
            "fetch-characters", ["--learn", "-"], input: har.utf8, environment: Self.environment)
        #expect(learnt.status == 0 && learnt.text.contains(#""path": "/learning/pages""#), "\(learnt.errors)")
        let count = try server.requests.count - before
        #expect(!learnt.errors.contains("for the list: GET") && !learnt.errors.contains("page=2") && count < 8)
        #expect(!(learnt.text + learnt.errors).contains("k3y"))
        #expect(try LearnSession.records(of: learnt, key: ["PAGES_KEY": "s3cret-k3y"]).lines.count == 45)
    }

    @Test(arguments: [(403, 77), (401, 77), (404, 76)])
    func `in a HAR that the service refuses now is told of after two requests`(_ status: Int, _ exit: Int) throws {
        let server = try LocalServer(faults: ["path=/list,status=\(status)"])
        let entry = try Self.entry(server.url + "/list", Self.page(1...10, total: 45))
        let har = #"{"log":{"entries":[\#(entry)]}}"#
        let learnt = try Session(
            "fetch-characters", ["--learn", "-"], input: har.utf8, environment: Self.environment)
        #expect(Int(learnt.status) == exit && learnt.output.isEmpty, "\(learnt.errors)")
        #expect(learnt.errors.contains("answered \(status) to all requests"), "\(learnt.errors)")
        #expect(try server.requests.count == 2)
    }

    @Test(arguments: [
        (#""weiter":"c3d4","more":true"#, "c3d4", #""parameter": "ab", "next": "$.weiter""#),
        (#""more":true"#, "2", #""parameter": "ab", "next": "$.data[-1].id""#),
    ])
    func `in a HAR with two pages shows the parameter that has a value of the first`(
        _ members: String, _ value: String, _ paging: String
    ) throws {
        let first = "{\"query\":\"foo\",\(members),\"data\":[{\"id\":1},{\"id\":2}]}"
        let second = #"{"more":false,"data":[{"id":3}]}"#
        let server = try LocalServer(faults: [
            "path=/list,query=ab=\(value),\(FetchCharactersTests.body(second))",
            "path=/list,query=ab=1,\(FetchCharactersTests.body(#"{"more":false,"data":[{"id":2},{"id":3}]}"#))",
            "path=/list,query=ab=,\(FetchCharactersTests.body(#"{"more":false,"data":[]}"#))",
            "path=/list,\(FetchCharactersTests.body(first))",
        ])
        let entries = [
            try Self.entry(server.url + "/list?q=foo", first),
            try Self.entry(server.url + "/list?q=foo&ab=\(value)", second),
        ]
        let har = #"{"log":{"entries":[\#(entries.joined(separator: ","))]}}"#
        let learnt = try Session(
            "fetch-characters", ["--learn", "-"], input: har.utf8, environment: Self.environment)
        #expect(learnt.status == 0 && learnt.text.contains(paging), "\(learnt.errors)\(learnt.text)")
        #expect(try LearnSession.records(of: learnt).lines == (1...3).map { #"{"id":\#($0)}"# })
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status"), "no /proc"))
    func `near the end of a long HAR takes no more memory than in a short one`() throws {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        let other = try Self.entry(server.url + "/a", String(repeating: "x", count: 1 << 20))
        try folder.write((other + ",").utf8, to: "other")
        let url = server.url + "/learning/whole"
        try folder.write(
            try Self.entry(url, Session("/bin/sh", ["-c", "curl -s '\(url)'"]).text).utf8, to: "list")
        let script = """
            mkfifo har; fetch-characters --learn - <har >out 2>errors & pid=$!
            exec 3>har; printf '{"log":{"entries":[' >&3; for i in $(seq 200); do cat other; done >&3; cat list >&3
            sed -n 's/^VmHWM:[^0-9]*\\([0-9]*\\) kB/\\1/p' /proc/$pid/status
            printf ']}}' >&3; exec 3>&-; wait $pid; echo $?; grep -c '"records": "$.people"' out
            """
        let run = try Session.script(script, environment: Self.environment, folder: folder, limitSeconds: 240)
        try #require(run.lines.count == 3, "\(run.errors)")
        #expect(
            Int(run.lines[0]).map { $0 < 128 << 10 } == true && run.lines.dropFirst() == ["76", "1"], "\(run.lines)"
        )
    }
}
