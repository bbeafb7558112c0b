// Requests for later pages, where the API takes other ones for them, and placeholders in bodies.

import PipelineCore
import PipelineHTTP
import Testing

@testable import fetch_characters

struct LaterPageTests {
    /// Members of a description, the first request, and that for the page at the cursor `k`.
    static let rows = [
        (
            #""method":"POST","body":{"path":"","limit":9},"pagination":{"type":"cursor","parameter":{"body":"$.cursor"},"#
                + #""next":"cursor","later":{"path":"/more","body":{}}}"#,
            #"POST /list?me=1 {"path":"","limit":9}"#, #"POST /more?me=1 {"cursor":"k"}"#
        ),
        (
            #""query":{"sort":"new","n":"5"},"pagination":{"type":"cursor","parameter":"after","next":"next","#
                + #""later":{"query":{"n":"5"}}}"#,
            "GET /list?sort=new&n=5&me=1", "GET /list?after=k&n=5&me=1"
        ),
        (
            #""query":{"from":"1d"},"pagination":{"type":"cursor","parameter":"after","next":"next","later":{"query":{}}}"#,
            "GET /list?from=1d&me=1", "GET /list?after=k&me=1"
        ),
        (
            #""path":"/list?a=1","pagination":{"type":"cursor","parameter":{"path":"at"},"next":"next","#
                + #""later":{"path":"/more/{at}?b={me}"}},"params":{"at":{"default":""},"me":{}}"#,
            "GET /list?a=1", "GET /more/k?b=1"
        ),
        (
            #""method":"POST","form":{"q":"x"},"pagination":{"type":"cursor","parameter":{"form":"c"},"next":"next","#
                + #""size":{"parameter":{"form":"n"},"value":3},"later":{"form":{"s":"{me}"}}},"params":{"me":{}}"#,
            "POST /list q=x&n=3", "POST /list s=1&c=k&n=3"
        ),
        (
            #""method":"POST","body":{"requests":[{"params":"q={me}&c={c}&n={n}&x={x}"}]},"params":{"me":{},"c":{"default":"*"}},"#
                + #""pagination":{"type":"cursor","parameter":{"placeholder":"c"},"next":"next","#
                + #""size":{"parameter":{"placeholder":"n"},"value":3}}"#,
            #"POST /list {"requests":[{"params":"q=1&c=*&n=3&x={x}"}]}"#,
            #"POST /list {"requests":[{"params":"q=1&c=k&n=3&x={x}"}]}"#
        ),
    ]

    @Test(arguments: rows)
    func `later pages have what the description says of them`(members: String, first: String, later: String) throws
    {
        let requests = try SourceRequests(.having(members), parameters: [.init("me", "1")])
        let size = requests.source.pagination.size?.value
        #expect(try requests.page(requests.source.pagination.first, size: size).sent == first)
        #expect(try requests.page(.cursor([.string("k")]), size: size).sent == later)
    }

    @Test(arguments: [("page", 1), ("offset", 0)]) func `pages that have numbers have a first one too`(
        type: String, first: Int
    ) throws {
        let members =
            #""query":{"a":"1"},"pagination":{"type":"\#(type)","parameter":"p","later":{"query":{"b":"2"}}}"#
        let requests = try SourceRequests(.having(members))
        let position: (Int) -> PagePosition = { type == "page" ? .number($0) : .offset($0) }
        #expect(try requests.page(position(first), size: nil).sent == "GET /list?p=\(first)&a=1")
        #expect(try requests.page(position(first + 1), size: nil).sent == "GET /list?p=\(first + 1)&b=2")
    }

    @Test func `a value that a service gives isn't filled in`() throws {
        let members =
            #""method":"POST","body":{"q":"{me}","c":null},"params":{"me":{}},"#
            + #""pagination":{"type":"cursor","parameter":{"body":"$.c"},"next":"next"}"#
        let requests = try SourceRequests(.having(members), parameters: [.init("me", "s")])
        let request = try requests.page(.cursor([.string("{me}")]), size: nil)
        #expect(request.sent == #"POST /list {"q":"s","c":"{me}"}"#)
    }
}
