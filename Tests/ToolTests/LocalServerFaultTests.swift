// Each fault does what it says, as curl sees it and as the bytes on the wire are.

import Foundation
import TestSupport
import Testing

@Suite("A fault of the local server")
struct LocalServerFaultTests {
    /// What curl makes of a response under a fault.
    struct Seen: CustomTestStringConvertible, Sendable {
        let fault: String
        var target = "/images/fox.png"
        var options: [String] = []
        var exit: Int32 = 0
        var status: Int? = 200
        var header: String?
        /// The whole body; nil where it isn't looked at.
        var body: String?
        var isUsualBody = false

        var testDescription: String { fault }
    }

    static let views: [Seen] = [
        Seen(fault: "status=500", status: 500, header: "Content-Type: text/html; charset=utf-8"),
        Seen(fault: "status=206", status: 206, isUsualBody: true),
        Seen(fault: "status=204", status: 204, body: ""),
        Seen(
            fault: "status=503,body=a\\, b\\\\\\x21", status: 503,
            header: "Content-Type: text/plain; charset=utf-8", body: "a, b\\!"),
        Seen(
            fault: #"body={"a":1},status=401"#, status: 401,
            header: "Content-Type: application/json; charset=utf-8", body: #"{"a":1}"#),
        Seen(
            fault: "status=429,retry-after=Wed\\, 21 Oct 2015 07:28:00 GMT", status: 429,
            header: "Retry-After: Wed, 21 Oct 2015 07:28:00 GMT"),
        Seen(fault: "status=503,retry-after=-1", status: 503, header: "Retry-After: -1"),
        Seen(fault: "header=Pagination-Count: 67,header=X-A: 1", header: "Pagination-Count: 67", isUsualBody: true),
        Seen(fault: "header=etag: mine", header: "etag: mine", isUsualBody: true),
        Seen(fault: "content-type=image/webp", header: "Content-Type: image/webp", isUsualBody: true),
        Seen(fault: "html", header: "Content-Type: text/html; charset=utf-8"),
        Seen(fault: "empty", header: "Content-Length: 0", body: ""),
        Seen(fault: "chunked", header: "Transfer-Encoding: chunked", isUsualBody: true),
        Seen(fault: "gzip", options: ["--compressed"], header: "Content-Encoding: gzip", isUsualBody: true),
        Seen(
            fault: "gzip,chunked", options: ["--compressed"], header: "Content-Encoding: gzip", isUsualBody: true),
        Seen(
            fault: "gzip,header=Content-Encoding: x-gzip", options: ["--compressed"],
            header: "Content-Encoding: x-gzip", isUsualBody: true),
        Seen(fault: "gzip,truncate", exit: 18),
        Seen(fault: "speed=10Mbit", isUsualBody: true),
        Seen(fault: "early-hints", isUsualBody: true),
        Seen(fault: "no-reason", isUsualBody: true),
        Seen(fault: "lf-only", isUsualBody: true),
        Seen(fault: "http10", header: "Connection: close", isUsualBody: true),
        Seen(fault: "delay=10ms", isUsualBody: true),
        Seen(fault: "drip=0", isUsualBody: true),
        Seen(fault: "reset", exit: 56, status: nil),
        Seen(fault: "reset-after=10", exit: 56),
        Seen(fault: "truncate", exit: 18),
        Seen(fault: "truncate-chunked", exit: 18),
        Seen(fault: "header=Content-Length: 999999", exit: 18, isUsualBody: true),
        Seen(fault: "hang", options: ["-m", "0.5"], exit: 28, status: nil),
        Seen(fault: "delay=30s", options: ["-m", "0.5"], exit: 28, status: nil),
        Seen(fault: "drip=30s", options: ["-m", "0.5"], exit: 28),
        Seen(fault: "loop", status: 302, header: "Location: /images/fox.png"),
        Seen(fault: "loop", options: ["-L", "--max-redirs", "5"], exit: 47, status: 302),
        Seen(fault: "redirect=/a?b#c", status: 302, header: "Location: /a?b#c"),
        Seen(fault: "redirect=/a,status=308", status: 308, header: "Location: /a"),
        Seen(
            fault: "path=/images/fox,redirect=@BASE@/images/bear.png", options: ["-L"],
            header: "Content-Type: image/png"),
    ]

    @Test(arguments: views)
    func `looks like this to curl`(_ seen: Seen) throws {
        let server = try LocalServer(faults: [seen.fault])
        let response = try Curl(server.url + seen.target, seen.options)
        #expect(response.exit == seen.exit)
        #expect(response.status == seen.status)
        if let header = seen.header { #expect(response.headers.contains(header), "\(response.headers)") }
        if let body = seen.body { #expect(response.text == body) }
        if seen.isUsualBody {
            let usual = try Data(contentsOf: URL(fileURLWithPath: Fixtures.pictures + "/fox.png"))
            #expect(response.body == [UInt8](usual))
        }
        #expect(try server.requests.first?.fault == seen.fault)
    }

    /// What stands on the wire: how it begins and ends, and what is in it.
    struct Wire: CustomTestStringConvertible, Sendable {
        let fault: String
        var start = "HTTP/1.1 200 OK\r\n"
        var contains: [String] = []
        var end = ""

        var testDescription: String { fault }
    }

    /// Of a fixed body "abcd", so that each byte is known.
    static let wires: [Wire] = [
        Wire(
            fault: "delay=0", contains: ["\r\nContent-Length: 4\r\n", "\r\nConnection: close\r\n"],
            end: "\r\n\r\nabcd"),
        Wire(
            fault: "early-hints", start: "HTTP/1.1 103 Early Hints\r\nLink: ",
            contains: ["\r\n\r\nHTTP/1.1 200 OK\r\n"], end: "abcd"),
        Wire(fault: "no-reason", start: "HTTP/1.1 200 \r\n", end: "abcd"),
        Wire(
            fault: "lf-only", start: "HTTP/1.1 200 OK\nContent-Type: ", contains: ["\nContent-Length: 4\n"],
            end: "\n\nabcd"),
        Wire(fault: "http10", start: "HTTP/1.0 200 OK\r\n", end: "\r\n\r\nabcd"),
        Wire(
            fault: "chunked",
            contains: ["\r\nTrailer: X-Body-Checksum\r\n", "\r\n\r\n4\r\nabcd\r\n0\r\nX-Body-Checksum: "],
            end: "\r\n\r\n"),
        Wire(fault: "truncate-chunked", end: "\r\n\r\n4\r\nabcd\r\n"),
        Wire(fault: "truncate", contains: ["Content-Length: 4\r\n"], end: "\r\n\r\nab"),
        Wire(
            fault: "double-length", contains: ["Content-Length: 4\r\n", "Content-Length: 5\r\n"],
            end: "\r\n\r\nabcd"),
        Wire(fault: "bom", contains: ["Content-Length: 7\r\n"], end: "\r\n\r\n\u{FEFF}abcd"),
        Wire(fault: "reset-after=3", contains: ["Content-Length: 4\r\n"], end: "\r\n\r\nabc"),
        Wire(fault: "drip=1ms", contains: ["Content-Length: 4\r\n"], end: "\r\n\r\nabcd"),
        Wire(fault: "header=X-Folded: a\\r\\n b", contains: ["\r\nX-Folded: a\r\n b\r\n"], end: "abcd"),
        Wire(
            fault: "lf-only,no-reason,chunked", start: "HTTP/1.1 200 \n", contains: ["4\r\nabcd\r\n0\r\n"],
            end: "\r\n\r\n"),
    ]

    @Test(arguments: wires)
    func `stands like this on the wire`(_ wire: Wire) throws {
        let server = try LocalServer(faults: ["body=abcd," + wire.fault])
        let bytes = try Curl.raw(server, "/character")
        #expect(bytes.starts(with: wire.start.utf8), "\(String(decoding: bytes, as: UTF8.self))")
        for part in wire.contains { #expect(bytes.firstRange(of: Array(part.utf8)) != nil, "\(part)") }
        #expect(bytes.suffix(wire.end.utf8.count).elementsEqual(wire.end.utf8))
    }

    @Test
    func `sends bytes that are no text where a header asks for them`() throws {
        let server = try LocalServer(faults: ["header=X-Name: caf\\xe9"])
        let bytes = try Curl.raw(server, "/character")
        #expect(bytes.firstRange(of: Array("X-Name: caf".utf8) + [0xe9, 0x0D]) != nil)
    }

    @Test
    func `cuts a gzip stream inside a length that is right`() throws {
        let server = try LocalServer(faults: ["truncate-gzip"])
        let response = try Curl(server.url + "/images/fox.png")
        #expect(response.exit == 0)
        #expect(response.header("Content-Length") == "\(response.body.count)")
        #expect(response.header("Content-Encoding") == "gzip")
        let check = try Session.script("gzip -t", input: response.body)
        #expect(check.errors.contains("unexpected end of file"))
    }

    @Test
    func `writes a gzip stream of several blocks that gunzip takes`() throws {
        let folder = try ScratchFolder()
        let body = (0..<150_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        try folder.write(body, to: "body")
        let server = try LocalServer(faults: ["gzip,body-file=" + folder.path("body")])
        #expect(try Session.script("curl -s \(server.url)/ | gunzip").output == body)
    }

    @Test(arguments: [
        ("gzip", "cat", ""), ("gzip-members", "cat", ""), ("gzip-twice", "gunzip", ""),
        ("gzip-checksum", "cat", "crc error"),
        ("gzip-length", "cat", "length error"), ("gzip-padded", "head -c -512", ""),
    ])
    func `compresses, rightly or wrongly, as gunzip sees it`(fault: String, filter: String, complaint: String)
        throws
    {
        let server = try LocalServer(faults: [fault])
        let body = try Data(contentsOf: URL(fileURLWithPath: Fixtures.pictures + "/fox.png"))
        let run = try Session.script("curl -s \(server.url)/images/fox.png | \(filter) | gunzip")
        #expect(run.output == [UInt8](body) || !complaint.isEmpty)
        #expect(complaint.isEmpty ? run.errors == "" : run.errors.contains(complaint), "\(run.errors)")
    }

    @Test
    func `a bomb is small until it is inflated`() throws {
        let server = try LocalServer(faults: ["gzip-bomb"])
        let run = try Session.script("curl -s \(server.url)/images/fox.png | tee >(wc -c >&2) | gunzip | wc -c")
        #expect(Int(run.text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0 > 256 << 20)
        #expect(Int(run.errors.trimmingCharacters(in: .whitespacesAndNewlines)) ?? .max < 1 << 20)
    }

    @Test
    func `compresses for those who ask for it, and only if it is told to`() throws {
        for compresses in [false, true] {
            let server = try LocalServer(compresses: compresses)
            let plain = try Curl(server.url + "/character")
            #expect(plain.header("Content-Encoding") == nil)
            let response = try Curl(server.url + "/character", ["--compressed"])
            #expect(response.header("Content-Encoding") == (compresses ? "gzip" : nil))
            #expect(response.body == plain.body)
            let tag = try #require(plain.header("ETag"))
            let same = try Curl(server.url + "/character", ["--compressed", "-H", "If-None-Match: \(tag)"])
            #expect(same.status == 304 && same.header("Content-Encoding") == nil)
        }
    }

    @Test
    func `cuts JSON, with the length of what is left`() throws {
        let server = try LocalServer(faults: ["garbage"])
        let response = try Curl(server.url + "/character?pageSize=2")
        #expect(response.exit == 0)
        #expect(response.text.hasPrefix(#"{"info":{"count":2,"#))
        #expect(throws: (any Error).self) { try response.json() }
    }

    @Test
    func `goes on without end until the client has had enough`() throws {
        let server = try LocalServer(faults: ["endless"])
        let run = try Session.script("curl -s '\(server.url)/images/fox.png' | head -c 5000000 | wc -c")
        #expect(run.text.trimmingCharacters(in: .whitespacesAndNewlines) == "5000000")
        #expect(try Curl(server.url + "/images/fox.png", ["--limit-rate", "1M", "-m", "1"]).exit == 28)
    }

    @Test(arguments: ["endless-head", "endless-hints"])
    func `sends heads and answers on the way without end`(fault: String) throws {
        let server = try LocalServer(faults: [fault])
        let request = "GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n"
        let run = try Session.script(
            "exec 3<>/dev/tcp/127.0.0.1/\(server.port); printf '\(request)' >&3; head -c 5000000 <&3 | wc -c")
        #expect(run.text.trimmingCharacters(in: .whitespacesAndNewlines) == "5000000")
    }
}
