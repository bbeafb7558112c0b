// The cache on the wire: what is asked, what isn't, and what is left in the files.

import Foundation
import PipelineCore
import PipelineHTTP
import TestSupport
import Testing

@Suite("The cache")
struct HTTPCacheTests {
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    @Test
    func `an answer is asked about by its tag, and a confirmed one keeps its body and takes the new fields`() throws
    {
        let server = try LocalServer(faults: ["without=If-None-Match,header=X-Run: 1", "header=X-Run: 2"])
        let url = server.url + "/character?pageSize=1"
        let first = try CacheRun.get(url, folder)
        for _ in 0..<2 {
            let next = try CacheRun.get(url, folder)
            #expect(next.provenance == .revalidated && next.attempts == 1)
            let response = try next.result.get()
            #expect(try response.body == first.result.get().body && !response.body.isEmpty)
            #expect(response.status == 200 && response.headers.values("X-Run") == ["2"])
            #expect(response.headers["Content-Type"] == "application/json; charset=utf-8")
        }
        let log = try server.requests
        #expect(log.map(\.status) == [200, 304, 304])
        let tag = try first.result.get().headers["ETag"]
        #expect(log.map { $0.header("If-None-Match") } == [nil, tag, tag] && tag?.hasPrefix("W/") == true)
        #expect(log.allSatisfy { $0.header("If-Modified-Since") == nil })
    }

    @Test
    func `without a tag the date is asked about`() throws {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let dated = try LocalServer(faults: [
            "without=If-Modified-Since,body=x,header=Last-Modified: \(date.replacing(",", with: "\\,"))",
            "status=304",
        ])
        for expected in [HTTPProvenance.fetched, .revalidated] {
            #expect(try CacheRun.get(dated.url + "/x", folder).provenance == expected)
        }
        #expect(try dated.requests.last?.header("If-Modified-Since") == date)
    }

    @Test
    func `a new answer takes the place of the old one`() throws {
        let server = try LocalServer(faults: ["times=1,body=old,header=ETag: \"1\"", "body=new,header=ETag: \"2\""])
        let bodies = try (0..<3).map { _ in
            String(decoding: try CacheRun.get(server.url + "/x", folder).result.get().body, as: UTF8.self)
        }
        #expect(bodies == ["old", "new", "new"])
        #expect(try server.requests.map { $0.header("If-None-Match") } == [nil, "\"1\"", "\"2\""])
        #expect(try CacheRun.files(folder).count == 1)
    }

    @Test
    func `a fresh answer is used without a request, and max-age says what is fresh`() throws {
        let server = try LocalServer(faults: ["header=Cache-Control: max-age=1000"])
        let url = server.url + "/character"
        #expect(try CacheRun.get(url, folder).provenance == .fetched)
        let cached = try CacheRun.get(url, folder)
        #expect(cached.provenance == .cached && cached.attempts == 0)
        #expect(try CacheRun.get(url, folder) { $0.cache.maxAgeSeconds = 0 }.provenance == .revalidated)
        #expect(try CacheRun.get(url, folder) { $0.cache.maxAgeSeconds = 100 }.provenance == .cached)
        #expect(try CacheRun.get(url, folder) { $0.cache.location = .none }.provenance == .fetched)
        #expect(try server.requests.map(\.status) == [200, 304, 200])
    }

    @Test
    func `what isn't to be stored isn't, and takes away what was stored`() throws {
        let server = try LocalServer(faults: ["times=1,body=x", "body=y,header=Cache-Control: no-store"])
        _ = try CacheRun.get(server.url + "/x", folder)
        #expect(try CacheRun.files(folder).count == 1)
        _ = try CacheRun.get(server.url + "/x", folder)
        #expect(try CacheRun.files(folder).isEmpty)
    }

    @Test
    func `304 that wasn't asked for is a failure, and one about another version is asked again`() throws {
        let server = try LocalServer(faults: [
            "path=/none,status=304", "path=/x,without=If-None-Match,body=new,header=ETag: \"1\"",
            "path=/x,status=304,header=ETag: \"2\"",
        ])
        let failure = HTTPClientTests.failure(try CacheRun.get(server.url + "/none", folder))
        #expect(failure?.exitStatus == .protocolError)
        #expect(failure?.description.contains("304 to an unconditional request") == true)
        #expect(try CacheRun.get(server.url + "/x", folder).provenance == .fetched)
        #expect(try CacheRun.get(server.url + "/x", folder).provenance == .fetched)
        #expect(try server.requests.map(\.status) == [304, 200, 304, 200])
    }

    @Test
    func `each hop of a redirect is kept as its own answer`() throws {
        let server = try LocalServer(faults: [
            "query=a,redirect=/x?b,header=Cache-Control: max-age=100", "query=c,redirect=/x?b",
            "query=b,body=x,header=Cache-Control: max-age=100",
        ])
        #expect(try CacheRun.get(server.url + "/x?a", folder).provenance == .fetched)
        let cached = try CacheRun.get(server.url + "/x?a", folder)
        #expect(try cached.provenance == .cached && cached.result.get().redirectChain.count == 2)
        // The redirect of ?c may change each time, its target is fresh.
        for _ in 0..<2 { #expect(try CacheRun.get(server.url + "/x?c", folder).provenance != .cached) }
        #expect(try server.requests.map(\.target) == ["/x?a", "/x?b", "/x?c", "/x?c"])
        #expect(try CacheRun.get(server.url + "/x?c", folder) { $0.cache.isOffline = true }.provenance == .cached)
    }

    @Test
    func `an answer that is used counts as used from then on`() throws {
        let server = try LocalServer(faults: ["header=Cache-Control: max-age=99999999"])
        _ = try CacheRun.get(server.url + "/character", folder)
        let file = folder.path("cache/" + (try #require(try CacheRun.files(folder).first)))
        let past = Date(timeIntervalSinceNow: -10 * 86_400)
        try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: file)
        #expect(try CacheRun.get(server.url + "/character", folder).provenance == .cached)
        let used = try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
        #expect(try #require(used).timeIntervalSince(past) > 9 * 86_400)
    }

    @Test
    func `what is asked for in another name is another request`() throws {
        let server = try LocalServer(faults: ["header=Cache-Control: max-age=100"])
        let agents = ["a", "b", "a", "b"]
        let provenances = try agents.map { agent in
            var options = HTTPClient.Options(userAgent: agent)
            options.cache.location = .directory(folder.path("cache"))
            var client = try HTTPClient(options)
            client.submit(try HTTPRequest(server.url + "/character"), tag: 0)
            guard case .completed(let completion) = client.next() else { throw CancellationError() }
            client.source.keep(completion)
            return completion.provenance
        }
        #expect(provenances == [.fetched, .fetched, .cached, .cached])
        #expect(try server.requests.map { $0.header("user-agent") } == ["a", "b"])
    }

    @Test
    func `offline asks nobody, and says what it hasn't got`() throws {
        let server = try LocalServer()
        let url = server.url + "/character"
        _ = try CacheRun.get(url, folder)
        let offline: (inout HTTPClient.Options) -> Void = { $0.cache.isOffline = true }
        #expect(try CacheRun.get(url, folder, offline).provenance == .cached)
        let failure = HTTPClientTests.failure(try CacheRun.get(url + "?page=2", folder, offline))
        #expect(failure?.exitStatus == .unavailable && failure?.attempts == 0)
        #expect(failure?.description.contains("isn't in the cache; leave out --offline") == true)
        #expect(try server.requests.count == 1)
    }

    @Test
    func `a service that is down is stood in for, after all retries, as long as that is allowed`() throws {
        let server = try LocalServer(faults: ["times=1,body=x", "status=503"])
        let url = server.url + "/x"
        _ = try CacheRun.get(url, folder)
        #expect(HTTPClientTests.failure(try CacheRun.get(url, folder))?.httpStatus == 503)
        let stale = try CacheRun.get(url, folder) { $0.cache.staleIfErrorSeconds = 100 }
        #expect(stale.provenance == .stale && stale.attempts == 2)
        #expect(try stale.result.get().body == Array("x".utf8))
        server.stop()
        #expect(try CacheRun.get(url, folder) { $0.cache.staleIfErrorSeconds = 100 }.provenance == .stale)
        #expect(
            HTTPClientTests.failure(try CacheRun.get(url, folder) { $0.cache.staleIfErrorSeconds = 1e-9 }) != nil)
    }

    @Test
    func `another key, another answer; and no key in any file`() throws {
        let server = try LocalServer(faults: [
            "query=echo,body={\\x22url\\x22:\\x22/x?api_key=tops3cret%2F\\x22}",
            "header=Cache-Control: max-age=100,header=Set-Cookie: s=tops3cret",
        ])
        var requests = try ["one", "one", "two"].map { value in
            var request = try HTTPRequest(server.url + "/character")
            try request.add("Authorization", "Bearer tops3cret\(value)", isSecret: true)
            return request
        }
        for path in ["/character", "/x?echo"] {
            var request = try HTTPRequest(server.url + path)
            request.addSecretParameter("api_key", "tops3cret/")
            requests.append(request)
        }
        let provenances = try CacheRun.run(requests, folder).map(\.provenance)
        #expect(provenances == [.fetched, .cached, .fetched, .fetched, .fetched])
        #expect(
            try server.requests.map(\.target).suffix(2) == [
                "/character?api_key=tops3cret%2F", "/x?echo&api_key=tops3cret%2F",
            ])
        let files = try CacheRun.files(folder)
        #expect(files.count == 3)
        for file in files {
            #expect(try !file.contains("tops3cret") && !folder.text("cache/\(file)").contains("tops3cret"))
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("cache/\(file)"))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test
    func `other header fields are another request, and whatever Vary says nothing is mixed up`() throws {
        let server = try LocalServer(faults: [
            "path=/star,body=x,header=Vary: *,header=Cache-Control: max-age=100",
            "header=Vary: Accept,header=Cache-Control: max-age=100",
        ])
        let requests = try ["/c", "/c", "/c", "/star", "/star"].enumerated().map { index, path in
            var request = try HTTPRequest(server.url + (path == "/c" ? "/character" : path))
            try request.add("Accept", index == 1 ? "text/html" : "application/json")
            return request
        }
        #expect(
            try CacheRun.run(requests, folder).map(\.provenance) == [
                .fetched, .fetched, .cached, .fetched, .fetched,
            ])
    }
}

// The cache where a response, an entry or a place is bad, or other processes have it.

@Suite("A cache in trouble")
struct HTTPCacheFaultTests {
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    @Test(
        arguments: [
            (["html"], true), (["html,header=Cache-Control: no-store"], true), (["body={\"data\":["], true),
            (["status=404"], false), (["body={}"], false),
        ] as [([String], Bool)])
    func `an answer that can't be used leaves the one before where it was`(faults: [String], isOutage: Bool) throws
    {
        let server = try LocalServer()
        let options = ["--base-url", server.url, "--rate", "1000000/second", "--cache", "cache"]
        let first = try Session("fetch-characters", options, folder: folder)
        #expect(first.status == 0)
        server.stop()
        let other = try LocalServer(faults: faults, port: UInt16(server.port))
        let failed = try Session("fetch-characters", options + ["--retries", "1"], folder: folder)
        #expect(failed.status == 76, "\(failed.errors)")
        let stale = try Session(
            "fetch-characters", options + ["--retries", "1", "--stale-if-error", "1d"], folder: folder)
        #expect(stale.status == (isOutage ? 0 : 76))
        other.stop()
        // That the list is gone is a response of its own.
        guard !faults[0].hasPrefix("status") else { return }
        for more in [["--offline"], ["--stale-if-error", "1d", "--retries", "0"]] {
            let again = try Session("fetch-characters", options + more, folder: folder)
            #expect(again.status == 0 && again.output == first.output, "\(again.errors)")
        }
    }

    @Test
    func `what stands in for a request is its own earlier answer, whoever asked before`() throws {
        let faults = ["path=/character/12,delay=300ms", "path=/character/214,body={\"data\":{"]
        let server = try LocalServer(faults: ["header=ETag: \"1\""])
        let options = [
            "--base-url", server.url, "--rate", "1000000/second", "--cache", "cache", "--retries", "0", "--jobs",
            "2",
            "--stale-if-error", "1d", "--id", "12", "--id", "214",
        ]
        let first = try Session("fetch-characters", options, folder: folder)
        #expect(first.status == 0 && first.lines.count == 2)
        server.stop()
        let other = try LocalServer(faults: faults, port: UInt16(server.port))
        let again = try Session("fetch-characters", options, folder: folder)
        #expect(again.status == 0 && again.output == first.output, "\(again.errors) \(again.text)")
        other.stop()
    }

    @Test
    func `a damaged entry is no answer, and is replaced`() throws {
        let server = try LocalServer(faults: ["header=Cache-Control: max-age=100"])
        let url = server.url + "/character"
        _ = try CacheRun.get(url, folder)
        let file = "cache/" + (try #require(try CacheRun.files(folder).first))
        let whole = try folder.bytes(file)
        for damage in [[], Array(whole.dropLast()), Array(whole.reversed()), whole + [0]] {
            try folder.write(damage, to: file)
            #expect(try CacheRun.get(url, folder).provenance == .fetched)
            #expect(try CacheRun.get(url, folder).provenance == .cached)
        }
    }

    @Test
    func `an answer that the caller can't use is forgotten, and asked for without a question`() throws {
        let server = try LocalServer(faults: ["times=1,garbage,header=ETag: \"1\"", "header=ETag: \"1\""])
        let arguments = ["--base-url", server.url, "--cache", folder.path("cache"), "--id", "12", "--raw"]
        let run = try Session("fetch-characters", arguments)
        #expect(run.status == 0 && run.lines.count == 1)
        #expect(try server.requests.map { $0.header("If-None-Match") } == [nil, nil])
        let again = try Session("fetch-characters", arguments)
        #expect(try again.output == run.output && server.requests.last?.header("If-None-Match") == "\"1\"")
    }

    @Test
    func `entries that nobody uses go, and the others stay`() throws {
        let server = try LocalServer()
        _ = try CacheRun.run(try (1...3).map { try HTTPRequest(server.url + "/character?page=\($0)") }, folder)
        let files = try CacheRun.files(folder)
        #expect(files.count == 3)
        let old = Date(timeIntervalSinceNow: -31 * 86_400)
        for name in [files[0], "castline-swept"] {
            try FileManager.default.setAttributes(
                [.modificationDate: old], ofItemAtPath: folder.path("cache/\(name)"))
        }
        try folder.write([1], to: "cache/castline-notes")
        _ = try CacheRun.run([], folder) { $0.cache.isOffline = true }
        #expect(try CacheRun.files(folder).count == 3)
        _ = try CacheRun.run([], folder)
        #expect(try CacheRun.files(folder).sorted() == files.dropFirst().sorted())
        // Another tool's.
        #expect(try folder.bytes("cache/castline-notes") == [1])
    }

    @Test
    func `times from before the clock was set back keep nothing for ever`() throws {
        let server = try LocalServer()
        _ = try CacheRun.run(try (1...3).map { try HTTPRequest(server.url + "/character?page=\($0)") }, folder)
        let files = try CacheRun.files(folder)
        for (name, days) in [(files[0], 31.0), (files[1], 29.0), ("castline-swept", 2.0)] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: days * 86_400)],
                ofItemAtPath: folder.path("cache/\(name)"))
        }
        _ = try CacheRun.run([], folder)
        #expect(try CacheRun.files(folder).sorted() == files.dropFirst().sorted())
    }

    @Test
    func `a place that can't be had is said where the user named it, and done without where not`() throws {
        let server = try LocalServer()
        try folder.write([], to: "file")
        let named = try Session(
            "fetch-characters", ["--base-url", server.url, "--limit", "1", "--cache", folder.path("file")])
        #expect(named.status == 73 && named.errors.hasSuffix("choose another --cache\n") && named.output.isEmpty)
        let usual = try Session(
            "fetch-characters", ["--base-url", server.url, "--limit", "1"],
            environment: ["XDG_CACHE_HOME": folder.path("file")])
        #expect(usual.status == 0 && usual.lines.count == 1)
    }

    private static let contradictions: [[String]] = [
        ["--offline", "--cache", "none"], ["--max-age", "1h", "--cache", "none"],
        ["--stale-if-error", "1h", "--cache", "none"], ["--offline", "--max-age", "1h"],
        ["--offline", "--stale-if-error", "1h"], ["--cache="], ["--stale-if-error", "0"],
    ]

    @Test(arguments: contradictions)
    func `options that contradict each other are refused`(arguments: [String]) throws {
        for tool in ["fetch-characters", "fetch-images"] {
            let run = try Session(tool, arguments)
            #expect(run.status == 64 && run.errors.hasPrefix("\(tool): --") && run.output.isEmpty)
        }
    }

    @Test
    func `processes that share a cache don't disturb each other`() throws {
        let server = try LocalServer()
        let script = """
            for i in 1 2 3 4 5 6; do
              fetch-characters --base-url \(server.url) --page-size 7 > out.$i & pids="$pids $!"
            done
            for pid in $pids; do wait $pid || exit 1; done
            sha256sum out.* | cut -d' ' -f1 | sort -u | wc -l
            """
        let run = try Session.script(script, folder: folder)
        #expect(run.status == 0 && run.text == "1\n", "\(run.errors)")
    }
}

// Runs of the HTTP client with a cache in a directory, for the suites of the cache.

enum CacheRun {
    /// One run of a client with the cache in `cache`: each request to its end, one after the other.
    static func run(
        _ requests: [HTTPRequest], _ folder: ScratchFolder, retrying fault: HTTPFailure.Reason? = nil,
        _ change: (inout HTTPClient.Options) -> Void = { _ in }
    ) throws -> [HTTPClient.Completion] {
        var options = HTTPClient.Options(userAgent: "test")
        options.retry.retries = 1
        options.retry.baseSeconds = 0.001
        options.cache.location = .directory(folder.path("cache"))
        change(&options)
        var client = try HTTPClient(options)
        var completions: [HTTPClient.Completion] = []
        for request in requests {
            client.submit(request, tag: completions.count)
            while case .completed(let completion) = client.next() {
                client.source.keep(completion)
                completions.append(completion)
                guard let fault, completion.provenance == .fetched else { continue }
                client.retry(request, after: completion, because: fault)
            }
        }
        return completions
    }

    static func get(
        _ url: String, _ folder: ScratchFolder, _ change: (inout HTTPClient.Options) -> Void = { _ in }
    ) throws -> HTTPClient.Completion {
        try #require(try run([try HTTPRequest(url)], folder, change).first)
    }

    static func files(_ folder: ScratchFolder) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path("cache")).filter { $0.count > 60 }
    }
}
