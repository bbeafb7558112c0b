// The ends of lists against services that have each of them, killed in the middle and started again.

import TestSupport
import Testing

@Suite struct FetchEndTests {
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    /// A list of the local server, and a description of its end.
    struct List: CustomTestStringConvertible, Sendable {
        let path: String
        /// The members of the description besides its name and members.
        let description: String
        /// What shows that it is whole.
        var proof = ""
        var count = 45

        var testDescription: String { path }

        var text: String {
            """
            {"name": "x", "baseURL": "http://h", "path": "\(path)", "members": {"id": "id", "name": "name"},
             \(description)}
            """
        }
    }

    static let size = #""size": {"parameter": "n", "value": 10}"#
    static let data = #""records": "data", "pagination""#
    static let body = #""method": "POST", "body": {"query": "q", "variables": {"page": 1, "after": null}}"#

    static let lists = [
        List(
            path: "/ends/capped/pages", description: #"\#(data): {"type": "page", "parameter": "page", \#(size)}"#,
            proof: "count"),
        List(
            path: "/ends/capped/offsets",
            description: #"\#(data): {"type": "offset", "parameter": "from", \#(size)}"#, proof: "overlap"),
        List(
            path: "/ends/capped/counted",
            description:
                #"\#(data): {"type": "offset", "parameter": "from", \#(size), "total": {"path": "total"}}"#,
            proof: "overlap"),
        List(
            path: "/ends/flag",
            description: """
                \(body), "records": "$.data.Page.characters",
                "pagination": {"type": "page", "parameter": {"body": "$.variables.page"},
                    "size": {"parameter": {"body": "$.variables.perPage"}, "value": 10},
                    "more": "$.data.Page.pageInfo.hasNextPage"}
                """, proof: "count"),
        List(
            path: "/ends/cursor",
            description: """
                "query": {"cursor": "*"}, "records": "$.message.items",
                "pagination": {"type": "cursor", "parameter": "cursor", "next": "$.message['next-cursor']",
                    "size": {"parameter": "rows", "value": 10}, "total": {"path": "$.message['total-results']"},
                    "end": ["empty-page"]}
                """, proof: "cursor"),
        List(
            path: "/ends/cursor",
            description: """
                "query": {"cursor": "*"}, "records": "$.message.items",
                "pagination": {"type": "cursor", "parameter": "cursor", "next": "$.message['next-cursor']",
                    "size": {"parameter": "rows", "value": 9}, "end": ["same-cursor"]}
                """, proof: "cursor"),
        List(
            path: "/ends/graph",
            description: """
                \(body), \(data): {"type": "cursor", "parameter": {"body": "$.variables.after"}, "next": "after",
                    "size": {"parameter": {"body": "$.variables.first"}, "value": 10}, "more": "more"}
                """, proof: "cursor"),
        List(
            path: "/ends/together",
            description: """
                \(data): {"type": "cursor", "next": {"values": {"from": "$.continue.from", "continue": "$.continue.continue"}},
                    \(size)}
                """, proof: "cursor"),
        List(
            path: "/ends/header",
            description: #"\#(data): {"type": "next-url", "next": {"header": "X-Next"}, \#(size)}"#, proof: "count"),
        List(
            path: "/gaps/shows",
            description: """
                "records": "$", "pagination": {"type": "page", "parameter": "page", "first": 0, "end": ["not-found"]}
                """, proof: "count", count: 30),
    ]

    @Test(arguments: lists, ["1", "4"]) func `a list is read to its end`(list: List, jobs: String) throws {
        let file = try FetchSource.file(list.text, folder)
        let run = try FetchSource.fetch(LocalServer(), file, at: "", ["--seal", "--jobs", jobs, "--cache", "none"])
        #expect(run.status == 0 && run.errors == "", "\(run.errors)")
        #expect(run.lines.last == FetchStateTests.seal(of: list.count, by: list.proof, last: list.count + 1))
        #expect(try Set(FetchSource.texts("id", run).compactMap { $0 }).count == list.count)
    }

    @Test(arguments: lists.indices) func `a list that is left off anywhere is read to its end`(index: Int) throws {
        let list = Self.lists[index]
        var random = SplitMix64(seed: UInt64(index))
        let server = try LocalServer(faults: ["delay=50ms"])
        let file = try FetchSource.file(list.text, folder)
        let arguments = [
            "--source", file, "--base-url", server.url, "--rate", "1000000/second", "--state", folder.path("state"),
            "--seal", "--cache", "none", "--jobs", "\(1 + index % 4)",
        ]
        let (output, last, _, errors, _) = try FetchStateTests.untilDone(arguments, folder) {
            Int.random(in: 1...20, using: &random)
        }
        #expect(errors.contains("warning: the first ") && errors.count { $0 == "\n" } == 1, "\(errors)")
        #expect(output.last == FetchStateTests.seal(of: list.count, by: list.proof, last: last))
        // Its page may come again where it was under way when the run was killed.
        let ids = Set(output.dropLast().map { $0.split(separator: "\"name\"").first ?? "" })
        #expect(ids.count == list.count)
    }

    @Test func `an end that is a page that isn't there is recorded and played back`() throws {
        let server = try LocalServer()
        let list = try #require(Self.lists.last)
        let file = try FetchSource.file(list.text, folder)
        let recorded = try FetchSource.fetch(server, file, at: "", ["--seal", "--record", folder.path("r")])
        let played = try FetchSource.fetch(server, file, at: "", ["--seal", "--replay", folder.path("r")])
        #expect(played.status == 0 && played.text == recorded.text, "\(played.errors)")
    }

    static let unfinished: [(list: List, words: String)] = [
        (
            List(
                path: "/ends/same",
                description:
                    #"\#(data): {"type": "page", "parameter": "page", "size": {"parameter": "n", "value": 9}}"#),
            "page 6 repeats page 5; got 45"
        ),
        (
            List(path: "/ends/same", description: #"\#(data): {"type": "page", "parameter": "p", \#(size)}"#),
            "page 2 repeats page 1; got 10"
        ),
        (
            List(
                path: "/ends/last",
                description: #"\#(data): {"type": "page", "parameter": "page", \#(size), "last": 3}"#),
            "the service sends only 3 pages, and the list is longer; got 30; ask for less"
        ),
        (
            List(
                path: "/ends/last",
                description:
                    #"\#(data): {"type": "page", "parameter": "page", \#(size), "last": 3, "pages": {"path": "pages"}}"#
            ),
            "or take those alone with --limit 30"
        ),
        (
            List(
                path: "/ends/cursor",
                description: """
                    "records": "$.message.items",
                    "pagination": {"type": "cursor", "parameter": "cursor", "next": "$.message['next-cursor']"}
                    """), "page 6 leads back to an earlier one"
        ),
    ]

    @Test(arguments: unfinished.indices) func `what isn't the end is 76`(index: Int) throws {
        let (list, words) = Self.unfinished[index]
        let file = try FetchSource.file(list.text, folder)
        let run = try FetchSource.fetch(LocalServer(), file, at: "", ["--seal", "--cache", "none"])
        #expect(run.status == 76 && run.errors.contains(words), "\(run.errors)")
        #expect(!run.lines.contains { $0.contains("$seal") })
    }

    @Test(arguments: [
        ("page", 10, 0, 45, ""), ("page", 9, 76, 54, "page 6 repeats page 5"),
        ("p", 10, 76, 20, "page 2 repeats page 1"),
    ])
    func `different records without ids that come again in their order are the same`(
        parameter: String, size: Int, status: Int32, lines: Int, words: String
    ) throws {
        let description = """
            {"name": "x", "baseURL": "http://h", "path": "/ends/echo", "members": {"name": "name"}, \(Self.data):
             {"type": "page", "parameter": "\(parameter)", "size": {"parameter": "n", "value": \(size)}}}
            """
        let file = try FetchSource.file(description, folder)
        let run = try FetchSource.fetch(LocalServer(), file, at: "", ["--cache", "none"])
        #expect(run.status == status && run.errors.contains(words), "\(run.errors)")
        #expect(run.lines.count == lines)
    }

    @Test func `any page requested ahead shows that a list goes on`() throws {
        let server = try LocalServer(faults: [6, 7, 12].map { "query=from=\($0)&,status=404" })
        let description =
            #"\#(Self.data): {"type": "offset", "parameter": "from", "size": {"parameter": "n", "value": 7}}"#
        let file = try FetchSource.file(List(path: "/ends/capped/offsets", description: description).text, folder)
        let run = try FetchSource.fetch(server, file, at: "", ["--cache", "none", "--jobs", "3"])
        #expect(run.status == 76 && run.errors.contains("and one after it has 7"), "\(run.errors)")
    }

    @Test func `the last pages that a service gives may be asked for alone`() throws {
        let server = try LocalServer()
        let list = Self.unfinished[3].list
        let file = try FetchSource.file(list.text, folder)
        let run = try FetchSource.fetch(server, file, at: "", ["--limit", "30", "--cache", "none"])
        #expect(run.status == 0 && run.lines.count == 30, "\(run.errors)")
        #expect(try server.requests.allSatisfy { !$0.target.contains("page=4") })
        let plan = try FetchSource.fetch(server, file, at: "", ["--plan", "--limit", "50"])
        #expect(plan.lines.count == 4 && plan.lines.last?.contains(#""requests":3"#) == true)
    }

    @Test func `a page isn't larger than the service gives`() throws {
        let description = """
            {"name": "x", "baseURL": "http://h", "records": "data", "pagination":
             {"type": "page", "parameter": "page", "size": {"parameter": "n", "value": 10, "max": 100}}}
            """
        let file = try FetchSource.file(description, folder)
        for (size, status) in [("100", 0), ("101", 64), ("1000001", 64)] as [(String, Int32)] {
            let run = try Session("fetch-characters", ["--source", file, "--plan", "--page-size", size])
            #expect(run.status == status, "\(run.errors)")
            if size == "101" {
                #expect(run.errors.contains("--page-size 101 is more than x allows; write at most 100"))
            }
        }
    }

    @Test(arguments: ["1", "4"]) func `what comes is the same however many pages are asked for ahead`(jobs: String)
        throws
    {
        let server = try LocalServer()
        let file = try FetchSource.file(Self.lists[1].text, folder)
        let run = try FetchSource.fetch(server, file, at: "", ["--jobs", jobs, "--cache", "none"])
        #expect(try FetchSource.texts("id", run) == (1...45).map { "\($0)" })
        let offsets = try server.requests.compactMap {
            $0.target.firstMatch(of: /from=(\d+)/).flatMap { Int($0.output.1) }
        }
        // Those that follow from the pages that came, a record early; after the last one those in flight.
        #expect(Set(offsets).isSuperset(of: [0, 6, 12, 18, 24, 30, 36, 42, 44]))
        #expect(offsets.allSatisfy { $0 % 6 == 0 || $0 == 44 } && offsets.count <= 13, "\(offsets)")
    }
}
