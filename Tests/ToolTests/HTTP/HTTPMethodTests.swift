// Requests with a body against the local server: what goes out, and what is found again.

import PipelineHTTP
import TestSupport
import Testing

@Suite struct HTTPMethodTests {
    private func post(_ url: String, _ body: String) throws -> HTTPRequest {
        var request = try HTTPRequest(url)
        try request.post(Array(body.utf8), mediaType: "application/json")
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

    @Test func `a handle that has sent a body sends none with the next request`() throws {
        let server = try LocalServer(faults: ["path=/x,body=done"])
        let folder = try ScratchFolder()
        let requests = [try post(server.url + "/x", ""), try HTTPRequest(server.url + "/x?next")]
        #expect(try CacheRun.run(requests, folder).map(text) == ["done", "done"])
        let log = try server.requests
        #expect(log.map(\.method) == ["POST", "GET"])
        #expect(log.map { $0.header("content-length") } == ["0", nil])
    }

    @Test func `a response to a request with a body isn't taken from the cache`() throws {
        let server = try LocalServer(faults: ["path=/x,body=done,header=Cache-Control: max-age=100"])
        let folder = try ScratchFolder()
        let request = try post(server.url + "/x", "a")
        #expect(try CacheRun.run([request, request], folder).map(\.provenance) == [.fetched, .fetched])
        #expect(try CacheRun.files(folder).isEmpty)
    }

    @Test func `a recording tells bodies apart`() throws {
        let server = try LocalServer(faults: ["path=/x,times=1,body=one", "path=/x,body=two"])
        let folder = try ScratchFolder()
        let requests = [try post(server.url + "/x", "a"), try post(server.url + "/x", "b")]
        let made = try CacheRun.run(requests, folder) { $0.recordPath = folder.path("r") }
        #expect(try made.map(text) == ["one", "two"])
        let played = try CacheRun.run(requests.reversed(), folder) { $0.replayPath = folder.path("r") }
        #expect(try played.map(text) == ["two", "one"])
        #expect(try server.requests.count == 2)
    }
}
