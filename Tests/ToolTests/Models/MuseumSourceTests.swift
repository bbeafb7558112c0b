// fetch-characters on the museum's two APIs against their models: hops, languages, forms, and what isn't there.

import TestSupport
import Testing

@Suite("The museum's sources, against the models of its APIs")
struct MuseumSourceTests {
    @Test
    func `have number, title, description, page and picture of each object, as far as the way goes`() throws {
        let server = try LocalServer()
        let run = try ModelledSource.rijksmuseum.fetch(server)
        let ids = try run.texts("id")
        #expect(ids.prefix(2) == ["RP-T-1930-1(V)", "RP-T-1930-2(V)"] && Set(ids).count == 216)
        let names = try run.texts("name")
        #expect(names.count == 216 && !names.contains { $0.hasPrefix("Formerly") })
        #expect(names.count { $0.hasSuffix(", in het Nederlands") } == 24)
        #expect(try run.texts("description").count == 216)
        #expect(try run.texts("pageURL").allSatisfy { $0.contains("/rijksmuseum/collectie/object/") })
        let images = try run.texts("imageURL")
        #expect(images.count == 163)
        #expect(images.allSatisfy { $0.hasPrefix(server.otherURL) && $0.contains("/full/!800,800/0/") })
        let paths = try server.requests.map { $0.target.split(separator: "/").prefix(2).joined(separator: "/") }
        #expect(paths.count { $0 == "rijksmuseum/search" } == 3)
        #expect(paths.count { $0 == "rijksmuseum/id" } == 216 + 198 + 180)
        #expect(try server.requests.allSatisfy { $0.header("accept") == "application/ld+json" })
    }

    @Test
    func `search by title, and find one by its number`() throws {
        let server = try LocalServer()
        let source = ModelledSource.rijksmuseum
        let found = try source.fetch(server, ["--search", "heron"])
        #expect(found.status == 0 && found.lines.count == 19, "\(found.errors)")
        let one = try source.fetch(server, ["--id", "RP-T-1930-3(V)"])
        #expect(try one.texts("name") == ["Crooked Teapot"])
        let unknown = try source.fetch(server, ["--param", "q=whale"])
        #expect(unknown.status == 76 && unknown.errors.contains("400"), "\(unknown.errors)")
    }

    @Test
    func `keep pages and their numbers`() throws {
        let run = try ModelledSource.rijksmuseum.fetch(LocalServer(), ["--with-page", "--min-records", "216"])
        #expect(run.status == 0, "\(run.errors)")
        let pages = try run.records().compactMap { $0["page"] as? Int }
        #expect((1...3).map { number in pages.count { $0 == number } } == [100, 100, 16])
    }

    @Test
    func `read the first API's two kinds of answers, and pictures that are null`() throws {
        let server = try LocalServer()
        let source = ModelledSource.rijksmuseumV1
        let run = try source.fetch(server)
        #expect(try run.texts("imageURL").count == 162)
        #expect(try Set(run.texts("id")).count == 216)
        #expect(try server.requests.count == 8)
        let one = try source.fetch(server, ["--id", "SK-A-2"])
        #expect(try one.texts("description").first?.hasPrefix("Salty Barnacle, seen") == true)
        #expect(one.text.contains("quay.\\r\\nIt"))
        let missing = try source.fetch(server, ["--id", "sk-a-1"])
        #expect(missing.status == 1, "\(missing.errors)")
        #expect(try source.fetch(server, ["--search", "teapot"]).lines.count == 20)
    }
}
