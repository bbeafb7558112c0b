// Heads line by line: what is kept, what is dropped, and what is refused.

import PipelineHTTP
import Testing

struct AnswerHeadTests {
    /// Feeds the lines and returns the first fault.
    func fault(_ lines: [String], _ head: inout AnswerHead) -> HTTPFailure.Reason? {
        for line in lines {
            if let fault = head.accept(Array(line.utf8).span) { return fault }
        }
        return nil
    }

    @Test func `fields are kept, and names compare in any case`() {
        var head = AnswerHead()
        let lines = ["HTTP/1.1 200 OK\r\n", "X-A: 1\r\n", "x-a:2\n", "Empty:\r\n", "\r\n"]
        #expect(fault(lines, &head) == nil)
        #expect(head.status == 200 && head.isComplete)
        #expect(head.headers.values("X-a") == ["1", "2"])
        #expect(head.headers["EMPTY"] == "" && head.headers["other"] == nil)
    }

    @Test func `odd but legal heads are read`() {
        var head = AnswerHead()
        let lines = [
            "HTTP/2 404\r\n", "Folded: a\r\n", "\t b\r\n", "no colon\r\n", "\r\n", "Trailer: x\r\n", "\r\n",
        ]
        #expect(fault(lines, &head) == nil)
        #expect(head.status == 404)
        #expect(head.headers["folded"] == "a b" && head.headers["Trailer"] == nil)
        var latin = AnswerHead()
        #expect(fault(["HTTP/1.0 200\n"], &latin) == nil)
        #expect(latin.accept(([0x41, 0x3A, 0xE9, 0x0A] as [UInt8]).span) == nil)
        #expect(latin.headers["a"] == "\u{FFFD}")
        #expect(latin.accept((Array("location: /caf".utf8) + [0xE9, 0x20, 0x0A]).span) == nil)
        #expect(latin.accept(Array("Location: /café\r\n".utf8).span) == nil)
        #expect(latin.headers.values("Location") == ["/caf%E9", "/café"])
    }

    @Test func `answers on the way are dropped, and bounded`() {
        var head = AnswerHead()
        let hints = ["HTTP/1.1 103 Early Hints\r\n", "Link: </a>\r\n", "\r\n"]
        #expect(fault(hints + ["HTTP/1.1 200 OK\r\n", "\r\n"], &head) == nil)
        #expect(head.status == 200 && head.headers.isEmpty)
        var endless = AnswerHead()
        let many = (0..<17).flatMap { _ in hints }
        #expect(fault(many, &endless) == .malformed("only answers on the way, never the last"))
    }

    @Test(arguments: [
        ["hello\r\n"], ["HTTP/1.1 abc\r\n"], ["HTTP/1.1 20\r\n"], ["HTTP/1.1 042 x\r\n"],
        ["HTTP/1.1 200 OK\r\n", "Content-Length: 2\r\n", "Content-Length: 3\r\n", "\r\n"],
        ["HTTP/1.1 200 OK\r\n", "Content-Length: 2, 3\r\n", "\r\n"],
        ["HTTP/1.1 200 OK\r\n", "Content-Length: -2\r\n", "\r\n"],
        ["HTTP/1.1 200 OK\r\n", "Content-Length: 2x\r\n", "\r\n"],
        ["HTTP/1.1 200 OK\r\n", "Content-Length: 99999999999999999999\r\n", "\r\n"],
        ["HTTP/1.1 200 OK\r\n", "Content-Encoding: gzip\r\n", "\r\n"],
        ["HTTP/1.1 200 OK\r\n", "Transfer-Encoding: gzip, chunked\r\n", "\r\n"],
    ])
    func `broken heads are refused`(lines: [String]) {
        var head = AnswerHead()
        guard case .malformed? = fault(lines, &head) else {
            Issue.record("it was taken")
            return
        }
    }

    @Test(arguments: [
        ["Content-Length: 2\r\n", "content-length: 2\r\n"], ["Content-Length: 2, 2\r\n"],
        ["Content-Encoding: identity\r\n"], ["Transfer-Encoding: Chunked\r\n"],
    ])
    func `heads that agree with themselves are taken`(fields: [String]) {
        var head = AnswerHead()
        #expect(fault(["HTTP/1.1 200 OK\r\n"] + fields + ["\r\n"], &head) == nil)
    }

    @Test func `endless headers are refused by count and by size`() {
        var many = AnswerHead()
        let lines = ["HTTP/1.1 200 OK\r\n"] + (0..<257).map { "X-\($0): 1\r\n" }
        #expect(fault(lines, &many) == .malformed("too many header fields"))
        var large = AnswerHead()
        let long = "X: " + String(repeating: "a", count: 60_000) + "\r\n"
        #expect(
            fault(["HTTP/1.1 200 OK\r\n"] + Array(repeating: long, count: 5), &large)
                == .malformed("its header never ends"))
    }
}
