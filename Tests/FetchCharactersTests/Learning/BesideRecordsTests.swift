// Whether an answer says that its list goes on: each of the first table does, or may, and none of the second.

import PipelineCore
import PipelineHTTP
import Testing

@testable import fetch_characters

@Suite("What stands beside records")
struct BesideRecordsTests {
    private static func end(_ member: String, _ header: (String, String)? = nil) throws -> ListEnd {
        let records = (1...45).map { #"{"id":\#($0)}"# }.joined(separator: ",")
        let text = "{\(member)\(member.isEmpty ? "" : ",")\"things\":[\(records)]}"
        let answer = try AnswerValue.read(Array(text.utf8).span)
        let place = try #require(RecordsPlace.all(in: answer).first { $0.path == "$.things" })
        var headers = HTTPHeaders()
        if let header { headers.append(header.0, header.1) }
        let request = ListRequest(try HTTPURL("https://h/things?colour=red"))
        return ListEnd(Envelope(of: answer, beside: place.names, headers, request.list, count: 45))
    }

    /// Each of these stands beside 45 records of more.
    static let hints = #"""
        "link":[{"relation":"next","url":"/x?tok=2"}]
        "exceededTransferLimit":true
        "isTruncated":"true"
        "more":1
        "last":0
        "hasMore":"True"
        "done":"false"
        "isFinal":false
        "limitReached":true
        "remaining":32
        "pageState":"abcdef"
        "page":"1 of 2"
        "range":"items 0-44/90"
        "total":"90+"
        "meta":{"page":{"total":2}}
        "info":{"first":1,"last":2}
        "links":["/things?tok=2"]
        "info":"Found 1,045 records"
        "older":"/things?before=45"
        "warning":"results truncated"
        "pageInfo":{"endCursor":"c45"}
        "isLast":false
        "has_more":1
        "hits":{"total":{"value":46}}
        "LastEvaluatedKey":{"pk":"x"}
        "nextOffset":45
        "size":46
        "total":"1,045"
        "truncated":true
        "links":[{"rel":["next"],"href":"/list?x=2"}]
        "last_id":45
        "total":{"value":45,"relation":"gte"}
        "cursor":"abc"
        "bookmark":"g1AAAA"
        "continuation":"tok"
        "resumptionToken":"t"
        "scroll_id":"s"
        "nextPage":2
        "next_page":"tok"
        "next":{"offset":45}
        "moreResultsAvailable":true
        "more_items":true
        "partial":true
        "complete":false
        "is_complete":false
        "end":false
        "eof":"False"
        "finished":false
        "exhausted":false
        "isLastPage":"false"
        "last_page":2
        "pages":2
        "num_pages":3
        "pageCount":2
        "page_count":"2"
        "totalPages":2
        "count":90
        "found":90
        "numFound":90
        "nbHits":90
        "nbPages":2
        "totalCount":"90"
        "total_results":90
        "recordsTotal":90
        "iTotalRecords":90
        "records_total":"90"
        "x":90
        "pagination":{"page":1,"per_page":45}
        "limit":45
        "perPage":45
        "page_size":45
        "max_results":45
        "items_per_page":"45"
        "showing":"1-45 of 90"
        "summary":"Showing 45 of 90"
        "sync_token":"st"
        "nextSyncToken":"st"
        "since_id":45
        "max_id":44
        "after":"t3_abc"
        "paging":{"cursors":{"after":"MTAx"}}
        "_links":{"next":{"href":"/x"}}
        "@odata.nextLink":"http://h/other"
        "odata.nextLink":"x"
        "nextRecordsUrl":"/services/01g-2000"
        "response_metadata":{"next_cursor":"dXNlcjpX"}
        "meta":{"has_next":true}
        "hasNextPage":true
        "incomplete_results":true
        "overflow":true
        "capped":true
        "Marker":"m"
        "NextMarker":"m"
        "IsTruncated":true
        "messages":["more results are available"]
        "warnings":"only the first 45 results are shown; more records exist"
        "blah":"zzz"
        "page":1
        "offset":0
        "from":0
        "state":"s1"
        "position":45
        "notice":"list truncated at 45"
        "allLoaded":false
        "message":"Displaying first 17 results; refine your search"
        "code":206
        "error":"backend 2 timed out"
        "errors":[{"reason":"slow"}]
        "_links":{"more":{"href":"/more"}}
        """#

    static let harmless = #"""
        "list":{"href":"/things?offset=0&limit=45","next":null}
        "took":53
        "version":"1.2"
        "status":"ok"
        "status":200
        "success":true
        "count":45
        "message":"OK"
        "timestamp":"2026-01-01T00:00:00Z"
        "timestamp":1767225600
        "generatedAt":"2026-01-01"
        "requestId":"r-1"
        "title":"All boats","description":"Boats of the coast","language":"en"
        "licence":"CC0","attribution":"The harbour"
        "$schema":"http://json-schema.org/x"
        "@context":"http://schema.org","@type":"ItemList"
        "jsonapi":{"version":"1.0"}
        "facets":{"colour":{"red":3,"blue":4}}
        "rateLimit":{"remaining":32,"limit":60}
        "error":null
        "errors":[]
        "documentation":"https://docs.example.org/lists?x=1"
        "self":"http://h/list"
        "copyright":"2026 us"
        "ok":true,"code":0
        "total":45
        "total":45,"page":1,"pages":1
        "last":true,"totalPages":1,"number":0,"size":60,"first":true,"numberOfElements":45,"empty":false
        "next":null
        "has_more":false
        "duration_ms":12
        "lang":"en"
        "elapsed":0.25
        "error":"OK"
        "maxRecords":60
        "number_of_page_results":45
        "next_id":0
        "nextOffset":-1
        "final":1
        "estimated_total":45
        "prev_batch":"t12"
        "incomplete_results":false
        "partial":false
        "id":"bundle-1"
        "view":{"@id":"/things?page=1"}
        "uri":"/things?page=1","next_page_uri":null
        "request":{"colour":"red","cursorMark":"red"}
        "subject":{"did":"did:plc:abc"}
        "view":{"@id":"/things?page=1","@type":"PartialCollectionView"}
        "kind":"things#list","nextSyncToken":"st"
        """#

    @Test(arguments: hints.split(separator: "\n").map(String.init))
    func `may say that there are more`(_ member: String) throws {
        let end = try Self.end(member)
        #expect(!end.saysEnd && (end.more ?? end.unknown) != nil)
    }

    @Test(arguments: harmless.split(separator: "\n").map(String.init))
    func `says nothing about more, or that this is all`(_ member: String) throws {
        let end = try Self.end(member)
        #expect(end.more == nil && (end.unknown == nil || end.saysEnd), "\(end.more ?? end.unknown ?? "")")
    }

    @Test func `doesn't end a list by saying that nothing failed, nor does a usual size`() throws {
        let end = try Self.end(#""partial":false"#)
        #expect(!end.saysEnd && end.doubt == nil)
        let sizes = (0..<300).filter { count in
            ListEnd(Envelope(of: .null, beside: [], HTTPHeaders(), ListTarget(nil, []), count: count)).doubt != nil
        }
        #expect([10, 12, 20, 60, 100, 250, 256].allSatisfy(sizes.contains) && !sizes.contains { $0 < 10 })
    }

    @Test(arguments: [
        ("X-Total-Count", "90", false), ("X-Total-Count", "45", true), ("Content-Range", "items 0-44/90", false),
        ("Content-Range", "items 0-44/45", true), ("X-Next-Page", "2", false), ("X-Has-More", "true", false),
        ("X-Has-More", "false", true), ("X-Continuation-Token", "abc", false), ("X-Truncated", "true", false),
        ("X-Pagination", #"{"total":90}"#, false), ("Warning", #"199 - "results truncated""#, false),
        ("X-Truncated", "1", false), ("X-Has-More", "0", true), ("X-Complete", "false", false),
        ("X-Pages", "3", false),
        ("Link", "</things?page=2>; rel=more", false), ("Link", "</l>; rel=next; results=false", true),
        ("Link", "</things?page=1>; rel=\"first self\"", true),
        ("X-Total-Pages", "90", false), ("X-Result-Limited", "yes", false), ("X-RateLimit-Remaining", "59", true),
        ("X-Request-Id", "abc", true), ("ETag", "\"x\"", true), ("Content-Length", "4096", true),
    ])
    func `may be a header field, of which only hints count`(_ name: String, _ value: String, _ isHarmless: Bool)
        throws
    {
        let end = try Self.end("", (name, value))
        #expect((end.more == nil) == isHarmless && end.unknown == nil)
    }
}
