// Which records are the same: within one list, in the lists of --each, and those that --id asks for.

import TestSupport
import Testing

@testable import fetch_characters

@Suite struct FetchIdentityTests {
    /// Lists by a name that is searched for: a record may be in several.
    static func source(_ server: LocalServer, hasIDs: Bool = true) -> String {
        """
        {"name": "by-name", "baseURL": "\(server.url)", "path": "/character", "records": "$.data",
         "pagination": {"type": "page", "parameter": "page", "first": 1, "pages": {"path": "$.info.totalPages"},
                        "size": {"parameter": "pageSize", "value": 2}},
         "each": {"parameter": "name"}, "item": "/character/{id}",
         "members": {\(hasIDs ? #""id": "_id", "# : "")"name": "name"}}
        """
    }

    static func fetch(
        _ server: LocalServer, _ values: [String], _ folder: ScratchFolder, hasIDs: Bool = true,
        _ options: [String] = []
    ) throws -> Session {
        try folder.write(Array(source(server, hasIDs: hasIDs).utf8), to: "source.json")
        return try Session(
            "fetch-characters",
            ["--source", "source.json", "--each", "name", "--cache", "none", "--rate", "1000000/second"] + options,
            input: values.map { "{\"name\":\"\($0)\"}\n" }.joined().utf8, folder: folder)
    }

    @Test(arguments: [true, false])
    func `a record that several lists have comes in each where a run goes on, at every page`(hasIDs: Bool) throws {
        let folder = try ScratchFolder()
        let values = ["mick", "i", "mick"]
        let usual = try LocalServer()
        let expected = try Self.fetch(usual, values, folder, hasIDs: hasIDs).text
        let pages = try usual.requests.count
        #expect(pages > 8)
        // Each page fails once.
        let server = try LocalServer(faults: ["every=2,status=500"])
        var output = ""
        var runs = 0
        var last: Session?
        // A list that comes again is requested again by a run that goes on.
        while last?.status != 0, runs <= 2 * pages {
            let run = try Self.fetch(
                server, values, folder, hasIDs: hasIDs, ["--state", "state", "--retries", "0", "--jobs", "1"])
            output += run.text
            runs += 1
            last = run
        }
        #expect(last?.status == 0 && runs > pages / 2, "\(last?.errors ?? "")")
        #expect(output.replacing(server.url, with: usual.url) == expected)
    }

    @Test func `a list of --each that is read a second time gives each of its records once`() throws {
        let server = try LocalServer(faults: ["query=name=mick,page=2,times=1,shift=1"])
        let folder = try ScratchFolder()
        let once = try Self.fetch(try LocalServer(), ["mick"], folder).lines
        let run = try Self.fetch(server, ["mick", "mick"], folder)
        #expect(run.status == 0 && run.errors.contains("reading it a second time"), "\(run.errors)")
        let ids = try FetchCharactersTests.ids(run.lines)
        let expected = try FetchCharactersTests.ids(once)
        #expect(Array(ids.suffix(once.count)) == Array(ids.prefix(once.count)))
        #expect(ids.count == 2 * once.count && Set(ids.prefix(once.count)) == Set(expected))
    }

    @Test func `a response of another record isn't kept, and takes no good one's place`() throws {
        let wrong = FetchCharactersTests.body(#"{"data":{"_id":7}}"#)
        let server = try LocalServer(faults: ["every=2,\(wrong)"])
        let folder = try ScratchFolder()
        let fetch = { (options: [String]) in
            try FetchCharactersTests.fetch(server, ["--id", "12", "--cache", folder.path("cache")] + options)
        }
        let good = try fetch([])
        #expect(try good.status == 0 && fetch([]).status == 76)
        let kept = try fetch(["--offline"])
        #expect(kept.status == 0 && kept.output == good.output)
    }

    @Test func `a long id is cut in a message`() {
        var asked = RequestedRecord("5")
        let isAsked = asked.accept(id: Array(repeating: 0x41, count: 100_000), name: [])
        #expect(!isAsked && asked.others == "the record " + String(repeating: "A", count: 200))
    }
}
