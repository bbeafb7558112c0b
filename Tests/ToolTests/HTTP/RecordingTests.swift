// --record and --replay: the same output again, with no server at all.

import Foundation
import PipelineCore
import PipelineHTTP
import TestSupport
import Testing

@Suite("Recordings")
struct RecordingTests {
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    @Test
    func `a list plays back byte for byte without its server, retries and all`() throws {
        let server = try LocalServer(faults: ["page=2,times=2,status=503,retry-after=0", "page=3,times=1,truncate"])
        let arguments = ["--base-url", server.url, "--page-size", "20"]
        let recorded = try Session("fetch-characters", arguments + ["--record", "r"], folder: folder)
        #expect(recorded.status == 0 && recorded.lines.count > 40, "\(recorded.errors)")
        server.stop()
        #expect(try Session("fetch-characters", arguments + ["--retries", "0"]).status == 69)
        for _ in 0..<2 {
            let played = try Session(
                "fetch-characters", arguments + ["--replay", "r", "--report", "report"], folder: folder)
            #expect(played.status == 0 && played.output == recorded.output && played.errors == recorded.errors)
            #expect(try folder.text("report").contains("\"requests\":0,\"retries\":3"))
        }
        let heads = try FileManager.default.contentsOfDirectory(atPath: folder.path("r")).filter {
            $0.hasSuffix(".head")
        }
        #expect(heads.count == (try server.requests.count))
        let first = try #require(heads.first { $0.contains("_character_") })
        let text = try folder.text("r/\(first)")
        #expect(
            text.hasPrefix("GET \(server.url)/character?page=") && text.contains("\nAccept: application/json\n"))
    }

    @Test
    func `pictures and all that can go wrong with them play back byte for byte`() throws {
        let server = try LocalServer(faults: [
            "path=/images/fox,truncate", "path=/images/owl,redirect=/images/bear.png",
            "path=/images/bee,status=503",
            "path=/images/crab,double-length", "path=/images/fish,reset", "path=/images/moon,redirect=ftp://x/",
            "path=/images/ship,loop",
        ])
        var urls = ["cat.png", "fox.png", "owl.png", "bee.gif", "crab.png", "fish.png", "moon.png", "ship.png"]
            .map { "\(server.url)/images/\($0)" }
        urls += [
            "\(server.url)/images/none.png", "http://127.0.0.1:1/x.png", "ftp://x/",
            "\(server.url)/images/page.jpg",
        ]
        let input = urls.map { "{\"imageURL\":\"\($0)\"}\n" }.joined()
        let arguments = ["--allow-private", "--retries", "1"]
        let recorded = try Session(
            "fetch-images", arguments + ["--record", "r"], input: input.utf8, folder: folder)
        #expect(recorded.lines.count == urls.count && recorded.status == 69)
        server.stop()
        try FileManager.default.removeItem(atPath: folder.path("images"))
        let played = try Session(
            "fetch-images", arguments + ["--replay", "r"], input: input.utf8, folder: folder)
        #expect(played.output == recorded.output && played.status == 69 && played.errors == recorded.errors)
        for line in played.lines where line.contains("\"status\":\"ok\"") {
            let path = try #require(line.split(separator: "\"").first { $0.hasPrefix("images/") })
            #expect(FileManager.default.fileExists(atPath: folder.path(String(path))))
        }
    }

    @Test
    func `a request that isn't in the recording is named, and ends the run with 66`() throws {
        let server = try LocalServer()
        let arguments = ["--base-url", server.url, "--page-size", "20"]
        _ = try Session("fetch-characters", arguments + ["--record", "r", "--limit", "20"], folder: folder)
        let played = try Session("fetch-characters", arguments + ["--replay", "r"], folder: folder)
        #expect(played.status == 66 && played.lines.count == 20)
        #expect(
            played.errors == "fetch-characters: page 2, after 20 records: the recording has no response to "
                + "\(server.url)/character?page=2&pageSize=20; record it again with --record\n")
        #expect(try server.requests.count == 1)
    }

    @Test(arguments: [#"aB+\/c=dE0"#, "aB%2B%2Fc%3DdE0", "aB%2b/c%3ddE0", #"aB\u002b/c\u003DdE0"#, "aB+/c=dE0"])
    func `no spelling of a key is in a recording or a cache`(text: String) throws {
        try FetchSource.describe(#""key":{"header":"X-Key","env":"KEY","required":true}"#, folder)
        let body = "body={\"data\":[{\"id\":1}],\"again\":\"\(text)\"}".replacing("\\", with: "\\x5c")
            .replacing("\"", with: "\\x22").replacing(",", with: "\\x2c")
        let server = try LocalServer(faults: ["path=/list,\(body)"])
        let command = "fetch-characters --source x.json --base-url \(server.url)"
        let script = "\(command) --record r && \(command) --cache c && cat r/*.body && ! grep -rlF 'dE0' r c"
        let run = try Session.script(script, environment: ["KEY": "aB+/c=dE0"], folder: folder)
        #expect(run.status == 0 && run.text.contains("\"again\":\"**"), "\(run.text) \(run.errors)")
        // Without the key, and without the server.
        server.stop()
        let played = try Session.script("\(command) --replay r", folder: folder)
        #expect(played.status == 0 && run.text.hasPrefix(played.text) && !played.text.isEmpty, "\(played.errors)")
    }

    /// What holds the text of a short key without showing it, and comes back byte for byte.
    @Test(arguments: ["test", "demo", "1", "12", "a", "seven77"])
    func `a short key changes no data, and keeps nothing out of the cache`(key: String) throws {
        try FetchSource.describe(#""key":{"query":"api_key","env":"KEY"}"#, folder)
        let records = [
            #"{"id":"con\#(key)est","name":"a\#(key)b x\#(key)y","n":9\#(key.allSatisfy(\.isNumber) ? key : "")}"#,
            #"{"id":"x","url":"https://\#(key)ing.example.org/in\#(key)s?q=\#(key)ed"}"#,
        ]
        let body = "{\"data\":[\(records.joined(separator: ","))],\"api_key\":\"\(key)\"}"
        let server = try LocalServer(faults: [
            "path=/list,header=Cache-Control: max-age=60,\(FetchCharactersTests.body(body))"
        ])
        let command = "fetch-characters --source x.json --raw --base-url \(server.url)"
        let run = try Session.script("\(command) --record r", environment: ["KEY": key], folder: folder)
        #expect(run.status == 0 && run.lines == records, "\(run.text) \(run.errors)")
        #expect(try Session.script("grep -c 'api_key.:.\(key)\"' r/*.body", folder: folder).text == "0\n")
        let played = try Session.script("\(command) --replay r", folder: folder)
        #expect(played.status == 0 && played.lines == records, "\(played.errors)")
    }

    @Test func `a short key that stands among the data as a value can't be recorded, and can be cached`() throws {
        try FetchSource.describe(#""key":{"header":"X-Key","env":"KEY"}"#, folder)
        let body = #"{"data":[{"id":"demo"}]}"#
        let server = try LocalServer(faults: [
            "path=/list,header=Cache-Control: max-age=60,\(FetchCharactersTests.body(body))"
        ])
        let command = "fetch-characters --source x.json --raw --base-url \(server.url)"
        let run = try Session.script("\(command) --record r", environment: ["KEY": "demo"], folder: folder)
        #expect(run.status == 77 && run.errors.contains("record with a longer key"), "\(run.errors)")
        let script = "\(command) --cache c && \(command) --cache c"
        let cached = try Session.script(script, environment: ["KEY": "demo"], folder: folder)
        #expect(cached.status == 0 && cached.lines.count == 2, "\(cached.errors)")
        #expect(try server.requests.count == 2)
    }

    @Test func `a token of the service is in no field and no redirect that is stored`() throws {
        try FetchSource.describe(#""headers":{"X-A":"b"}"#, folder)
        let token = "k9Secret7731"
        let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"
        let server = try LocalServer(faults: [
            "path=/list,redirect=/other?token=\(token)&z=2",
            "path=/other,header=X-Auth-Token: \(token),header=X-Note: \(jwt),header=X-Next-Page-Token: p2,"
                + FetchCharactersTests.body(#"{"data":[{"id":1}]}"#),
        ])
        let command = "fetch-characters --source x.json --base-url \(server.url)"
        let run = try Session.script(
            "\(command) --record r && \(command) --cache c && ! grep -rlE '\(token)|eyJ' r c", folder: folder)
        #expect(run.status == 0 && run.lines.count == 2, "\(run.text) \(run.errors)")
        #expect(try Session.script("grep -h 'X-Next-Page-Token: p2' r/*.head", folder: folder).status == 0)
        #expect(try server.requests.contains { $0.target == "/other?token=\(token)&z=2" })
        server.stop()
        let played = try Session.script("\(command) --replay r", folder: folder)
        #expect(played.status == 0 && played.lines == [run.lines[0]], "\(played.errors)")
    }

    @Test
    func `a key in the query is sent once where a redirect repeats it, and such a run plays back`() throws {
        let server = try LocalServer(faults: [
            "path=/list,redirect=/other?q=1&k=s3cret&z=2", "path=/other,body={\\x22data\\x22:[{\\x22id\\x22:1}]}",
        ])
        try FetchSource.describe(#""key":{"query":"k","env":"KEY"}"#, folder)
        let command = "fetch-characters --source x.json --base-url \(server.url)"
        let run = try Session.script("\(command) --record r", environment: ["KEY": "s3cret"], folder: folder)
        #expect(run.status == 0 && run.lines.count == 1, "\(run.errors)")
        #expect(try server.requests.map(\.target) == ["/list?k=s3cret", "/other?q=1&z=2&k=s3cret"])
        let played = try Session.script("\(command) --replay r", folder: folder)
        #expect(played.status == 0 && played.text == run.text, "\(played.errors)")
    }

    @Test
    func `no key is in a recording, and it plays without one`() throws {
        let server = try LocalServer(faults: [
            "body={\\x22next\\x22:\\x22/x?api_key=tops3cret&p=passw0rd\\x22},header=X-Echo: tops3cret,header=Set-Cookie: a=b"
        ])
        var options = HTTPClient.Options(userAgent: "test")
        options.recordPath = folder.path("r")
        var request = try HTTPRequest("http://user:passw0rd@127.0.0.1:\(server.port)/x?a=b")
        try request.add("x-api-key", "tops3cret", isSecret: true)
        try request.add("Accept", "*/*")
        request.addSecretParameter("api_key", "tops3cret")
        do {
            var client = try HTTPClient(options)
            client.submit(request, tag: 0)
            guard case .completed(let completion) = client.next() else { return #expect(Bool(false)) }
            #expect(String(decoding: try completion.result.get().body, as: UTF8.self).contains("tops3cret"))
        }
        #expect(try server.requests.first?.target == "/x?a=b&api_key=tops3cret")
        #expect(try server.requests.first?.header("authorization") == "Basic dXNlcjpwYXNzdzByZA==")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path("r")) {
            let text = try folder.text("r/\(name)")
            #expect(!text.contains("tops3cret") && !text.contains("passw0rd") && !text.contains("Set-Cookie"))
        }
        options.recordPath = nil
        options.replayPath = folder.path("r")
        var client = try HTTPClient(options)
        var open = try HTTPRequest("http://127.0.0.1:\(server.port)/x?a=b")
        try open.add("Accept", "*/*")
        client.submit(open, tag: 0)
        guard case .completed(let completion) = client.next() else { return #expect(Bool(false)) }
        let response = try completion.result.get()
        #expect(response.headers["X-Echo"] == "*********")
        #expect(String(decoding: response.body, as: UTF8.self) == "{\"next\":\"/x?api_key=*********&p=********\"}")
    }

    @Test
    func `the last answer to a request is given again as often as it is asked for`() throws {
        let server = try LocalServer(faults: ["path=/x,times=1,body=one", "path=/x,body=two"])
        let request = try HTTPRequest(server.url + "/x")
        var bodies: [[String]] = []
        for isRecorded in [true, false] {
            var options = HTTPClient.Options(userAgent: "test")
            if isRecorded { options.recordPath = folder.path("r") } else { options.replayPath = folder.path("r") }
            options.cache.location = .directory(folder.path("cache"))
            var client = try HTTPClient(options)
            bodies.append([])
            for tag in 0..<(isRecorded ? 2 : 4) {
                client.submit(request, tag: tag)
                guard case .completed(let completion) = client.next() else { throw CancellationError() }
                bodies[bodies.count - 1].append(String(decoding: try completion.result.get().body, as: UTF8.self))
            }
        }
        #expect(bodies == [["one", "two"], ["one", "two", "two", "two"]])
        // Neither uses a cache.
        #expect(!FileManager.default.fileExists(atPath: folder.path("cache")))
    }

    @Test
    func `why an answer isn't whole goes before its size`() throws {
        let server = try LocalServer(faults: ["path=/x,body=four"])
        _ = try HTTPClientTests.results([try HTTPRequest(server.url + "/x")]) { $0.recordPath = folder.path("r") }
        let head = try #require(
            FileManager.default.contentsOfDirectory(atPath: folder.path("r")).first { $0.hasSuffix(".head") })
        try folder.write((try folder.text("r/\(head)") + "FAILED truncated\n").utf8, to: "r/\(head)")
        let completions = try HTTPClientTests.results([try HTTPRequest(server.url + "/x", limitBytes: 1)]) {
            $0.replayPath = folder.path("r")
        }
        #expect(HTTPClientTests.failure(completions[0])?.reason == .truncated)
    }

    @Test
    func `an address that was refused is refused when it is played back`() throws {
        for isRecorded in [true, false] {
            let completions = try HTTPClientTests.results([try HTTPRequest("http://127.0.0.1:9/x")]) {
                $0.allowsPrivateAddresses = false
                if isRecorded { $0.recordPath = folder.path("r") } else { $0.replayPath = folder.path("r") }
            }
            let failure = HTTPClientTests.failure(completions[0])
            #expect(failure?.reason == .refusedAddress && failure?.exitStatus == .refused)
        }
    }

    private static let refusals: [([String], Int32, String)] = [
        (["--record", "a", "--replay", "b"], 64, "--replay sends nothing; leave out --record"),
        (["--record", "a", "--cache", "b"], 64, "--record uses no cache; leave out --cache"),
        (["--record="], 64, "--record needs a directory"), (["--replay="], 64, "--replay needs a directory"),
        (["--replay", "none"], 66, "cannot open none: no such file or directory; make it with --record"),
        (["--record", "."], 73, ". has files in it; choose a new directory for --record"),
        (["--record", "file"], 73, "cannot create file: file exists; choose another --record"),
    ]

    @Test(arguments: refusals)
    func `what can't be is refused`(arguments: [String], status: Int32, message: String) throws {
        try folder.write([], to: "file")
        for tool in ["fetch-characters", "fetch-images"] {
            let run = try Session(tool, arguments, folder: folder)
            #expect(run.status == status && run.errors == "\(tool): \(message)\n" && run.output.isEmpty)
        }
    }

    @Test
    func `a recording that can't be written ends the run with 74`() throws {
        let server = try LocalServer()
        let run = try Session.script(
            "ulimit -f 1; fetch-characters --base-url \(server.url) --record r", folder: folder)
        #expect(run.status == 74 && run.output.isEmpty)
        #expect(run.errors.hasPrefix("fetch-characters: page 1: cannot write to r/127.0.0.1_"), "\(run.errors)")
    }
}

// A recording that somebody has edited: what its numbers and its failures may decide.

@Suite("Numbers in a recording") struct RecordedNumberTests {
    /// A run whose recording has this for its response, from the line of the status on.
    private func played(_ tool: String, _ response: String) throws -> Session {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        let arguments =
            tool == "fetch-characters"
            ? ["--base-url", server.url, "--limit", "50"] : ["--allow-private"]
        let input = tool == "fetch-images" ? "{\"imageURL\":\"\(server.url)/images/cat.png\"}\n" : ""
        _ = try Session(tool, arguments + ["--record", "r"], input: input.utf8, folder: folder)
        server.stop()
        let name = try #require(
            FileManager.default.contentsOfDirectory(atPath: folder.path("r")).first { $0.hasSuffix(".head") })
        let head = try folder.text("r/\(name)")
        let request = try #require(head.firstRange(of: "\n\n"))
        try folder.write((head[..<request.upperBound] + response).utf8, to: "r/\(name)")
        return try Session(
            tool, arguments + ["--replay", "r", "--retries", "1"], input: input.utf8,
            environment: ["CASTLINE_PROGRESS": "always"], folder: folder)
    }

    @Test(
        arguments: ["fetch-characters", "fetch-images"],
        [
            "HTTP -5\n\n", "HTTP 99\n\n", "HTTP 1000\n\n", "HTTP 9223372036854775807\n\n", "HTTP 1e2\n\n",
            "HTTP nan\n\n", "HTTP none\n\n", "HTTP \n\n", "HTTP none\n\nFAILED idle-timeout nan\n",
            "HTTP none\n\nFAILED idle-timeout -inf\n", "HTTP none\n\nFAILED idle-timeout inf\n",
            "HTTP none\n\nFAILED idle-timeout -1e308\n", "HTTP none\n\nFAILED idle-timeout\n",
            "HTTP 200\n\nFAILED too-large -1\n", "HTTP 200\n\nFAILED too-large 9223372036854775808\n",
            "HTTP none\n\nFAILED libcurl x\n", "HTTP none\n\nFAILED invalid-request x\n",
            "HTTP none\n\nFAILED x\n",
        ])
    func `and words that no service sends are bad data, named by their file`(tool: String, response: String) throws
    {
        let run = try played(tool, response)
        #expect(run.status == 65, "\(run.status) \(run.errors)")
        #expect((run.text + run.errors).contains(".head is not the head of a recorded response; correct it, or"))
    }

    @Test(arguments: [
        ("HTTP none\n\nFAILED idle-timeout 1e308\n", 69), ("HTTP none\n\nFAILED idle-timeout 0\n", 69),
        ("HTTP none\n\nFAILED idle-timeout 1e-308\n", 69), ("HTTP none\n\nFAILED truncated\n", 69),
        ("HTTP 200\n\nFAILED too-large 9223372036854775807\n", 76), ("HTTP 100\n\n", 76), ("HTTP 999\n\n", 76),
    ])
    func `that a network can give are its failures`(response: String, status: Int32) throws {
        for tool in ["fetch-characters", "fetch-images"] {
            let run = try played(tool, response)
            #expect(run.status == status, "\(tool) \(run.errors)")
        }
    }

    @Test(
        arguments: ["Retry-After", "X-RateLimit-Reset", "Age", "Content-Length", "Date", "Cache-Control: max-age"],
        [
            "-1", "0", "2147483648", "9223372036854775807", "9223372036854775808", "18446744073709551616", "1e308",
            "nan", "inf", "", String(repeating: "9", count: 400),
        ])
    func `in the fields of an answer are waits, ages and lengths, or nothing`(name: String, number: String) throws {
        let separator = name.hasPrefix("Cache-Control") ? "=" : ": "
        for status in ["200", "429", "503"] {
            let run = try played(
                "fetch-characters", "HTTP \(status)\n\(name)\(separator)\(number)\nX-RateLimit-Remaining: 0\n\n")
            #expect(run.status < 128 && run.status != 70, "\(status) \(run.errors)")
        }
    }
}
