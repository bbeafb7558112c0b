// Every description of Documentation/sources, against a model that has its API's shape and oddities.

import TestSupport
import Testing

@Suite("A description of the library, against the model of its API")
struct LibraryTests {
    @Test(arguments: DescribedSource.all)
    func `gives all records once, with the common members that it describes`(_ source: DescribedSource) throws {
        let run = try source.fetch(try LocalServer(), ["--seal"])
        #expect(run.status == 0 && run.errors == "", "\(run.errors)")
        #expect(run.lines.last?.hasPrefix(#"{"$seal":{"records":\#(source.count),"complete":true,"by":""#) == true)
        let records = try run.records().dropLast()
        #expect(Set(records.compactMap { $0["id"] as? String }).count == source.count)
        for member in source.members {
            let count = records.count { $0[member] is String }
            let isNeeded = member == "id" || member == "name"
            #expect(isNeeded ? count == source.count : count * 2 >= source.count, "\(member) is in \(count)")
        }
    }

    @Test(arguments: DescribedSource.all)
    func `gives the same bytes while its service is disturbed`(_ source: DescribedSource) throws {
        let quiet = try LocalServer()
        let disturbed = try LocalServer(faults: ["every=4,in-turn=all"])
        let expected = try source.fetch(quiet, ["--seal"])
        let run = try source.fetch(disturbed, ["--seal", "--timeout", "2s"])
        #expect(run.status == 0 && run.errors == "", "\(run.errors)")
        let text = run.text.replacing(disturbed.url, with: quiet.url)
            .replacing(disturbed.otherURL, with: quiet.otherURL)
        #expect(text == expected.text)
        #expect(try disturbed.requests.count < 4 || disturbed.requests.contains { $0.fault != nil })
    }

    @Test(arguments: DescribedSource.all.filter(\.hasSearch))
    func `finds what there is by its search, and nothing where there is nothing`(_ source: DescribedSource) throws {
        let server = try LocalServer()
        let all = try source.fetch(server).records()
        let word = try #require((all.first?["name"] as? String)?.split(separator: " ").last).lowercased()
        let wanted = all.filter { ($0["name"] as? String)?.lowercased().contains(word) == true }
        let found = try source.fetch(server, ["--search", word])
        #expect(found.status == 0 && found.errors == "", "\(found.errors)")
        #expect(try Set(found.texts("id")).isSuperset(of: wanted.compactMap { $0["id"] as? String }))
        #expect(try found.texts("name").allSatisfy { $0.lowercased().contains(word) })
        let none = try source.fetch(server, ["--search", "nobody at all"])
        #expect(none.status == 0 && none.output.isEmpty && none.errors == "", "\(none.errors)")
    }

    @Test(arguments: DescribedSource.all.filter(\.hasItem))
    func `gives one record by its id, and says of another that it isn't there`(_ source: DescribedSource) throws {
        let server = try LocalServer()
        let third = try source.fetch(server, ["--limit", "3"]).records()[2]
        let id = try #require(third["id"] as? String)
        // Of a URL its end is enough.
        let asked = id.hasPrefix("http") ? String(id.split(separator: "/").last ?? "") : id
        let one = try source.fetch(server, ["--id", asked])
        #expect(one.status == 0 && one.errors == "", "\(one.errors)")
        #expect(try one.texts("id") == [id])
        #expect(try one.texts("name") == [third["name"] as? String])
        let other = try source.fetch(server, ["--id", "999999"])
        #expect(other.status == 1 && other.output.isEmpty && other.errors.contains("999999"), "\(other.errors)")
    }

    @Test
    func `fetches only what is newer, where the service can be asked for that`() throws {
        let source = try #require(DescribedSource.all.first { $0.name == "met-museum" })
        let server = try LocalServer()
        let run = try source.fetch(server, ["--since", "2024-01-21T12:00:00Z", "--seal"])
        #expect(run.status == 0 && run.errors == "", "\(run.errors)")
        #expect(try run.texts("id") == (20...64).map { "\($0)" })
        #expect(run.lines.last?.contains(#""since":"2024-01-21T12:00:00Z""#) == true)
        #expect(try server.requests.first?.target.hasSuffix("metadataDate=2024-01-21") == true)
    }

    @Test(arguments: DescribedSource.all)
    func `says in a line what it gives, and what it was written from`(_ source: DescribedSource) throws {
        let summary = try #require(source.summary)
        #expect((10...60).contains(summary.count) && !summary.hasSuffix("."), "\(summary)")
        let note = try #require(source.note)
        let form = /Written from .{8,} on \d{4}-\d\d-\d\d; not run against the live service\./
        #expect(note.wholeMatch(of: form) != nil, "\(note)")
    }

    @Test
    func `is one of at least thirty`() {
        #expect(DescribedSource.all.count >= 30)
    }
}
