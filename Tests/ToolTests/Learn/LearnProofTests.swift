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
            ], "tok in the request selects a later page"),
        List(
            "the records at a number under an unknown name follow each other", at: "/list?jahr=0",
            ["jahr=1000000": page([]), "jahr=10": page(11...20), "": page(1...10)], "jahr doesn't count records"),
        List(
            "the second page isn't longer than the first", at: "/list?limit=2",
            ["blatt=2": page(4...6, #""next":null"#), "": page(1...2, #""next":"/list?blatt=2""#)],
            "$.next leads to no other records"),
        List(
            "empty pages lead on",
            [
                "cursor=a": page([], #""next_cursor":"b""#), "cursor=b": page(3...4, #""next_cursor":null"#),
                "": page(1...2, #""next_cursor":"a""#),
            ], gives: 1...4, "$.next_cursor"),
        List(
            "the second page leads on as the first does",
            ["cursor=a": page(3...4, #""next_page":{"cursor":"b"}"#), "": page(1...2, #""cursor":"a""#)],
            "in another way than the first"),
        List(
            "other records belong to the list",
            ["page=2": page(21...34), "page=1": page(41...54), "page=0": page(61...74), "": page(1...14)],
            "page=2 had other records"),
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
            ], "no total holds"),
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
            "one of the pages leads to itself, and nothing says that it is the last"),
        List(
            "no page leads to the first", at: "/list?tok=a",
            [
                "tok=a": page(1...2, #""total":5,"next":"/list?tok=b""#),
                "tok=b": page(3...4, #""total":5,"next":"/list?tok=a""#),
                "": page(1...2, #""total":5,"next":"/list?tok=b""#),
            ], "one of the pages leads to an earlier one"),
        List(
            "the last record's id leads on as long as a flag says so",
            [
                "starting_after=2": page(3...4, #""has_more":true"#),
                "starting_after=4": page(5...5, #""has_more":false"#), "": page(1...2, #""has_more":true"#),
            ], gives: 1...5, #""next": "$.data[-1].id""#),
        List(
            "a later page's request names the parameter of the last record's id", at: "/list?startingAfter=2",
            [
                "startingAfter=2": page(3...4, #""has_more":true"#),
                "startingAfter=4": page(5...5, #""has_more":false"#), "": page(1...2, #""has_more":true"#),
            ], gives: 1...5, #""next": "$.data[-1].id""#),
        List(
            "a cursor of Notion's goes to its own parameter",
            [
                "start_cursor=b": page(3...4, #""next_cursor":null,"has_more":false"#),
                "cursor=b": "status=400", "": page(1...2, #""next_cursor":"b","has_more":true"#),
            ], gives: 1...4, #""parameter": "start_cursor", "next": "$.next_cursor""#),
        List(
            "a cursor may have the name of a number",
            ["offset=itr7": page(3...4), "": page(1...2, #""offset":"itr7""#)], gives: 1...4,
            #""parameter": "offset", "next": "$.offset""#),
        List(
            "a number goes with the size of its kind", at: "/list?$top=2",
            [
                "%24skip=200000": page([]), "%24skip=2": page(3...4), "%24skip=1": page(2...3),
                "%24skip=3": page(4...4), "": page(1...2),
            ], gives: 1...4, #""parameter": "$skip""#),
        List(
            "a list of one page has a next one some day",
            ["page=2": page([]), "page=1": page(1...10), "": page(1...10)], gives: 1...10, #""type": "page""#),
        List(
            "a list of one page may have offsets", at: "/list?limit=20",
            ["offset=10": page([]), "offset=9": page(10...10), "page=2": page(1...10), "": page(1...10)],
            gives: 1...10, #""type": "offset""#),
        List(
            "a bare URL is the start of its list, and a flag is believed beside a cursor and a link back",
            ["": page(1...2, #""prev":"/list?before=1","endCursor":"b","hasNextPage":false"#)], gives: 1...2,
            #""more": "$.hasNextPage""#),
        List(
            "a list that moves isn't one that stays",
            [
                "": "times=1,\(page(1...2, #""next":"/list?page=2""#))",
                "": page(0...1, #""next":"/list?page=2""#),
            ], "run it again if the list changed in between"),
        List(
            "two pages show ids as more pages do",
            ["page=2": page(4...5, #""total":5"#), "": page(1...3, #""total":5"#)], gives: 1...5, #""id": "id""#),
        List(
            "links that lead on for ever end with an empty page",
            [
                "page=2": page(3...4, #""next":"/list?page=3""#), "page=3": page([], #""next":"/list?page=4""#),
                "page=1": page([], #""next":"/list?page=100001""#), "": page(1...2, #""next":"/list?page=2""#),
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
            ], gives: nil, "a page past it says: quota exceeded"),
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
            ], "$.total_pages says 9, and page 8 has no records"),
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
            ], gives: 1...2, #""value": 1000}"#),
        List(
            "400 after all that the total counts is an end",
            ["page=3": "status=400", "page=2": page(3...4, #""total":4"#), "": page(1...2, #""total":4"#)],
            gives: 1...4, #""total""#),
        List(
            "a total that doesn't hold may stand beside a flag that does",
            [
                "page=3": page([], #""total":9,"has_more":false"#),
                "page=5": page([], #""total":9,"has_more":false"#),
                "page=2": page(3...4, #""total":9,"has_more":false"#),
                "": page(1...2, #""total":9,"has_more":true"#),
            ], "correct total in the description, or remove it and name $.has_more in more"),
        List(
            "two empty pages with cursors of their own may be followed by others",
            [
                "cursor=b": page(3...4, #""next":"c""#), "cursor=c": page([], #""next":"d""#),
                "cursor=d": page([], #""next":"e""#), "cursor=e": page(5...6, #""next":null"#),
                "": page(1...2, #""next":"b""#),
            ], gives: 1...6, #""next": "$.next"}"#),
        List(
            "a total may show that the page in the request is the only one", at: "/list?page=1",
            ["": page(1...7, #""total":7"#)], gives: 1...7, #""total""#),
        List(
            "a total shows it where more were asked for, too", at: "/list?limit=20&page=1",
            ["": page(1...10, #""total":10"#)], gives: 1...10, #""total""#),
        List(
            "fewer than were asked for, and no usual number of them, are all", at: "/list?limit=50",
            ["limit=50&": "status=400", "&limit": "status=400", "": page(1...13)], gives: 1...13,
            #""assumed": true"#),
        List(
            "several members may lead to the empty page after the only one",
            [
                "mark=a": page([], #""total":2"#),
                "": page(1...2, #""total":2,"next_url":"/list?mark=a","next_mark":"a","request":{"mark":"*"}"#),
            ], gives: 1...2, #""type": "next-url""#),
        List(
            "a token may be a number, and go to a parameter of another name",
            [
                "pagination_token=7": page(3...4), "token=7": "status=400",
                "": page(1...2, #""meta":{"next_token":"7"}"#),
            ], gives: 1...4, #""parameter": "pagination_token""#),
        List(
            "a number of pages may show that as many as were asked for are all", at: "/list?limit=10",
            ["": page(1...10, #""total_pages":1"#)], gives: 1...10, #""type": "none""#),
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
                "": page(1...10, #""next":null"#),
            ], gives: 1...10, #""next": "$.next", "size": {"parameter": "limit", "value": 10}"#),
        List(
            "half of a page that is shorter than was asked for shows it, too", at: "/list?limit=60",
            [
                "page=2&limit=5": page(6...10), "page=2": page([]), "page=100001": page([]), "limit=5": page(1...5),
                "": page(1...10),
            ], gives: 1...10, #""query": {"limit": "60"}"#),
        List(
            "a service that gives fewer than it is asked for is asked for what it gives", at: "/list?limit=60",
            [
                "page=2&limit=5": page(6...10), "page=2&limit=60": page(11...13), "page=2&limit=10": page(11...13),
                "page=3": page([]), "page=100001": page([]), "limit=5": page(1...5), "": page(1...10),
            ], gives: 1...13, #""query": {"limit": "10"}"#),
        List(
            "a flag ends a list whose last page is repeated",
            [
                "page=2": page(3...4, #""has_more":true"#), "page=100001": page(5...6, #""has_more":false"#),
                "page=3": page(5...6, #""has_more":false"#), "": page(1...2, #""has_more":true"#),
            ], gives: 1...6, #""more": "$.has_more""#),
        List(
            "a link that has all in its token stays as it is", at: "/list?status=a&limit=2",
            [
                "status=a&token": "status=400", "token=c1&limit=2&status": "status=400",
                "token=c1": page(3...4), "": page(1...2, #""next":"/list?token=c1&limit=2""#),
            ], gives: 1...4, #""keepQuery": false"#),
        List(
            "a link may be a template",
            ["page=2": page(3...4), "": page(1...2, #""next":"/list?page=2{&sort}""#)], gives: 1...4, "next-url"),
        List(
            "a cursor without a value may end a full page", at: "/list?limit=10",
            [
                "after=5": page(6...10, #""after":null"#), "limit=5": page(1...5, #""after":"5""#),
                "": page(1...10, #""after":null"#),
            ], gives: 1...10, #""next": "$.after""#),
        List(
            "half of a full page that leads nowhere says no more than the page", at: "/list?limit=10",
            ["limit=5": page(1...5, #""total":5"#), "": page(1...10, #""total":10"#)], "limit=10 asks for 10"),
        List(
            "a size beside the length of a page counts the list",
            [
                "page=2": page(3...4, #""size":5,"pagelen":2,"next":"/list?page=3""#),
                "page=3": page(5...5, #""size":5,"pagelen":2"#),
                "": page(1...2, #""size":5,"pagelen":2,"next":"/list?page=2""#),
            ], gives: 1...5, #""total": {"path": "$.size"}"#),
        List(
            "a flag of the end may be empty", ["": page(1...10, #""batchcomplete":"""#)], gives: 1...10,
            #""type": "none""#),
        List(
            "the header Link may name the last page",
            [
                "page=2": page([]),
                "": page(1...10) + ",header=Link: </list?page=2>; rel=next,header=Link: </list?page=4>; rel=last",
            ], "names a later page than the next one as the last"),
        List(
            "the last record's id leads on in the order of the ids",
            ["after=10": page(11...13), "after=13": page([]), "": page(1...10)], gives: 1...13,
            #""parameter": "after", "next": "$.data[-1].id""#),
        List(
            "the last record's id leads back",
            ["before=11": page((1...10).reversed()), "before=1": page([]), "": page((11...20).reversed())],
            gives: 1...20, #""parameter": "before", "next": "$.data[-1].id""#),
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
            ], gives: 1...13, #""type": "offset", "parameter": "offset"}"#),
        List(
            "parameters that may be refused are tried in turn, offsets and pages",
            [
                "skip": "status=400", "p=2": page(11...13), "p=3": page([]), "p=100001": page([]),
                "p=1": page(1...10),
                "=": "status=400", "": page(1...10),
            ], gives: 1...13, #""parameter": "p""#),
        List(
            "400 after the number of pages is an end",
            ["page=3": "status=400", "page=2": page(3...4, #""pages":2"#), "": page(1...2, #""pages":2"#)],
            gives: 1...4, #""pages""#),
        List(
            "a flag is believed where the last page's cursor leads to nothing",
            [
                "after=b": "status=404", "after=a": page(3...4, #""endCursor":"b","hasNextPage":false"#),
                "": page(1...2, #""endCursor":"a","hasNextPage":true"#),
            ], gives: 1...4, #""more": "$.hasNextPage""#),
    ]

    static let refusing = [400, 404].map { status in
        List(
            "a list whose service refuses far pages with \(status) ends by its flag",
            [
                "page=2": page(3...4, #""has_more":true"#), "page=3": page(5...5, #""has_more":false"#),
                "page=100001": "status=\(status)", "": page(1...2, #""has_more":true"#),
            ], gives: 1...5, #""more": "$.has_more""#)
    }

    @Test(arguments: lists + refusing)
    func `decides whether a list is learnt`(_ list: List) throws {
        let server = try LocalServer(faults: list.answers)
        let learnt = try LearnSession(server, list.target)
        #expect(learnt.run.status == (list.ids == nil ? 76 : 0), "\(learnt.run.errors)")
        #expect((list.ids == nil ? learnt.run.errors : learnt.run.text).contains(list.words), "\(learnt.run.text)")
        // Those that the service made it send again count too.
        let last = learnt.run.errors.matches(of: /request ([0-9]+) of at most 8/).last
        #expect(last?.1 == "\(learnt.requests.count)", "\(learnt.run.errors)")
        guard let ids = list.ids else { return }
        let run = try learnt.records()
        let records = ids.map { #"{"id":\#($0)}"# }
        #expect(run.status == 0 && [records, records.reversed()].contains(run.lines), "\(run.errors)")
    }

    @Test func `takes no id that comes twice in a long list`() throws {
        let folder = try ScratchFolder()
        let records = ((1...30_001) + [30_001]).map { #"{"id":\#($0)}"# }.joined(separator: ",")
        try folder.write("{\"next\":null,\"data\":[\(records)]}".utf8, to: "answer.json")
        let server = try LocalServer(faults: ["path=/list,body-file=\(folder.path("answer.json"))"])
        let learnt = try LearnSession(server, "/list")
        #expect(learnt.run.status == 0 && !learnt.run.text.contains("members"), "\(learnt.run.errors)")
    }

    @Test func `follows no picture of the service to another origin`() throws {
        let records = (1...3).map { #"{"id":\#($0),"image":"@BASE@/pic.png"}"# }.joined(separator: ",")
        let server = try LocalServer(faults: [
            "path=/pic.png,redirect=@ELSEWHERE@/images/fox.png",
            "path=/list," + FetchCharactersTests.body("{\"next\":null,\"data\":[\(records)]}"),
        ])
        let learnt = try LearnSession(server, "/list")
        #expect(learnt.run.status == 0 && learnt.run.errors.contains("left out: imageURL"), "\(learnt.run.errors)")
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
