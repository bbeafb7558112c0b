// Redirects: where they lead, and which are not followed.

import PipelineCore
import PipelineHTTP
import Testing

struct RedirectTests {
    func target(_ location: String, from urls: String..., limit: Int = 10) throws -> HTTPURL {
        try Redirect.target(location, after: try urls.map { try HTTPURL($0) }, limit: limit)
    }

    @Test(arguments: [
        ("http://a/x", "https://a/x"), ("http://a/x", "http://b/y"), ("https://a/x", "https://b/y"),
        ("https://a/x", "//b/y"), ("https://a/x", "y"),
    ])
    func `these are followed`(from: String, location: String) throws {
        #expect(try target(location, from: from).text != from)
    }

    @Test(arguments: [
        ("https://a/x", "http://a/x", HTTPFailure.Reason.refusedDowngrade),
        ("https://a/", "HTTP://b/", .refusedDowngrade),
        ("http://a/", "file:///etc/passwd", .refusedScheme("file")),
        ("http://a/", "data:,x", .refusedScheme("data")),
        ("http://a/x", "x", .redirectLoop), ("http://a/x", "", .redirectLoop),
        ("http://a/x", "http://:80/", .malformed("a redirect to what is no URL")),
    ])
    func `these are not`(from: String, location: String, reason: HTTPFailure.Reason) throws {
        let failure = #expect(throws: HTTPFailure.self) { try target(location, from: from) }
        #expect(failure?.reason == reason)
    }

    @Test func `a circle over several redirectChain is found, and the count is bounded`() throws {
        let loop = #expect(throws: HTTPFailure.self) { try target("/1", from: "http://a/1", "http://a/2") }
        #expect(loop?.reason == .redirectLoop && loop?.exitStatus == .protocolError)
        #expect(try target("/3", from: "http://a/1", "http://a/2", limit: 2).text == "http://a/3")
        let many = #expect(throws: HTTPFailure.self) {
            try target("/3", from: "http://a/1", "http://a/2", limit: 1)
        }
        #expect(many?.reason == .tooManyRedirects(limit: 1))
    }
}
