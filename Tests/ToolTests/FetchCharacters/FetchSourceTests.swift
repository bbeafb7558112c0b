// The built-in sources against models of their APIs, and what a source counts.

import Foundation
import TestSupport
import Testing

@Suite struct FetchSourceTests {
    @Test(arguments: [("dog-breeds", "/dogapi/v1", "dog"), ("cat-breeds", "/catapi/v1", "cat")])
    func `breeds come whole, with ids that are texts and trimmed pictures`(
        source: String, path: String, file: String
    ) throws {
        let server = try LocalServer()
        let run = try FetchSource.fetch(server, source, at: path, ["--page-size", "5"])
        #expect(run.status == 0 && run.errors == "")
        let data = try Data(contentsOf: URL(fileURLWithPath: Fixtures.records + "/\(file)-breeds.json"))
        let breeds = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        #expect(try FetchSource.texts("id", run) == breeds.map { "\($0["id"] ?? "")" })
        #expect(try FetchSource.texts("name", run) == breeds.map { $0["name"] as? String })
        #expect(try run.records().allSatisfy { $0["source"] as? String == source })
        let pages = try server.requests.compactMap { $0.target.firstMatch(of: /page=(\d+)/)?.output.1 }
        #expect(pages.sorted() == (0..<(breeds.count + 4) / 5).map { "\($0)" }.sorted().map { Substring($0) })
    }

    @Test func `a breed is searched for where the API searches, and found by id`() throws {
        let server = try LocalServer()
        let all = try FetchSource.fetch(server, "dog-breeds", at: "/dogapi/v1")
        let name = try #require(try FetchSource.texts("name", all).compactMap { $0 }.first)
        let found = try FetchSource.fetch(server, "dog-breeds", at: "/dogapi/v1", ["--search", name.uppercased()])
        #expect(try found.status == 0 && FetchSource.texts("name", found).contains(name))
        #expect(try server.requests.last?.target.contains("/breeds/search?attach_image=1&") == true)
        let id = try #require(try FetchSource.texts("id", all)[1])
        let one = try FetchSource.fetch(server, "dog-breeds", at: "/dogapi/v1", ["--id", id, "--id", "none"])
        #expect(one.status == 1 && one.lines.count == 1 && one.errors.contains("no record has the id none"))
    }

    @Test(arguments: [(65_536, false), (65_537, true)]) func `a key file that is too long is refused, and not cut`(
        count: Int, isRefused: Bool
    ) throws {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        try folder.write([UInt8](repeating: 0x61, count: count), to: "key")
        let run = try FetchSource.fetch(
            server, "cat-breeds", at: "/catapi/v1", ["--key-file", folder.path("key"), "--retries", "0"])
        #expect((run.status == 77 && run.errors.contains("is too long for a key")) == isRefused, "\(run.errors)")
        #expect(try !isRefused || server.requests.isEmpty)
    }

    @Test func `a record that stands alone where lists are wrapped is found by its id`() throws {
        let server = try LocalServer(faults: [
            "path=/3,body={\"_id\":3}", "path=/none,body={\"error\":\"x\"}",
            "path=/list,body={\"data\":[{\"_id\":1}]},header=X-Total: 3",
        ])
        let folder = try ScratchFolder()
        let members = """
            "records":"data","members":{"id":"_id"},"item":"/{id}",
            "pagination":{"type":"none","total":{"header":"X-Total"}}
            """
        let run = try FetchSource.run(server, folder, members, ["--id", "3"])
        #expect(run.status == 0 && run.lines == [#"{"source":"s","id":"3"}"#], "\(run.errors)")
        let none = try FetchSource.run(server, folder, members, ["--id", "none"])
        #expect(none.status == 76 && none.errors.contains("but no 'data'; check the description"))
        // One answer that says how many there are is held to it.
        let list = try FetchSource.run(server, folder, members)
        #expect(list.status == 76 && list.errors.contains("got 1 of 3"), "\(list.errors)")
    }

    @Test(arguments: [
        ("1.0", 0), ("1e0", 0), ("3.0", 76), ("1.5", 76), ("-1.0", 76), ("1e99", 76), ("\"1\"", 0), ("\"3\"", 76),
        ("\"one\"", 76),
    ])
    func `a count may be written as a whole number with a fraction`(text: String, status: Int32) throws {
        let server = try LocalServer(faults: [FetchCharactersTests.body("{\"data\":[{}],\"n\":\(text)}")])
        let run = try FetchSource.run(
            server, try ScratchFolder(), #""records":"data","pagination":{"type":"none","total":{"path":"n"}}"#)
        #expect(run.status == status, "\(run.errors)")
    }

    @Test func `too few records are told though one of them isn't there`() throws {
        let server = try LocalServer()
        let run = try Session(
            "fetch-characters", ["--base-url", server.url, "--id", "none", "--min-records", "1"])
        #expect(run.status == 76 && run.errors.contains("got 0 of at least 1 records"))
    }

    @Test func `a list without ids keeps what occurs twice`() throws {
        let run = try FetchSource.fetch(LocalServer(), "dogs", at: "/dogs")
        let data = try Data(contentsOf: URL(fileURLWithPath: Fixtures.records + "/dogs.json"))
        let dogs = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        #expect(try run.status == 0 && FetchSource.texts("name", run) == dogs.map { $0["dogName"] as? String })
        #expect(try run.records().allSatisfy { $0["id"] == nil && $0["dogName"] == nil })
    }

    @Test func `the museum's records take their members from four responses each`() throws {
        let server = try LocalServer()
        let run = try FetchSource.fetch(
            server, "rijksmuseum", at: "/rijksmuseum", ["--limit", "30", "--jobs", "8"])
        // Some objects have no picture, which a line for each step says.
        let warnings = run.errors.split(separator: "\n")
        #expect(run.status == 0 && warnings.allSatisfy { $0.hasPrefix("fetch-characters: warning: step ") })
        let records = try run.records()
        #expect(records.count == 30 && Set(records.compactMap { $0["id"] as? String }).count == 30)
        for record in records {
            #expect((record["name"] as? String)?.isEmpty == false && (record["description"] as? String) != nil)
            #expect((record["pageURL"] as? String)?.hasPrefix("http") == true && record["produced_by"] != nil)
            #expect((record["id"] as? String)?.hasPrefix("http") == false, "\(record["id"] ?? "")")
        }
        let pictures = records.compactMap { $0["imageURL"] as? String }
        #expect(pictures.count > 10 && pictures.count < 30)
        #expect(pictures.allSatisfy { $0.contains("/full/!800,800/0/") })
        // No more is asked than the records take.
        #expect(try server.requests.count { $0.target.contains("/search/collection") } == 1)
        let one = try FetchSource.fetch(
            server, "rijksmuseum", at: "/rijksmuseum", ["--id", try #require(records[3]["id"] as? String)])
        #expect(one.status == 0 && one.lines == [run.lines[3]])
        #expect(try FetchSource.fetch(server, "rijksmuseum", at: "/rijksmuseum", ["--id", "none"]).status == 1)
    }

    @Test(.timeLimit(.minutes(2)))
    func `the museum's whole list comes in its order, however many are asked at once`()
        throws
    {
        let server = try LocalServer()
        let runs = try ["1", "16"].map { jobs in
            try FetchSource.fetch(
                server, "rijksmuseum", at: "/rijksmuseum", ["--seal", "--search", "heron", "--jobs", jobs])
        }
        #expect(runs[0].status == 0 && runs[0].text == runs[1].text && runs[0].lines.count > 3)
    }

    @Test func `the museum's first API needs its key, which nobody sees`() throws {
        let server = try LocalServer()
        let path = "/rijksmuseum-v1/api"
        let missing = try FetchSource.fetch(server, "rijksmuseum-v1", at: path)
        #expect(missing.status == 77 && missing.errors.contains("RIJKSMUSEUM_API_KEY"))
        #expect(try server.requests.isEmpty)
        let folder = try ScratchFolder()
        try Data("live_secret\n".utf8).write(to: URL(fileURLWithPath: folder.path("key")))
        let run = try FetchSource.fetch(
            server, "rijksmuseum-v1", at: path,
            ["--key-file", folder.path("key"), "--explain", "--limit", "150", "--report", folder.path("report")])
        #expect(run.status == 0 && run.lines.count == 150)
        #expect(try server.requests.allSatisfy { $0.target.hasSuffix("&key=live_secret") })
        #expect(run.errors.contains(" -G --data-urlencode 'key='\"$(cat ") && !run.errors.contains("live_secret"))
        #expect(try !run.text.contains("live_secret") && !folder.text("report").contains("live_secret"))
        let count = try server.requests.count
        let shown = try FetchSource.fetch(
            server, "rijksmuseum-v1", at: path, ["--key-file", folder.path("key"), "--param", "key=live_secret"])
        #expect(shown.status == 64 && shown.errors.contains("--param key") && shown.output.isEmpty)
        #expect(try !shown.errors.contains("live_secret") && server.requests.count == count)
        let wrong = try FetchSource.fetch(
            server, "rijksmuseum-v1", at: path, environment: ["RIJKSMUSEUM_API_KEY": "guessed"])
        #expect(wrong.status == 77 && !wrong.errors.contains("guessed"))
    }
}
