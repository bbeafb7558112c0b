// What leads from one page to the next, and how many there are, from each place that a description can name.

import PipelineCore
import PipelineHTTP
import Testing

@testable import fetch_characters

struct PageLeadTests {
    private static func lead(_ pagination: String, _ body: String, _ field: String?) throws -> PageLead {
        var reader = PageReader(try .having("\"pagination\":{\(pagination)}"))
        var headers = HTTPHeaders()
        if let field { headers.append("X-Page", field) }
        return try reader.read(
            Array(#"{"data":[{}]\#(body.isEmpty ? "" : "," + body)}"#.utf8), headers, isList: true
        ).lead
    }

    static let places = #""type":"cursor","parameter":"c","next":["$.a","$.b",{"header":"X-Page"}]"#
    static let field = #""type":"cursor","parameter":"c","next":{"header":"X-Page","path":"$.next"}"#
    static let url = #""type":"next-url","next":["links.next",{"header":"X-Page","path":"$['next','url']"}]"#

    @Test(
        arguments: [
            (places, #""a":"1","b":"2""#, nil, "1"), (places, #""a":"1""#, "3", "1"),
            (places, #""a":null,"b":2"#, nil, "2"),
            (places, #""a":"","b":false"#, "3", "3"), (places, #""a":[],"b":{}"#, nil, nil), (places, "", nil, nil),
            (places, #""b":{"k":1}"#, "x", #"{"k":1}"#), (field, "", #"{"next":"k+1=="}"#, "k+1=="),
            (field, "", #"{"next":null}"#, nil), (field, "", nil, nil),
            (field, #""next":"no""#, #"{"next":7}"#, "7"),
        ] as [(String, String, String?, String?)])
    func `a cursor is at the first place that has one`(
        pagination: String, body: String, field: String?, cursor: String?
    ) throws {
        let lead = try Self.lead(pagination, body, field)
        if let cursor {
            guard case .cursor(let values)? = lead.next else { return #expect(Bool(false), "\(lead)") }
            #expect(values.map { $0?.text } == [cursor])
        } else {
            #expect(lead.next == nil)
        }
    }

    @Test(
        arguments: [
            (#""links":{"next":" /a "}"#, nil, "/a"), (#""links":{"next":null}"#, #"{"next":"/b"}"#, "/b"),
            (#""links":{}"#, #"{"url":"/c"}"#, "/c"), (#""links":{}"#, #"{"next":null}"#, nil),
        ] as [(String, String?, String?)])
    func `so is a URL`(body: String, field: String?, link: String?) throws {
        #expect(try Self.lead(Self.url, body, field).next == link.map { .link($0) })
    }

    @Test(
        arguments: [
            (#"{"total":12}"#, 12), (#"{"total":"12"}"#, 12), (#"{"total":null}"#, nil), (nil, nil),
            (#"{"total":12.0,"more":[1]}"#, 12),
        ] as [(String?, Int?)])
    func `a total is in the JSON of a header field`(field: String?, total: Int?) throws {
        let pagination = #""type":"page","parameter":"p","total":{"header":"X-Page","path":"$.total"}"#
        #expect(try Self.lead(pagination, "", field).count == total)
    }

    @Test(arguments: [
        "total=12", #"{"total":12"#, "{}", #"{"total":"twelve"}"#, #"{"total":-1}"#, #"{"total":[12]}"#, "[]",
    ])
    func `a field without it is no page's`(field: String) {
        for pagination in [
            #""type":"page","parameter":"p","total":{"header":"X-Page","path":"$.total"}"#, Self.field,
        ] where pagination != Self.field || !field.contains(":") {
            #expect {
                _ = try Self.lead(pagination, "", field)
            } throws: { error in
                if case .broken(let text)? = error as? Page.Fault { text.contains("X-Page") } else { false }
            }
        }
    }
}
