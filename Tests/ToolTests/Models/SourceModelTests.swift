// fetch-characters on every source against the model of its API, with the oddities of each.

import TestSupport
import Testing

@Suite("A source, against the model of its API")
struct SourceModelTests {
    /// The museum has objects without a picture, whose number is told.
    private static func isOrdinary(_ errors: String, _ source: ModelledSource) -> Bool {
        guard source.name == "rijksmuseum" else { return errors == "" }
        return errors.split(separator: "\n").allSatisfy { $0.contains(" found nothing for 18 of ") }
    }

    @Test(arguments: ModelledSource.all)
    func `gives all records once, in the API's order`(_ source: ModelledSource) throws {
        let run = try source.fetch(LocalServer(), ["--seal", "--min-records", "\(source.count)"])
        #expect(run.status == 0 && Self.isOrdinary(run.errors, source), "\(run.errors)")
        #expect(run.lines.last?.hasPrefix(#"{"$seal":{"records":\#(source.count),"complete":true,"by":""#) == true)
        let records = try run.records().dropLast()
        #expect(records.allSatisfy { $0["source"] as? String == source.name })
        let ids = records.compactMap { $0["id"] as? String }
        #expect(Set(ids).count == (source.name == "dogs" ? 0 : source.count))
    }

    @Test(arguments: ModelledSource.all)
    func `gives the same bytes when every other answer fails in another way`(_ source: ModelledSource) throws {
        let quiet = try LocalServer()
        // The museum takes eight hundred requests.
        let every = source.name == "rijksmuseum" ? 20 : 2
        let disturbed = try LocalServer(faults: ["every=\(every),in-turn=all"])
        let expected = try source.fetch(quiet)
        let run = try source.fetch(disturbed, ["--timeout", "2s"])
        #expect(run.status == 0 && Self.isOrdinary(run.errors, source), "\(run.errors)")
        #expect(run.text.replacing(":\(disturbed.port)/", with: ":\(quiet.port)/") == expected.text)
        // A list in one response never meets the second.
        if source.pageSize != nil { #expect(try disturbed.requests.contains { $0.fault != nil }) }
    }

    @Test(arguments: ModelledSource.keyed)
    func `ends with 77 without the key that it needs, and with a wrong one`(_ source: ModelledSource) throws {
        let server = try LocalServer()
        if source.needsKey {
            let run = try Session("fetch-characters", source.options(server))
            #expect(run.status == 77 && run.errors.contains(source.variable ?? "?"), "\(run.errors)")
            #expect(try server.requests.isEmpty)
        }
        let run = try source.fetch(server, key: "wr0ng")
        #expect(run.status == 77 && run.output.isEmpty && !run.errors.contains("wr0ng"), "\(run.errors)")
    }

    @Test
    func `of dogs keeps numbers and strings for ids apart from nothing, and odd values as they are`() throws {
        let server = try LocalServer()
        let run = try ModelledSource.dogBreeds.fetch(server)
        #expect(try run.texts("id").prefix(3) == ["1", "2", "3"])
        #expect(try run.texts("id").suffix(2) == ["52", "53"])
        #expect(try run.texts("imageURL").count == 37)
        #expect(try run.texts("description").last == "It is mostly eyebrows.")
        for part in [#""NaN""#, "10 – 15 years", #""name":"Marsh Pointer ""#, #""life_span":null"#] {
            #expect(run.text.contains(part), "\(part)")
        }
        #expect(try server.requests.contains { $0.target.contains("page=3") })
        #expect(try server.requests.count == 4)
        let found = try ModelledSource.dogBreeds.fetch(server, ["--search", "terrier"])
        #expect(try found.texts("name").count == 5 && found.texts("imageURL").count == 5)
        #expect(try ModelledSource.dogBreeds.fetch(server, ["--id", "2"]).texts("name") == ["Barnaby Hound"])
    }

    @Test
    func `of cats has no picture where it is missing or {}, and pictures of each breed`() throws {
        let server = try LocalServer(faults: ["path=/catapi,page=1,bom"])
        let breeds = try ModelledSource.catBreeds.fetch(server)
        #expect(try breeds.texts("imageURL").count == 25)
        #expect(try breeds.texts("pageURL").count == 27)
        let longhair = try #require(try breeds.records().first { $0["id"] as? String == "pell" })
        #expect(longhair["imageURL"] == nil && (longhair["image"] as? [String: Any])?.isEmpty == true)
        let options = ModelledSource.catImages.options(server) + ["--each", "id"]
        let keyless = try Session("fetch-characters", options, input: breeds.output)
        #expect(keyless.status == 0, "\(keyless.errors)")
        let keyed = try Session(
            "fetch-characters", options, input: breeds.output, environment: ["CAT_API_KEY": "live_1"])
        #expect(keyless.text == keyed.text)
        #expect(try keyed.texts("name").count == keyed.lines.count)
        #expect(try Set(keyed.texts("name")).count == 26)
        let asked = try server.requests.filter { $0.target.contains("breed_ids=") }
        #expect(asked.count == 56)
    }

    @Test
    func `of dogs without ids gives each, the two of one name too, ages as they are`() throws {
        let run = try ModelledSource.dogs.fetch(try LocalServer())
        #expect(try run.texts("name").count { $0 == "Pepper" } == 2)
        #expect(try run.records().allSatisfy { $0["id"] == nil && $0["_id"] == nil })
        #expect(run.text.contains(#""age":"4""#) && run.text.contains(#""age":11"#))
    }

    @Test
    func `of issues follows Link headers however they are spelt`() throws {
        let server = try LocalServer()
        let issues = try #require(DescribedSource.all.first { $0.name == "github-issues" })
        let run = try issues.fetch(server, ["--page-size", "15"])
        #expect(try run.texts("id") == (1...75).map { "\($0)" })
        let targets = try server.requests.map(\.target)
        #expect(targets.count == 5 && targets.allSatisfy { $0.contains("state=all") })
        #expect(targets[1].hasPrefix("/github-issues/repositories/4711/issues?"))
    }
}
