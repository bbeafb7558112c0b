// The HTTP client against the local server: what only shows on the wire.

import Foundation
import PipelineCore
import PipelineHTTP
import TestSupport
import Testing

@Suite struct HTTPClientTests {
    /// Everything that came back, by tag.
    static func results(
        _ requests: [HTTPRequest], _ change: (inout HTTPClient.Options) -> Void = { _ in }
    ) throws -> [Int: HTTPClient.Completion] {
        var options = HTTPClient.Options(userAgent: "test")
        options.retry.retries = 1
        change(&options)
        var client = try HTTPClient(options)
        for (tag, request) in requests.enumerated() { client.submit(request, tag: tag) }
        var completions: [Int: HTTPClient.Completion] = [:]
        while case .completed(let completion) = client.next() {
            #expect(completions.updateValue(completion, forKey: completion.tag) == nil)
        }
        #expect(client.count == 0)
        return completions
    }

    static func failure(_ completion: HTTPClient.Completion?) -> HTTPFailure? {
        if case .failure(let failure)? = completion?.result { failure } else { nil }
    }

    @Test func `what has completed first is returned first`() throws {
        var options = HTTPClient.Options(userAgent: "test")
        options.cache.location = .none
        options.cache.isOffline = true
        var client = try HTTPClient(options)
        for tag in 0..<3 { client.submit(try HTTPRequest("http://127.0.0.1:9/\(tag)"), tag: tag) }
        var tags: [Int] = []
        while case .completed(let completion) = client.next() { tags.append(completion.tag) }
        #expect(tags == [0, 1, 2])
    }

    @Test func `many requests end each once, over few connections`() throws {
        let server = try LocalServer(faults: ["every=9,times=5,status=503,retry-after=0"])
        let requests = try (1...120).map { try HTTPRequest(server.url + "/character?pageSize=1&page=\($0)") }
        let completions = try Self.results(requests)
        #expect(completions.count == 120)
        for completion in completions.values {
            #expect(try completion.result.get().headers["content-type"] == "application/json; charset=utf-8")
        }
        #expect(try server.requests.count == 125)
    }

    @Test func `of two waits that a service asks for the longer one holds for all its requests`() throws {
        let server = try LocalServer(
            faults: [
                "query=long,times=1,status=429,retry-after=3",
                "query=short,times=1,delay=500ms,status=429,retry-after=1",
            ])
        let requests = try ["long", "short"].map { try HTTPRequest(server.url + "/character?\($0)") }
        let completions = try Self.results(requests)
        #expect(completions.values.allSatisfy { Self.failure($0) == nil })
        // The first two are answered within a second; then nobody asks until the longer wait is over.
        let seconds = try server.requests.map(\.seconds)
        #expect(seconds.count == 4 && seconds.sorted()[2] - (seconds.min() ?? 0) > 2.5, "\(seconds)")
    }

    @Test func `a header without a value is sent`() throws {
        let server = try LocalServer()
        var request = try HTTPRequest(server.url + "/character")
        try request.add("X-Empty", "")
        try request.add("X-Full", "x")
        _ = try #require(try Self.results([request])[0]).result.get()
        #expect(try server.requests.map { $0.header("x-empty") } == [""])
        #expect(try server.requests.map { $0.header("x-full") } == ["x"])
    }

    @Test func `a secret goes to its own origin only, and doesn't come back`() throws {
        let probe = try LocalServer()
        let port = probe.port
        probe.stop()
        let server = try LocalServer(
            faults: [
                "query=hop1,redirect=http://localhost:\(port)/character?hop2",
                "query=hop2,redirect=@BASE@/character?hop3",
                "query=hop0,redirect=/character?hop1",
            ], port: UInt16(port))
        var request = try HTTPRequest(server.url + "/character?hop0")
        try request.add("x-api-key", "secret", isSecret: true)
        try request.add("X-Open", "open")
        let response = try #require(try Self.results([request])[0]).result.get()
        #expect(response.redirectChain.map(\.host) == ["127.0.0.1", "127.0.0.1", "localhost", "127.0.0.1"])
        let log = try server.requests
        #expect(log.map { $0.header("x-api-key") } == ["secret", "secret", nil, nil])
        #expect(log.map { $0.header("x-open") } == ["open", "open", "open", "open"])
    }

    @Test func `an address of this machine is refused before a byte is sent, by redirect too`() throws {
        let server = try LocalServer()
        let spellings = [
            server.url, "http://localhost:\(server.port)", "http://127.1:\(server.port)",
            "http://0x7f.0.0.1:\(server.port)",
            "http://2130706433:\(server.port)", "http://[::ffff:127.0.0.1]:\(server.port)",
            "http://0:\(server.port)",
        ]
        let completions = try Self.results(try spellings.map { try HTTPRequest($0) }) {
            $0.allowsPrivateAddresses = false
        }
        for (tag, spelling) in spellings.enumerated() {
            let failure = Self.failure(completions[tag])
            #expect(failure?.reason == .refusedAddress && failure?.exitStatus == .refused, "\(spelling)")
            #expect(failure?.attempts == 1 && failure?.httpStatus == nil)
        }
        #expect(try server.requests.isEmpty)
    }

    @Test func `a body above its limit is refused, declared or not`() throws {
        for fault in ["no-reason", "chunked", "http10"] {
            let server = try LocalServer(faults: [fault])
            let size = try #require(try Self.results([HTTPRequest(server.url + "/character")])[0]).result.get().body
                .count
            let requests = try [size, size - 1, 1].map {
                try HTTPRequest(server.url + "/character", limitBytes: $0)
            }
            let completions = try Self.results(requests)
            #expect(try completions[0]?.result.get().body.count == size)
            for tag in [1, 2] {
                #expect(Self.failure(completions[tag])?.exitStatus == .protocolError)
                #expect(Self.failure(completions[tag])?.attempts == 1)
            }
        }
    }

    @Test func `a failure keeps the status, the tries and the redirectChain`() throws {
        let server = try LocalServer(faults: [
            "query=gone,status=404", "query=away,redirect=/x?gone", "query=down,status=503",
        ])
        let completions = try Self.results(try ["away", "down"].map { try HTTPRequest(server.url + "/x?" + $0) })
        let gone = Self.failure(completions[0])
        #expect(gone?.httpStatus == 404 && gone?.attempts == 1 && gone?.redirectChain.count == 2)
        let down = Self.failure(completions[1])
        #expect(down?.httpStatus == 503 && down?.attempts == 2 && down?.exitStatus == .unavailable)
    }

    @Test func `an response that can't be used is asked for again as far as retries are left`() throws {
        let server = try LocalServer()
        var options = HTTPClient.Options(userAgent: "test")
        options.retry.retries = 2
        var client = try HTTPClient(options)
        let request = try HTTPRequest(server.url + "/character?pageSize=1")
        client.submit(request, tag: 3)
        var attempts: [Int] = []
        while case .completed(let completion) = client.next() {
            attempts.append(completion.attempts)
            guard case .success = completion.result else {
                #expect(Self.failure(completion)?.reason == .truncated)
                continue
            }
            client.retry(request, after: completion, because: .truncated)
        }
        #expect(attempts == [1, 2, 3, 3])
        #expect(try server.requests.count == 3)
        #expect(client.retryCount == 2 && client.requestCount == 3)
    }

    @Test(.timeLimit(.minutes(1))) func `what came before the deadline and is looked at behind it ends the run`()
        throws
    {
        // The request is seen before it is answered.
        let server = try LocalServer(faults: ["delay=2s"])
        var options = HTTPClient.Options(userAgent: "test")
        options.deadlineSeconds = 4
        var client = try HTTPClient(options)
        client.submit(try HTTPRequest(server.url + "/character"), tag: 0)
        while try server.requests.isEmpty { client.progress() }
        // The response waits to be read.
        Thread.sleep(forTimeInterval: 4)
        client.progress()
        guard case .completed(let completion) = client.next() else { return #expect(Bool(false)) }
        #expect(Self.failure(completion)?.reason == .deadline)
        #expect(client.requestCount == 1)
    }

    @Test func `input that is ready ends the wait`() throws {
        let server = try LocalServer(faults: ["hang"])
        let folder = try ScratchFolder()
        try folder.write("x".utf8, to: "input")
        let input = try Descriptor.reading(folder.path("input"))
        var client = try HTTPClient(HTTPClient.Options(userAgent: "test"))
        client.submit(try HTTPRequest(server.url), tag: 0)
        guard case .inputReady = client.next(orInputFrom: input) else {
            Issue.record("not ready")
            return
        }
        try input.close()
    }

    @Test func `a port that takes connections and says nothing to TLS is a connect time-out`() throws {
        let silent = try SilentPort()
        let completions = try Self.results([try HTTPRequest("https://127.0.0.1:\(silent.port)/")]) {
            $0.idleTimeoutSeconds = 0.3
        }
        let failure = Self.failure(completions[0])
        #expect(failure?.reason == .connectTimeout && failure?.attempts == 2)
        #expect(failure?.exitStatus == .unavailable)
    }

    @Test func `a host's name goes out as Punycode whatever the locale, and through a proxy`() throws {
        let server = try LocalServer()
        let run = try Session(
            "fetch-characters", ["--base-url", "http://b\u{FC}cher.example", "--limit", "1"],
            environment: ["http_proxy": server.url, "LC_ALL": "C"])
        #expect(run.status == 0 && run.lines.count == 1)
        #expect(try server.requests.first?.target.hasPrefix("http://xn--bcher-kva.example/character?") == true)
    }

    @Test func `a network in no_proxy is asked without the proxy by both tools`() throws {
        let server = try LocalServer()
        let input = Array(#"{"imageURL":"\#(server.url)/images/fox.png"}"#.utf8)
        for (exceptions, status) in [("127.0.0.0/8", 0), ("128.0.0.0/8", 69)] as [(String, Int32)] {
            let environment = ["http_proxy": "http://127.0.0.1:9", "no_proxy": exceptions]
            let characters = try Session(
                "fetch-characters", ["--base-url", server.url, "--limit", "1", "--retries", "0"],
                environment: environment)
            let images = try Session(
                "fetch-images", ["--allow-private", "--retries", "0"], input: input, environment: environment)
            #expect(characters.status == status && images.status == status, "\(exceptions)")
        }
        #expect(try server.requests.count == 2)
    }

    @Test func `content that wasn't asked for in parts is no response`() throws {
        let server = try LocalServer(faults: ["query=a,status=206", "query=b,status=204,empty"])
        let completions = try Self.results(try ["a", "b"].map { try HTTPRequest(server.url + "/x?" + $0) })
        #expect(Self.failure(completions[0])?.reason == .status(206))
        #expect(Self.failure(completions[1])?.reason == .status(204))
    }
}

/// A port of 127.0.0.1 whose connections nobody takes.
private final class SilentPort {
    let port: UInt16
    private let listener: Int32

    init() throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let failures = unsafe withUnsafeMutableBytes(of: &address) { bytes in
            let base = unsafe bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
            return unsafe bind(number, base, size) + listen(number, 5) + getsockname(number, base, &size)
        }
        listener = number
        port = UInt16(bigEndian: address.sin_port)
        #expect(failures == 0)
    }

    deinit { close(listener) }
}
