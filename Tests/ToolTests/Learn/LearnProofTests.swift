// What has to hold before a part of a description counts as proved: lists that would be learnt wrong, or not at all,
// without one of the checks.

import Foundation
import TestSupport
import Testing

@Suite("A proof of --learn")
struct LearnProofTests {
    /// Records with these ids, and other members of the answer before them.
    private static func page(_ ids: some Sequence<Int>, _ members: String = "") -> String {
        let records = ids.map { #"{"id":\#($0)}"# }.joined(separator: ",")
        return FetchCharactersTests.body("{\(members)\(members.isEmpty ? "" : ",")\"data\":[\(records)]}")
    }

    /// A server of one list: its answers by a part of the query; without one, to any other request.
    private static func server(_ answers: KeyValuePairs<String, String>) throws -> LocalServer {
        try LocalServer(
            faults: answers.map { "path=/list,\($0.key.isEmpty ? "" : "query=\($0.key),")\($0.value)" })
    }

    private static func learnt(_ learnt: LearnSession, _ ids: ClosedRange<Int>) throws {
        #expect(learnt.run.status == 0 && learnt.requests.count <= 8, "\(learnt.run.errors)")
        let run = try learnt.records()
        #expect(run.status == 0 && run.lines == ids.map { #"{"id":\#($0)}"# }, "\(run.errors)\(learnt.run.text)")
    }

    private static func unlearnt(_ learnt: LearnSession, _ words: String) {
        #expect(learnt.run.status == 76 && learnt.run.errors.contains(words), "\(learnt.run.errors)")
        #expect(learnt.requests.count <= 8)
    }

    // MARK: The way to the second page

    @Test
    func `waits as long as the service asks, and counts the second try`() throws {
        let server = try Self.server([
            "page=2": "times=1,status=429,retry-after=1", "page=2": Self.page(3...4, #""total":4"#),
            "page=3": Self.page([], #""total":4"#), "": Self.page(1...2, #""total":4"#),
        ])
        let learnt = try LearnSession(server, "/list")
        #expect(learnt.requests.count { $0.target == "/list?page=2" } == 2)
        let last = learnt.run.errors.matches(of: /request ([0-9]+) of/).last
        #expect(last?.1 == "\(learnt.requests.count)", "\(learnt.run.errors)")
        try Self.learnt(learnt, 1...4)
    }

    @Test
    func `starts at the first page if a parameter has another value in the link to the next one`() throws {
        let server = try Self.server([
            "blatt=2": Self.page(3...4, #""next":"/list?blatt=3""#),
            "blatt=3": Self.page(5...6, #""next":null"#), "": Self.page(1...2, #""next":"/list?blatt=2""#),
        ])
        try Self.learnt(LearnSession(server, "/list?blatt=2"), 1...6)
    }

    @Test
    func `leaves out of the list's query what the pagination sets`() throws {
        let page: (ClosedRange<Int>, String) -> String = { ids, next in
            Self.page(ids, #""continue":{"xoffset":"\#(next)","continue":"-||"}"#)
        }
        let server = try Self.server([
            "xoffset=c1": page(3...4, "c2"), "xoffset=c2": Self.page(5...6), "": page(1...2, "c1"),
        ])
        try Self.learnt(LearnSession(server, "/list?xoffset=c1&continue=-||"), 1...6)
        let cursors = try Self.server([
            "tok=c1": Self.page(3...4, #""next_tok":"c2""#), "tok=c2": Self.page(5...6, #""next_tok":null"#),
            "": Self.page(1...2, #""next_tok":"c1""#),
        ])
        Self.unlearnt(try LearnSession(cursors, "/list?tok=c1"), "tok in the request selects a later page")
    }

    @Test
    func `takes no number under an unknown name for an offset unless records follow each other`() throws {
        let server = try Self.server([
            "year=1000000": Self.page([]), "year=10": Self.page(11...20), "": Self.page(1...10),
        ])
        Self.unlearnt(try LearnSession(server, "/list?year=0"), "year doesn't count records")
    }

    @Test
    func `takes no second page that is longer than the first`() throws {
        let server = try Self.server([
            "blatt=2": Self.page(4...6, #""next":null"#), "": Self.page(1...2, #""next":"/list?blatt=2""#),
        ])
        Self.unlearnt(try LearnSession(server, "/list?limit=2"), "$.next leads to no other records")
    }

    @Test
    func `passes over empty pages that lead on`() throws {
        let server = try Self.server([
            "after=a": Self.page([], #""next_cursor":"b""#), "after=b": Self.page(3...4, #""next_cursor":null"#),
            "cursor=a": Self.page([], #""next_cursor":"b""#), "cursor=b": Self.page(3...4, #""next_cursor":null"#),
            "": Self.page(1...2, #""next_cursor":"a""#),
        ])
        try Self.learnt(LearnSession(server, "/list"), 1...4)
    }

    @Test
    func `fails where the second page leads on in another way than the first`() throws {
        let server = try Self.server([
            "cursor=a": Self.page(3...4, #""next_page":{"cursor":"b"}"#), "": Self.page(1...2, #""cursor":"a""#),
        ])
        Self.unlearnt(try LearnSession(server, "/list"), "in another way than the first")
    }

    @Test
    func `keeps in mind other records that no way explains`() throws {
        let server = try Self.server([
            "page=2": Self.page(21...34), "page=1": Self.page(41...54), "page=0": Self.page(61...74),
            "": Self.page(1...14),
        ])
        Self.unlearnt(try LearnSession(server, "/list"), "page=2 had other records")
    }

    @Test
    func `takes the most that a page has, where the request asks for more`() throws {
        let server = try Self.server([
            "page=2": Self.page(4...5, #""total":5"#), "page=3": Self.page([], #""total":5"#),
            "": Self.page(1...3, #""total":5"#),
        ])
        let learnt = try LearnSession(server, "/list?limit=9")
        #expect(
            learnt.run.text.contains(#""size": {"parameter": "limit", "value": 3, "max": 3}"#), "\(learnt.run.text)"
        )
    }

    // MARK: The end

    @Test
    func `takes no round total that a page past it exceeds`() throws {
        let server = try Self.server([
            "page=3": Self.page(1001...1400, #""total":1000"#), "page=2": Self.page(601...1000, #""total":1000"#),
            "": Self.page(1...600, #""total":1000"#),
        ])
        Self.unlearnt(try LearnSession(server, "/list"), "no total holds")
    }

    @Test
    func `ends with a cursor that comes again`() throws {
        let server = try Self.server([
            "cursor=a": Self.page(4...5, #""total":5,"cursor":"a""#),
            "": Self.page(1...3, #""total":5,"cursor":"a""#),
        ])
        let learnt = try LearnSession(server, "/list")
        #expect(learnt.run.text.contains(#""end": ["same-cursor", "empty-page"]"#), "\(learnt.run.text)")
        try Self.learnt(learnt, 1...5)
    }

    @Test
    func `takes no flag that isn't true of the second page too`() throws {
        let server = try Self.server([
            "cursor=a": Self.page(3...4, #""truncated":false,"cursor":"b""#),
            "cursor=b": Self.page(5...6, #""truncated":false,"cursor":null"#),
            "": Self.page(1...2, #""truncated":true,"cursor":"a""#),
        ])
        let learnt = try LearnSession(server, "/list")
        #expect(!learnt.run.text.contains("more"), "\(learnt.run.text)")
        try Self.learnt(learnt, 1...6)
    }

    // MARK: Members and header fields

    @Test
    func `takes no id that comes twice in a long list`() throws {
        let folder = try ScratchFolder()
        let records = ((1...30_001) + [30_001]).map { #"{"id":\#($0)}"# }.joined(separator: ",")
        try folder.write("{\"next\":null,\"data\":[\(records)]}".utf8, to: "answer.json")
        let server = try Self.server(["": "body-file=\(folder.path("answer.json"))"])
        let learnt = try LearnSession(server, "/list")
        #expect(learnt.run.status == 0 && !learnt.run.text.contains("members"), "\(learnt.run.errors)")
    }

    @Test
    func `follows no picture of the service to another origin`() throws {
        let records = (1...3).map { #"{"id":\#($0),"image":"@BASE@/pic.png"}"# }.joined(separator: ",")
        let server = try LocalServer(faults: [
            "path=/pic.png,redirect=@ELSEWHERE@/images/fox.png",
            "path=/list," + FetchCharactersTests.body("{\"next\":null,\"data\":[\(records)]}"),
        ])
        let learnt = try LearnSession(server, "/list")
        #expect(learnt.run.status == 0 && learnt.run.errors.contains("left out: imageURL"), "\(learnt.run.errors)")
        #expect(!learnt.requests.contains { $0.target.contains("fox") })
    }

    @Test
    func `of header fields leaves enough requests for the list`() throws {
        let names = (1...7).map { "X-Own-\($0)" }
        let needed = names.map { "path=/list,without=\($0),status=400" }
        let pages = [
            "path=/list,query=page=2,\(Self.page(3...4, #""total":4"#))",
            "path=/list,query=page=3,\(Self.page([], #""total":4"#))",
            "path=/list,\(Self.page(1...2, #""total":4"#))",
        ]
        let server = try LocalServer(faults: needed + pages)
        let fields = names.map { "-H '\($0): 1'" }.joined(separator: " ")
        let learnt = try Session(
            "fetch-characters", ["--learn", "curl \(server.url)/list \(fields)"],
            environment: LearnSession.environment)
        #expect(learnt.status == 0 && names.allSatisfy(learnt.text.contains), "\(learnt.errors)")
        #expect(try server.requests.count <= 12)
    }
}
