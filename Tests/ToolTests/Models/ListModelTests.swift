// The models of lists in other shapes answer as those do: a bare array, Link headers, a cursor, an offset.

import Foundation
import Testing

@Suite("The local server's other lists")
struct ListModelTests {
    @Test
    func `are a bare array of dogs with no ids, one of them twice`() throws {
        let server = try LocalServer()
        let dogs = try Curl(server.url + "/dogs/api/1151549092634943488").jsonArray()
        #expect(dogs.compactMap { $0["dogName"] as? String }.count { $0 == "Pepper" } == 2)
        #expect(dogs.count == 7 && dogs.allSatisfy { $0["id"] == nil })
        #expect(dogs.count { $0["age"] is String } == 1)
        let gone = try Curl(server.url + "/dogs/api/2")
        #expect(gone.status == 404 && gone.header("Content-Type") == "application/json; charset=utf-8")
    }

    @Test
    func `are issues whose next page stands in Link headers, spelt in all ways`() throws {
        let server = try LocalServer()
        let pages = try (1...5).map { page in
            try Curl("\(server.url)/github/repos/pellow/lighthouse/issues?per_page=15&page=\(page)")
        }
        #expect(try pages.flatMap { try $0.jsonArray() }.compactMap { $0["number"] as? Int } == Array(1...75))
        let links = pages.map { page in page.headers.filter { $0.hasPrefix("Link:") }.joined(separator: " ") }
        let next = server.url + "/github/repositories/4711/issues?per_page=15&page="
        #expect(links[0].contains("<\(server.url)/github/help?topics=paging,links;all>; rel=\"help\""))
        #expect(links[0].contains("<\(next)2>; rel=\"prefetch next\""))
        #expect(pages[0].headers.count { $0.hasPrefix("Link:") } == 2)
        #expect(links[1].contains(#"<?per_page=15&page=3>; title="on, and on; rel=\"prev\"" ; REL=Next "#))
        #expect(links[3].contains("<\(next)5>; rel=\"next last\""))
        #expect(links[3].contains("rel=next; anchor=\"#another-list\""))
        #expect(links[4].contains("rel=prev") && !links[4].lowercased().contains("next"))
        #expect(try Curl(next + "2").jsonArray().first?["number"] as? Int == 16)
        #expect(try Curl(server.url + "/github/repos/pellow/lighthouse/issues").jsonArray().count == 30)
    }

    @Test
    func `are issues by their numbers, for clients that give their name`() throws {
        let server = try LocalServer()
        let list = server.url + "/github/repos/pellow/lighthouse/issues"
        #expect(try Curl(list + "/75").json()["number"] as? Int == 75)
        #expect(try Curl(list + "/76").status == 404)
        #expect(try Curl(list, ["-H", "User-Agent:"]).status == 403)
    }

    @Test
    func `are museum objects by a cursor that must be escaped, the last full page with one too`() throws {
        let server = try LocalServer()
        let search = server.url + "/europeana/record/v2/search.json"
        var cursor: String? = "*"
        var sizes: [Int] = []
        while let asked = cursor, sizes.count < 9 {
            let run = try Curl(
                search,
                [
                    "-G", "-d", "wskey=live_1", "-d", "query=*", "-d", "rows=11", "--data-urlencode",
                    "cursor=\(asked)",
                ])
            let json = try run.json()
            #expect(json["totalResults"] as? Int == 66 && json["apikey"] as? String == "live_1")
            sizes.append((json["items"] as? [Any])?.count ?? -1)
            cursor = json["nextCursor"] as? String
            if sizes.count == 1 { #expect(cursor?.contains("+") == true) }
        }
        #expect(sizes == [11, 11, 11, 11, 11, 11, 0])
        #expect(try Curl(search + "?query=*&cursor=*").status == 401)
        #expect(try Curl(search + "?wskey=wrong&query=*").status == 401)
        #expect(try Curl(search + "?wskey=live_1&cursor=*").status == 400)
        #expect(try Curl(search + "?wskey=live_1&query=*&cursor=++8").status == 400)
        #expect(try Curl(search + "?wskey=live_1&query=*&cursor=*&cursor=*").status == 400)
        #expect(try Curl(search + "?wskey=live_1&query=*").json()["nextCursor"] == nil)
        #expect(try Curl(search + "?wskey=live_1&query=whale").json()["totalResults"] as? Int == 4)
    }

    @Test
    func `are museum objects from an offset, nested deep, for those with a key`() throws {
        let server = try LocalServer()
        let search = server.url + "/smithsonian/openaccess/api/v1.0/search"
        let response = { (query: String) in
            try Curl("\(search)?api_key=live_1&\(query)").json()["response"] as? [String: Any] ?? [:]
        }
        let starts = [0, 20, 40, 60]
        let pages = try starts.map { try response("rows=20&start=\($0)") }
        #expect(pages.map { ($0["rows"] as? [Any])?.count } == [20, 20, 17, 0])
        #expect(pages.allSatisfy { $0["rowCount"] as? Int == 57 })
        #expect(try response("q=whale")["rowCount"] as? Int == 4)
        #expect(try response("q=online_visual_material:true")["rowCount"] as? Int == 43)
        let row = try #require((pages[0]["rows"] as? [[String: Any]])?.first)
        let content = row["content"] as? [String: Any]
        let facts = content?["descriptiveNonRepeating"] as? [String: Any]
        let media = (facts?["online_media"] as? [String: Any])?["media"] as? [[String: String]]
        #expect(media?.first?["content"] == server.otherURL + "/images/lantern.gif")
        let one = server.url + "/smithsonian/openaccess/api/v1.0/content/edanmdm-lighthouse_2"
        #expect(try Curl(one, ["-H", "X-Api-Key: live_1"]).status == 200)
        #expect(try Curl(search).status == 403)
        #expect(try Curl(search + "?api_key=wrong").text.contains("API_KEY_INVALID"))
    }
}
