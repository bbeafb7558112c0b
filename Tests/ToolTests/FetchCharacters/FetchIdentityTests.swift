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

    @Test(arguments: [true, false]) func `a record that several lists have comes in each of them`(hasIDs: Bool)
        throws
    {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        let lists = try ["mick", "i", "mick"].map { try Self.fetch(server, [$0], folder, hasIDs: hasIDs).lines }
        #expect(lists[0].count > 2 && Set(lists[0]).isSubset(of: lists[1]))
        for jobs in ["1", "8"] {
            let all = try Self.fetch(
                server, ["mick", "i", "mick"], folder, hasIDs: hasIDs, ["--jobs", jobs, "--seal"])
            #expect(all.status == 0 && all.errors.isEmpty && all.lines.dropLast() == lists.flatMap { $0 }[...])
            #expect(all.lines.last?.contains("\"records\":\(lists.joined().count),") == true)
        }
    }

    @Test(arguments: [true, false]) func `also where a run goes on with --state, at every page`(hasIDs: Bool) throws
    {
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
        while last?.status != 0, runs <= pages {
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
        #expect(run.status == 0 && run.errors.contains("read again"), "\(run.errors)")
        let ids = try FetchCharactersTests.ids(run.lines)
        let expected = try FetchCharactersTests.ids(once)
        #expect(Array(ids.suffix(once.count)) == expected)
        #expect(ids.count == 2 * once.count && Set(ids.prefix(once.count)) == Set(expected))
    }

    @Test func `records without an id that are the same come for each --id`() throws {
        let server = try LocalServer(faults: [FetchCharactersTests.body(#"{"data":[{"name":"a"},{"name":"a"}]}"#)])
        let folder = try ScratchFolder()
        try folder.write(Array(Self.source(server, hasIDs: false).utf8), to: "source.json")
        let run = try Session(
            "fetch-characters", ["--source", "source.json", "--id", "1", "--id", "2", "--id", "1"], folder: folder)
        #expect(run.status == 0 && run.lines == Array(repeating: #"{"source":"by-name","name":"a"}"#, count: 4))
        #expect(try server.requests.count == 2)
    }

    // MARK: --id

    static let responses: [(id: String, data: String, ids: [String], words: String)] = [
        (
            "5", #"[{"_id":7},{"_id":8}]"#, [],
            "id 5: the service sent 2 other records, the first of them 7 in its place"
        ),
        ("5", #"{"_id":7,"name":"a"}"#, [], "id 5: the service sent the record 7 in its place"),
        ("5", #"{"name":"a"}"#, [], "id 5: the service sent a record without an id in its place"),
        ("5", #"[{"_id":55},{"_id":5},{"_id":50},{"name":"5x"}]"#, ["5"], ""),
        ("5", #"{"_id":"5","name":"a"}"#, ["5"], ""), ("5", #"{"_id":" 5 ","name":"a"}"#, ["5"], ""),
        ("5", #"{"_id":5.0,"name":"a"}"#, ["5.0"], ""),
        ("5", #"{"_id":5.01}"#, [], "the record 5.01"), ("5", #"{"_id":5.}"#, [], ""),
        ("50", #"{"_id":5}"#, [], "the record 5 "), ("5", #"{"_id":-5}"#, [], "the record -5"),
        ("W27", #"{"_id":"https://h/works/W27","name":"a"}"#, ["https://h/works/W27"], ""),
        ("W27", #"{"_id":"https://h/works/w27/","name":"a"}"#, ["https://h/works/w27/"], ""),
        ("https://h/works/W27", #"{"_id":"W27","name":"a"}"#, ["W27"], ""),
        ("27", #"{"_id":"urn:work:27","name":"a"}"#, ["urn:work:27"], ""),
        ("7", #"{"_id":"https://h/works/27"}"#, [], "the record https://h/works/27"),
        ("pikachu", #"{"_id":25,"name":"Pikachu"}"#, ["25"], ""),
        ("pika", #"{"_id":25,"name":"Pikachu"}"#, [], "25"),
        ("\u{E9}", #"{"_id":"e\u0301"}"#, [], "the record e\u{301}"),
        ("sk-a-1", #"{"_id":"SK-A-1","name":"a"}"#, ["SK-A-1"], ""),
    ]

    @Test(arguments: responses) func `--id takes the record that was asked for and no other`(
        id: String, data: String, ids: [String], words: String
    ) throws {
        let server = try LocalServer(faults: [FetchCharactersTests.body(#"{"data":\#(data)}"#)])
        let run = try FetchCharactersTests.fetch(server, ["--id", id, "--seal", "--retries", "0"])
        guard ids.isEmpty else {
            #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
            return #expect(try FetchCharactersTests.ids(run.lines.dropLast()) == ids)
        }
        #expect([76, 69].contains(run.status) && run.output.isEmpty && run.errors.contains(words), "\(run.errors)")
    }

    @Test func `an response of another record isn't kept, and takes no good one's place`() throws {
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
