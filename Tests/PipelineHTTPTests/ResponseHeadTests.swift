// Heads line by line: what is kept, what is dropped, and what is refused.

import PipelineHTTP
import Testing

struct ResponseHeadTests {
    /// Feeds the lines and returns the first fault.
    func fault(_ lines: [String], _ head: inout ResponseHead) -> HTTPFailure.Reason? {
        for line in lines {
            if let fault = head.accept(Array(line.utf8).span) { return fault }
        }
        return nil
    }

    @Test func `fields are kept, and names compare in any case`() {
        var head = ResponseHead()
        let lines = ["HTTP/1.1 200 OK\r\n", "X-A: 1\r\n", "x-a:2\n", "Empty:\r\n", "\r\n"]
        #expect(fault(lines, &head) == nil)
        #expect(head.status == 200 && head.isComplete)
        #expect(head.headers.values("X-a") == ["1", "2"])
        #expect(head.headers["EMPTY"] == "" && head.headers["other"] == nil)
    }

    @Test func `odd but legal heads are read`() {
        var head = ResponseHead()
        let lines = [
            "HTTP/2 404\r\n", "Folded: a\r\n", "\t b\r\n", "no colon\r\n", "\r\n", "Trailer: x\r\n", "\r\n",
        ]
        #expect(fault(lines, &head) == nil)
        #expect(head.status == 404)
        #expect(head.headers["folded"] == "a b" && head.headers["Trailer"] == nil)
        var latin = ResponseHead()
        #expect(fault(["HTTP/1.0 200\n"], &latin) == nil)
        #expect(latin.accept(([0x41, 0x3A, 0xE9, 0x0A] as [UInt8]).span) == nil)
        #expect(latin.headers["a"] == "\u{FFFD}")
        #expect(latin.accept((Array("location: /caf".utf8) + [0xE9, 0x20, 0x0A]).span) == nil)
        #expect(latin.accept(Array("Location: /café\r\n".utf8).span) == nil)
        #expect(latin.headers.values("Location") == ["/caf%E9", "/café"])
    }

    @Test func `responses on the way are dropped, and bounded`() {
        var head = ResponseHead()
        let hints = ["HTTP/1.1 103 Early Hints\r\n", "Link: </a>\r\n", "\r\n"]
        #expect(fault(hints + ["HTTP/1.1 200 OK\r\n", "\r\n"], &head) == nil)
        #expect(head.status == 200 && head.headers.fields.isEmpty)
        var endless = ResponseHead()
        var most = ResponseHead()
        #expect(fault((0..<16).flatMap { _ in hints } + ["HTTP/1.1 200 OK\r\n", "\r\n"], &most) == nil)
        let many = (0..<17).flatMap { _ in hints }
        #expect(fault(many, &endless) == .malformed("only interim (1xx) responses"))
    }

    @Test(arguments: [
        ["hello\r\n"], ["HTTP/1.1 abc\r\n"], ["HTTP/1.1 20\r\n"], ["HTTP/1.1 042 x\r\n"],
        ["HTTP/1.1 200 OK\r\n", "Content-Length: 2\r\n", "Content-Length: 3\r\n", "\r\n"],
        ["HTTP/1.1 200 OK\r\n", "Content-Length: 2, 3\r\n", "\r\n"],
        ["HTTP/1.1 200 OK\r\n", "Content-Length: -2\r\n", "\r\n"],
        ["HTTP/1.1 200 OK\r\n", "Content-Length: 2x\r\n", "\r\n"],
        ["HTTP/1.1 200 OK\r\n", "Content-Length: 99999999999999999999\r\n", "\r\n"],
        ["HTTP/1.1 200 OK\r\n", "Content-Length: +2\r\n", "\r\n"],
        ["HTTP/1.1 200 OK\r\n", "Content-Length: 2 2\r\n", "\r\n"],
        ["HTTP/1.1 200 OK\r\n", "Content-Length: 0x2\r\n", "\r\n"],
        ["HTTP/1.1 200 OK\r\n", "Content-Length:\r\n", "\r\n"],
        ["HTTP/1.1 200 OK\r\n", "Content-Length: ,\r\n", "\r\n"],
        ["HTTP/1.1 200 OK\r\n", "Content-Length : 2\r\n", "Content-Length: 3\r\n", "\r\n"],
        ["HTTP/1.1 200 OK\r\n", "Content-Encoding: br\r\n", "\r\n"],
        // A coding in each of two fields is two codings.
        ["HTTP/1.1 200 OK\r\n", "Content-Encoding: gzip\r\n", "Content-Encoding: gzip\r\n", "\r\n"],
        ["HTTP/1.1 200 OK\r\n", "Transfer-Encoding: gzip, chunked\r\n", "\r\n"],
    ])
    func `broken heads are refused`(lines: [String]) {
        var head = ResponseHead()
        let isRefused = if case .malformed? = fault(lines, &head) { true } else { false }
        #expect(isRefused)
    }

    @Test(arguments: [
        ("gzip", true), ("x-gzip", true), ("GZIP", true), ("X-Gzip", true), ("identity, gzip", true),
        (" ,gzip ,", true),
        ("deflate", false), ("br", false), ("zstd", false), ("compress", false), ("gzip, gzip", false),
        ("gzip, br", false), ("gzip, utf-8", true),
    ])
    func `gzip alone is taken, asked for or not`(coding: String, isTaken: Bool) {
        let lines = [
            "HTTP/1.1 200 OK\r\n", "X: 1\r\n", "Content-Length: 9\r\n", "content-encoding: \(coding)\r\n", "\r\n",
        ]
        var asked = ResponseHead()
        let refusal = HTTPFailure.Reason.malformed("a content coding that wasn't requested")
        #expect(fault(lines, &asked) == (isTaken ? nil : refusal))
        guard isTaken else { return }
        // What is kept is the inflated body; the length is still that of what is sent.
        #expect(asked.coding == .gzip && asked.contentLength == 9)
        #expect(asked.headers.fields.map(\.name) == ["X"])
        #expect(asked.fault(ofBody: 8) == .truncated)
    }

    @Test(arguments: ["UTF-8", "none", "gzip;q=1", "gzipped", "binary", "identity", ", ,"])
    func `a word that names no coding changes nothing`(word: String) {
        var head = ResponseHead()
        let lines = ["HTTP/1.1 200 OK\r\n", "Content-Length: 9\r\n", "Content-Encoding: \(word)\r\n", "\r\n"]
        #expect(fault(lines, &head) == nil && head.coding == .identity && head.fault(ofBody: 8) == .truncated)
    }

    @Test(arguments: ["gzip", "br"]) func `the coding of a failure's body is no fault`(coding: String) {
        var head = ResponseHead()
        let lines = ["HTTP/1.1 404 Not Found\r\n", "Content-Encoding: \(coding)\r\n", "X: 1\r\n", "\r\n"]
        #expect(fault(lines, &head) == nil && head.headers.fields.map(\.name) == ["X"])
    }

    @Test(arguments: [
        ["Content-Length: 2\r\n", "content-length: 2\r\n"], ["Content-Length: 2, 2\r\n"],
        ["Content-Encoding: identity\r\n"], ["Transfer-Encoding: Chunked\r\n"],
    ])
    func `heads that agree with themselves are taken`(fields: [String]) {
        var head = ResponseHead()
        #expect(fault(["HTTP/1.1 200 OK\r\n"] + fields + ["\r\n"], &head) == nil)
    }

    @Test(
        arguments: [
            ("Content-Length: 5", 5), ("Content-Length:5", 5), ("Content-Length : 5", 5),
            ("content-length\t:\t5\t", 5),
            ("Content-Length: 5, 5", 5), ("Content-Length: 5,,05", 5), ("Content-Length: 0", 0), ("X: 5", nil),
        ] as [(String, Int?)])
    func `a body has the length that its head says, however it says it`(field: String, length: Int?) {
        for more in [[], ["Transfer-Encoding: identity\r\n"]] {
            var head = ResponseHead()
            #expect(fault(["HTTP/1.1 200 OK\r\n", "\(field)\r\n"] + more + ["\r\n"], &head) == nil)
            #expect(head.contentLength == length)
            for count in 0...6 {
                let isShort = length.map { count < $0 } ?? false
                let isLong = length.map { count > $0 } ?? false
                let expected: HTTPFailure.Reason? =
                    isShort ? .truncated : isLong ? .malformed("a body longer than its content length") : nil
                #expect(head.fault(ofBody: count) == expected)
            }
        }
    }

    @Test(arguments: ["3", "99", "5, 6", "x", ""])
    func `chunks say where a body ends, whatever length is beside them`(
        length: String
    ) {
        let fields = ["Content-Length: \(length)\r\n", "Transfer-Encoding: Chunked\r\n"]
        for fields in [fields, fields.reversed()] {
            var head = ResponseHead()
            #expect(fault(["HTTP/1.1 200 OK\r\n"] + fields + ["\r\n"], &head) == nil)
            #expect(head.contentLength == nil && head.hasEnd && head.fault(ofBody: 5) == nil)
        }
    }

    @Test func `endless headers are refused by count and by size`() {
        var many = ResponseHead()
        let lines = ["HTTP/1.1 200 OK\r\n"] + (0..<257).map { "X-\($0): 1\r\n" }
        #expect(fault(lines, &many) == .malformed("too many header fields"))
        var most = ResponseHead()
        #expect(fault(lines.dropLast() + ["\r\n"], &most) == nil && most.headers.fields.count == 256)
        var large = ResponseHead()
        let long = "X: " + String(repeating: "a", count: 60_000) + "\r\n"
        #expect(
            fault(["HTTP/1.1 200 OK\r\n"] + Array(repeating: long, count: 5), &large)
                == .malformed("its header never ends"))
        let status = "HTTP/1.1 200 OK\r\n"
        for (count, isTaken) in [(262_144, true), (262_145, false)] {
            let field = "X: " + String(repeating: "a", count: count - status.utf8.count - 7) + "\r\n"
            var head = ResponseHead()
            #expect((fault([status, field, "\r\n"], &head) == nil) == isTaken)
        }
        // Lines that are no fields count too.
        for (count, isTaken) in [(510, true), (511, false)] {
            var head = ResponseHead()
            let lines = Array(repeating: "no colon\r\n", count: count)
            #expect((fault([status] + lines + ["\r\n"], &head) == nil) == isTaken)
        }
    }
}

// Dates of services: three spellings of HTTP, ISO 8601, and what isn't a date.

struct HTTPDateTests {
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
    func `the three spellings are one moment`(text: String) {
        #expect(HTTPDate.epochSeconds(text) == 784_111_777)
    }

    @Test(arguments: [
        "", "0", "-1", "60", "tomorrow", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
        "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "2023-11-14T22:13:20Z",
        "Fri, 01 Jan 10000 00:00:00 GMT",
    ])
    func `anything else is no date`(text: String) {
        #expect(HTTPDate.epochSeconds(text) == nil)
    }
}
