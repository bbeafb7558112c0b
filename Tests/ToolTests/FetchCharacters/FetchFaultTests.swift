// fetch-characters against a service that misbehaves: what is survived, and how the run ends where it can't be.

import Foundation
import TestSupport
import Testing

@Suite struct FetchFaultTests {
    static func fetch(_ faults: [String], _ arguments: [String] = []) throws -> (run: Session, server: LocalServer)
    {
        let server = try LocalServer(faults: faults)
        return (try FetchCharactersTests.fetch(server, arguments), server)
    }

    // MARK: Survived

    @Test(arguments: [
        "chunked", "chunked,header=Content-Length: 999999", "chunked,header=Content-Length: 9", "http10", "lf-only",
        "no-reason", "early-hints", "bom", "header=X: \\xe9",
        "content-type=text/plain", "gzip", "gzip-members", "gzip,header=Content-Encoding: X-Gzip", "gzip,chunked",
        "gzip,http10", "gzip,drip=0", "bom,gzip",
    ])
    func `odd but legal responses give the same bytes`(fault: String) throws {
        let usual = try LocalServer()
        let expected = try FetchCharactersTests.fetch(usual).text
        let (run, server) = try Self.fetch([fault])
        #expect(run.status == 0 && run.errors == "")
        #expect(run.text.replacing(server.url, with: usual.url) == expected)
    }

    @Test(arguments: [
        "status=500", "status=502", "status=503,retry-after=0", "status=504", "status=408", "status=425",
        "status=202",
        "status=522",
        "status=429,retry-after=0", "reset", "reset-after=300", "truncate", "truncate-chunked", "garbage", "empty",
        "hang", "truncate-gzip", "gzip-checksum",
    ])
    func `one response in fifty that fails changes no byte`(fault: String) throws {
        let usual = try LocalServer()
        let expected = try FetchCharactersTests.fetch(usual, ["--page-size", "2"]).text
        let (run, server) = try Self.fetch(["every=50,\(fault)"], ["--page-size", "2", "--timeout", "500ms"])
        #expect(run.status == 0 && run.errors == "")
        #expect(run.text.replacing(server.url, with: usual.url) == expected)
        #expect(try server.requests.count { $0.fault != nil } == 1)
    }

    @Test(arguments: [
        "/character/../character?pageSize=50&page=1", "@BASE@/character?pageSize=50&page=1", "?pageSize=50&page=1",
    ])
    func `redirects are followed in every form`(location: String) throws {
        let (run, _) = try Self.fetch(["page=1,times=1,redirect=\(location)"])
        #expect(run.status == 0 && run.lines.count == 120)
    }

    @Test func `a record that is what a seal is isn't written, and nobody takes the list for whole`() throws {
        let body = FetchCharactersTests.body(
            #"{"data":[{"_id":1,"name":"a"},{"$seal":{"records":2,"complete":true}}],"info":{"totalPages":3}}"#)
        let server = try LocalServer(faults: ["page=1,\(body)", "page=2,status=500"])
        let command = "fetch-characters --base-url \(server.url) --retries 0 --page-size 2 --seal --raw"
        let run = try Session.script("\(command) | store-plist --sealed s.plist; echo ${PIPESTATUS[@]}")
        #expect(run.text == "76 65\n" && run.errors.contains("leave out --raw"), "\(run.text) \(run.errors)")
    }

    @Test func `a list that doesn't add up is asked for anew, whatever the cache has`() throws {
        let fresh = "header=Cache-Control: max-age=600"
        let server = try LocalServer(faults: ["page=2,times=1,shift=1,\(fresh)", fresh])
        let folder = try ScratchFolder()
        let arguments = ["--base-url", server.url, "--cache", folder.path("cache"), "--seal"]
        // The third reading finds nothing new; the next run asks whether each page is still the same.
        for requests in [9, 12] {
            let run = try Session("fetch-characters", arguments)
            #expect(run.status == 0 && run.lines.count == 121, "\(run.errors)")
            #expect(try server.requests.count == requests)
        }
    }

    @Test func `Retry-After is waited for, as a number and as a date of the service's own clock`() throws {
        let late = "header=Date: Tue\\, 14 Nov 2023 22:13:20 GMT"
        let (run, server) = try Self.fetch(
            [
                "page=1,times=1,status=429,retry-after=1",
                "page=2,times=1,status=503,retry-after=Tue\\, 14 Nov 2023 22:13:21 GMT,\(late)",
            ], ["--jobs", "1"])
        #expect(run.status == 0 && run.lines.count == 120)
        let times = try server.requests.map(\.seconds)
        #expect(times.count == 5)
        #expect(times[1] - times[0] >= 0.99 && times[3] - times[2] >= 0.99)
    }

    @Test func `a list that shifts while it is read gives each character once, and all of them`() throws {
        let (run, server) = try Self.fetch(["page=2,times=1,shift=1"], ["--seal"])
        #expect(run.status == 0 && run.errors.contains("reading it a second time"))
        let ids = try FetchCharactersTests.ids(run.lines.dropLast())
        #expect(ids.count == 120)
        #expect(Set(ids) == Set(try FetchCharactersTests.ids(ofCatalogue: Fixtures.catalogue)))
        #expect(try server.requests.count == 9)
    }

    @Test(arguments: ["again=10ms", "again=10ms,chunked", "idle-408=10ms"])
    func `what a service sends unasked is taken for no other page`(fault: String) throws {
        let usual = try LocalServer()
        let expected = try FetchCharactersTests.fetch(usual).text
        let server = try LocalServer(faults: [fault])
        // Without another try: nothing has failed.
        let run = try Session(
            "fetch-characters",
            [
                "--base-url", server.url, "--rate", "1/second", "--retries", "0", "--jobs", "1", "--report",
                "/dev/stderr",
            ])
        #expect(run.status == 0 && run.errors.contains(#""requests":3,"retries":0,"#), "\(run.errors)")
        #expect(run.text.replacing(server.url, with: usual.url) == expected)
        // Each of the three pages over a connection of its own, and no page twice.
        #expect(try server.requests.map(\.connection) == [1, 2, 3])
    }

    // MARK: Ended with a status

    /// Faults of page 2, the status of the run, and words of its message.
    static let endings: [(fault: String, arguments: [String], status: Int32, words: String)] = [
        ("status=500", [], 69, ", 2 tries)"),
        ("status=501", [], 69, "answered 501"),
        ("reset", [], 69, "closed the connection before it answered"),
        ("reset-after=200", [], 69, "was cut short"),
        ("truncate", [], 69, "was cut short"),
        ("truncate-chunked", [], 69, "was cut short"),
        ("garbage", [], 75, "JSON that is cut short, unlike its other responses"),
        ("empty", [], 75, "an empty response, unlike its other responses"),
        ("hang", ["--timeout", "1s"], 69, "almost nothing for 1 s"),
        ("drip=100ms", ["--timeout", "1s"], 69, "almost nothing"),
        ("status=429,retry-after=0", [], 75, "limits the rate"),
        ("status=429,retry-after=9999", [], 75, "asks to wait 9999 s"),
        ("status=503,retry-after=301", [], 75, "asks to wait 301 s"),
        (
            "status=403,header=X-RateLimit-Remaining: 0,header=X-RateLimit-Reset: 9999", [], 75,
            "asks to wait 9999 s"
        ),
        ("hang", ["--deadline", "3s"], 75, "the deadline passed"),
        ("status=503,retry-after=100", ["--deadline", "10s"], 75, "the deadline passed"),
        ("status=400", [], 76, "answered 400"),
        ("status=404", [], 76, "answered 404"),
        ("status=410", [], 76, "answered 410"),
        ("status=304", [], 76, "answered 304"),
        ("html", [], 75, "an HTML or XML page, not JSON, unlike its other responses"),
        ("body=hello", [], 75, "isn't JSON"),
        ("body={}", [], 76, "without '$.data'"),
        (FetchCharactersTests.body(#"{"info":{},"data":[]}"#), [], 76, "info.totalPages"),
        (
            FetchCharactersTests.body(#"{"info":{"totalPages":3},"data":[]}"#), [], 76,
            "page 2 of 3 is empty; got 50"
        ),
        (FetchCharactersTests.body(#"{"info":{"totalPages":3},"data":{"_id":1}}"#), [], 76, "got 71 of 120"),
        ("header=Content-Length: 999999", [], 69, "was cut short"),
        ("header=Content-Length: 999999,header=Transfer-Encoding: identity", [], 69, "was cut short"),
        ("http10,header=Content-Length : 999999", [], 69, "was cut short"),
        ("http10,header=Content-Length : 9", [], 76, "a body longer than its content length"),
        ("header=Content-Length: 9\\, 10", [], 76, "two different content lengths"),
        ("header=Content-Length: +9", [], 76, "a content length that isn't a number"),
        ("double-length", [], 76, "two different content lengths"),
        ("truncate-gzip", [], 69, "was cut short"),
        ("gzip,truncate", [], 69, "was cut short"),
        ("gzip,truncate-chunked", [], 69, "was cut short"),
        ("gzip,header=Content-Length: 999999", [], 69, "was cut short"),
        ("empty,header=Content-Encoding: gzip", [], 69, "was cut short"),
        ("gzip-checksum", [], 69, "is damaged; try later"),
        ("gzip-length", [], 69, "is damaged"),
        ("header=Content-Encoding: gzip", [], 69, "is damaged"),
        (
            "gzip-bomb", [], 76,
            "page 2, after 50 records: the response has more than 64 MiB; ask for less of it, or"
        ),
        ("gzip-bomb,chunked", [], 76, "more than 64 MiB"),
        ("gzip-twice", [], 76, "content coding that wasn't requested"),
        ("header=Content-Encoding: br", [], 76, "content coding that wasn't requested"),
        ("header=Content-Encoding: deflate", [], 76, "content coding that wasn't requested"),
        ("header=Content-Encoding: zstd", [], 76, "content coding that wasn't requested"),
        ("gzip,status=404", [], 76, "answered 404"),
        ("gzip,header=Transfer-Encoding: gzip", [], 76, "transfer coding that wasn't requested"),
        ("repeat-page=1", [], 76, "page 2 repeats page 1"),
        ("loop", [], 76, "redirects in a circle"),
        ("endless", [], 76, "more than 64 MiB"),
        ("endless-head", [], 76, "too many header fields"),
        ("endless-hints", [], 76, "only interim (1xx) responses"),
        ("redirect=file:///etc/passwd", [], 77, "scheme file"),
        ("redirect=ftp://127.0.0.1/", [], 77, "scheme ftp"),
        ("redirect=http://", [], 76, "a redirect to an invalid URL"),
        ("status=401", [], 77, "answered 401"),
        ("status=403", [], 77, "answered 403"),
    ]

    @Test(arguments: endings)
    func `a fault of page 2 leaves page 1 and a reason`(
        fault: String, arguments: [String], status: Int32, words: String
    ) throws {
        let (run, server) = try Self.fetch(["page=2,\(fault)"], ["--retries", "1", "--seal"] + arguments)
        #expect(run.status == status)
        #expect(run.errors.hasPrefix("fetch-characters: ") && run.errors.contains(words), "\(run.errors)")
        #expect(run.errors.hasSuffix("\n") && run.errors.count { $0 == "\n" } == 1)
        #expect(run.lines.count >= 50 && !run.text.contains("$seal"))
        let isRetried = [69, 75].contains(status) && !words.contains("asks to wait") && !words.contains("deadline")
        if !isRetried || words.contains("501") { #expect(try server.requests.count { $0.fault != nil } == 1) }
    }

    @Test func `nobody listening is 69, after all tries`() throws {
        let server = try LocalServer()
        server.stop()
        let run = try FetchCharactersTests.fetch(server, ["--retries", "1"])
        #expect(
            run.status == 69
                && run.errors.contains(
                    "check that the service is up (\(server.url)/character?page=1&pageSize=50, 2 tries)")
        )
    }

    @Test func `more than ten redirects are too many`() throws {
        let faults = (1...12).map { "query=hop=\($0)&,redirect=/character?hop=\($0 + 1)&" }
        let server = try LocalServer(faults: faults + ["times=1,redirect=/character?hop=1&"])
        let run = try FetchCharactersTests.fetch(server)
        #expect(run.status == 76 && run.errors.contains("redirects more than 10 times"))
        #expect(try server.requests.count == 11)
        let fewer = try LocalServer(faults: Array(faults.prefix(9)) + ["times=1,redirect=/character?hop=1&"])
        let most = try FetchCharactersTests.fetch(fewer, ["--limit", "50"])
        #expect(try most.status == 0 && fewer.requests.count == 11, "\(most.errors)")
    }

    @Test func `fewer records than demanded are 76`() throws {
        let server = try LocalServer()
        #expect(try FetchCharactersTests.fetch(server, ["--min-records", "120"]).status == 0)
        let least = try FetchCharactersTests.fetch(server, ["--min-records", "121", "--seal"])
        #expect(least.status == 76 && least.errors.contains("got 120 of at least 121") && least.lines.count == 120)
    }

    @Test func `an output that can't be written is 74`() throws {
        let server = try LocalServer()
        guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
        let full = try Session.script("fetch-characters --base-url \(server.url) > /dev/full")
        #expect(full.status == 74 && full.errors.contains("<stdout>"))
    }

    // MARK: Ended from outside

    @Test func `a closed stdout ends it within a page or two`() throws {
        let server = try LocalServer(faults: ["delay=100ms"])
        let run = try Session.script(
            "fetch-characters --page-size 2 --base-url \(server.url) | head -n 1; echo ${PIPESTATUS[0]}")
        #expect(run.lines.last == "141" && run.errors == "")
        // The first page, those that were under way when it was written, and one more.
        #expect(try server.requests.count <= 6)
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func `a signal ends it with whole lines`(signal: Int32, status: Int32) throws {
        let server = try LocalServer(faults: ["page=2,hang"])
        let home = try ScratchFolder()
        let child = try ChildProcess(
            "fetch-characters", ["--base-url", server.url, "--report", home.path("report")], in: home)
        #expect(child.line() != nil)
        child.signal(signal)
        #expect(child.finish(limitSeconds: 10))
        #expect(child.status == status)
        #expect(child.output.last == 0x0A && child.output.count { $0 == 0x0A } == 50)
        #expect(child.errors == "")
        #expect(try home.text("report").contains(#""exitStatus":\#(status),"#))
    }
}
