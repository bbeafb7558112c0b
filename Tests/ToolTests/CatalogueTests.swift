// The project's own catalogue has what the tests and the demonstration count on.

import Foundation
import Testing

@Suite("The catalogue")
struct CatalogueTests {
    private let text: String
    private let records: [[String: Any]]

    init() throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: Fixtures.catalogue))
        text = String(decoding: data, as: UTF8.self)
        records = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    }

    private var names: [String] { records.compactMap { $0["name"] as? String } }

    @Test
    func `has 120 records with ids of their own, with gaps and out of order`() {
        let ids = records.compactMap { $0["_id"] as? Int }
        #expect(ids.count == 120)
        #expect(Set(ids).count == 120)
        #expect(ids != ids.sorted())
        #expect((ids.max() ?? 0) > 200)
    }

    @Test
    func `has six names with mick in them, once as an escape, and no member of that name`() {
        #expect(names.filter { $0.lowercased().contains("mick") }.count == 6)
        #expect(text.contains(#""name": "\u004dick of the Marsh""#))
        #expect(records.allSatisfy { !$0.keys.contains { $0.lowercased().contains("mick") } })
    }

    @Test
    func `has the members of the service's records in their order`() {
        let order = [
            "_id", "films", "shortFilms", "tvShows", "videoGames", "parkAttractions", "allies", "enemies",
            "sourceUrl",
            "name", "imageUrl", "createdAt", "updatedAt",
        ]
        for block in text.components(separatedBy: "\n  {\n").dropFirst() {
            let names = block.split(separator: "\n").filter { $0.hasPrefix("    \"") }
                .compactMap { $0.split(separator: "\"").dropFirst().first.map(String.init) }
            let known = names.filter { order.contains($0) }
            #expect(known == order.filter { $0 != "imageUrl" || known.contains("imageUrl") })
            #expect(names.contains("url") && names.last == "__v")
        }
    }

    @Test(arguments: [
        #"Bj\u00f6rk \u00c5lander"#, "E\u{301}mile", "Łódka of Łódź", "Straßenkehrer", "Æther", "İpek",
        "Boo\u{A0}\"",
        "Aunt  Prickle", "(retired)", "ホシノ・ツキ", "ﾐｯｸ", #"\ud83d\udc1f"#, #"Kamel\/Dromedar"#,
        ": 90071992547409931234", ": 3.14159265358979323846", #"\"Quotes\""#, #"Back\\slash"#,
    ])
    func `has the oddities that real records have`(_ part: String) {
        #expect(text.utf8.firstRange(of: part.utf8) != nil)
    }

    @Test
    func `has names that stand twice, and records without a picture`() {
        #expect(Set(names).count == 120 - 5)
        #expect(records.filter { $0["imageUrl"] == nil }.count == 7)
    }

    @Test
    func `names pictures that are there, but for two`() throws {
        let named = Set(
            records.compactMap { ($0["imageUrl"] as? String)?.split(separator: "/").last.map(String.init) })
        let there = Set(try FileManager.default.contentsOfDirectory(atPath: Fixtures.pictures))
        #expect(named.subtracting(there) == ["missing-portrait.png", "missing-violet.gif"])
        #expect(there.subtracting(named) == ["zero-width.gif"])
        #expect(records.allSatisfy { ($0["imageUrl"] as? String)?.hasPrefix("@BASE@/images/") ?? true })
    }
}
