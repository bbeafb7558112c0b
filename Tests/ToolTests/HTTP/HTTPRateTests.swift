// Rates and requested waits on the wire, between requests and between processes.

import Foundation
import PipelineCore
import PipelineHTTP
import Synchronization
import TestSupport
import Testing

@Suite("The rate of requests")
struct HTTPRateTests {
    @Test
    func `processes share a rate, and each origin has its own`() throws {
        let (one, other) = (try LocalServer(), try LocalServer())
        let script = """
            for i in 1 2 3; do
              fetch-characters --base-url \(one.url) --limit 3 --page-size 1 --rate 10/second > out.$i & pids="$pids $!"
            done
            fetch-characters --base-url \(other.url) --limit 3 --page-size 1 --rate 10/second > out.4 & pids="$pids $!"
            for pid in $pids; do wait $pid || exit 1; done
            """
        let start = Date.timeIntervalSinceReferenceDate
        #expect(try Session.script(script, folder: ScratchFolder()).status == 0)
        // Nine requests have eight distances of 100 ms.
        #expect(Date.timeIntervalSinceReferenceDate - start >= 0.79)
        #expect(try one.requests.count == 9)
        #expect(try other.requests.count == 3)
    }

    @Test
    func `retries and redirects keep the rate, and what the cache answers costs nothing`() throws {
        let server = try LocalServer(faults: [
            "query=a,redirect=/x?b", "times=1,query=b,status=503,retry-after=0",
            "query=b,body=x,header=Cache-Control: max-age=100",
        ])
        let folder = try ScratchFolder()
        func run(_ count: Int) throws -> Double {
            var options = HTTPClient.Options(userAgent: "test")
            options.rate = Rate("10/second")
            options.cache.location = .directory(folder.path("cache"))
            let start = Date.timeIntervalSinceReferenceDate
            var client = try HTTPClient(options)
            for tag in 0..<count {
                client.submit(try HTTPRequest(server.url + (count == 1 ? "/x?a" : "/x?b")), tag: tag)
            }
            while case .completed(let completion) = client.next() {
                client.source.keep(completion)
                #expect(try completion.result.get().status == 200)
            }
            return Date.timeIntervalSinceReferenceDate - start
        }
        #expect(try run(1) >= 0.28)
        #expect(try server.requests.map(\.target) == ["/x?a", "/x?b", "/x?a", "/x?b"])
        _ = try run(50)
        #expect(try server.requests.count == 4)
    }

    @Test(.timeLimit(.minutes(5)))
    func `what one request is told to wait, the others to that service wait too`() throws {
        let server = try LocalServer(faults: ["query=busy,times=1,status=429,retry-after=5"])
        let drawn = Mutex("")
        var options = HTTPClient.Options(userAgent: "test")
        options.progress = Progress("test", delayNanoseconds: 0, width: { 80 }) { line in
            drawn.withLock { $0 = line }
        }
        var client = try HTTPClient(options)
        client.submit(try HTTPRequest(server.url + "/character?busy"), tag: 0)
        // What can always be read brings the client back, until it says that it has been told to wait.
        let readable = try Descriptor.reading("/dev/zero")
        while !drawn.withLock({ $0.contains("(429)") }) {
            guard case .inputReady = client.next(bell: readable) else { return #expect(Bool(false)) }
            Thread.sleep(forTimeInterval: 0.01)
        }
        client.submit(try HTTPRequest(server.url + "/character?next"), tag: 1)
        while case .completed(let completion) = client.next() { #expect(try completion.result.get().status == 200) }
        let log = try server.requests
        #expect(log.map(\.status) == [429, 200, 200])
        #expect(log.dropFirst().allSatisfy { $0.seconds - log[0].seconds >= 4.99 })
        try readable.close()
    }

    @Test
    func `a rate that outlasts the deadline ends with 75`() throws {
        let server = try LocalServer()
        let run = try Session(
            "fetch-characters",
            ["--base-url", server.url, "--page-size", "1", "--rate", "1/hour", "--deadline", "5s"])
        #expect(run.status == 75 && run.lines.count == 1)
        #expect(run.errors.contains("deadline"))
    }

    @Test
    func `what is no rate is refused`() throws {
        for tool in ["fetch-characters", "fetch-images"] {
            let run = try Session(tool, ["--rate", "5/week"])
            #expect(run.status == 64)
            #expect(
                run.errors
                    == "\(tool): --rate takes a rate such as 5/second, 30/minute or 1000/hour, not '5/week'\n")
        }
    }
}
