// The local server starts, answers, misanswers, logs and ends. What it serves is proved by the tools that read it.

import Foundation
import TestSupport
import Testing

@Suite("The local server")
struct LocalServerTests {
    @Test
    func `answers, misanswers once, logs what it was asked, and ends with its input`() throws {
        let server = try LocalServer(faults: ["page=2,times=1,status=503"])
        let ask = """
            for path in character character?page=2 character?page=2 images/fox.png nosuch; do
                curl -s -o /dev/null -w '%{http_code} %{content_type}\\n' '\(server.url)/'$path
            done
            """
        let answers = try Session.script(ask).lines
        let types = ["application/json; charset=utf-8", "text/html; charset=utf-8", "image/png"]
        #expect(
            answers == [
                "200 \(types[0])", "503 text/plain; charset=utf-8", "200 \(types[0])", "200 \(types[2])",
                "404 \(types[1])",
            ])
        #expect(try server.requests.map(\.status) == [200, 503, 200, 200, 404])
        server.stop()
        #expect(try Session.script("curl -s '\(server.url)/'").status == 7)
    }

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
        (["--catalogue", "/nosuch"], 66, "can't read catalogue /nosuch"),
    ])
    func `refuses what it doesn't understand`(_ arguments: [String], _ status: Int32, _ message: String) throws {
        let run = try Session("local-server", arguments, limitSeconds: 10)
        #expect(run.status == status && run.output.isEmpty && run.errors.contains(message), "\(run.errors)")
    }
}
