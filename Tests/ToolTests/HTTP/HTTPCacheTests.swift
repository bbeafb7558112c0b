// The cache on the wire: what is asked, what isn't, and what is left in the files.

import Foundation
import PipelineCore
import PipelineHTTP
import TestSupport
import Testing

@Suite("The cache")
struct HTTPCacheTests {
    @Test
    func `an answer is asked about by its tag, and a confirmed one keeps its body and takes the new fields`() throws
    {
        let server = try LocalServer(faults: ["without=If-None-Match,header=X-Run: 1", "header=X-Run: 2"])
        let folder = try ScratchFolder()
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
        let server = try LocalServer()
        let folder = try ScratchFolder()
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let dated = try LocalServer(faults: [
            "without=If-Modified-Since,body=x,header=Last-Modified: \(date.replacing(",", with: "\\,"))",
            "status=304",
        ])
        for expected in [HTTPProvenance.fetched, .revalidated] {
            #expect(try CacheRun.get(dated.url + "/x", folder).provenance == expected)
        }
        #expect(try dated.requests.last?.header("If-Modified-Since") == date)
        #expect(try server.requests.isEmpty)
    }

    @Test
    func `a new answer takes the place of the old one`() throws {
        let server = try LocalServer(faults: ["times=1,body=old,header=ETag: \"1\"", "body=new,header=ETag: \"2\""])
        let folder = try ScratchFolder()
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
        let folder = try ScratchFolder()
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
        let folder = try ScratchFolder()
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
        let folder = try ScratchFolder()
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
        let folder = try ScratchFolder()
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
        let folder = try ScratchFolder()
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
        let folder = try ScratchFolder()
        let agents = ["a", "b", "a", "b"]
        let provenances = try agents.map { agent in
            var options = HTTPClient.Options(userAgent: agent)
            options.cache.location = .directory(folder.path("cache"))
            var client = try HTTPClient(options)
            client.submit(try HTTPRequest(server.url + "/character"), tag: 0)
            guard case .completed(let completion) = client.next() else { throw CancellationError() }
            client.keep(completion)
            return completion.provenance
        }
        #expect(provenances == [.fetched, .fetched, .cached, .cached])
        #expect(try server.requests.map { $0.header("user-agent") } == ["a", "b"])
    }

    @Test
    func `offline asks nobody, and says what it hasn't got`() throws {
        let server = try LocalServer()
        let folder = try ScratchFolder()
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
        let folder = try ScratchFolder()
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
        let folder = try ScratchFolder()
        var requests = try ["one", "one", "two"].map { value in
            var request = try HTTPRequest(server.url + "/character")
            try request.add("Authorization", "Bearer tops3cret\(value)", isSecret: true)
            return request
        }
        for path in ["/character", "/x?echo"] {
            var request = try HTTPRequest(server.url + path)
            request.addSecretParameter("api_key", "tops3cret%2F")
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
        let folder = try ScratchFolder()
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
