// Whole means whole: what makes an answer suspect, what asks again, and what a run that goes on needs.

import Foundation
import TestSupport
import Testing

@Suite struct FetchWholeTests {
    static let byPage =
        #""pagination":{"type":"page","parameter":"page","first":1,"size":{"parameter":"n","value":2}},"members":{"id":"id"}"#

    static func page(_ number: Int, _ body: String, _ more: String = "") -> String {
        "path=/list,page=\(number),\(more)\(FetchCharactersTests.body(body))"
    }

    /// A list of records with these ids and contents.
    static func list(_ ids: some Sequence<Int>, changed: [Int] = []) -> String {
        "[" + ids.map { #"{"id":\#($0),"n":"\#(changed.contains($0) ? "new" : "old")"}"# }.joined(separator: ",")
            + "]"
    }

    static func run(_ faults: [String], _ members: String, _ arguments: [String] = [], input: String = "") throws
        -> (run: Session, targets: [String])
    {
        let server = try LocalServer(faults: faults)
        let run = try FetchSource.run(
            server, try ScratchFolder(), members, ["--seal", "--jobs", "1"] + arguments, input: input)
        return (run, try server.requests.map(\.target))
    }

    @Test func `--twice finds what the first reading missed`() throws {
        let faults = [
            Self.page(1, Self.list(1...2)), Self.page(2, Self.list(4...4), "times=1,"),
            Self.page(2, Self.list(3...4)),
            Self.page(3, "[]"),
        ]
        let once = try Self.run(faults, Self.byPage)
        #expect(
            once.run.status == 0 && once.run.lines.last == #"{"$seal":{"records":3,"complete":true,"by":"count"}}"#)
        let twice = try Self.run(faults, Self.byPage, ["--twice"])
        #expect(twice.run.status == 0 && twice.run.errors.isEmpty, "\(twice.run.errors)")
        #expect(twice.run.lines.last == #"{"$seal":{"records":4,"complete":true,"by":"twice"}}"#)
        // Each reading looks behind the empty page.
        #expect(twice.targets.count == 11)
        // Without ids, what is like the page before may be the end of a list, but not where it is read again.
        let members =
            #""records":"d","pagination":{"type":"page","parameter":"page","size":{"parameter":"n","value":1},"total":{"path":"t"}}"#
        let short = [Self.page(1, #"{"t":1,"d":[{"n":1}]}"#), Self.page(2, #"{"t":1,"d":[]}"#)]
        #expect(try Self.run(short, members, ["--twice"]).targets.count == 4)
    }

    // MARK: One id, one record

    @Test func `a record that changed between two pages keeps its first version`() throws {
        let server = try LocalServer(faults: [
            Self.page(1, Self.list(1...12)), Self.page(2, Self.list(12...23, changed: [12]), "times=1,"),
            Self.page(2, Self.list(13...24)), Self.page(3, "[]"),
        ])
        let folder = try ScratchFolder()
        let members = Self.byPage.replacing(#""value":2"#, with: #""value":12"#)
        let run = try FetchSource.run(server, folder, members, ["--seal", "--report", "r"])
        #expect(
            run.status == 0 && run.errors.contains("1 record came twice with different content"), "\(run.errors)")
        #expect(run.lines.last == #"{"$seal":{"records":24,"complete":true,"by":"twice"}}"#)
        #expect(try FetchSource.texts("n", run).dropLast().allSatisfy { $0 == "old" })
        #expect(try folder.text("r").contains(#""repeated":1"#))
    }

    @Test func `a record that comes twice in two readings is one`() throws {
        let faults = [
            Self.page(1, Self.list(1...12)), Self.page(2, Self.list(12...23, changed: [12])), Self.page(3, "[]"),
        ]
        let (run, _) = try Self.run(faults, Self.byPage.replacing(#""value":2"#, with: #""value":12"#))
        #expect(
            run.status == 0 && run.errors.contains("1 record came twice with different content"), "\(run.errors)")
    }

    @Test(arguments: [[list(1...2), list(2...3, changed: [2])], [#"[{"id":2,"n":"a"},{"id":2,"n":"b"}]"#]])
    func `an id that isn't unique is 76`(pages: [String]) throws {
        let faults = pages.enumerated().map { Self.page($0 + 1, $1) }
        let (run, _) = try Self.run(faults, Self.byPage)
        #expect(run.status == 76 && !run.text.contains("$seal"))
        #expect(
            run.errors.contains("id 2 came twice with different content; the id isn't unique"), "\(run.errors)")
    }

    // MARK: Ages

    @Test func `pages of one list are of one age`() throws {
        let fresh = "header=Cache-Control: max-age=600"
        let records = (1...3).map { #"{"_id":\#($0),"name":"New"}"# }.joined(separator: ",")
        let changed = FetchCharactersTests.body(#"{"info":{"totalPages":3},"data":[\#(records)]}"#)
        let server = try LocalServer(faults: ["page=1,times=4,\(fresh)", "page=1,\(changed)", fresh])
        let folder = try ScratchFolder()
        let cache = ["--cache", folder.path("cache"), "--jobs", "1"]
        func pages(_ arguments: [String], status: Int32 = 0) throws -> [String] {
            let before = try server.requests.count
            let run = try FetchCharactersTests.fetch(server, cache + arguments)
            #expect(run.status == status, "\(run.errors)")
            return try server.requests.dropFirst(before).compactMap {
                $0.target.firstMatch(of: /page=(\d)/).map { String($0.output.1) }
            }
        }
        #expect(try pages(["--limit", "3"]) == ["1"])
        // Parts of a list are no list.
        #expect(try pages(["--offline"], status: 69) == [])
        #expect(try pages(["--max-age", "1h"]) == ["1", "2", "3"])
        // Now one run has all of them.
        #expect(try pages(["--offline"]) == [])
        #expect(try pages(["--max-age", "1h"]) == [])
        #expect(try pages([]) == ["1", "2", "3"])
        // A page that is the same in a later run is still one of them.
        #expect(try pages(["--limit", "3"]) == ["1"])
        #expect(try pages(["--offline"]) == [])
        // One that has changed isn't.
        #expect(try pages(["--limit", "3"]) == ["1"])
        #expect(try pages(["--offline"], status: 69) == [])
    }

    // MARK: Ends

    @Test(
        arguments: [
            ("Link: </list?page=2>; rel='next'", 0), ("Link: /list?page=2; rel=next", 76),
            ("Link: </list?page=2; rel=next", 76), ("Link: </list?page=2> rel=next", 76),
        ] as [(String, Int32)])
    func `a link that can't be read isn't the end`(field: String, status: Int32) throws {
        let members = #""pagination":{"type":"link-header"},"members":{"id":"id"}"#
        let (run, targets) = try Self.run(
            [Self.page(2, Self.list(3...3)), Self.page(1, Self.list(1...2), "header=\(field),")]
                + ["path=/list,header=\(field),\(FetchCharactersTests.body(Self.list(1...2)))"], members)
        #expect(run.status == status && run.text.contains("$seal") == (status == 0), "\(run.errors)")
        #expect(targets.count == (status == 0 ? 2 : 1))
    }

    @Test func `a filter in more asks whether a node is there`() throws {
        let members = #"""
            "records":"$.d","pagination":{"type":"page","parameter":"page","more":"$[?$.is_last == false]"},
            "members":{"id":"id"}
            """#
        let (run, targets) = try Self.run(
            (1...3).map { Self.page($0, #"{"d":\#(Self.list($0...$0)),"is_last":\#($0 == 3)}"#) }, members)
        #expect(run.status == 0 && run.lines.count == 4 && targets.count == 3, "\(run.errors)")
    }

    @Test(
        arguments: [(#"{"error":"too fast"}"#, 76), ("{}", 0), (#"{"count":9}"#, 0)] as [(String, Int32)])
    func `a page with none of the members is no empty one`(last: String, status: Int32) throws {
        let members = #""records":"$.items[*]","# + Self.byPage
        let (run, _) = try Self.run(
            [Self.page(1, #"{"count":9,"items":\#(Self.list(1...2))}"#), Self.page(2, last)], members)
        #expect(run.status == status && run.text.contains("$seal") == (status == 0), "\(run.errors)")
    }

    @Test(
        arguments: [
            ("$", [1: #"[{"id":1}]"#, 2: #"{"message":"slow down"}"#], 76),
            ("$", [1: #"[{"id":1}]"#, 2: #"{"id":2}"#], 0),
            ("$", [1: #"{"message":"slow down"}"#, 2: #"[{"id":2}]"#], 76),
            ("d", [1: #"{"d":[{"id":1}]}"#, 2: #"{"d":{"error":{"message":"slow down"}}}"#], 76),
            ("d[*]", [1: #"{"d":[{"id":1}]}"#, 2: #"{"d":{"error":"slow down"}}"#], 76),
            ("$[*]", [1: #"[{"id":1}]"#, 2: #"{"message":"slow down"}"#], 76),
            ("$[*]", [1: #"{"a":{"id":1}}"#, 2: #"{"b":{"id":2}}"#], 0),
        ] as [(String, [Int: String], Int32)])
    func `an object in place of an array is a record only if it is like the others`(
        path: String, pages: [Int: String], status: Int32
    ) throws {
        let isOfObjects = pages[1]?.hasPrefix("{\"a\"") == true
        let ends = ["$": "[]", "$[*]": isOfObjects ? "{}" : "[]"]
        let end = ends[path] ?? #"{"d":[]}"#
        let (run, _) = try Self.run(
            pages.map { Self.page($0, $1) } + [Self.page(3, end)],
            #""records":"\#(path)","# + Self.byPage)
        #expect(run.status == status && run.text.contains("$seal") == (status == 0), "\(run.errors)")
        #expect(status == 0 || run.errors.contains("where other responses have an array, in '"), "\(run.errors)")
    }

    @Test(
        arguments: [
            (#""error":"slow down""#, "", 76), (#""x":[{"y":0}]"#, "", 76), (#""a":{"b":{"c":0}}"#, "", 76),
            (#""error":null,"errors":[],"x":"","y":{},"z":false"#, "", 0), (#""k":"other""#, "", 0),
            (#""previous":"/list?page=1""#, "", 0), (#""error":"no more""#, #""end":["empty-page"],"#, 0),
        ] as [(String, String, Int32)])
    func `a last page without records that has what none before it had is none`(
        member: String, end: String, status: Int32
    ) throws {
        let members = #""records":"d","# + Self.byPage.replacing(#""first""#, with: end + #""first""#)
        let pages = [Self.page(1, #"{"d":\#(Self.list(1...2)),"k":1}"#), Self.page(2, #"{"d":[],\#(member)}"#)]
        let (run, _) = try Self.run(pages, members)
        #expect(run.status == status && run.text.contains("$seal") == (status == 0), "\(run.errors)")
        #expect(status == 0 || run.errors.contains(", which no page before it had"), "\(run.errors)")
    }

    @Test(arguments: [
        #""papers":900"#, #""folders":3"#, #""unlimited":true"#, #""chapter":"1 of 12""#, #""next":"/l?page=2""#,
        #""has_more":true"#, #""partial":true"#, #""error":"slow down""#, #""success":false"#, #""total":45"#,
    ])
    func `what a description doesn't name says nothing beside records`(member: String) throws {
        let body = FetchCharactersTests.body("{\"d\":[{\"id\":1,\"next\":\"/l\"}],\(member)}")
        let (run, _) = try Self.run(["path=/list,\(body)"], #""records":"d","members":{}"#)
        #expect(run.status == 0 && run.text.contains("$seal"), "\(run.errors)")
        let pages = [
            Self.page(1, #"{"d":\#(Self.list(1...2))}"#), Self.page(2, #"{"d":\#(Self.list(3...4)),\#(member)}"#),
        ]
        let paged = try Self.run(pages + [Self.page(3, #"{"d":[]}"#)], #""records":"d","# + Self.byPage).run
        #expect(paged.status == 0 && paged.text.contains("$seal"), "\(paged.errors)")
    }

    @Test(arguments: ["assumed", "beside"]) func `a list that may not be whole is sealed by nobody`(kind: String)
        throws
    {
        let body = FetchCharactersTests.body(#"{"d":[{"id":1}],"left":41}"#)
        let member = kind == "beside" ? #","beside":{"$.left":"nothing"}"# : ""
        let pagination = #""pagination":{"type":"none"\#(kind == "beside" ? "" : #","assumed":true"#)}"#
        let members = #""records":"d",\#(pagination),"members":{"id":"id"}\#(member)"#
        let (server, folder) = (try LocalServer(faults: ["path=/list,\(body)"]), try ScratchFolder())
        let finding = kind == "beside" ? "$.left now, which had no value" : "nothing shows that this record is all"
        for seal in [[], ["--seal"]] {
            let run = try FetchSource.run(server, folder, members, seal)
            #expect(run.status == (kind == "beside" || !seal.isEmpty ? 76 : 0) && !run.text.contains("$seal"))
            #expect(run.errors.contains(finding) && run.errors.split(separator: "\n").count == 1, "\(run.errors)")
        }
    }

    @Test func `a list ends no earlier than at the page that the header Link names as the last`() throws {
        let links = "header=Link: </list?page=2>; rel=next,header=Link: </list?page=4>; rel=last,"
        let server = try LocalServer(faults: [
            Self.page(2, "[]"), "path=/list,\(links)\(FetchCharactersTests.body(Self.list(1...2)))",
        ])
        let folder = try ScratchFolder()
        let members = #""pagination":{"type":"link-header"},"members":{"id":"id"}"#
        // The second run begins where the first one was.
        for _ in 1...2 {
            let run = try FetchSource.run(server, folder, members, ["--state", "st"])
            #expect(run.status == 76 && run.errors.contains("names a later one as the last"), "\(run.errors)")
        }
        #expect(try server.requests.map(\.target) == ["/list", "/list?page=2", "/list?page=2"])
    }

    @Test(arguments: [Self.page(2, #"{"d":[]}"#), "path=/list,page=2,status=404"])
    func `a page after the empty one may show that the list goes on`(second: String) throws {
        let pages = [
            Self.page(1, "{\"d\":\(Self.list(1...2))}"), second, Self.page(3, "{\"d\":\(Self.list(5...6))}"),
        ]
        let (run, _) = try Self.run(pages, #""records":"d","# + Self.byPage, ["--jobs", "4"])
        #expect(run.status == 76 && run.errors.contains("one after it has 2"), "\(run.errors)")
    }

    @Test(
        arguments: [
            (Self.page(3, "{}", "status=503,"), 69, "the page after page 2, which has no new records"),
            (Self.page(3, "{}", "status=410,"), 0, ""), (Self.page(3, #"{"d":[]}"#), 76, "an empty one after it"),
            (Self.page(3, "<p>down</p>"), 75, "after page 2"),
            (Self.page(3, "{\"d\":\(Self.list(5...6))}"), 76, "one after it has 2"),
        ] as [(String, Int32, String)], ["1", "4"])
    func `what follows the empty page after a full one is looked at`(
        third: (page: String, status: Int32, finding: String), jobs: String
    ) throws {
        let pages = [Self.page(1, "{\"d\":\(Self.list(1...2))}"), "path=/list,page=2,status=404", third.page]
        let run = try Self.run(pages, #""records":"d","# + Self.byPage, ["--jobs", jobs, "--retries", "0"]).run
        #expect(
            run.status == third.status && run.errors.contains(third.finding) == (third.status != 0), "\(run.errors)"
        )
    }

    /// Pages of two records, and some that are missing, empty or none.
    private static func randomPages(_ random: inout SplitMix64) -> [String] {
        (1...6).map { number in
            let records = "{\"d\":\(list(2 * number - 1...2 * number))}"
            switch number == 1 ? 5 : Int.random(in: 0...6, using: &random) {
            case 0, 1: return "path=/list,page=\(number),status=404"
            case 2: return page(number, #"{"d":[]}"#)
            case 3: return page(number, "{\"d\":\(list(number...number))}")
            case 4: return "path=/list,page=\(number),status=400"
            default: return page(number, records)
            }
        }
    }

    @Test(arguments: 0..<16) func `the number of jobs changes nothing`(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let pages = Self.randomPages(&random) + ["path=/list,status=404"]
        let members = #""records":"d","# + Self.byPage
        let runs = try ["1", "4"].map { try Self.run(pages, members, ["--jobs", $0, "--retries", "0"]).run }
        #expect(runs[0].status == runs[1].status && runs[0].text == runs[1].text, "\(runs.map(\.errors)) \(pages)")
    }

    @Test func `a list that ends after a full page is read from the cache without the service`() throws {
        let pages = [
            Self.page(1, "{\"d\":\(Self.list(1...2))}"), Self.page(2, #"{"d":[]}"#), "path=/list,status=503",
        ]
        let (server, folder) = (try LocalServer(faults: pages), try ScratchFolder())
        let members = #""records":"d","# + Self.byPage
        let arguments = ["--cache", "cache", "--jobs", "1", "--retries", "0", "--seal"]
        #expect(try FetchSource.run(server, folder, members, arguments).status == 69)
        let later = try LocalServer(faults: pages.dropLast() + [Self.page(3, #"{"d":[]}"#)])
        #expect(try FetchSource.run(later, folder, members, arguments).status == 0)
        let run = try FetchSource.run(later, folder, members, arguments + ["--offline"])
        #expect(run.status == 0 && run.lines.count == 3, "\(run.errors)")
        #expect(try later.requests.count == 3)
    }

    @Test func `ids that differ in white space alone are those of two records`() throws {
        let (run, _) = try Self.run(
            ["path=/list," + FetchCharactersTests.body(#"[{"id":"a"},{"id":"a "}]"#)], #""members":{"id":"id"}"#)
        #expect(run.status == 0 && run.lines.count == 3, "\(run.text) \(run.errors)")
    }

    @Test(
        arguments: [
            ("Link: </l?page=2>; rel=next", 76), ("Link: </l?page=2>; rel:next", 76),
            ("Link: </s.css>; rel=preload", 0),
            ("Content-Range: items 0-0/45", 76), ("Content-Range: items 0-0/1", 0),
            ("Content-Range: pages 0-0/45", 0),
            ("X-Total-Count: 45", 0), ("X-Total-Pages: 3", 0), ("X-Next-Page: 2", 0), ("X-Has-More: true", 0),
            (#"X-Cache-Hits: 0\, 0"#, 0), ("Warning: 299 - truncated", 0),
        ] as [(String, Int32)])
    func `a response isn't the only one where a header field of a protocol says so`(
        field: String, status: Int32
    ) throws {
        let (run, _) = try Self.run(
            ["path=/list,header=\(field)," + FetchCharactersTests.body(#"[{"id":1}]"#)], #""members":{}"#)
        #expect(run.status == status && run.text.contains("$seal") == (status == 0), "\(run.errors)")
    }

    @Test(arguments: [(0, 76), (9, 76), (10, 0), (18, 0)] as [(Int, Int32)])
    func `a list whose total falls far in each reading isn't whole`(total: Int, status: Int32) throws {
        let members = Self.byPage.replacing(#""first""#, with: #""total":{"path":"t"},"first""#)
        let (run, _) = try Self.run(
            [
                Self.page(1, #"{"d":\#(Self.list(1...18)),"t":20}"#), Self.page(2, #"{"d":[],"t":\#(total)}"#),
            ], #""records":"d","# + members)
        #expect(run.status == status && run.text.contains("$seal") == (status == 0), "\(run.errors)")
        #expect(
            status == 0 || run.errors.contains("its total fell from 20 to \(total) each time"), "\(run.errors)")
    }

    @Test func `a page that is longer than those before begins elsewhere`() throws {
        let members = Self.byPage.replacing(
            #""type":"page","parameter":"page","first":1"#, with: #""type":"next-url","next":"next""#)
        let (run, _) = try Self.run(
            [
                Self.page(2, #"{"d":\#(Self.list(6...10))}"#),
                "path=/list," + FetchCharactersTests.body(#"{"d":\#(Self.list(1...2)),"next":"/list?page=2&n=5"}"#),
            ], #""records":"d","# + members)
        #expect(
            run.status == 76 && run.errors.contains("page 2 has 5 records, not 2"), "\(run.errors)")
    }

    // MARK: Parents

    @Test(
        arguments: [
            (["a", "b", "c"], 0, 2), (["b", "c"], 76, 0), (["e", "a"], 76, 0), (["a", "e"], 76, 2),
        ] as [([String], Int32, Int)])
    func `a parent whose answer lacks the list has none, if another has one`(
        parents: [String], status: Int32, count: Int
    ) throws {
        let answers = [
            "a": #"{"k":1,"items":\#(Self.list(1...2))}"#, "b": #"{"k":1}"#, "c": "{}", "e": #"{"error":1}"#,
        ]
        let faults = answers.map { "query=of=\($0),\(FetchCharactersTests.body($1))" }
        let (run, _) = try Self.run(
            faults, #""records":"items","each":{"parameter":"of"},"members":{"id":"id"}"#, ["--each", "id"],
            input: parents.map { "{\"id\":\"\($0)\"}\n" }.joined())
        #expect(run.status == status && run.text.contains("$seal") == (status == 0), "\(run.errors)")
        #expect(run.lines.count { $0.contains(#""id""#) } == count)
    }

    @Test func `the only list of a run isn't missing`() throws {
        let (run, _) = try Self.run([Self.page(1, #"{"k":1}"#)], #""records":"items","# + Self.byPage)
        #expect(run.status == 76 && run.errors.contains("sent a response with k, but no 'items'"), "\(run.errors)")
    }

    @Test func `each value that a path of --each finds has a list`() throws {
        let (run, targets) = try Self.run(
            ["path=/list,\(FetchCharactersTests.body(Self.list(1...1)))"],
            #""each":{"parameter":"of"},"members":{"id":"id"}"#, ["--each", "films[*]"],
            input: #"{"films":["a","b","a"]}"# + "\n" + #"{"films":["c"]}"# + "\n")
        #expect(run.status == 0 && run.lines.count == 4, "\(run.errors)")
        #expect(targets == ["/list?of=a", "/list?of=b", "/list?of=c"])
    }

    // MARK: Requests

    @Test func `a link to the next page gets back what the first request had`() throws {
        let server = try LocalServer(faults: [
            Self.page(2, #"{"d":[{"id":3}]}"#),
            "path=/list," + FetchCharactersTests.body(#"{"d":[{"id":1},{"id":2}],"next":"/list?page=2"}"#),
        ])
        let folder = try ScratchFolder()
        let text = """
            {"name":"s","baseURL":"\(server.url)","path":"/list?kind=k&lang=de","records":"d","query":{"t":"{t}"},
             "pagination":{"type":"next-url","next":"next","keepQuery":true,"size":{"parameter":"n","value":2}},
             "members":{"id":"id"}}
            """
        let run = try Session(
            "fetch-characters",
            [
                "--source", try FetchSource.file(text, folder), "--param", "t=5", "--param", "kind=z",
                "--page-size", "3",
            ])
        #expect(run.status == 0 && run.lines.count == 3, "\(run.errors)")
        let queries = try server.requests.map {
            Set($0.target.split(separator: "?").last?.split(separator: "&") ?? [])
        }
        // A parameter replaces the one in the path, which is sent once.
        #expect(queries == [["kind=z", "lang=de", "t=5", "n=3"], ["page=2", "kind=z", "lang=de", "t=5", "n=3"]])
        #expect(try server.requests.allSatisfy { $0.target.components(separatedBy: "kind=").count == 2 })
    }

    // MARK: A run that goes on

    @Test func `the output has to have the records of the earlier run`() throws {
        let server = try LocalServer(faults: ["page=3,times=1,status=404"])
        let script = """
            fetch='fetch-characters --base-url \(server.url) --rate 1000000/second --cache none --state st --jobs 1'
            $fetch >list; echo $?; $fetch >list; echo $?; wc -c <list; $fetch | wc -l
            """
        let run = try Session.script(script)
        #expect(run.lines == ["76", "65", "0", "20"], "\(run.errors)")
        #expect(
            run.errors.contains(
                "the 100 records of the earlier run aren't in this output; append to them with >>, or if they are gone remove st "
                    + "to start over"
            ))
        #expect(run.errors.hasSuffix("warning: the first 100 records went to the output of the earlier run\n"))
        #expect(try server.requests.count == 4)
    }
}
