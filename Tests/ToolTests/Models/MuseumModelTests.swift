// The models of the museum's two APIs answer as those do: pages, hops, keys, and forms that vary.

import Foundation
import Testing

@Suite("The local server's museum")
struct MuseumModelTests {
    @Test
    func `links three pages of a hundred, the last without a next, and counts them`() throws {
        let server = try LocalServer()
        var address: String? = server.url + "/rijksmuseum/search/collection"
        var ids: [String] = []
        var sizes: [Int] = []
        while let page = address, sizes.count < 5 {
            let response = try Curl(page)
            #expect(response.header("Content-Type") == "application/ld+json")
            let json = try response.json()
            #expect((json["partOf"] as? [String: Any])?["totalItems"] as? Int == 216)
            let items = try #require(json["orderedItems"] as? [[String: String]])
            ids += items.compactMap { $0["id"] }
            sizes.append(items.count)
            address = (json["next"] as? [String: String])?["id"]
        }
        #expect(sizes == [100, 100, 16])
        #expect(Set(ids).count == 216 && ids.allSatisfy { $0.hasPrefix(server.url + "/rijksmuseum/id/2001") })
    }

    static let searches: [(query: String, count: Int)] = [
        ("type=painting", 72), ("type=schilderij", 72), ("title=whale", 11), ("title=walvis", 12),
        ("creationDate=16%3F%3F", 57), ("creator=Bj%C3%B6rn*", 27), ("objectNumber=SK-A-1", 1),
        ("imageAvailable=true", 162), ("type=print&material=paper&title=fox", 2), ("aboutActor=nobody", 0),
    ]

    @Test(arguments: searches)
    func `finds objects by parameters that all must hold, and keeps them in its token`(
        _ query: String, _ count: Int
    ) throws {
        let server = try LocalServer()
        let json = try Curl(server.url + "/rijksmuseum/search/collection?" + query).json()
        #expect((json["partOf"] as? [String: Any])?["totalItems"] as? Int == count)
        guard let next = (json["next"] as? [String: String])?["id"] else {
            #expect(count <= 100)
            return
        }
        #expect(next.contains("/search/collection?pageToken="))
        let second = try Curl(next).json()
        #expect((second["orderedItems"] as? [Any])?.count == count - 100)
    }

    @Test
    func `refuses parameters that it doesn't know, and tokens that aren't its own`() throws {
        let server = try LocalServer()
        let search = server.url + "/rijksmuseum/search/collection"
        let unknown = try Curl(search + "?q=whale")
        #expect(unknown.status == 400 && unknown.text == "Unsupported query parameter")
        #expect(try Curl(search + "?pageToken=bm9uZQ%3D%3D").status == 400)
        #expect(try Curl(search + "?pageToken=x").status == 400)
        #expect(try Curl(server.url + "/rijksmuseum/999").status == 404)
    }

    /// The first of a relation, in whichever of its forms it stands.
    private static func address(_ relation: Any?) -> String? {
        let first = (relation as? [Any])?.first ?? relation
        return (first as? [String: Any])?["id"] as? String ?? first as? String
    }

    @Test
    func `leads from an object to its picture over three hops, where none is missing`() throws {
        let server = try LocalServer()
        let base = server.url + "/rijksmuseum"
        let search = try Curl(base + "/search/collection?type=print").json()
        let ids = try #require(search["orderedItems"] as? [[String: String]]).prefix(12).compactMap { $0["id"] }
        var reached = [0, 0, 0, 0]
        for id in ids {
            let object = try Curl(id, ["-L"]).json()
            #expect(object["id"] as? String == id)
            guard let shows = Self.address(object["shows"]) else { reached[0] += 1; continue }
            let visual = try Curl(shows, ["-L"]).json()
            guard let digital = Self.address(visual["digitally_shown_by"]) else { reached[1] += 1; continue }
            #expect(digital.split(separator: "/").last?.count == 23)
            guard let file = Self.address(try Curl(digital, ["-L"]).json()["access_point"]) else {
                reached[2] += 1
                continue
            }
            #expect(file.hasPrefix(server.otherURL + "/rijksmuseum/iiif/"))
            #expect(try Curl(file).header("Content-Type")?.hasPrefix("image/") == true)
            reached[3] += 1
        }
        #expect(reached == [0, 3, 3, 6])
        #expect(try Curl(base + "/200100185").json()["shows"] == nil)
    }

    @Test
    func `writes relations as objects, arrays and addresses, and contents as strings and arrays`() throws {
        let server = try LocalServer()
        var shows: Set<String> = []
        for number in 0..<5 {
            let id = "200100" + ["000", "037", "074", "111", "148"][number]
            let object = try Curl(server.url + "/rijksmuseum/" + id).json()
            let relation = object["shows"]
            let isDeep = (relation as? [Any])?.first is [String: Any]
            shows.insert(relation is String ? "text" : relation is [String: Any] ? "object" : "array \(isDeep)")
        }
        #expect(shows == ["text", "object", "array true", "array false"])
        let listed = try Curl(server.url + "/rijksmuseum/200100074").text
        #expect(listed.contains(#""content":["#))
    }

    @Test
    func `sends programs from an id to the data, and browsers to a page`() throws {
        let server = try LocalServer()
        let id = server.url + "/rijksmuseum/id/200100000"
        let program = try Curl(id, ["-H", "Accept: application/ld+json"])
        #expect(program.status == 303 && program.header("Location") == server.url + "/rijksmuseum/200100000")
        let browser = try Curl(id, ["-L", "-H", "Accept: text/html,*/*;q=0.8"])
        #expect(browser.status == 200 && browser.header("Content-Type") == "text/html; charset=utf-8")
    }

    @Test(arguments: [
        ("whale/full/max/0/default.png", 200), ("whale/full/!800,800/0/default.png", 200),
        ("lantern/full/400,/0/default.jpg", 200), ("whale/info.json", 200), ("nosuch/info.json", 404),
        ("whale/pct/max/0/default.png", 400), ("whale/full/huge/0/default.png", 400),
        ("whale/full/0,0/0/default.png", 400), ("whale/full/,/0/default.png", 400),
    ])
    func `answers for pictures as IIIF does`(_ path: String, _ status: Int) throws {
        let server = try LocalServer()
        #expect(try Curl(server.url + "/rijksmuseum/iiif/" + path, ["-g"]).status == status)
    }

    @Test
    func `pages its first API from 0 or 1, in two languages, for those with a key`() throws {
        let server = try LocalServer()
        let list = server.url + "/rijksmuseum-v1/api/en/collection"
        let numbers = { (query: String) in
            let json = try Curl("\(list)?key=live_1&\(query)").json()
            return (json["artObjects"] as? [[String: Any]] ?? []).compactMap { $0["objectNumber"] as? String }
        }
        #expect(try numbers("").count == 10)
        #expect(try numbers("p=0") == numbers("p=1"))
        #expect(try Set((1...3).flatMap { try numbers("p=\($0)&ps=100") }).count == 216)
        #expect(try numbers("p=4&ps=100").isEmpty)
        #expect(try numbers("p=101&ps=100").isEmpty)
        #expect(try numbers("q=whale&ps=100").count == 11)
        #expect(try numbers("s=chronologic") != numbers("s=achronologic"))
        #expect(try Curl("\(list)?key=live_1&q=nobody").json()["count"] as? Int == 0)
        let dutch = try Curl(server.url + "/rijksmuseum-v1/api/nl/collection/RP-T-1930-3(V)?key=live_1").json()
        let record = try #require(dutch["artObject"] as? [String: Any])
        #expect(record["id"] as? String == "nl-RP-T-1930-3(V)")
        #expect(record["title"] as? String == "De nacht van een vos")
    }

    @Test
    func `contradicts itself about pictures in its first API, as the real one does`() throws {
        let server = try LocalServer()
        let json = try Curl(server.url + "/rijksmuseum-v1/api/en/collection?key=live_1&ps=100").json()
        let records = try #require(json["artObjects"] as? [[String: Any]])
        let contradicting = records.filter { ($0["hasImage"] as? Bool) != ($0["webImage"] is [String: Any]) }
        #expect(contradicting.count == 16)
        let header = records.compactMap { $0["headerImage"] as? [String: Any] }
        #expect(header.count == 100 && header.count { $0["url"] is NSNull } == 24)
        let links = records.compactMap { ($0["links"] as? [String: String])?["self"] }
        #expect(links.allSatisfy { $0.hasPrefix(server.url + "/rijksmuseum-v1/api/en/collection/") })
    }

    @Test(arguments: [
        ("en/collection", "GET", 401), ("en/collection?key=x", "GET", 401),
        ("fr/collection?key=live_1", "GET", 404),
        ("en/collection?key=live_1", "POST", 405), ("en/collection/sk-a-1?key=live_1", "GET", 404),
        ("en/collection/SK-A-1?key=live_1", "GET", 200),
    ])
    func `refuses what has no key, no such culture, another method or no such number`(
        _ path: String, _ method: String, _ status: Int
    ) throws {
        let server = try LocalServer()
        #expect(try Curl("\(server.url)/rijksmuseum-v1/api/\(path)", ["-X", method]).status == status)
    }
}
