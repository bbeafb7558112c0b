// The engine of models answers as its files say, in all the shapes that the library's APIs don't have.

import Foundation
import Testing

@Suite("The local server's APIs that files describe")
struct ShapedModelTests {
    private static func ids(_ run: Curl) throws -> [Int] { try run.jsonArray().compactMap { $0["id"] as? Int } }

    @Test
    func `leave empty places out, and fill no page with the next one's records`() throws {
        let server = try LocalServer()
        let base = server.url + "/oddities"
        let pages = try (1...3).map { try Curl(base + "/pages/\($0)") }
        #expect(try Self.ids(pages[0]) == Array(1...9) && Self.ids(pages[1]) == Array(11...19))
        #expect(pages[2].status == 400)
    }

    @Test
    func `are lines, objects by their ids, or texts`() throws {
        let server = try LocalServer()
        let base = server.url + "/oddities"
        let lines = try Curl(base + "/lines?offset=10&limit=5")
        #expect(lines.text.split(separator: "\n").count == 5)
        #expect(lines.header("Content-Type") == "application/x-ndjson")
        let keyed = try Curl(base + "/keyed").json()["people"] as? [String: [String: String]]
        #expect(keyed?.count == 23 && keyed?["7"]?["name"]?.isEmpty == false)
        let texts = try JSONSerialization.jsonObject(with: Data(try Curl(base + "/texts").text.utf8)) as? [String]
        #expect(texts?.count == 23)
    }

    @Test
    func `take positions from a form or a header, and tell the next one in a header`() throws {
        let server = try LocalServer()
        let base = server.url + "/oddities"
        let form = try Curl(base + "/people", ["-d", "list=people", "-d", "page=3", "-d", "size=10"]).json()
        #expect((form["people"] as? [Any])?.count == 5 && form["more"] as? Bool == false)
        #expect(try Curl(base + "/people", ["-d", "list=boats"]).status == 404)
        #expect(try Curl(base + "/people?list=people").status == 404)
        let second = try Curl(base + "/headers", ["-H", "X-Page: 2"])
        #expect(try Self.ids(second).first == 11 && second.header("X-Next") == "3")
        #expect(try Curl(base + "/headers", ["-H", "X-Page: 3"]).header("X-Next") == nil)
    }

    @Test
    func `have a list for each parent, and what is newer than a date`() throws {
        let server = try LocalServer()
        let base = server.url + "/oddities"
        let names = try Curl(base + "/harbours/north/people").jsonArray().compactMap { $0["name"] as? String }
        #expect(names.count == 23 && names.allSatisfy { $0.hasSuffix(" of the north") })
        #expect(try Curl(base + "/harbours/east/people").status == 404)
        let newer = try Curl(base + "/changes?since=2024-01-21").jsonArray()
        #expect(newer.compactMap { $0["updated"] as? String }.allSatisfy { $0 > "2024-01-21" } && newer.count == 5)
    }

    @Test
    func `are in the order of change, behind a user's name`() throws {
        let server = try LocalServer()
        let people = server.url + "/locked/people"
        #expect(try Curl(people).status == 401)
        #expect(try Curl(people, ["-u", "wrong:pass"]).status == 401)
        #expect(try Self.ids(Curl(people, ["-u", "live_user:pass"])) == [12, 11, 10, 9, 8])
    }

    @Test
    func `meet the server's faults by the page`() throws {
        let server = try LocalServer(faults: ["path=/oddities,page=2,status=503"])
        #expect(try Curl(server.url + "/oddities/pages/1").status == 200)
        #expect(try Curl(server.url + "/oddities/pages/2").status == 503)
    }

    @Test
    func `are refused where the file says what nobody reads`() throws {
        let run = try Session.script(
            """
            cp \(Fixtures.records)/*.json . && mkdir apis &&
            echo '{"count": 3, "record": {}, "lists": [{"path": "/a", "pagging": {}}]}' > apis/odd.json
            local-server --records . < /dev/null
            """)
        #expect(run.status == 65 && run.errors.contains("odd.lists[0].pagging is not known"), "\(run.errors)")
    }
}
