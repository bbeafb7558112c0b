// URLs: what is taken, what is refused, and where references lead.

import PipelineCore
import PipelineHTTP
import Testing

struct HTTPURLTests {
    @Test(arguments: [
        ("HTTP://Example.com:80/a", "http://example.com", "example.com"),
        ("https://example.com:443/", "https://example.com", "example.com"),
        ("http://example.com:8080/x?y#z", "http://example.com:8080", "example.com:8080"),
        ("http://user:pass@example.com/", "http://example.com", "example.com"),
        ("http://[::1]:81/", "http://[::1]:81", "[::1]:81"), ("http://127.1/", "http://127.0.0.1", "127.0.0.1"),
        ("http://0x7f.1/", "http://127.0.0.1", "127.0.0.1"),
        ("http://2130706433/", "http://127.0.0.1", "127.0.0.1"),
    ])
    func `origin and authority leave out what is not theirs`(text: String, origin: String, authority: String) throws
    {
        let url = try HTTPURL(text)
        #expect(url.origin.lowercased() == origin)
        #expect(url.authority.lowercased() == authority)
    }

    @Test(arguments: [
        ("c?x", "http://h/a/c?x"), ("?q", "http://h/a/b?q"), ("../d", "http://h/d"), ("../../../d", "http://h/d"),
        ("/e", "http://h/e"), ("//other/f", "http://other/f"), ("https://o/g", "https://o/g"),
        ("./", "http://h/a/"),
        ("ü x", "http://h/a/%c3%bc%20x"), ("%41%2f", "http://h/a/%41%2f"), ("", "http://h/a/b?old"),
        ("#f", "http://h/a/b?old#f"), ("HTTP://O/", "http://o/"),
        ("a|b?q=a b", "http://h/a/a%7Cb?q=a%20b"), ("<\"\\^`{}>", "http://h/a/%3C%22%5C%5E%60%7B%7D%3E"),
        ("http://o/ {?}", "http://o/%20%7B?%7D"), ("//o/a b", "http://o/a%20b"), ("a//b c", "http://h/a/a//b%20c"),
        ("/l?q=M M&r=https://o/x|", "http://h/l?q=M%20M&r=https://o/x%7C"),
    ])
    func `references are resolved`(reference: String, expected: String) throws {
        let url = try HTTPURL("http://h/a/b?old").resolving(reference)
        #expect(url.text.lowercased() == expected.lowercased())
    }

    /// libcurl takes references apart; a URL alone may be passed on as it is.
    @Test func `a URL that is passed on as it is reads as libcurl reads it`() throws {
        let base = try HTTPURL("http://base/")
        let hosts = [
            "a.example", "127.0.0.1", "127.1", "0127.0.0.1", "1.2.3.256", "1.2.3.4.5", "0x7f.1", "a..b", "a.",
            "a-b", "A.b",
            "xn--a", "1a", "0.0.0.0", "01.2.3.4", "1.2.3.", "", "-a", "a_b", "u@h", "a%41",
        ]
        let ports = [
            "", ":", ":80", ":443", ":8080", ":08080", ":0", ":65535", ":65536", ":x", ":999999999999999999999",
        ]
        let pieces = [
            "", "/", "a", "/.", "..", "?", "&b=c", "=", "~", "%20", "#f", " ", "ü", "A-_9", "//", "+", "\\",
        ]
        var plain = 0
        for scheme in ["http://", "https://", "HTTP://"] {
            for host in hosts {
                for port in ports {
                    for _ in 0..<8 {
                        let path = (0..<Int.random(in: 0...4)).map { _ in pieces.randomElement() ?? "" }.joined()
                        let text = scheme + host + port + (Bool.random() ? "/" : "") + path
                        let (own, theirs) = (
                            Self.parts { () throws(HTTPFailure) in try HTTPURL(text) },
                            Self.parts { () throws(HTTPFailure) in try base.resolving(text) }
                        )
                        #expect(own == theirs, "\(text)")
                        if own?.hasPrefix(text + " ") == true { plain += 1 }
                    }
                }
            }
        }
        #expect(plain > 50)
    }

    private static func parts(_ url: () throws(HTTPFailure) -> HTTPURL) -> String? {
        do throws(HTTPFailure) {
            let url = try url()
            return "\(url.text) \(url.scheme) \(url.host) \(url.port)"
        } catch {
            return nil
        }
    }

    @Test(arguments: [
        "file:///etc/passwd", "ftp://h/", "javascript:alert(1)", "data:,x", "gopher://h/", "FILE:///x",
    ])
    func `other schemes are refused, not taken for a path`(text: String) throws {
        #expect(#expect(throws: HTTPFailure.self) { try HTTPURL(text) }?.exitStatus == .refused)
        let base = try HTTPURL("http://h/")
        #expect(#expect(throws: HTTPFailure.self) { try base.resolving(text) }?.exitStatus == .refused)
    }

    @Test(arguments: [
        "", "host", "http://", "http://h:99999/", "http://h:0/", "http://h:x/", "http://h/\r\nX: y",
        "http://h/\u{0}", "http://h\u{7F}/", "http://[::1/", "http://a b/",
    ])
    func `what is no URL is the caller's fault`(text: String) throws {
        let failure = #expect(throws: HTTPFailure.self) { try HTTPURL(text) }
        #expect(failure?.exitStatus == .usage)
    }

    @Test(arguments: [
        ("X-A", "1\r\nX-B: 2"), ("X-A", "1\n"), ("X-A", "\u{0}"), ("X A", "1"), ("", "1"), ("X:", "1"), ("Ä", "1"),
    ])
    func `a header field can't smuggle another one in`(name: String, value: String) throws {
        var request = try HTTPRequest("http://h/")
        let failure = #expect(throws: HTTPFailure.self) { try request.add(name, value) }
        #expect(failure?.exitStatus == .usage)
        #expect(request.fields.isEmpty)
    }

    @Test func `a message has no user, no query and no path`() throws {
        var options = HTTPClient.Options(userAgent: "test")
        options.allowsPrivateAddresses = false
        var client = try HTTPClient(options)
        client.submit(try HTTPRequest("http://me:secret@127.0.0.1:9/path?api_key=secret"), tag: 5)
        guard case .completed(let completion) = client.next(), case .failure(let failure) = completion.result else {
            Issue.record("no failure")
            return
        }
        #expect(completion.tag == 5 && completion.attempts == 1)
        #expect(failure.reason == .refusedAddress && failure.exitStatus == .refused)
        #expect(failure.description.contains("127.0.0.1:9") && !failure.description.contains("secret"))
        #expect(!failure.description.contains("path"))
    }
}
