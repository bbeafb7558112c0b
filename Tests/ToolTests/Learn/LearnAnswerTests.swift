// Answers that aren't lists, and hostile ones.

import Foundation
import TestSupport
import Testing

@Suite("An answer to --learn")
struct LearnAnswerTests {
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    static func body(_ text: String) -> String { FetchCharactersTests.body(text) }

    @Test func `may have any number of members, under any names`() throws {
        let members = (0..<10_000).map { "\"m\($0)\":\($0)" }.joined(separator: ",")
        let records = (1...3).map { "{\"id\":\($0),\"name\":\"n\($0)\",\(members)}" }.joined(separator: ",")
        let name = #"\u001b[31m'\"\\ \u202e"#
        try folder.write("{\"\(name)\":[\(records)],\"next\":null}".utf8, to: "answer.json")
        let server = try LocalServer(faults: ["path=/list,body-file=\(folder.path("answer.json"))"])
        let learnt = try LearnSession(server, "/list")
        #expect(learnt.run.status == 76, "\(learnt.run.errors.prefix(2000))")
        #expect(!learnt.run.errors.contains("\u{1b}") && !learnt.run.errors.contains("\u{202e}"))
        #expect(try learnt.records([]).texts("id") == ["1", "2", "3"])
    }

    @Test func `that is as deep as JSON may be, or as wide as it may be, costs little`() throws {
        let deep = String(repeating: "{\"a\":", count: 500) + "[{\"id\":1}]" + String(repeating: "}", count: 500)
        let wide = "{\"a\":[" + (0..<20_000).map { "{\"k\($0)\":[[],[],{}]}" }.joined(separator: ",") + "]}"
        for text in [deep, wide] {
            try folder.write(text.utf8, to: "answer.json")
            let server = try LocalServer(faults: ["path=/list,body-file=\(folder.path("answer.json"))"])
            let learnt = try LearnSession(server, "/list")
            #expect([0, 76].contains(learnt.run.status), "\(learnt.run.errors.prefix(2000))")
        }
    }

    @Test func `of 6 MB in small values takes little memory`() throws {
        let values = String(repeating: "1,", count: 3_000_000)
        try folder.write(
            "{\"data\":[{\"id\":1},{\"id\":2},{\"id\":3},{\"id\":4},{\"id\":5}],\"more\":[\(values)1]}".utf8,
            to: "answer.json"
        )
        let server = try LocalServer(faults: ["path=/list,body-file=\(folder.path("answer.json"))"])
        let script = "ulimit -v 200000 && fetch-characters --learn \(server.url)/list"
        let run = try Session.script(script, environment: LearnSession.environment, limitSeconds: 180)
        #expect(
            run.status == 76 && run.errors.contains("nothing shows that these 5 records are all"), "\(run.errors)")
    }

    @Test func `that repeats the last page past the end isn't learnt with a total of more`() throws {
        for (name, first) in [("one", 1), ("two", 31)] {
            let records = (first..<first + 30).map { "{\"id\":\($0)}" }.joined(separator: ",")
            try folder.write("{\"data\":[\(records)],\"found\":90}".utf8, to: name)
        }
        let later = (2...4).map { "path=/list,query=page=\($0),body-file=\(folder.path("two"))" }
        let server = try LocalServer(faults: later + ["path=/list,body-file=\(folder.path("one"))"])
        let learnt = try LearnSession(server, "/list")
        #expect(
            learnt.run.status == 76
                && learnt.run.errors.contains("$.found is 90"),
            "\(learnt.run.errors)\(learnt.run.text)")
    }

    @Test func `from another origin is that origin's list, and gets no key`() throws {
        let server = try LocalServer(faults: ["path=/list,redirect=@ELSEWHERE@/ends/header"])
        let learnt = try LearnSession(server, "/list")
        #expect(
            learnt.run.status == 0 && learnt.run.text.contains(#""path": "/ends/header""#), "\(learnt.run.errors)")
        #expect(!learnt.run.text.contains(server.url), "\(learnt.run.text)")
        // The redirect is one of the eight.
        #expect(learnt.run.errors.contains("request 3 of at most 8") && !learnt.run.errors.contains("request 2"))
        let refused = try LearnSession(server, "/list", header: "x-key: s3cret-key")
        #expect(refused.run.status == 77 && refused.run.output.isEmpty, "\(refused.run.errors)")
        #expect(refused.requests.allSatisfy { $0.target == "/list" || $0.header("x-key") == nil })
    }

    @Test func `after as many redirects as there are requests isn't reached`() throws {
        let server = try LocalServer(faults: (0..<9).map { "path=/hop\($0),redirect=@BASE@/hop\($0 + 1)" })
        let learnt = try LearnSession(server, "/hop0")
        #expect(learnt.run.status == 76 && learnt.requests.count == 8, "\(learnt.run.errors)")
    }

    @Test func `whose later pages are redirected elsewhere isn't followed there`() throws {
        let server = try LocalServer(faults: [
            "path=/learning/pages,query=page=2,redirect=@ELSEWHERE@/learning/pages?page=2"
        ])
        let learnt = try LearnSession(server, "/learning/pages")
        #expect(learnt.run.status != 0 && !learnt.run.text.contains(#""type": "page""#), "\(learnt.run.errors)")
    }

    @Test func `with a picture at a private address of another origin leaves it alone`() throws {
        let records = (1...3).map { #"{"id":\#($0),"image":"@ELSEWHERE@/images/fox.png"}"# }.joined(separator: ",")
        let server = try LocalServer(faults: ["path=/list," + Self.body("{\"next\":null,\"data\":[\(records)]}")])
        let learnt = try LearnSession(server, "/list", key: ["http_proxy": "", "no_proxy": "*"])
        #expect(learnt.run.status == 76, "\(learnt.run.errors)")
        #expect(learnt.run.errors.contains("left out: imageURL from image"))
        #expect(!learnt.requests.contains { $0.target.contains("fox") })
    }

    @Test func `that shows the key doesn't show it to anybody else`() throws {
        let records = (1...3).map { #"{"id":\#($0),"s3cret-key":"s3cret \#($0)"}"# }.joined(separator: ",")
        let server = try LocalServer(faults: [
            "path=/list," + Self.body(#"{"s3cret-key":[\#(records)],"next":"@ELSEWHERE@/list?key=s3cret-key"}"#)
        ])
        let learnt = try LearnSession(server, "/list?key=s3cret-key", ["--explain"], header: "")
        #expect(learnt.run.status == 77 && learnt.run.output.isEmpty, "\(learnt.run.errors)")
        #expect(!learnt.run.errors.contains("s3cret-key"), "\(learnt.run.errors)")
        #expect(
            learnt.requests.allSatisfy { !$0.target.hasPrefix("/list") || $0.target.contains("key=s3cret-key") })
    }

    @Test func `with a picture whose URL has the key in it leaves it alone, and doesn't show it`() throws {
        let records = (1...3).map { #"{"id":\#($0),"image":"@BASE@/images/fox.png?k=s3cret%2Dkey&n=\#($0)"}"# }
        let server = try LocalServer(faults: [
            "path=/list," + Self.body(#"{"next":null,"data":[\#(records.joined(separator: ","))]}"#)
        ])
        let learnt = try LearnSession(server, "/list", ["--explain"], header: "x-key: s3cret-key")
        #expect(
            learnt.run.status == 76 && learnt.run.errors.contains("imageURL from image, which has the key in it"))
        #expect(!learnt.run.errors.contains("s3cret") && !learnt.requests.contains { $0.target.contains("fox") })
    }
}
