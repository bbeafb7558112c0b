// The local server answers as the API does that it models: pages, filters, oddities, pictures.

import Foundation
import TestSupport
import Testing

@Suite("The local server")
struct LocalServerTests {
    /// What a response's `info` says and which shape its `data` has.
    struct Page: CustomTestStringConvertible, Sendable {
        let target: String
        let count: Int
        var totalPages: Int?
        var previous: String?
        var next: String?
        var shape = "array"

        var testDescription: String { target }
    }

    static let pages: [Page] = [
        Page(target: "/character", count: 50, totalPages: 3, next: "?page=2&pageSize=50"),
        Page(target: "/character/", count: 50, totalPages: 3, next: "?page=2&pageSize=50"),
        Page(
            target: "/character?page=2", count: 50, totalPages: 3, previous: "?page=1&pageSize=50",
            next: "?page=3&pageSize=50"),
        Page(target: "/character?page=3", count: 20, totalPages: 3, previous: "?page=2&pageSize=50"),
        Page(target: "/character?page=4", count: 0, totalPages: 3, previous: "?page=3&pageSize=50"),
        Page(
            target: "/character?page=9223372036854775807", count: 0, totalPages: 3,
            previous: "?page=9223372036854775806&pageSize=50"),
        Page(
            target: "/character?page=120&pageSize=1", count: 1, totalPages: 120,
            previous: "?page=119&pageSize=1", shape: "object"),
        Page(target: "/character?pageSize=500", count: 120, totalPages: 1),
        Page(target: "/character?pageSize=0", count: 120, totalPages: nil, next: "?page=2&pageSize=0"),
        Page(target: "/character?pageSize=0&nosuch=x", count: 0, totalPages: nil),
        Page(target: "/character?name=mick", count: 6, totalPages: 1),
        Page(target: "/character?name=MICK&pageSize=4", count: 4, totalPages: 2, next: "?page=2&pageSize=4"),
        Page(target: "/character?name=%5EMick%20", count: 2, totalPages: 1),
        Page(target: "/character?name=mick+t", count: 1, totalPages: 1, shape: "object"),
        Page(target: "/character?name=T.I.C.K.E.R", count: 1, totalPages: 1, shape: "object"),
        Page(target: "/character?name=Bj%C3%B6rk", count: 1, totalPages: 1, shape: "object"),
        Page(target: "/character?name=(retired)", count: 1, totalPages: 1, shape: "object"),
        Page(target: "/character?name=%5C(half", count: 1, totalPages: 1, shape: "object"),
        Page(target: "/character?name=&pageSize=500", count: 120, totalPages: 1),
        Page(target: "/character?tvShows=for+owls", count: 5, totalPages: 1),
        Page(target: "/character?name=mick&films=pellow", count: 2, totalPages: 1),
        Page(target: "/character?nosuch=x", count: 0, totalPages: 0),
        Page(target: "/character?_id=214", count: 0, totalPages: 0),
        Page(target: "/character/214", count: 1, totalPages: 1, shape: "object"),
        Page(target: "/characters/214", count: 1, totalPages: 1, shape: "object"),
        Page(target: "/character/999999", count: 0, totalPages: 0),
        Page(target: "/characters/mick", count: 0, totalPages: 0),
    ]

    @Test(arguments: pages)
    func `counts and shapes its pages as the API does`(_ page: Page) throws {
        let server = try LocalServer()
        let response = try Curl(server.url + page.target)
        #expect(response.status == 200)
        #expect(response.header("Content-Type") == "application/json; charset=utf-8")
        let json = try response.json()
        let info = try #require(json["info"] as? [String: Any])
        #expect(Set(info.keys) == ["count", "totalPages", "previousPage", "nextPage"])
        #expect(info["count"] as? Int == page.count)
        #expect(info["totalPages"] as? Int == page.totalPages)
        let address = server.url + "/character"
        #expect(info["previousPage"] as? String == page.previous.map { address + $0 })
        #expect(info["nextPage"] as? String == page.next.map { address + $0 })
        if page.shape == "object" {
            #expect(json["data"] is [String: Any])
        } else {
            #expect((json["data"] as? [Any])?.count == page.count)
        }
    }

    @Test
    func `builds its links from the Host header, and always as http`() throws {
        let server = try LocalServer()
        let response = try Curl(
            server.url + "/character", ["-H", "Host: api.example", "-H", "X-Forwarded-Proto: https"])
        #expect(response.text.contains(#""nextPage":"http://api.example/character?page=2&pageSize=50""#))
    }

    @Test(arguments: ["name=(", "name=%5B", "name=*", "page=0", "page=-1", "page=x", "pageSize=x", "pageSize=-1"])
    func `never answers where the API's handler throws`(_ query: String) throws {
        let server = try LocalServer()
        let response = try Curl("\(server.url)/character?\(query)", ["-g"], limitSeconds: 2)
        #expect(response.exit == 28)
        #expect(response.status == nil)
        #expect(try server.requests.map(\.status) == [nil])
    }

    @Test(arguments: [("GET", "/characters"), ("GET", "/character/1/2"), ("POST", "/character")])
    func `has no other routes`(_ method: String, _ path: String) throws {
        let server = try LocalServer()
        let response = try Curl(server.url + path, ["-X", method])
        #expect(response.status == 404)
        #expect(response.header("Content-Type") == "text/html; charset=utf-8")
        #expect(response.text.contains("<pre>Cannot \(method) \(path)</pre>"))
    }

    @Test
    func `names its routes at its root, and answers HEAD with a head alone`() throws {
        let server = try LocalServer()
        #expect(try Curl(server.url + "/").json()["getCharacterById"] as? String == "/character/:id")
        let head = try Curl(server.url + "/character", ["-I"])
        #expect(head.status == 200)
        #expect(head.body == Array("".utf8) || head.text.hasPrefix("HTTP/1.1 200"))
        #expect(head.header("Content-Length") != nil)
    }

    @Test(arguments: [
        "[%, 1]", "\u{FEFF}{\"a\":[{\"data\":0}],\"data\" : [%,{}] ,\"z\":1}", "{\"data\":[%,\"]\"]}",
    ])
    func `serves each record's own bytes, from an array or from an object's data`(_ frame: String) throws {
        let record = Array(#"{ "_id" : 9007199254740993, "name":"\u004d\"]\\","#.utf8) + [0xff, 0x0A, 0x20, 0x7D]
        let parts = frame.split(separator: "%").map { Array($0.utf8) }
        let folder = try ScratchFolder()
        try folder.write(parts[0] + record + parts[1], to: "catalogue")
        let server = try LocalServer(catalogue: folder.path("catalogue"))
        let body = try Curl(server.url + "/character?pageSize=1").body
        let start = try #require(body.firstRange(of: Array(#""data":"#.utf8))).upperBound
        #expect(Array(body[start...]) == record + [0x7D])
    }

    @Test
    func `puts its address in the place of @BASE@`() throws {
        let server = try LocalServer()
        let data = try #require(try Curl(server.url + "/character/214").json()["data"] as? [String: Any])
        #expect(data["imageUrl"] as? String == server.url + "/images/ship.png")
        #expect(data["url"] as? String == server.url + "/characters/214")
    }

    static let recorded = Fixtures.checkout + "/../shared/recorded/disney/all-characters-7438.json"

    @Test(.enabled(if: FileManager.default.fileExists(atPath: recorded)))
    func `serves the recorded list`() throws {
        let server = try LocalServer(catalogue: Self.recorded)
        let all = try Curl(server.url + "/character?pageSize=0")
        let file = try Data(contentsOf: URL(fileURLWithPath: Self.recorded))
        let records = try #require(try JSONSerialization.jsonObject(with: file) as? [[String: Any]])
        let served = try #require(try all.json()["data"] as? [[String: Any]])
        #expect(NSArray(array: served) == NSArray(array: records))
        let mick = try Curl(server.url + "/character?name=mick").json()
        #expect((mick["data"] as? [Any])?.count == 7)
    }

    static let pictures = [
        ("fox.png", "image/png"), ("bee.gif", "image/gif"), ("key.svg", "image/svg+xml"), ("drop.bmp", "image/bmp"),
        ("gem.ico", "image/vnd.microsoft.icon"), ("page.jpg", "image/jpeg"),
        ("page.html", "text/html; charset=utf-8"),
    ]

    @Test(arguments: pictures)
    func `serves pictures with the type of their names`(_ name: String, _ type: String) throws {
        let server = try LocalServer()
        let response = try Curl(server.url + "/images/" + name)
        #expect(response.status == 200)
        #expect(response.header("Content-Type") == type)
        #expect(response.header("Content-Length") == "\(response.body.count)")
        let file = try Data(contentsOf: URL(fileURLWithPath: Fixtures.pictures + "/" + name))
        #expect(response.body == [UInt8](file))
    }

    @Test(arguments: [
        "/images/../characters.json", "/images/%2e%2e%2fcharacters.json", "/images/", "/images", "/images/.",
        "/images//etc/passwd", "/images/%2fetc%2fpasswd", "/images/..", "/images/nosuch.png", "/images/%00",
    ])
    func `serves nothing outside the folder of pictures`(_ path: String) throws {
        let server = try LocalServer()
        #expect(try Curl(server.url + path).status == 404)
    }

    @Test(arguments: ["/character?page=2", "/images/fox.png"])
    func `says 304 to who has it already`(_ target: String) throws {
        let server = try LocalServer()
        let first = try Curl(server.url + target)
        let tag = try #require(first.header("ETag"))
        for asked in [tag, "\"other\", \(tag)", "*", tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : "W/" + tag] {
            let again = try Curl(server.url + target, ["-H", "If-None-Match: \(asked)"])
            #expect(again.status == 304)
            #expect(again.body.isEmpty)
            #expect(again.header("ETag") == tag)
            #expect(again.header("Content-Length") == nil)
        }
        #expect(try Curl(server.url + target, ["-H", "If-None-Match: \"other\""]).status == 200)
        if let date = first.header("Last-Modified") {
            #expect(try Curl(server.url + target, ["-H", "If-Modified-Since: \(date)"]).status == 304)
            let both = ["-H", "If-Modified-Since: \(date)", "-H", "If-None-Match: \"other\""]
            #expect(try Curl(server.url + target, both).status == 200)
        }
    }

    @Test
    func `gives the same tag again after a restart`() throws {
        let folder = try ScratchFolder()
        try folder.write(#"[{"_id":1},{"_id":2}]"#.utf8, to: "catalogue")
        let one = try LocalServer(catalogue: folder.path("catalogue"))
        let other = try LocalServer(catalogue: folder.path("catalogue"))
        #expect(try Curl(one.url + "/character").header("ETag") == Curl(other.url + "/character").header("ETag"))
        #expect(try Curl(one.url + "/character/1").header("ETag") != Curl(one.url + "/character/2").header("ETag"))
    }
}
