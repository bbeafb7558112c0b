// Requests with a body against the local server: what goes out, and what is found again.

import PipelineCore
import PipelineHTTP
import TestSupport
import Testing

@Suite struct HTTPMethodTests {
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    private func post(_ url: String, _ body: String) throws -> HTTPRequest {
        var request = try HTTPRequest(url)
        try request.post(HTTPRequest.Body(mediaType: "application/json", bytes: Array(body.utf8)))
        return request
    }

    private func text(_ completion: HTTPClient.Completion) throws -> String {
        String(decoding: try completion.result.get().body, as: UTF8.self)
    }

    @Test(arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
    func `a redirect keeps the body where its status says so`(status: Int, method: String) throws {
        let server = try LocalServer(
            faults: ["query=first,redirect=/x?second,status=\(status)", "query=second,body=done"])
        let completions = try HTTPClientTests.results([try post(server.url + "/x?first", "{\"next\":7}")])
        #expect(try text(#require(completions[0])) == "done")
        let log = try server.requests
        let isKept = method == "POST"
        #expect(log.map(\.method) == ["POST", method])
        #expect(log.map { $0.header("content-length") } == ["10", isKept ? "10" : nil])
        #expect(log.map { $0.header("content-type") } == ["application/json", isKept ? "application/json" : nil])
    }

    @Test func `what stands in for an unusable answer is from where the redirect led`() throws {
        let server = try LocalServer(
            faults: ["query=first,redirect=/x?second,status=303", "query=second,body=done"])
        let request = try post(server.url + "/x?first", "a")
        _ = try CacheRun.run([request], folder)
        let again = try CacheRun.run([request], folder, retrying: .truncated) { $0.cache.staleIfErrorSeconds = 100 }
        #expect(again.map(\.provenance) == [.fetched, .fetched, .stale])
        // Each try begins with the request itself.
        #expect(try server.requests.map(\.method) == ["POST", "GET", "POST", "GET", "POST", "GET"])
    }

    @Test func `a handle that has sent a body sends none with the next request`() throws {
        let server = try LocalServer(faults: ["path=/x,body=done"])
        let requests = [try post(server.url + "/x", ""), try HTTPRequest(server.url + "/x?next")]
        #expect(try CacheRun.run(requests, folder).map(text) == ["done", "done"])
        let log = try server.requests
        #expect(log.map(\.method) == ["POST", "GET"])
        #expect(log.map { $0.header("content-length") } == ["0", nil])
    }

    @Test func `the cache tells bodies apart`() throws {
        let server = try LocalServer(faults: [
            "path=/x,times=1,body=one,header=Cache-Control: max-age=100",
            "path=/x,body=two,header=Cache-Control: max-age=100",
        ])
        let requests = [
            try post(server.url + "/x", "a"), try post(server.url + "/x", "b"), try HTTPRequest(server.url + "/x"),
        ]
        #expect(try CacheRun.run(requests, folder).map(text) == ["one", "two", "two"])
        let again = try CacheRun.run(requests, folder)
        #expect(try again.map(text) == ["one", "two", "two"])
        #expect(again.map(\.provenance) == [.cached, .cached, .cached])
        #expect(try server.requests.count == 3)
    }

    @Test func `a response to a request with a body is never revalidated, but stands in for a later one`() throws {
        let server = try LocalServer(faults: [
            "path=/x,times=1,body=one,header=ETag: \"1\"", "path=/x,times=1,body=two,header=ETag: \"1\"",
            "path=/x,status=500",
        ])
        let request = try post(server.url + "/x", "a")
        #expect(try CacheRun.run([request, request], folder).map(text) == ["one", "two"])
        let stale = try CacheRun.run([request], folder) { $0.cache.staleIfErrorSeconds = 100 }
        #expect(try stale.map(text) == ["two"] && stale.map(\.provenance) == [.stale])
        let old = try CacheRun.run([request], folder) { $0.cache.maxAgeSeconds = 100 }
        let offline = try CacheRun.run([request], folder) { $0.cache.isOffline = true }
        #expect(try (old + offline).map(text) == ["two", "two"])
        #expect(try server.requests.allSatisfy { $0.header("if-none-match") == nil })
    }

    @Test(arguments: [(201, true), (202, true), (206, true), (304, false)])
    func `any success is an answer to a request with a body`(status: Int, isSuccess: Bool) throws {
        let server = try LocalServer(faults: ["path=/x,body=done,status=\(status)"])
        let completion = try #require(HTTPClientTests.results([try post(server.url + "/x", "a")])[0])
        #expect((try? text(completion)) == (isSuccess ? "done" : nil))
    }

    private static let secret = "s3cret-\"&é"

    private func secretPost(_ url: String, _ mediaType: String) throws -> HTTPRequest {
        let secret = HTTPSecret(key: "KEY", HTTPSecret.Value(Self.secret), shellText: "$KEY")
        var request = try HTTPRequest(url)
        request.add(secret)
        try request.add("x-key", "Bearer \(secret.placeholder)", isSecret: true)
        request.addSecretParameter("key", secret.placeholder)
        let isForm = mediaType.hasSuffix("urlencoded")
        let body = isForm ? "key=\(secret.placeholder)&a=b" : "{\"key\":\"\(secret.placeholder)\",\"a\":1}"
        try request.post(HTTPRequest.Body(mediaType: mediaType, bytes: Array(body.utf8)))
        return request
    }

    @Test(arguments: [
        ("application/json", "{\"key\":\"s3cret-\\\"&é\",\"a\":1}"),
        ("application/x-www-form-urlencoded", "key=s3cret-%22%26%C3%A9&a=b"),
    ])
    func `a secret takes the place of its placeholder only as it is sent`(mediaType: String, body: String) throws {
        let server = try LocalServer(faults: ["path=/x,body=done"])
        let request = try secretPost(server.url + "/x", mediaType)
        for name in ["recordPath", "cache"] {
            _ = try CacheRun.run([request], folder) { if name == "recordPath" { $0.recordPath = folder.path("r") } }
        }
        let log = try server.requests
        #expect(log.map(\.body) == [body, body])
        #expect(log.map(\.target) == ["/x?key=s3cret-%22%26%C3%A9", "/x?key=s3cret-%22%26%C3%A9"])
        #expect(log[0].header("x-key") == "Bearer \(Self.secret)")
        let files = try Session.script("cat r/* cache/*/*", folder: folder)
        #expect(files.text.contains("done") && !files.text.contains("s3cret"))
        // Without the key the recording gives the same.
        let unknown = HTTPSecret(key: "KEY", nil, shellText: "$KEY")
        var replayed = try HTTPRequest(server.url + "/x")
        replayed.add(unknown)
        try replayed.post(#require(request.body))
        let played = try CacheRun.run([replayed], folder) { $0.replayPath = folder.path("r") }
        #expect(try played.map(text) == ["done"])
    }

    @Test func `one user's key doesn't open the cache of another's`() throws {
        let server = try LocalServer(faults: [
            "path=/x,times=1,body=one,header=Cache-Control: max-age=100", "path=/x,body=two",
        ])
        let requests = try ["first-key", "other-key"].map { key in
            let secret = HTTPSecret(key: "KEY", HTTPSecret.Value(key), shellText: "$KEY")
            var request = try HTTPRequest(server.url + "/x")
            request.add(secret)
            try request.post(HTTPRequest.Body(mediaType: "text/plain", bytes: Array(secret.placeholder.utf8)))
            return request
        }
        #expect(try CacheRun.run(requests, folder).map(text) == ["one", "two"])
    }

    @Test(arguments: [(301, true), (303, true), (307, false), (308, false)])
    func `a body with a secret is sent to no other origin`(status: Int, isFollowed: Bool) throws {
        let other = try LocalServer(faults: ["path=/x,body=done"])
        let server = try LocalServer(faults: ["path=/x,redirect=\(other.url)/x,status=\(status)"])
        let completion = try #require(
            HTTPClientTests.results([try secretPost(server.url + "/x", "application/json")])[0])
        guard isFollowed else {
            guard case .failure(let failure) = completion.result else { return #expect(Bool(false)) }
            #expect(failure.reason == .refusedKey && failure.exitStatus == .refused)
            return #expect(try other.requests.isEmpty)
        }
        #expect(try text(completion) == "done")
        let seen = try #require(try other.requests.first)
        #expect(seen.method == "GET" && seen.body == nil && seen.target == "/x" && seen.header("x-key") == nil)
    }

    @Test func `a recording tells bodies apart`() throws {
        let server = try LocalServer(faults: ["path=/x,times=1,body=one", "path=/x,body=two"])
        let requests = [try post(server.url + "/x", "a"), try post(server.url + "/x", "b")]
        let made = try CacheRun.run(requests, folder) { $0.recordPath = folder.path("r") }
        #expect(try made.map(text) == ["one", "two"])
        let played = try CacheRun.run(requests.reversed(), folder) { $0.replayPath = folder.path("r") }
        #expect(try played.map(text) == ["two", "one"])
        #expect(try server.requests.count == 2)
    }
}
