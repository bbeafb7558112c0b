// The models of the two pet services answer as those do: pages, headers, keys, and values that are odd.

import Foundation
import Testing

@Suite("The local server's pet services")
struct PetModelTests {
    @Test
    func `give the whole list without a limit, and pages from 0 with headers with one`() throws {
        let server = try LocalServer()
        let all = try Curl(server.url + "/dogapi/v1/breeds")
        #expect(try all.jsonArray().count == 39)
        #expect(all.header("Pagination-Count") == nil)
        let last = try Curl(server.url + "/dogapi/v1/breeds?limit=10&page=3")
        #expect(try last.jsonArray().count == 9)
        #expect(last.header("Pagination-Count") == "39")
        #expect(last.header("Pagination-Page") == "3")
        #expect(last.header("Pagination-Limit") == "10")
        for beyond in ["4", "9223372036854775807"] {
            #expect(try Curl(server.url + "/dogapi/v1/breeds?limit=10&page=\(beyond)").text == "[]")
        }
        #expect(all.header("RateLimit-Reset")?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
    }

    @Test
    func `have numbers for the dogs' ids and strings for the cats', and both by their id`() throws {
        let server = try LocalServer()
        #expect(try Curl(server.url + "/dogapi/v1/breeds/2").json()["name"] as? String == "Barnaby Hound")
        #expect(try Curl(server.url + "/dogapi/v1/breeds").jsonArray().count { $0["id"] is String } == 2)
        #expect(try Curl(server.url + "/catapi/v1/breeds/alle/").json()["name"] as? String == "Alley Duchess")
        let missing = try Curl(server.url + "/catapi/v1/breeds/nosuch")
        #expect(missing.status == 400)
        #expect(missing.text == "INVALID_DATA")
        #expect(missing.header("Content-Type") == "text/plain; charset=utf-8")
        #expect(try Curl(server.url + "/catapi/v1/nosuch/1").status == 404)
        #expect(try Curl(server.url + "/catapi").status == 404)
    }

    @Test
    func `find breeds by name, with their pictures only where asked`() throws {
        let server = try LocalServer()
        let bare = try Curl(server.url + "/dogapi/v1/breeds/search?q=TERRIER").jsonArray()
        #expect(bare.count == 5)
        #expect(bare.allSatisfy { $0["image"] == nil })
        let full = try Curl(server.url + "/dogapi/v1/breeds/search?q=terrier&attach_image=1").jsonArray()
        #expect(full.count { ($0["image"] as? [String: Any])?["url"] != nil } == 5)
        #expect(try Curl(server.url + "/dogapi/v1/breeds/search?q=nobody").text == "[]")
    }

    @Test
    func `have the odd values of the real lists`() throws {
        let server = try LocalServer()
        let dogs = try Curl(server.url + "/dogapi/v1/breeds").text
        for part in ["\"10 – 15 years\"", "Years years", "\"NaN\"", "NaN - 8", "\"origin\": \"\"", "\\u00f6"] {
            #expect(dogs.utf8.firstRange(of: part.utf8) != nil, "\(part)")
        }
        let response = try Curl(server.url + "/catapi/v1/breeds")
        #expect(response.body.starts(with: [0xEF, 0xBB, 0xBF]))
        #expect(try Curl(server.url + "/catapi/v1/breeds?limit=1").body.first == UInt8(ascii: "["))
        let cats =
            try JSONSerialization.jsonObject(with: Data(response.body.dropFirst(3))) as? [[String: Any]] ?? []
        #expect(cats.count == 28)
        #expect(cats.count { $0["image"] == nil } == 2)
        let references = cats.filter { ($0["image"] as? [String: Any])?.isEmpty == true }
            .compactMap { $0["reference_image_id"] as? String }
        #expect(references.count == 1 && references.allSatisfy { $0.hasSuffix("\n") })
    }

    @Test
    func `give pictures by chance, ten at most and without breeds, unless there is a key`() throws {
        let server = try LocalServer()
        let search = server.url + "/catapi/v1/images/search"
        let key = ["-H", "x-api-key: live_1"]
        #expect(try Curl(search).jsonArray().count == 1)
        let ten = try Curl(search + "?breed_ids=alle&limit=50").jsonArray()
        #expect(ten.count == 10 && ten.allSatisfy { ($0["breeds"] as? [Any])?.isEmpty == true })
        let thirteen = try Curl(search + "?breed_ids=alle&limit=50", key).jsonArray()
        #expect(thirteen.count == 13)
        #expect(thirteen.allSatisfy { ($0["breeds"] as? [[String: Any]])?.first?["id"] as? String == "alle" })
        #expect(try Curl(search + "?limit=50", key).jsonArray().count == 25)
        let ids = { (query: String, options: [String]) in
            try Curl(search + query, options).jsonArray().compactMap { $0["id"] as? String }
        }
        #expect(try ids("?limit=10", []) == ids("?limit=10", []))
        #expect(try ids("?limit=10&page=1", []) != ids("?limit=10&page=0", []))
        let pages = try (0..<4).flatMap { try ids("?limit=25&order=DESC&page=\($0)", key) }
        #expect(Set(pages).count == pages.count && pages.count > 75)
        #expect(try ids("?breeds=alle&limit=10", []).contains { !$0.hasPrefix("alle") })
        #expect(try Set(ids("?mime_types=gif,false&limit=25", key)) == ["x4cat", "x6cat", "x8cat", "M5RbZWWWW"])
    }

    @Test
    func `send a picture itself by a redirect to another origin, of any suffix`() throws {
        let server = try LocalServer()
        let found = try Curl(server.url + "/dogapi/v1/images/search?breed_id=2&format=src&size=thumb")
        #expect(found.status == 302)
        #expect(found.header("Location")?.hasPrefix(server.otherURL + "/dogapi/cdn/images/") == true)
        let picture = try Curl(server.otherURL + "/catapi/cdn/images/x8cat.false")
        #expect(picture.status == 200 && picture.header("Content-Type") == "application/octet-stream")
        #expect(picture.body.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        let one = try Curl(server.url + "/catapi/v1/images/x8cat").json()
        #expect(one["url"] as? String == server.otherURL + "/catapi/cdn/images/x8cat_1280.false")
        #expect(try Curl(server.otherURL + "/catapi/cdn/images/x8cat_1280.false").body == picture.body)
        #expect(try Curl(server.otherURL + "/catapi/cdn/images/nosuch.png").status == 403)
        #expect(try Curl(server.otherURL + "/dogapi/cdn/images/x6dog.png").status == 403)
    }

    @Test
    func `answer 400 for a picture that isn't there, and 401 for a wrong key, as JSON`() throws {
        let server = try LocalServer()
        let missing = try Curl(server.url + "/catapi/v1/images/nosuch")
        #expect(missing.status == 400)
        #expect((try missing.json()["message"] as? String)?.hasPrefix("Couldn't find an image") == true)
        for (query, options) in [("?api_key=wrong", []), ("", ["-H", "X-API-Key: wrong"])] as [(String, [String])] {
            let refused = try Curl(server.url + "/dogapi/v1/breeds" + query, options)
            #expect(refused.status == 401)
            #expect((try refused.json()["message"] as? String)?.hasPrefix("AUTHENTICATION_ERROR") == true)
        }
    }
}
