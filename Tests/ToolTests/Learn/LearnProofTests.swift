// What has to hold before a part of a description counts as proved: lists that would be learnt wrong, or not at all,
// without one of the checks.

import Foundation
import TestSupport
import Testing

@Suite("A proof of --learn")
struct LearnProofTests {
    /// A list that one check decides on.
    struct List: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let target: String
        /// By a part of the query; without one, to any other request.
        let answers: [String]
        /// The ids of its records; nil where it isn't learnt.
        let ids: ClosedRange<Int>?
        /// Part of the description, or of the message.
        let words: String

        init(
            _ name: String, at target: String = "/list", _ answers: KeyValuePairs<String, String>,
            gives ids: ClosedRange<Int>? = nil, _ words: String
        ) {
            (testDescription, self.target, self.ids, self.words) = (name, target, ids, words)
            self.answers = answers.map { "path=/list,\($0.key.isEmpty ? "" : "query=\($0.key),")\($0.value)" }
        }
    }

    /// Records with these ids, and other members of the answer before them.
    private static func page(_ ids: some Sequence<Int>, _ members: String = "") -> String {
        let records = ids.map { #"{"id":\#($0)}"# }.joined(separator: ",")
        return FetchCharactersTests.body("{\(members)\(members.isEmpty ? "" : ",")\"data\":[\(records)]}")
    }

    static let lists = [
        List(
            "waits as long as the service asks",
            [
                "page=2": "times=1,status=429,retry-after=1", "page=2": page(3...4, #""total":4"#),
                "page=3": page([], #""total":4"#), "": page(1...2, #""total":4"#),
            ], gives: 1...4, "$.total"),
        List(
            "a parameter with another value in the next link is a position", at: "/list?blatt=2",
            [
                "blatt=2": page(3...4, #""next":"/list?blatt=3""#), "blatt=3": page(5...6, #""next":null"#),
                "": page(1...2, #""next":"/list?blatt=2""#),
            ], gives: 1...6, "next-url"),
        List(
            "a parameter of several cursors is a position", at: "/list?xoffset=c1&continue=-||",
            [
                "xoffset=c1": page(3...4, #""continue":{"xoffset":"c2","continue":"-||"}"#),
                "xoffset=c2": page(5...6), "": page(1...2, #""continue":{"xoffset":"c1","continue":"-||"}"#),
            ], gives: 1...6, "values"),
        List(
            "what the pagination sets isn't in the list's query", at: "/list?tok=c1",
            [
                "tok=c1": page(3...4, #""next_tok":"c2""#), "tok=c2": page(5...6, #""next_tok":null"#),
                "": page(1...2, #""next_tok":"c1""#),
            ], gives: 1...6, #""next": "$.next_tok""#),
        List(
            "the second page isn't longer than the first", at: "/list?limit=2",
            ["blatt=2": page(4...6, #""next":null"#), "": page(1...2, #""next":"/list?blatt=2""#)],
            "$.next is a URL of the list"),
        List(
            "empty pages lead on",
            [
                "cursor=a": page([], #""next_cursor":"b""#), "cursor=b": page(3...4, #""next_cursor":null"#),
                "": page(1...2, #""next_cursor":"a""#),
            ], gives: 1...4, "$.next_cursor"),
        List(
            "the second page leads on as the first does",
            ["cursor=a": page(3...4, #""next_page":{"cursor":"b"}"#), "": page(1...2, #""cursor":"a""#)],
            "nothing leads on from it"),
        List(
            "other records belong to the list",
            ["page=2": page(21...34), "page=1": page(41...54), "page=0": page(61...74), "": page(1...14)],
            "had records that the first page lacks"),
        List(
            "a page has as many as come, where more are asked for", at: "/list?limit=9",
            [
                "page=2": page(4...5, #""total":5"#), "page=3": page([], #""total":5"#),
                "": page(1...3, #""total":5"#),
            ], gives: 1...5, #""size": {"parameter": "limit", "value": 3, "max": 3}"#),
        List(
            "no page has more than a round total",
            [
                "page=3": page(1001...1400, #""total":1000"#), "page=2": page(601...1000, #""total":1000"#),
                "": page(1...600, #""total":1000"#),
            ], "$.total is 1000"),
        List(
            "the cursor comes again at the end",
            ["cursor=a": page(4...5, #""total":5,"cursor":"a""#), "": page(1...3, #""total":5,"cursor":"a""#)],
            gives: 1...5, #""total": {"path": "$.total"}"#),
        List(
            "a page that leads to itself is the last if the total is reached",
            [
                "page=2": page(3...4, #""total":4,"next":"/list?page=2""#),
                "": page(1...2, #""total":4,"next":"/list?page=2""#),
            ], gives: 1...4, #""total": {"path": "$.total"}"#),
        List(
            "a page that leads to itself is the last if a flag says so",
            [
                "page=2": page(3...4, #""more":false,"next":"/list?page=2""#),
                "": page(1...2, #""more":true,"next":"/list?page=2""#),
            ], gives: 1...4, #""more": "$.more""#),
        List(
            "a page that leads to itself may not be the last",
            ["tok=b": page(3...4, #""next":"/list?tok=b""#), "": page(1...2, #""next":"/list?tok=b""#)],
            "a page leads to itself, and nothing says that it is the last"),
        List(
            "no page leads to the first", at: "/list?tok=a",
            [
                "tok=a": page(1...2, #""total":5,"next":"/list?tok=b""#),
                "tok=b": page(3...4, #""total":5,"next":"/list?tok=a""#),
                "": page(1...2, #""total":5,"next":"/list?tok=b""#),
            ], "$.total is 5, and the pages have another number"),
        List(
            "the last record's id leads on as long as a flag says so",
            [
                "starting_after=1": page(2...3, #""has_more":true"#),
                "starting_after=2": page(3...4, #""has_more":true"#),
                "starting_after=4": page(5...5, #""has_more":false"#),
                "starting_after=5": page([], #""has_more":false"#), "": page(1...2, #""has_more":true"#),
            ], gives: 1...5, #""next": "$.data[-1].id""#),
        List(
            "a later page's request names the parameter of the last record's id", at: "/list?startingAfter=2",
            [
                "startingAfter=1": page(2...3, #""has_more":true"#),
                "startingAfter=2": page(3...4, #""has_more":true"#),
                "startingAfter=4": page(5...5, #""has_more":false"#),
                "startingAfter=5": page([], #""has_more":false"#), "": page(1...2, #""has_more":true"#),
            ], gives: 1...5, #""next": "$.data[-1].id""#),
        List(
            "a cursor of Notion's goes to its own parameter",
            [
                "start_cursor=b": page(3...4, #""next_cursor":null,"has_more":false"#),
                "cursor=b": "status=400", "": page(1...2, #""next_cursor":"b","has_more":true"#),
            ], gives: 1...4, #""parameter": "start_cursor", "next": "$.next_cursor""#),
        List(
            "a cursor may have the name of a number",
            ["offset=itr7": page(4...4), "": page(1...3, #""offset":"itr7""#)], gives: 1...4,
            #""parameter": "offset", "next": "$.offset""#),
        List(
            "a number goes with the size of its kind", at: "/list?$top=2",
            [
                "%24skip=200000": page([]), "%24skip=2": page(3...4), "%24skip=1": page(2...3),
                "%24skip=3": page(4...4), "": page(1...2),
            ], gives: 1...4, #""parameter": "$skip""#),
        List(
            "an empty second page may be that of a filter",
            ["page=2": page([]), "page=1": page(1...10), "": page(1...10)], "page=2 has no records"),
        List(
            "a list of one page may have offsets", at: "/list?limit=20",
            ["offset=10": page([]), "offset=9": page(10...10), "page=2": page(1...10), "": page(1...10)],
            gives: 1...10, #""type": "offset""#),
        List(
            "one response alone proves no flag",
            ["": page(1...2, #""prev":"/list?before=1","endCursor":"b","hasNextPage":false"#)],
            "$.endCursor could be a position"),
        List(
            "two pages show ids as more pages do",
            ["page=2": page(4...5, #""total":5"#), "": page(1...3, #""total":5"#)], gives: 1...5, #""id": "id""#),
        List(
            "links that lead on for ever end with an empty page",
            [
                "page=2": page(3...4, #""next":"/list?page=3""#), "page=": page([], #""next":"/list?page=9""#),
                "": page(1...2, #""next":"/list?page=2""#),
            ], gives: 1...4, #""end": ["empty-page"]"#),
        List(
            "an empty page with an error is an end",
            [
                "page=2": page(3...4), "page=3": page([], #""error":"no such page""#),
                "page=100001": page([], #""error":"no such page""#), "": page(1...2),
            ], gives: 1...4, #""end": ["empty-page"]"#),
        List(
            "an empty page with another error is none",
            [
                "page=2": page(3...4), "page=100001": page([], #""error":"quota exceeded""#), "": page(1...2),
            ], "a page past the end has $.error beside no records"),
        List(
            "a link to a page that isn't there ends with the total",
            [
                "page=2": page(4...5, #""total":5,"next":"/list?page=3""#), "page": "status=404",
                "": page(1...3, #""total":5,"next":"/list?page=2""#),
            ], gives: 1...5, #""total""#),
        List(
            "a number of pages that aren't there is believed no less than a total",
            [
                "page=9": page([], #""total_pages":9"#), "page=8": page([], #""total_pages":9"#),
                "page=100001": page([], #""total_pages":9"#), "page=2": page(3...4, #""total_pages":9"#),
                "": page(1...2, #""total_pages":9"#),
            ], "$.total_pages is 9, and the pages have another number"),
        List(
            "a parameter may be what cuts the list into pages", at: "/list?_page=1",
            [
                "_page=100001": page([]), "_page=1": page(1...2), "_page=2": page(3...4), "_page": page([]),
                "": page(1...4),
            ], gives: 1...4, #""parameter": "_page""#),
        List(
            "a later page of a list that comes whole without its parameter", at: "/list?_page=2",
            [
                "_page=100001": page([]), "_page=1": page(1...2), "_page=2": page(3...4), "_page": page([]),
                "": page(1...4),
            ], gives: 1...4, #""parameter": "_page""#),
        List(
            "a size of json-server's goes with its page", at: "/list?_limit=2",
            [
                "_page=100001": page([]), "_page=2": page(3...4), "_page=1": page(1...2), "_page": page([]),
                "": page(1...2),
            ],
            gives: 1...4, #""parameter": "_page""#),
        List(
            "a list that is whole keeps the size that was asked for", at: "/list?limit=1000",
            [
                "offset=2": page([], #""count":2"#), "offset=1": page(2...2, #""count":2"#),
                "": page(1...2, #""count":2"#),
            ], gives: 1...2, #""query": {"limit": "1000"}"#),
        List(
            "400 after all that the total counts is an end",
            ["page=3": "status=400", "page=2": page(3...4, #""total":4"#), "": page(1...2, #""total":4"#)],
            gives: 1...4, #""total""#),
        List(
            "a total that doesn't hold may stand beside a flag that does",
            [
                "page=3": page([], #""total":9,"has_more":false"#),
                "page=10": page([], #""total":9,"has_more":false"#),
                "page=2": page(3...4, #""total":9,"has_more":false"#),
                "": page(1...2, #""total":9,"has_more":true"#),
            ], "$.total is 9, and the pages have another number"),
        List(
            "two empty pages with cursors of their own may be followed by others",
            [
                "cursor=b": page(3...4, #""next":"c""#), "cursor=c": page([], #""next":"d""#),
                "cursor=d": page([], #""next":"e""#), "cursor=e": page(5...6, #""next":null"#),
                "": page(1...2, #""next":"b""#),
            ], gives: 1...6, #""next": "$.next"}"#),
        List(
            "as many as came are no total", at: "/list?page=1",
            ["": page(1...7, #""total":7"#)], "nothing shows that these"),
        List(
            "as many as came are none where more were asked for, either", at: "/list?limit=20&page=1",
            ["": page(1...10, #""total":10"#)], "nothing shows that these"),
        List(
            "fewer than were asked for may not be all", at: "/list?limit=50",
            ["limit=50&": "status=400", "&limit": "status=400", "": page(1...13)],
            "nothing shows that these 13 records are all"),
        List(
            "an empty page behind the first one may be that of a filter",
            [
                "mark=a": page([], #""total":2"#),
                "": page(1...2, #""total":2,"next_url":"/list?mark=a","next_mark":"a","request":{"mark":"*"}"#),
            ], "$.next_url is a URL of the list"),
        List(
            "a token may be a number, and go to a parameter of another name",
            [
                "pagination_token=7": page(4...5), "token=7": "status=400",
                "": page(1...3, #""meta":{"next_token":"7"}"#),
            ], gives: 1...5, #""parameter": "pagination_token""#),
        List(
            "one page is no number of pages", at: "/list?limit=10",
            ["": page(1...10, #""total_pages":1"#)], "10 is a round number of records"),
        List(
            "a total that no request is left to prove has to be reached by a run",
            [
                "offset=10": page(11...20, #""total":30"#), "offset=20": page(21...30, #""total":30"#),
                "offset=30": page([], #""total":30"#), "offset=9": page(10...19, #""total":30"#),
                "offset=18": page(19...28, #""total":30"#), "offset=27": page(28...30, #""total":30"#),
                "": page(1...10, #""meta":{"start":0},"total":30"#),
            ], gives: 1...30, #""total""#),
        List(
            "half of a full page shows how the list is paged", at: "/list?limit=10",
            [
                "tok=5": page(6...10, #""next":null"#), "limit=5": page(1...5, #""next":"/list?tok=5""#),
                "limit=3": page(1...3, #""next":"/list?tok=3""#),
                "": page(1...10, #""next":null"#),
            ], gives: 1...10, #""type": "none""#),
        List(
            "half of a page that is shorter than was asked for shows it, too", at: "/list?limit=60",
            [
                "limit=5&page=2": page(6...10), "page=1": page(1...10), "page=": page([]), "limit=5": page(1...5),
                "limit=3": page(1...3),
                "": page(1...10),
            ], gives: 1...10, #""query": {"limit": "60"}"#),
        List(
            "a flag ends a list whose last page is repeated",
            [
                "page=2": page(3...4, #""has_more":true"#), "page=10": page(5...6, #""has_more":false"#),
                "page=3": page(5...6, #""has_more":false"#), "": page(1...2, #""has_more":true"#),
            ], gives: 1...6, #""more": "$.has_more""#),
        List(
            "a link that has all in its token stays as it is", at: "/list?status=a&limit=2",
            [
                "status=a&token": "status=400", "token=c1&limit=2&status": "status=400",
                "token=c1": page(4...5), "": page(1...3, #""next":"/list?token=c1&limit=2""#),
            ], gives: 1...5, #""keepQuery": false"#),
        List(
            "a link may be a template",
            ["page=2": page(4...4), "": page(1...3, #""next":"/list?page=2{&sort}""#)], gives: 1...4, "next-url"),
        List(
            "a cursor without a value may end a full page", at: "/list?limit=10",
            [
                "after=5": page(6...10, #""after":null"#), "limit=5": page(1...5, #""after":"5""#),
                "limit=3": page(1...3, #""after":"3""#),
                "": page(1...10, #""after":null"#),
            ], gives: 1...10, #""type": "none""#),
        List(
            "half of a full page that leads nowhere says no more than the page", at: "/list?limit=10",
            ["limit=5": page(1...5, #""total":5"#), "": page(1...10, #""total":10"#)],
            "10 is a round number of records"),
        List(
            "a size beside the length of a page counts the list",
            [
                "page=2": page(3...4, #""size":5,"pagelen":2,"next":"/list?page=3""#),
                "page=3": page(5...5, #""size":5,"pagelen":2"#),
                "": page(1...2, #""size":5,"pagelen":2,"next":"/list?page=2""#),
            ], gives: 1...5, #""total": {"path": "$.size"}"#),
        List(
            "the header Link may name the last page",
            [
                "page=2": page([]),
                "": page(1...10) + ",header=Link: </list?page=2>; rel=next,header=Link: </list?page=4>; rel=last",
            ], "10 is a round number of records"),
        List(
            "the last record's id leads on in the order of the ids",
            ["after=10": page(11...13), "after=13": page([]), "after=9": page(10...13), "": page(1...10)],
            "no request was left to look for the end"),
        List(
            "a flag for more is true of the second page too",
            [
                "cursor=a": page(3...4, #""truncated":false,"cursor":"b""#),
                "cursor=b": page(5...6, #""truncated":false,"cursor":null"#),
                "": page(1...2, #""truncated":true,"cursor":"a""#),
            ], gives: 1...6, #""next": "$.cursor"}"#),
        List(
            "an offset that isn't there ends a list as an empty page does", at: "/list?offset=0",
            [
                "offset=13": "status=404", "offset=12": page(13...13, #""total":1"#),
                "": page(1...13, #""total":13"#),
            ], gives: 1...13, #""type": "offset""#),
        List(
            "400 after the number of pages is an end",
            ["page=3": "status=400", "page=2": page(3...4, #""pages":2"#), "": page(1...2, #""pages":2"#)],
            gives: 1...4, #""pages""#),
        List(
            "404 where the last page's cursor leads is an end",
            [
                "after=b": "status=404", "after=a": page(3...4, #""endCursor":"b","hasNextPage":false"#),
                "": page(1...2, #""endCursor":"a","hasNextPage":true"#),
            ], gives: 1...4, #""end": ["not-found"]"#),
        List(
            "a list whose service refuses far pages is read to its end",
            [
                "page=2": page(3...4, #""has_more":true"#), "page=3": page(5...5, #""has_more":false"#),
                "page=4": "status=400", "page=10": "status=400", "": page(1...2, #""has_more":true"#),
            ], gives: 1...5, #""more": "$.has_more""#),
        List(
            "a flag tells an empty page in the middle from the end",
            [
                "page=10": page([], #""zq":false"#), "page=2": page(3...4, #""zq":true"#),
                "page=3": page([], #""zq":true"#), "page=4": page(5...5, #""zq":false"#),
                "page=5": page([], #""zq":false"#), "": page(1...2, #""zq":true"#),
            ], gives: 1...5, #""more": "$.zq""#),
    ]

    @Test(arguments: lists)
    func `decides whether a list is learnt`(_ list: List) throws {
        let server = try LocalServer(faults: list.answers)
        let learnt = try LearnSession(server, list.target)
        #expect(learnt.run.status == (list.ids == nil ? 76 : 0), "\(learnt.run.errors)")
        #expect((list.ids == nil ? learnt.run.errors : learnt.run.text).contains(list.words), "\(learnt.run.text)")
        // Those that the service made it send again count too.
        let last = learnt.run.errors.matches(of: /request ([0-9]+) of at most 8/).last
        #expect(last?.1 == "\(learnt.requests.count)", "\(learnt.run.errors)")
        let run = try learnt.records(["--raw", "--seal"])
        guard let ids = list.ids else {
            #expect(run.status == 76 && !run.text.contains("$seal"), "\(run.errors)")
            return
        }
        let records = ids.map { #"{"id":\#($0)}"# }
        #expect(run.status == 0 && run.lines.dropLast() == records[...], "\(run.errors)")
    }

    @Test func `takes no id that comes twice in a long list`() throws {
        let folder = try ScratchFolder()
        let records = ((1...30_001) + [30_001]).map { #"{"id":\#($0)}"# }.joined(separator: ",")
        try folder.write("{\"next\":null,\"data\":[\(records)]}".utf8, to: "answer.json")
        let server = try LocalServer(faults: ["path=/list,body-file=\(folder.path("answer.json"))"])
        let learnt = try LearnSession(server, "/list")
        #expect(learnt.run.status == 76 && !learnt.run.text.contains("members"), "\(learnt.run.errors)")
    }

    @Test func `follows no picture of the service to another origin`() throws {
        let records = (1...3).map { #"{"id":\#($0),"image":"@BASE@/pic.png"}"# }.joined(separator: ",")
        let server = try LocalServer(faults: [
            "path=/pic.png,redirect=@ELSEWHERE@/images/fox.png",
            "path=/list," + FetchCharactersTests.body("{\"next\":null,\"data\":[\(records)]}"),
        ])
        let learnt = try LearnSession(server, "/list")
        #expect(learnt.run.status == 76 && learnt.run.errors.contains("left out: imageURL"), "\(learnt.run.errors)")
        #expect(!learnt.requests.contains { $0.target.contains("fox") })
    }

    @Test func `of header fields leaves enough requests for the list`() throws {
        let names = (1...7).map { "X-Own-\($0)" }
        let needed = names.map { "path=/list,without=\($0),status=400" }
        let server = try LocalServer(
            faults: needed + [
                "path=/list,query=page=3,\(Self.page([], #""total":4"#))",
                "path=/list,query=page=2,\(Self.page(3...4, #""total":4"#))",
                "path=/list,\(Self.page(1...2, #""total":4"#))",
            ])
        let fields = names.map { "-H '\($0): 1'" }.joined(separator: " ")
        let learnt = try Session(
            "fetch-characters", ["--learn", "curl \(server.url)/list \(fields)"],
            environment: LearnSession.environment)
        #expect(learnt.status == 0 && names.allSatisfy(learnt.text.contains), "\(learnt.errors)")
        #expect(try server.requests.count <= 12)
    }
}
