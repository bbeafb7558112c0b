// A service that answers each of its requests in turn with a failure, for every kind of list and every step.
//
// The promise is the oracle: a run that ends with 0 has sealed the very list that it has without the failure. Any other one
// has no seal, says why, and ends with the status that the table of castline(7) gives for the answer.

import TestSupport
import Testing

@Suite struct FetchRefusalTests {
    /// A list: its description, and what the service has by path and query.
    struct Kind: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let members: String
        var arguments: [String] = []
        var input = ""
        /// Of a fault's condition and the body.
        let bodies: [(at: String, body: String)]
        /// How many requests a run without a failure sends.
        let requests: Int
        /// Of those whose records 404 and 410 leave out, and of those that a record is written without.
        var absences: Set<Int> = []
        var lacks: Set<Int> = []
    }

    struct Answer: Sendable {
        let fault: String
        let status: Int32
        var isAbsence = false

        var isBadRequest: Bool { fault.hasPrefix("status=400") }
    }

    static let answers = [
        Answer(fault: "status=400,body={}", status: 76), Answer(fault: "status=401,body={}", status: 77),
        Answer(fault: "status=403,body={}", status: 77),
        Answer(fault: "status=404,body={}", status: 76, isAbsence: true),
        Answer(fault: "status=410,body={}", status: 76, isAbsence: true),
        Answer(fault: "status=429,body={}", status: 75),
        Answer(fault: "status=503,body={}", status: 69),
    ]

    private static func records(_ ids: ClosedRange<Int>, _ rest: String = "") -> String {
        let records = ids.map { #"{"id":\#($0),"name":"n\#($0)"}"# }.joined(separator: ",")
        return #"{"data":[\#(records)]\#(rest)}"#
    }

    private static let none = #""pagination":{"type":"none"},"#
    private static let names = #""members":{"id":"id","name":"name"}"#
    private static let empty = #"{"data":[]}"#
    private static let objects = (1...3).map { id in
        (at: "path=/CASE/r/\(id)", body: #"{"id":\#(id),"name":"n\#(id)","v":"v/\#(id)"}"#)
    }
    private static let stubs = #"{"data":[{"u":"r/1"},{"u":"r/2"},{"u":"r/3"}]}"#
    private static let numbered = [
        (at: "query=p=1", body: records(1...2)), (at: "query=p=2", body: records(3...4)),
        (at: "query=p=3", body: records(5...6)), (at: "path=/CASE/list", body: empty),
    ]

    static let kinds = [
        Kind(
            testDescription: "one response", members: none + names,
            bodies: [(at: "path=/CASE/list", body: records(1...6))], requests: 1),
        Kind(
            testDescription: "pages without a total",
            members: #""pagination":{"type":"page","parameter":"p"},"# + names,
            bodies: numbered, requests: 5),
        Kind(
            testDescription: "pages of records without ids",
            members: #""pagination":{"type":"page","parameter":"p"},"members":{"name":"name"}"#,
            bodies: numbered, requests: 5),
        Kind(
            testDescription: "pages with a total",
            members: #""pagination":{"type":"page","parameter":"p","total":{"path":"total"}},"# + names,
            bodies: [
                (at: "query=p=1", body: records(1...3, #","total":6"#)),
                (at: "query=p=2", body: records(4...6, #","total":6"#)),
            ], requests: 2),
        Kind(
            testDescription: "overlapping offsets",
            members:
                #""pagination":{"type":"offset","parameter":"p","size":{"parameter":"s","value":3},"total":{"path":"t"}},"#
                + names,
            bodies: [
                (at: "query=p=0", body: records(1...3, #","t":6"#)),
                (at: "query=p=2", body: records(3...5, #","t":6"#)),
                (at: "query=p=3", body: records(4...6, #","t":6"#)),
                (at: "query=p=4", body: records(5...6, #","t":6"#)),
            ], requests: 3),
        Kind(
            testDescription: "a cursor",
            members: #""pagination":{"type":"cursor","parameter":"p","next":"next"},"# + names,
            bodies: [
                (at: "query=p=b", body: records(3...4, #","next":"c""#)), (at: "query=p=c", body: records(5...6)),
                (at: "path=/CASE/list", body: records(1...2, #","next":"b""#)),
            ], requests: 3),
        Kind(
            testDescription: "links", members: #""pagination":{"type":"next-url","next":"next"},"# + names,
            bodies: [
                (at: "query=p=b", body: records(3...4)),
                (at: "path=/CASE/list", body: records(1...2, #","next":"?p=b""#)),
            ], requests: 2),
        Kind(
            testDescription: "stubs", members: none + #""expand":[{"name":"r","url":"u","record":true}],"# + names,
            bodies: [(at: "path=/CASE/list", body: stubs)] + objects, requests: 4, absences: [2, 3, 4]),
        Kind(
            testDescription: "stubs with a further step",
            members: none + #""expand":[{"name":"r","url":"u","record":true},{"name":"v","url":"/CASE/{$.v}"}],"#
                + #""members":{"id":"id","name":"name","imageURL":{"step":"v","path":"pic"}}"#,
            bodies: [(at: "path=/CASE/list", body: stubs)] + objects
                + [(at: "path=/CASE/v/", body: #"{"pic":"http://i.example/1.png"}"#)],
            requests: 7, absences: [2, 4, 6], lacks: [3, 5, 7]),
        Kind(
            testDescription: "--each", members: #""each":{"parameter":"of"},"# + none + names,
            arguments: ["--each", "id"],
            input: "{\"id\":1}\n{\"id\":2}\n{\"$seal\":{\"records\":2,\"complete\":true,\"by\":\"answer\"}}\n",
            bodies: [(at: "query=of=1", body: records(1...2)), (at: "query=of=2", body: records(3...4))],
            requests: 2,
            absences: [1, 2]),
        Kind(
            testDescription: "--id", members: #""item":"/CASE/r/{id}","# + none + names,
            arguments: ["--id", "1", "--id", "2"], bodies: objects, requests: 2, absences: [1, 2]),
    ]

    /// A run of a kind under a path of its own, so that one server's faults count for one run.
    private static func run(
        _ kind: Kind, _ path: String, _ server: LocalServer, _ folder: ScratchFolder,
        _ options: [String] = ["--retries", "0"]
    ) throws -> Session {
        let members = kind.members.replacing("CASE", with: path)
        let description =
            #"{"name":"s","baseURL":"\#(server.url)","path":"/\#(path)/list","records":"$.data",\#(members)}"#
        try folder.write(description.utf8, to: "s.json")
        return try Session(
            "fetch-characters",
            ["--source", "s.json", "--cache", "none", "--rate", "1000000/s", "--jobs", "1", "--seal"] + options
                + kind.arguments,
            input: kind.input.utf8, folder: folder)
    }

    /// A service that has the list under each of the paths.
    private static func server(_ kind: Kind, _ names: [String], failing faults: [String]) throws -> LocalServer {
        let bodies = names.flatMap { name in
            kind.bodies.map { at, body in
                let place = at.hasPrefix("path") ? at : "path=/\(name)/,\(at)"
                return place.replacing("CASE", with: name) + ","
                    + FetchCharactersTests.body(body.replacing("CASE", with: name))
            }
        }
        return try LocalServer(faults: faults + bodies)
    }

    @Test(arguments: kinds) func `a run ends with 0 only with its whole list`(kind: Kind) throws {
        let cases = (1...kind.requests).flatMap { number in Self.answers.map { (number, $0) } }
        let names = cases.indices.map { "c\($0)-" } + ["clean-"]
        let faults = zip(names, cases).map { name, attempt in
            "path=/\(name),every=\(attempt.0),times=1,\(attempt.1.fault)"
        }
        let server = try Self.server(kind, names, failing: faults)
        let folder = try ScratchFolder()
        let clean = try Self.run(kind, "clean-", server, folder)
        let cleanEnd = try #require(clean.lines.last)
        try #require(clean.status == 0 && cleanEnd.contains("$seal"), "\(clean.errors)")
        #expect(try server.requests.count == kind.requests)
        for (name, (number, answer)) in zip(names, cases) {
            let run = try Self.run(kind, name, server, folder)
            let isLack = kind.lacks.contains(number) && (answer.isAbsence || answer.isBadRequest)
            let isAbsence =
                kind.absences.contains(number)
                && (answer.isAbsence || kind.arguments.first == "--id" && answer.isBadRequest)
            let what = "request \(number), \(answer.fault): \(run.status) \(run.errors)"
            let lines = run.lines.filter { !$0.contains("$seal") }
            guard run.status == 0 else {
                #expect(run.status == (isAbsence ? 1 : answer.status), "\(what)")
                #expect(!run.text.contains("$seal") && run.errors.hasPrefix("fetch-characters: "), "\(what)")
                #expect(Set(lines).isSubset(of: clean.lines), "\(what)")
                continue
            }
            #expect(run.lines.last?.contains("$seal") == true, "\(what)")
            let changed = zip(lines, clean.lines).count { $0 != $1 }
            #expect(lines.count == clean.lines.count - 1 && changed == (isLack ? 1 : 0), "\(what)")
            #expect(run.errors.contains("step v found nothing for 1 of 3 records") == isLack, "\(what)")
        }
    }

    /// Contents with a successful status that are no JSON.
    private static let foreign = [
        "html", "status=200,empty", FetchCharactersTests.body(#"{"data":[{"id":1"#),
        FetchCharactersTests.body("busy"),
    ]

    /// A request whose response is no JSON, how often in a row, and the retries that the run may take.
    struct Attempt: Sendable {
        let number: Int
        let failures: Int
        let content: String
        let retries: Int

        var isMended: Bool { failures <= min(2, retries) }
    }

    @Test(arguments: kinds) func `what is no JSON is asked for again, at most twice`(kind: Kind) throws {
        var random = SplitMix64(seed: UInt64(kind.requests))
        let attempts = (1...kind.requests).flatMap { number in
            (1...3).map { failures in
                Attempt(
                    number: number, failures: failures, content: random.pick(Self.foreign),
                    retries: random.pick([0, 1, 2, 5, 5]))
            }
        }
        let names = attempts.indices.map { "c\($0)-" } + ["clean-"]
        let faults = zip(names, attempts).flatMap { name, attempt in
            // Each takes one request, and those behind it count the others alone.
            Array(
                repeating: "path=/\(name),every=\(attempt.number),times=1,\(attempt.content)",
                count: attempt.failures)
        }
        let server = try Self.server(kind, names, failing: faults)
        let folder = try ScratchFolder()
        let clean = try Self.run(kind, "clean-", server, folder)
        try #require(clean.status == 0, "\(clean.errors)")
        for (name, attempt) in zip(names, attempts) {
            let before = try server.requests.count
            let run = try Self.run(kind, name, server, folder, ["--retries", "\(attempt.retries)"])
            let sent = try server.requests.count - before
            let what = "\(attempt): \(run.status) \(run.errors)"
            if attempt.isMended {
                #expect(run.status == 0 && run.lines == clean.lines, "\(what)")
                #expect(sent == kind.requests + attempt.failures, "\(what)")
                continue
            }
            // Where nothing was right before, the description may be wrong.
            #expect(run.status == (attempt.number == 1 ? 76 : 75) && !run.text.contains("$seal"), "\(what)")
            #expect(sent == attempt.number + min(2, attempt.retries), "\(what)")
        }
    }

    /// The steps of records whose failure is left to the run's end.
    @Test(arguments: kinds.filter { $0.members.contains("expand") })
    func `with --on-error=skip a record whose step fails is left out`(kind: Kind) throws {
        let answers = [
            ("status=500,body={}", 69), ("status=401,body={}", 77), ("html", 75), ("status=418,body={}", 76),
        ]
        let cases = (2...kind.requests).flatMap { number in answers.map { (number, $0.0, Int32($0.1)) } }
        let names = cases.indices.map { "c\($0)-" } + ["clean-"]
        let faults = zip(names, cases).map { "path=/\($0),every=\($1.0),times=1,\($1.1)" }
        let server = try Self.server(kind, names, failing: faults)
        let folder = try ScratchFolder()
        let clean = try Self.run(kind, "clean-", server, folder)
        try #require(clean.status == 0, "\(clean.errors)")
        for (name, (number, fault, status)) in zip(names, cases) {
            let run = try Self.run(kind, name, server, folder, ["--retries", "0", "--on-error=skip"])
            let what = "request \(number), \(fault): \(run.status) \(run.errors)"
            #expect(run.status == status && !run.text.contains("$seal"), "\(what)")
            #expect(run.lines.count == 2 && Set(run.lines).isSubset(of: clean.lines), "\(what)")
            #expect(run.errors.hasPrefix("fetch-characters: a record is left out: step "), "\(what)")
        }
    }

    @Test func `without lists and steps there is nothing that --on-error could skip`() throws {
        for word in ["skip", "stop"] {
            let run = try Session("fetch-characters", ["--source", "disney", "--on-error=\(word)"])
            #expect(run.status == 64 && run.errors.contains("leave it out"), "\(run.errors)")
        }
    }

    @Test(arguments: ["{}", #"{"name":"b"}"#, #"{"id":null}"#, #"{"id":""}"#])
    func `a step's response without an id is no record, whatever the others have`(answer: String) throws {
        for stubs in [#"{"data":[{"u":"r/1"},{"u":"r/2"}]}"#, #"{"data":["r/1","r/2"]}"#] {
            let server = try LocalServer(faults: [
                "path=/c/r/1,\(FetchCharactersTests.body(#"{"id":1}"#))",
                "path=/c/r/2,\(FetchCharactersTests.body(answer))",
                "path=/c/list,\(FetchCharactersTests.body(stubs))",
            ])
            let place = stubs.contains("u") ? "u" : "value"
            let run = try FetchSource.run(
                server, try ScratchFolder(),
                #""records":"$.data","expand":[{"name":"r","url":"\#(place)","record":true}],"members":{"id":"id"}"#,
                ["--seal"], at: "/c/list")
            #expect(run.status == 76 && !run.text.contains("$seal"), "\(run.errors)")
            #expect(run.errors.contains("a record without an id"), "\(run.errors)")
        }
    }

    /// The header fields of which a request has one, and descriptions that have their own, with a body and without.
    @Test func `a request has each header field once, the description's own before the usual one`() throws {
        let own = [
            "Accept": "text/x", "Accept-Encoding": "identity", "Content-Type": "application/vnd.api+json",
            "User-Agent": "me", "Host": "h.example", "If-None-Match": "\"x\"",
        ]
        let server = try LocalServer(faults: ["path=/,\(FetchCharactersTests.body(#"[{"id":1}]"#))"])
        let kinds = [
            "", #""method":"POST","#, #""method":"POST","body":{"a":1},"#, #""method":"POST","form":{"a":"1"},"#,
        ]
        let folder = try ScratchFolder()
        for kind in kinds {
            for (name, value) in own {
                for name in [name, name.lowercased()] {
                    let text = value.replacing("\"", with: "\\\"")
                    let before = try server.requests.count
                    let run = try FetchSource.run(
                        server, folder, kind + #""headers":{"\#(name)":"\#(text)"},"members":{"id":"id"}"#)
                    #expect(run.status == 0, "\(run.errors)")
                    let request = try #require(try server.requests.dropFirst(before).first)
                    let names = request.headers.map { $0[0].lowercased() }
                    #expect(Set(names).count == names.count, "\(kind) \(name): \(names)")
                    #expect(request.header(name) == value, "\(kind) \(name)")
                }
            }
        }
        let usual = try FetchSource.run(server, folder, #""members":{"id":"id"}"#)
        #expect(usual.status == 0)
        #expect(try server.requests.last?.header("accept") == "application/json, */*;q=0.5")
    }

    @Test func `a 206 that nobody asked for is a page where the list leads on, and no list by itself`() throws {
        let pages = [
            "path=/list,query=p=2,status=206,\(FetchCharactersTests.body(#"[{"id":2}]"#))",
            "path=/list,query=p=1,status=206,\(FetchCharactersTests.body(#"[{"id":1}]"#))",
            "path=/list,query=p=,\(FetchCharactersTests.body("[]"))",
            "path=/list,status=206,\(FetchCharactersTests.body(#"[{"id":1}]"#))",
        ]
        let server = try LocalServer(faults: pages)
        let members = #""members":{"id":"id"}"#
        let numbered = #""pagination":{"type":"page","parameter":"p"},"# + members
        let whole = try FetchSource.run(server, try ScratchFolder(), numbered, ["--seal"])
        #expect(whole.status == 0 && whole.lines.count == 3, "\(whole.errors)")
        let one = try FetchSource.run(server, try ScratchFolder(), members, ["--seal"])
        #expect(one.status == 76 && one.errors.contains("answered 206"), "\(one.errors)")
        let cut = try LocalServer(faults: ["path=/,status=206,\(FetchCharactersTests.body(#"[{"id":1"#))"])
        let bytes = try FetchSource.run(cut, try ScratchFolder(), numbered, ["--seal", "--retries", "0"])
        #expect(bytes.status == 76 && bytes.errors.contains("answered 206"), "\(bytes.errors)")
    }

    @Test func `an outage that the cache bridges is said, in the report and in the seal`() throws {
        let folder = try ScratchFolder()
        let up = try LocalServer(faults: ["path=/list,\(FetchCharactersTests.body(#"[{"id":1},{"id":2}]"#))"])
        let members = #""members":{"id":"id"}"#
        let cache = ["--cache", folder.path("answers"), "--seal", "--report", folder.path("report.json")]
        let first = try FetchSource.run(up, folder, members, cache)
        #expect(first.status == 0 && !first.text.contains("stale"), "\(first.errors)")
        up.stop()
        let stale = try FetchSource.run(
            up, folder, members, cache + ["--stale-if-error", "1d", "--retries", "0"])
        #expect(stale.status == 0 && stale.lines.dropLast() == first.lines.dropLast(), "\(stale.errors)")
        #expect(stale.errors.contains("127.0.0.1:\(up.port) failed, so responses of the cache stand in"))
        let seal = try #require(stale.lines.last)
        let report = String(decoding: try folder.bytes("report.json"), as: UTF8.self)
        for text in [seal, report] {
            #expect(text.firstMatch(of: /"stale":"\d{4}-\d\d-\d\dT[\d:]+Z"/) != nil, "\(text)")
        }
        let stored = try Session(
            "store-plist", ["--sealed", "x.plist"], input: stale.output, folder: folder)
        #expect(
            stored.status == 0 && stored.errors.contains("the service of the records failed"), "\(stored.errors)")
    }

    @Test func `a run that goes on says that records of the earlier one stood in for the service`() throws {
        let folder = try ScratchFolder()
        let up = try LocalServer()
        let place = ["--base-url", up.url, "--rate", "1000000/second", "--cache", "cache", "--id", "12"]
        #expect(try Session("fetch-characters", place, folder: folder).status == 0)
        up.stop()
        let both =
            place + ["--id", "214", "--state", "place", "--seal", "--stale-if-error", "1d", "--retries", "0"]
        let first = try Session("fetch-characters", both + ["--jobs", "1"], folder: folder)
        #expect(first.status == 69 && first.lines.count == 1, "\(first.errors)")
        let again = try LocalServer(port: UInt16(up.port))
        let second = try Session("fetch-characters", both + ["--jobs", "1"], folder: folder)
        #expect(second.status == 0 && again.port == up.port, "\(second.errors)")
        #expect(second.lines.last?.contains(#","stale":""#) == true, "\(second.text)")
    }
}
