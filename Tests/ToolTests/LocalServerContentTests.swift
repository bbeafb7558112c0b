// Which requests a fault takes, and the pages and files that it serves in place of the usual answer.

import Foundation
import TestSupport
import Testing

@Suite("A fault of the local server, its conditions and content")
struct LocalServerContentTests {
    @Test
    func `answers with a file's bytes, the server's address in them`() throws {
        let folder = try ScratchFolder()
        try folder.write(#"{"next":"@BASE@/2"}"#.utf8, to: "page.json")
        let fault = "body-file=\(folder.path("page.json")),header=Link: <@BASE@/2>; rel=next"
        let server = try LocalServer(faults: [fault])
        let response = try Curl(server.url + "/anything")
        #expect(response.text == #"{"next":"\#(server.url)/2"}"#)
        #expect(response.header("Content-Type") == "application/json; charset=utf-8")
        #expect(response.header("Link") == "<\(server.url)/2>; rel=next")
    }

    /// The ids on a page of ten under a fault.
    private func ids(_ fault: String, _ page: Int) throws -> [Int] {
        let server = try LocalServer(faults: [fault])
        let json = try Curl(server.url + "/character?page=\(page)&pageSize=10").json()
        return try #require(json["data"] as? [[String: Any]]).compactMap { $0["_id"] as? Int }
    }

    @Test
    func `repeats a page, or shifts the records under the reader`() throws {
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

    @Test(arguments: rows)
    func `meets the requests that its conditions name`(_ row: Row) throws {
        let server = try LocalServer(faults: row.faults)
        for target in row.targets { _ = try Curl(server.url + target) }
        #expect(try server.requests.map(\.status) == row.statuses)
        #expect(try server.requests.map(\.target) == row.targets)
    }

    /// The statuses of `count` requests to a path under faults; nil where none was sent.
    private func statuses(_ faults: [String], count: Int, seed: Int = 1) throws -> [Int?] {
        let server = try LocalServer(faults: faults, seed: seed)
        _ = try Session.script("for i in $(seq \(count)); do curl -s -m 1 -o /dev/null '\(server.url)/'; done")
        return try server.requests.map(\.status)
    }

    @Test
    func `takes one request in so many by chance, the same ones for the same seed`() throws {
        let first = try statuses(["one-in=5,status=500"], count: 100)
        #expect((10...35).contains(first.count { $0 == 500 }))
        #expect(try statuses(["one-in=5,status=500"], count: 100) == first)
        #expect(try statuses(["one-in=5,status=500"], count: 100, seed: 2) != first)
    }

    @Test(arguments: [("mended", 14), ("odd", 9), ("all", 25)])
    func `shows another fault each time, and tells which`(_ set: String, _ count: Int) throws {
        let server = try LocalServer(faults: ["every=2,in-turn=\(set)"])
        let round = set == "all" ? 32 : count
        _ = try Session.script(
            "for i in $(seq \(round * 4)); do curl -s -m 0.5 -o /dev/null '\(server.url)/'; done; true")
        let faults = try server.requests.compactMap(\.fault)
        #expect(faults.count == round * 2)
        #expect(faults.allSatisfy { $0.hasPrefix("every=2,in-turn=\(set): ") })
        #expect(faults.prefix(round) == faults.suffix(round))
        #expect(Set(faults).count == count)
    }

    /// Lists of the models: how page 2 of them is asked for, and what stands for a record.
    static let lists: [(first: String, second: String, id: String)] = [
        ("/dogapi/v1/breeds?limit=5&page=0", "/dogapi/v1/breeds?limit=5&page=1", "name"),
        (
            "/catapi/v1/images/search?limit=5&order=ASC&api_key=live_1",
            "/catapi/v1/images/search?limit=5&order=ASC&page=1&api_key=live_1", "id"
        ),
        (
            "/rijksmuseum-v1/api/en/collection?key=live_1&ps=5&p=1",
            "/rijksmuseum-v1/api/en/collection?key=live_1&ps=5&p=2",
            "objectNumber"
        ),
        (
            "/github/repos/pellow/lighthouse/issues?per_page=5",
            "/github/repos/pellow/lighthouse/issues?per_page=5&page=2",
            "number"
        ),
        (
            "/smithsonian/openaccess/api/v1.0/search?api_key=live_1&rows=5",
            "/smithsonian/openaccess/api/v1.0/search?api_key=live_1&rows=5&start=5", "id"
        ),
        (
            "/europeana/record/v2/search.json?wskey=live_1&query=*&rows=5&cursor=*",
            "/europeana/record/v2/search.json?wskey=live_1&query=*&rows=5&cursor=%2B%2B8ABf8%3D", "id"
        ),
    ]

    @Test(arguments: lists)
    func `meets a page of each model's lists, repeats it and shifts it`(
        _ list: (first: String, second: String, id: String)
    ) throws {
        let usual = try LocalServer()
        let address = { (server: LocalServer) in server.url.replacing("http://", with: "") }
        let body = { (server: LocalServer, target: String) in
            try Curl(server.url + target).text.replacing(address(server), with: "HOST")
                .replacing(":\(server.port)/", with: ":PORT/")
        }
        let failing = try LocalServer(faults: ["page=2,status=500"])
        #expect(try Curl(failing.url + list.first).status == 200)
        #expect(try Curl(failing.url + list.second).status == 500)
        let repeating = try LocalServer(faults: ["page=2,repeat-page=1"])
        let ids = { (text: String) in
            text.components(separatedBy: "\"\(list.id)\":").dropFirst()
                .map { $0.prefix { $0 != "," } }
        }
        let first = ids(try body(usual, list.first))
        let second = ids(try body(usual, list.second))
        #expect(first.count >= 5 && second.count >= 5 && first != second)
        #expect(try ids(body(repeating, list.second)) == first)
        let shifted = try LocalServer(faults: ["page=2,shift=5"])
        #expect(try ids(body(shifted, list.second)) == first)
    }
}
