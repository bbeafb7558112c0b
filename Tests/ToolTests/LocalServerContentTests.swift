// Which requests a fault takes, and the pages and files that it serves in place of the usual answer.

import Foundation
import Testing

@Suite("A fault of the local server, its conditions and content")
struct LocalServerContentTests {
    @Test("answers with a file's bytes, the server's address in them")
    func bodyFile() throws {
        let folder = try ScratchFolder()
        try folder.write(#"{"next":"@BASE@/2"}"#.utf8, to: "page.json")
        let fault = "body-file=\(folder.path("page.json")),header=Link: <@BASE@/2>; rel=next"
        let server = try LocalServer(faults: [fault])
        let answer = try Curl(server.url + "/anything")
        #expect(answer.text == #"{"next":"\#(server.url)/2"}"#)
        #expect(answer.header("Content-Type") == "application/json; charset=utf-8")
        #expect(answer.header("Link") == "<\(server.url)/2>; rel=next")
    }

    /// The ids on a page of ten under a fault.
    private func ids(_ fault: String, _ page: Int) throws -> [Int] {
        let server = try LocalServer(faults: [fault])
        let json = try Curl(server.url + "/character?page=\(page)&pageSize=10").json()
        return try #require(json["data"] as? [[String: Any]]).compactMap { $0["_id"] as? Int }
    }

    @Test("repeats a page, or shifts the records under the reader")
    func pages() throws {
        let all = try ids("page=99,empty", 1) + ids("page=99,empty", 2) + ids("page=99,empty", 3)
        #expect(Set(all).count == 30)
        #expect(try ids("page=3,repeat-page=2", 3) == Array(all[10..<20]))
        #expect(try ids("page=2,shift=3", 2) == Array(all[7..<17]))
        #expect(try ids("page=1,shift=3", 1) == Array(all[0..<10]))
        #expect(try ids("shift=3", 13).count == 3)
    }

    /// The statuses of a row of requests under some faults.
    struct Row: CustomTestStringConvertible, Sendable {
        let faults: [String]
        let targets: [String]
        let statuses: [Int]

        var testDescription: String { faults.joined(separator: " + ") }
    }

    static let rows: [Row] = [
        Row(faults: ["times=2,status=500"], targets: ["/", "/", "/"], statuses: [500, 500, 200]),
        Row(
            faults: ["every=3,status=500"], targets: ["/", "/", "/", "/", "/", "/"],
            statuses: [200, 200, 500, 200, 200, 500]),
        Row(
            faults: ["every=2,times=1,status=500"], targets: ["/", "/", "/", "/"], statuses: [200, 500, 200, 200]),
        Row(
            faults: ["page=2,status=500"],
            targets: [
                "/character", "/character?page=2", "/character?pageSize=5&page=2", "/character?page=22",
                "/character/2",
            ],
            statuses: [200, 500, 500, 200, 200]),
        Row(
            faults: ["page=1,status=500"], targets: ["/character", "/character?page=1", "/", "/x?page=1"],
            statuses: [500, 500, 200, 500]),
        Row(
            faults: ["path=/images,status=500"], targets: ["/images/fox.png", "/character", "/x/images"],
            statuses: [500, 200, 404]),
        Row(
            faults: ["query=name=mi,status=500"], targets: ["/character?name=mick", "/character?name=ann"],
            statuses: [500, 200]),
        Row(faults: ["without=User-Agent,status=401"], targets: ["/"], statuses: [200]),
        Row(faults: ["without=x-api-key,status=401"], targets: ["/"], statuses: [401]),
        Row(
            faults: ["path=/character,page=2,status=500"], targets: ["/x?page=2", "/character?page=2"],
            statuses: [404, 500]),
        Row(
            faults: ["times=1,status=500", "times=2,status=503", "path=/,every=2,status=502"],
            targets: ["/", "/", "/", "/", "/"], statuses: [500, 503, 503, 200, 502]),
        Row(faults: ["status=500", "status=503"], targets: ["/", "/"], statuses: [500, 500]),
    ]

    @Test("meets the requests that its conditions name", arguments: rows)
    func row(_ row: Row) throws {
        let server = try LocalServer(faults: row.faults)
        for target in row.targets { _ = try Curl(server.url + target) }
        #expect(try server.requests.map(\.status) == row.statuses)
        #expect(try server.requests.map(\.target) == row.targets)
    }
}
