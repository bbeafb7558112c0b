// The local server does what its faults say: everything else that is tested over HTTP stands on this.

import Testing

@Suite("The local server")
struct LocalServerTests {
    @Test("serves and logs")
    func serves() throws {
        let server = try LocalServer(faults: ["page=2,times=1,status=503"])
        let run = try Session.script(
            "for p in 1 2 2; do curl -s -o /dev/null -w '%{http_code}\\n' '\(server.url)/character?page='$p; done")
        #expect(run.lines == ["200", "503", "200"])
        #expect(try server.requests.map(\.status) == [200, 503, 200])
        server.stop()
    }
    @Test("kills what takes too long")
    func limit() throws {
        let big = try Session.script("cat; seq 300000 >&2", input: [UInt8](repeating: 65, count: 3_000_000))
        #expect(big.output.count == 3_000_000)
        #expect(big.errors.utf8.count > 1_000_000)
        let killed = try Session.script("kill -TERM $$")
        #expect(killed.status == 143)
    }
}
