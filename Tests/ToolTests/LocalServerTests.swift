// What the local server alone can prove: what it serves, misanswers and logs is proved by the tools that read it.

import Testing

@Suite("The local server")
struct LocalServerTests {
    @Test(arguments: ["endless", "endless-head", "endless-hints"])
    func `goes on after clients that break off in the middle of an endless answer`(fault: String) throws {
        let server = try LocalServer(faults: ["times=8,\(fault)"])
        let port = server.url.split(separator: ":").last ?? ""
        // The end of the connection is there before the answer, which makes a reset: the server's next write is an EPIPE.
        let ask = """
            for count in 1 2 3 4 5 6 7 8; do
                exec 3<>/dev/tcp/127.0.0.1/\(port)
                printf 'GET /character HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n' >&3
                exec 3>&-
            done
            sleep 0.2
            curl -s -o /dev/null -w '%{http_code}' '\(server.url)/character'
            """
        #expect(try Session.script(ask).text == "200")
    }

    @Test(arguments: [
        (["--nosuch"], 64, "unknown option --nosuch"), (["--fault", "page=1"], 64, "has no effect"),
        (["--catalogue", "/nosuch"], 66, "can't read records /nosuch"),
    ])
    func `refuses what it doesn't understand`(_ arguments: [String], _ status: Int32, _ message: String) throws {
        let run = try Session("local-server", arguments, limitSeconds: 10)
        #expect(run.status == status && run.output.isEmpty && run.errors.contains(message), "\(run.errors)")
    }
}
