// `--each`: a list for each record that comes in.

import TestSupport
import Testing

@Suite struct FetchEachTests {
    @Test func `the pictures of each breed come by the parameter of the description`() throws {
        let server = try LocalServer()
        let breeds = try FetchSource.fetch(server, "cat-breeds", at: "/catapi/v1", ["--limit", "3"])
        let run = try FetchSource.fetch(
            server, "cat-images", at: "/catapi/v1", ["--each", "id", "--seal"], input: breeds.text + "\n",
            environment: ["CAT_API_KEY": "live_secret"])
        #expect(run.status == 0 && run.errors == "" && run.lines.last?.contains(#""complete":true"#) == true)
        let asked = try server.requests.dropFirst().map(\.target)
        let ids = try FetchSource.texts("id", breeds).compactMap { $0 }
        #expect(asked.sorted() == ids.map { "/catapi/v1/images/search?limit=10&breed_ids=\($0)" }.sorted())
        #expect(try server.requests.dropFirst().allSatisfy { $0.header("x-api-key") == "live_secret" })
    }

    @Test func `a seal on the records of --each says whether the lists are all`() throws {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        for (seal, isSealed) in [
            ("", true), (#"{"$seal":{"records":1,"complete":true}}"#, true),
            (#"{"$seal":{"records":1,"complete":false}}"#, false),
            (#"{"$seal":{"records":0,"complete":true}}"#, false),
            (#"{"$seal":{"records":9,"complete":true}}"# + "\n" + #"{"id":"none"}"#, false),
        ] {
            let run = try FetchSource.fetch(
                server, "cat-images", at: "/catapi/v1",
                ["--each", "id", "--seal", "--report", folder.path("report")],
                input: #"{"id":"none"}"# + "\n" + seal,
                environment: ["CAT_API_KEY": "live_secret"])
            // The number of the last list's records says nothing of all.
            #expect(try folder.text("report").contains("\"expected\":null,\"complete\":\(isSealed)"))
            #expect(run.status == 0 && run.text.contains("$seal") == isSealed, "\(seal)")
        }
    }

    @Test func `records of --each that give no value are told as bad lines are`() throws {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        let input =
            "{\"id\":\"a\"}\n{\"x\":1}\n\n[]\n{\"id\":\"\"}\n{\"$seal\":{\"records\":1,\"complete\":true}}\n"
        let run = try FetchSource.fetch(
            server, "cat-images", at: "/catapi/v1", ["--each", "id", "--rejects", folder.path("bad")], input: input)
        #expect(run.status == 65)
        let errors = run.errors.split(separator: "\n")
        #expect(errors.count == 3 && errors[0].contains("<stdin>:2:1: expected a text or a number in id"))
        #expect(errors[1].contains("<stdin>:4:1: expected a record"))
        #expect(try folder.text("bad") == "{\"x\":1}\n[]\n{\"id\":\"\"}\n")
        #expect(try server.requests.count == 1)
        let stopped = try FetchSource.fetch(
            server, "cat-images", at: "/catapi/v1", ["--each", "id", "--on-bad-line", "stop"],
            input: "x\n{\"id\":1}\n")
        #expect(stopped.status == 65 && stopped.output.isEmpty)
        #expect(try server.requests.count == 1)
    }

    /// Records with the ids of some breeds.
    static let breeds = ["alle", "ashe", "bayl", "bomb", "brig", "cind", "cloc"]
    static let breedLines = breeds.map { "{\"id\":\"\($0)\"}\n" }

    @Test(arguments: [1, 4]) func `the first pages of later records are asked for ahead, no more than jobs`(
        jobs: Int
    ) throws {
        let server = try LocalServer(faults: ["query=breed_ids=ashe,hang"])
        let run = try FetchSource.fetch(
            server, "cat-images", at: "/catapi/v1",
            ["--each", "id", "--jobs", "\(jobs)", "--timeout", "3", "--retries", "0"],
            input: Self.breedLines.joined())
        // Nothing comes out of turn, and nothing is asked for before the first answer.
        #expect(run.status == 69 && run.errors.contains("breed_ids ashe: page 1"))
        let asked = try server.requests.compactMap {
            $0.target.firstMatch(of: /breed_ids=(\w+)/).map { String($0.output.1) }
        }
        #expect(asked.sorted() == Self.breeds.prefix(jobs + 1).sorted() && asked.first == "alle")
    }

    @Test func `lists come in the order of the records, however many are asked for at once`() throws {
        let server = try LocalServer(faults: ["query=breed_ids=ashe,delay=30ms", "query=breed_ids=bomb,delay=10ms"])
        let input = Self.breedLines.joined()
        let runs = try [1, 2, 3, 8].map {
            try FetchSource.fetch(
                server, "cat-images", at: "/catapi/v1", ["--each", "id", "--jobs", "\($0)", "--cache", "none"],
                input: input)
        }
        #expect(runs.allSatisfy { $0.status == 0 && $0.errors.isEmpty && $0.output == runs[0].output })
        #expect(runs[0].lines.count > 12)
        let limited = try FetchSource.fetch(
            server, "cat-images", at: "/catapi/v1", ["--each", "id", "--jobs", "8", "--limit", "12"], input: input)
        #expect(limited.status == 0 && limited.lines == Array(runs[0].lines.prefix(12)))
    }

    @Test func `a run that goes on takes from the cache what that has`() throws {
        let server = try LocalServer(faults: ["query=breed_ids=ashe,times=1,status=500"])
        let folder = try ScratchFolder()
        let kept = [
            "--each", "id", "--jobs", "1", "--retries", "0", "--cache", folder.path("c"), "--max-age", "1h",
        ]
        let state = ["--state", folder.path("state")]
        let lines = Self.breedLines
        let runs = try [([], lines[2]), (state, lines[..<3].joined()), (state, lines[..<3].joined())].map {
            try FetchSource.fetch(server, "cat-images", at: "/catapi/v1", kept + $0, input: $1).status
        }
        #expect(runs == [0, 69, 0])
        let asked = try server.requests.compactMap {
            $0.target.firstMatch(of: /breed_ids=(\w+)/).map { String($0.output.1) }
        }
        #expect(asked == ["bayl", "alle", "ashe", "ashe"])
    }

    @Test func `a bad line that stops the run does so behind the records before it`() throws {
        let server = try LocalServer()
        let lines = Self.breedLines
        let run = try FetchSource.fetch(
            server, "cat-images", at: "/catapi/v1", ["--each", "id", "--on-bad-line", "stop"],
            input: lines[0] + lines[1] + "x\n" + lines[2])
        let whole = try FetchSource.fetch(
            server, "cat-images", at: "/catapi/v1", ["--each", "id"], input: lines[0] + lines[1])
        #expect(run.status == 65 && !run.output.isEmpty && run.output == whole.output)
        #expect(run.errors.contains("<stdin>:3:1: expected a record"))
        #expect(try !server.requests.contains { $0.target.contains("breed_ids=bayl") })
    }
}
