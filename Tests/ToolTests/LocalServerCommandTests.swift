// The local server as a process: its command line, its log, its beginning and its end.

import Foundation
import TestSupport
import Testing

@Suite("The local server's command")
struct LocalServerCommandTests {
    static let mistakes: [([String], String)] = [
        (["--nosuch"], "unknown option --nosuch"), (["x"], "unknown option x"),
        (["--catalogue"], "--catalogue needs a value"),
        (["--catalogue="], "--catalogue needs a value"), (["--help=x"], "unknown option --help=x"),
        (["--port", "65536"], "port 65536"), (["--port=-1"], "port -1"), (["--port", "x"], "port x"),
        (["--fault", "page=1"], "has no effect"), (["--fault", "nosuch"], "unknown part nosuch"),
        (["--fault", ""], "--fault needs a value"), (["--fault", "reset,"], "unknown part"),
        (["--fault", "status"], "status needs =CODE"), (["--fault", "reset=1"], "reset takes no value"),
        (["--fault", "status=abc"], "abc is not a whole number"), (["--fault", "status=100"], "from 200 on"),
        (["--fault", "every=0,reset"], "from 1 on"), (["--fault", "delay=fast"], "not a duration"),
        (["--fault", "delay=2h"], "not a duration"), (["--fault", "delay=-1s"], "not a duration"),
        (["--fault", "header=novalue"], "not of the form"), (["--fault", "body=a\\q"], "after a backslash"),
        (["--fault", "body=\\xg1"], "after a backslash"), (["--fault", "body=a\\"], "after a backslash"),
        (["--fault", "html,empty"], "empty: contradicts html"),
        (["--fault", "reset,hang"], "hang: contradicts reset"),
        (["--fault", "http10,chunked"], "chunked: contradicts http10"),
        (["--fault", "gzip,gzip-bomb"], "gzip-bomb: contradicts gzip"),
        (["--fault", "speed=10"], "10 is not a speed"), (["--fault", "speed=1bit"], "1bit is not a speed"),
        (["--fault", "speed=9kbit,drip=1s"], "drip: contradicts speed"), (["--gzip=x"], "unknown option --gzip=x"),
        (["--fault", "body-file=/nosuch"], "can't be read"),
        (["--fault", "retry-after=2"], "goes with status=429"),
        (["--fault", "in-turn=some"], "some is none of mended, odd, all"),
        (["--fault", "in-turn=odd,status=500"], "in-turn goes with no other effect"),
        (["--fault", "one-in=0,reset"], "from 1 on"), (["--seed", "-1"], "seed -1"),
    ]

    @Test(arguments: mistakes)
    func `refuses what it doesn't understand, with status 64`(_ arguments: [String], _ message: String) throws {
        let run = try Session("local-server", arguments, limitSeconds: 10)
        #expect(run.status == 64)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("local-server: ") && run.errors.hasSuffix("\n"))
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1)
    }

    @Test
    func `describes every part of a fault in its help`() throws {
        let run = try Session("local-server", ["--help"])
        #expect(run.status == 0)
        for part in [
            "page=N", "truncate-gzip", "reset-after=N", "body-file=FILE", "--until-stdin-closes", "speed=SPEED",
        ] {
            #expect(run.text.contains("\n  " + part + " "), "\(part)")
        }
        #expect(run.lines.allSatisfy { $0.count <= 110 })
    }

    @Test(arguments: [
        ("{}", "expected"), ("{\"data\":1}", "byte 8: expected an array of records"),
        ("[1", "the end of a value"),
        ("[1 2]", "byte 3: expected ',' or ']'"), ("", "an array of records"), ("[\"a", "the end of a string"),
        ("[,]", "a value"),
    ])
    func `says what is wrong with a catalogue`(_ text: String, _ message: String) throws {
        let folder = try ScratchFolder()
        try folder.write(text.utf8, to: "catalogue")
        let run = try Session("local-server", ["--catalogue", folder.path("catalogue")], limitSeconds: 10)
        #expect(run.status == 65)
        #expect(run.errors.contains(message), "\(run.errors)")
    }

    @Test
    func `says what is wrong with a file of records`() throws {
        let folder = try ScratchFolder()
        for name in ["dog-breeds", "dog-images", "cat-breeds", "cat-images", "dogs"] {
            try folder.write(#"[{"id":1}]"#.utf8, to: name + ".json")
        }
        try folder.write(#"[{"id":}]"#.utf8, to: "cat-images.json")
        let run = try Session("local-server", ["--records", folder.path], limitSeconds: 10)
        #expect(run.status == 65)
        #expect(run.errors.contains("cat-images.json"), "\(run.errors)")
    }

    @Test
    func `ends with 66, 73 or 69 where it can't read, write or listen`() throws {
        let taken = try LocalServer()
        #expect(try Session("local-server", ["--catalogue", "/nosuch"]).status == 66)
        #expect(try Session("local-server", ["--records", "/nosuch"]).status == 66)
        #expect(try Session("local-server", ["--log", "/nosuch/log"]).status == 73)
        #expect(try Session("local-server", ["--port", "\(taken.port)"]).status == 69)
    }

    @Test
    func `serves an empty list where it was given nothing`() throws {
        let folder = try ScratchFolder()
        let child = try ChildProcess(
            Executables.path("local-server"), [], environment: Session.environment(folder), folder: folder.path)
        let url = try #require(child.line())
        #expect(try Curl(url + "/character").text.hasSuffix(#""data":[]}"#))
        #expect(try Curl(url + "/images/fox.png").status == 404)
        #expect(try Curl(url + "/dogapi/v1/breeds").status == 404)
        #expect(try Curl(url + "/rijksmuseum/search/collection").status == 200)
        child.signal(SIGTERM)
        #expect(child.finish(limitSeconds: 10))
        #expect(child.status == 143)
    }

    @Test
    func `ends when its input does, and takes a given port`() throws {
        let server = try LocalServer()
        #expect(try Curl(server.url + "/").exit == 0)
        server.stop()
        #expect(try Curl(server.url + "/").exit == 7)
        let again = try LocalServer(port: UInt16(server.port))
        #expect(again.url == server.url)
    }

    @Test
    func `listens on 127.0.0.1 and on no other address`() throws {
        let server = try LocalServer()
        #expect(try Curl("http://127.0.0.2:\(server.port)/", limitSeconds: 2).exit != 0)
        #expect(try Curl("http://[::1]:\(server.port)/", ["-g"], limitSeconds: 2).exit == 7)
        #expect(try Curl(server.otherURL + "/").status == 200)
    }

    @Test
    func `logs requests as they came, with their connections`() throws {
        let server = try LocalServer(faults: ["path=/character/9,reset"])
        let script = """
            curl -s -H 'X-Key: a"b' -H 'x-key: second' '\(server.url)/character?page=1' '\(server.url)/nosuch' -o /dev/null
            curl -s -d body '\(server.url)/character/9' '\(server.url)/'
            """
        _ = try Session.script(script)
        let requests = try server.requests
        #expect(requests.map(\.method) == ["GET", "GET", "POST", "POST"])
        #expect(requests.map(\.target) == ["/character?page=1", "/nosuch", "/character/9", "/"])
        #expect(requests.map(\.status) == [200, 404, nil, 404])
        #expect(requests.map(\.fault) == [nil, nil, "path=/character/9,reset", nil])
        #expect(requests.map(\.connection) == [1, 1, 2, 3])
        #expect(requests[0].header("X-KEY") == "a\"b")
        #expect(requests[0].headers.filter { $0[0].lowercased() == "x-key" }.count == 2)
        #expect(zip(requests, requests.dropFirst()).allSatisfy { $0.seconds <= $1.seconds })
    }

    @Test(arguments: [
        ("nonsense\r\n\r\n", 400), ("GET / HTTP/2.0\r\n\r\n", 400), ("GET / HTTP/1.1\r\nno colon\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", 413),
        ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 501),
        ("GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 70_000), 431),
        ("GET / HTTP/1.0\r\n\r\n", 200), ("\nGET / HTTP/1.1\n\n", 400),
        ("GET http://a.example/character HTTP/1.1\nConnection: close\n\n", 200),
    ])
    func `answers what it can't read with a status and closes`(_ request: String, _ status: Int) throws {
        let server = try LocalServer()
        let script = "exec 3<>/dev/tcp/127.0.0.1/\(server.port); cat >&3; cat <&3"
        let run = try Session.script(script, input: request.utf8, limitSeconds: 10)
        #expect(run.text.hasPrefix("HTTP/1.1 \(status) "), "\(run.text.prefix(100))")
    }

    @Test
    func `serves many connections at once, and requests that come in one piece`() throws {
        let server = try LocalServer()
        let one = "GET /character/214 HTTP/1.1\r\nHost: a\r\n\r\n"
        let last = "GET /nosuch HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        let script = "exec 3<>/dev/tcp/127.0.0.1/\(server.port); cat >&3; cat <&3"
        let run = try Session.script(script, input: (String(repeating: one, count: 500) + last).utf8)
        #expect(run.text.components(separatedBy: "HTTP/1.1 200 OK").count == 501)
        let many =
            "seq 200 | sed 's|.*|url = \"\(server.url)/images/fox.png?&\"\\noutput = \"/dev/null\"|' > urls; "
        let parallel = try Session.script(
            many + "curl -s --parallel --parallel-max 50 -K urls -w '%{http_code}\\n' | sort | uniq -c")
        #expect(parallel.text.split(separator: " ") == ["200", "200\n"])
    }
}
