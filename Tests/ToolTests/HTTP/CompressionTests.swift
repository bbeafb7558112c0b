// Answers compressed with gzip: who asks for them, and that nobody behind the client sees that they were.

import Foundation
import PipelineCore
import PipelineHTTP
import TestSupport
import Testing

@Suite("Compressed answers")
struct CompressionTests {
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    static func codings(_ server: LocalServer) throws -> Set<String?> {
        Set(try server.requests.map { $0.header("Accept-Encoding") })
    }

    static func heads(_ folder: ScratchFolder, _ name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path(name)).filter { $0.hasSuffix(".head") }
            .map { try folder.text("\(name)/\($0)") }
    }

    /// A request that takes gzip.
    static func request(_ url: String, limitBytes: Int = 64 << 20) throws -> HTTPRequest {
        var request = try HTTPRequest(url, limitBytes: limitBytes)
        request.takesGzip = true
        return request
    }

    static func reason(_ request: HTTPRequest) throws -> HTTPFailure.Reason? {
        HTTPClientTests.failure(try HTTPClientTests.results([request]) { $0.retry.retries = 0 }[0])?.reason
    }

    // MARK: Who asks

    @Test func `lists, records by id and further steps are asked for compressed, and are the same then`() throws {
        let runs = [
            ("disney", "", ["--page-size", "20"]), ("disney", "", ["--id", "12", "--id", "214"]),
            ("rijksmuseum", "/rijksmuseum", ["--limit", "5"]),
        ]
        for (source, path, arguments) in runs {
            let (plain, server) = (try LocalServer(), try LocalServer(compresses: true))
            let expected = try FetchSource.fetch(plain, source, at: path, arguments + ["--report", "r"])
            let run = try FetchSource.fetch(server, source, at: path, arguments + ["--report", "r"])
            #expect(run.status == 0 && run.errors == "" && !run.lines.isEmpty, "\(run.errors)")
            let text = run.text.replacing(server.url, with: plain.url).replacing(
                server.otherURL, with: plain.otherURL)
            #expect(text == expected.text)
            #expect(try Self.codings(server) == ["gzip"] && Self.codings(plain) == ["gzip"])
        }
    }

    @Test func `pictures aren't asked for compressed, and one that is all the same is inflated`() throws {
        let server = try LocalServer(faults: ["path=/images/fox,gzip"], compresses: true)
        let run = try ImageRun.run(
            ImageRun.input(["cat", "fox"].map { "\(server.url)/images/\($0).png" }), ["--retries", "0"])
        #expect(try Self.codings(server) == ["identity"])
        let members = try ImageRun.records(run).map(\.imageFile)
        #expect(members.map(\.status) == ["ok", "ok"])
        let large = try ImageRun.run(
            ImageRun.input(["\(server.url)/images/fox.png"]), ["--retries", "0", "--max-bytes", "100"])
        #expect(try ImageRun.records(large).first?.imageFile.error?.contains("100 bytes") == true, "\(large.text)")
    }

    @Test func `learning asks for lists compressed, and for pictures plain`() throws {
        let server = try LocalServer(compresses: true)
        let plain = try LocalServer()
        let learnt = try LearnSession(server, "/learning/pages")
        #expect(learnt.text(server) == (try LearnSession(plain, "/learning/pages").text(plain)))
        #expect(learnt.run.status == 0 && !learnt.requests.isEmpty)
        for request in learnt.requests {
            let isPicture = request.target.contains("/images/")
            #expect(request.header("Accept-Encoding") == (isPicture ? "identity" : "gzip"), "\(request.target)")
        }
    }

    @Test func `a description that says what it takes is asked for nothing else`() throws {
        let server = try LocalServer(faults: ["path=/list,body=[{}]"], compresses: true)
        let run = try FetchSource.run(server, folder, #""headers":{"Accept-Encoding":"identity"}"#)
        #expect(run.status == 0 && run.lines.count == 1, "\(run.errors)")
        #expect(
            try server.requests.allSatisfy {
                $0.headers.filter { $0[0] == "Accept-Encoding" }.allSatisfy { $0[1] == "identity" }
            })
    }

    @Test func `requests that take gzip and others share a client`() throws {
        let server = try LocalServer(compresses: true)
        let url = server.url + "/character?pageSize=3"
        let requests = try (0..<12).map { $0.isMultiple(of: 2) ? try Self.request(url) : try HTTPRequest(url) }
        let completions = try HTTPClientTests.results(requests)
        #expect(try Set(completions.values.map { try $0.result.get().body }).count == 1)
        #expect(try server.requests.count { $0.header("Accept-Encoding") == "gzip" } == 6)
        #expect(try Self.codings(server) == ["gzip", "identity"])
        let unasked = try LocalServer(faults: ["gzip"])
        #expect(try Self.reason(HTTPRequest(unasked.url + "/character")) == nil)
        #expect(try Self.reason(Self.request(unasked.url + "/character")) == nil)
    }

    // MARK: What is counted and kept

    @Test func `the report counts the bytes of the answers themselves`() throws {
        var counts: [String] = []
        for compresses in [false, true] {
            _ = try FetchCharactersTests.fetch(LocalServer(compresses: compresses), ["--report", folder.path("r")])
            let report = try folder.text("r")
            counts.append(String(try #require(report.firstMatch(of: /"bytesIn":(\d+)/)).1))
        }
        #expect(counts[0] == counts[1] && Int(counts[0]) ?? 0 > 10_000)
    }

    @Test func `a recording has the answers themselves, and plays back as they came`() throws {
        let faults = [
            "page=2,times=1,gzip-checksum", "page=3,times=1,truncate-gzip", "page=4,times=1,gzip,status=503",
        ]
        let server = try LocalServer(faults: faults, compresses: true)
        let arguments = ["--base-url", server.url, "--page-size", "20", "--seal"]
        let recorded = try Session("fetch-characters", arguments + ["--record", "r"], folder: folder)
        #expect(recorded.status == 0 && recorded.lines.count == 121, "\(recorded.errors)")
        server.stop()
        let played = try Session(
            "fetch-characters", arguments + ["--replay", "r", "--report", "report"], folder: folder)
        #expect(played.status == 0 && played.output == recorded.output && played.errors == recorded.errors)
        #expect(try folder.text("report").contains("\"retries\":3"))
        let heads = try Self.heads(folder, "r")
        #expect(heads.count == 9 && heads.contains { $0.contains("FAILED damaged") })
        #expect(heads.contains { $0.contains("FAILED truncated") })
        for head in heads where !head.contains("FAILED") {
            #expect(!head.contains("Content-Encoding") && !head.contains("Content-Length"), "\(head)")
        }
        // Any server can serve the bodies as they are.
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("r"))
        for name in names where name.hasSuffix(".body") {
            #expect(try folder.bytes("r/\(name)").prefix(2) != [0x1F, 0x8B])
        }
    }

    @Test func `a compressed refusal is recorded without the key that it repeats`() throws {
        let server = try LocalServer(faults: ["gzip,status=401,body=live_key_17"])
        let run = try FetchSource.run(
            server, folder, #""key":{"header":"x-api-key","env":"K"}"#, ["--record", "r"],
            environment: ["K": "live_key_17"])
        #expect(run.status == 77)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("r"))
        #expect(names.count == 2)
        for name in names where name.hasSuffix(".body") { #expect(try folder.text("r/\(name)") == "***********") }
    }

    @Test func `an answer is kept as it is, and confirmed by its tag`() throws {
        let server = try LocalServer(compresses: true)
        let requests = [try Self.request(server.url + "/character?pageSize=5")]
        let first = try #require(try CacheRun.run(requests, folder).first).result.get()
        #expect(first.body.starts(with: Array("{".utf8)) && first.headers["Content-Encoding"] == nil)
        let next = try #require(try CacheRun.run(requests, folder).first)
        #expect(try next.provenance == .revalidated && next.result.get().body == first.body)
        #expect(try server.requests.map(\.status) == [200, 304])
        let offline = try #require(try CacheRun.run(requests, folder) { $0.cache.isOffline = true }.first)
        #expect(try offline.result.get().body == first.body)
        // What was kept when nobody asked for gzip is as good.
        let plain = try CacheRun.get(server.url + "/character?pageSize=5", folder)
        #expect(try plain.provenance == .revalidated && plain.result.get().body == first.body)
    }

    // MARK: Not whole

    @Test(
        arguments: [
            ("truncate-gzip", .truncated), ("gzip,truncate", .truncated), ("gzip,truncate-chunked", .truncated),
            ("empty,header=Content-Encoding: gzip", .truncated), ("gzip-checksum", .damaged),
            ("gzip-length", .damaged), ("gzip-padded", nil), ("header=Content-Encoding: gzip", .damaged),
            ("gzip-twice", .malformed("a content coding that wasn't requested")), ("gzip", nil),
            ("gzip-members", nil),
            ("gzip,chunked", nil), ("gzip,http10", nil), ("gzip,header=Content-Encoding: X-GZIP", nil),
        ] as [(String, HTTPFailure.Reason?)])
    func `the client tells a broken answer before anybody reads it`(fault: String, reason: HTTPFailure.Reason?)
        throws
    {
        let server = try LocalServer(faults: [fault])
        #expect(try Self.reason(Self.request(server.url + "/character")) == reason)
    }

    @Test func `an answer without the last bytes of its checksum isn't whole, though its text is`() throws {
        let member = GzipMember.compressed(Array(#"{"info":{"totalPages":1},"data":[{"_id":1}]}"#.utf8))
        for missing in [1, 4, 8] {
            try folder.write(Array(member.dropLast(missing)), to: "body")
            let fault = "body-file=\(folder.path("body")),header=Content-Encoding: gzip"
            let server = try LocalServer(faults: [fault])
            #expect(try Self.reason(Self.request(server.url + "/character")) == .truncated)
            let run = try FetchCharactersTests.fetch(server, ["--retries", "1", "--cache", "none"])
            #expect(run.status == 69 && run.output.isEmpty && run.errors.contains("cut short"), "\(run.errors)")
            #expect(try server.requests.count == 3)
        }
    }

    // MARK: Limits

    @Test func `the limit is one of the answer itself`() throws {
        let body = String(repeating: "a", count: 5000)
        let server = try LocalServer(faults: ["gzip,body=\(body)"])
        #expect(try Self.reason(Self.request(server.url + "/", limitBytes: 5000)) == nil)
        #expect(try Self.reason(Self.request(server.url + "/", limitBytes: 4999)) == .tooLarge(limitBytes: 4999))
    }

    @Test(arguments: ["gzip-bomb", "gzip-bomb,chunked"])
    func `a bomb ends at the limit, without the memory that all of it takes`(fault: String) throws {
        let server = try LocalServer(faults: ["page=1,\(fault)"])
        // Much less than the 256 MiB of the bomb in a list that grows by doubling.
        let run = try Session.script(
            "ulimit -v 500000 && fetch-characters --base-url \(server.url) --seal", limitSeconds: 60)
        #expect(run.status == 76 && run.output.isEmpty)
        #expect(run.errors.contains("more than 64 MiB"), "\(run.errors)")
        #expect(try server.requests.count == 1)
    }

    @Test func `members without content end too`() throws {
        try folder.write(Array(repeating: GzipMember.compressed([]), count: 500).flatMap { $0 }, to: "empty")
        let server = try LocalServer(
            faults: ["chunked,header=Content-Encoding: gzip,body-file=\(folder.path("empty"))"])
        #expect(try Self.reason(Self.request(server.url + "/", limitBytes: 9999)) == .tooLarge(limitBytes: 9999))
        let all = try HTTPClientTests.results([try Self.request(server.url + "/", limitBytes: 10_000)])[0]
        #expect(try all?.result.get().body == [])
    }
}
