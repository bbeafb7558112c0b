// Runs that go on with --state, and the file that their output goes to: killed at any moment, with half a line behind it, too
// short, new, another one, or a pipe.

import Foundation
import TestSupport
import Testing

@Suite struct FetchOutputTests {
    let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    private func command(_ server: LocalServer, _ size: Int) -> String {
        "fetch-characters --base-url \(server.url) --rate 1000000/second --cache none --page-size \(size) --seal "
            + "--retries 0 --state state"
    }

    @Test(arguments: 0..<8) func `a file has every record once, whatever moment a run is killed at`(seed: Int)
        throws
    {
        var random = SplitMix64(seed: UInt64(seed))
        let size = random.pick([3, 7, 20])
        let server = try LocalServer(faults: ["delay=\(size)ms"])
        let expected = try FetchCharactersTests.ids(ofCatalogue: Fixtures.catalogue)
        try folder.write("{\"id\":\"before\"}\n".utf8, to: "out")
        var status: Int32 = 137
        var runs = 0
        // A run that was killed behind its end has taken the state away: the list is whole, and the next run is another one.
        func isWhole() throws -> Bool {
            try !folder.names().contains("state") && folder.text("out").contains("$seal")
        }
        while status == 137, runs < 200, try !isWhole() {
            runs += 1
            let seconds = String(Double(Int.random(in: 5...400, using: &random)) / 1000)
            let run = try Session.script(
                "timeout -s KILL \(seconds) \(command(server, size)) --jobs \(1 + seed % 4) >>out", folder: folder)
            status = run.status
            guard status == 137, random.oneIn(2) else { continue }
            // A run that was killed before its first line knows nothing of the file.
            guard try folder.names().contains("state"), try folder.text("state").contains("\"output\"") else {
                continue
            }
            let tail = random.pick(["{", "{\"source\":\"disney\",\"na", "{\"id\":\"1\"}\n{\"id\":\"2\"}\n"])
            try folder.write(tail.utf8, to: "tail")
            _ = try Session.script("cat tail >>out", folder: folder)
        }
        #expect(try status == 0 || isWhole(), "status \(status) after \(runs) runs")
        let lines = try folder.text("out").split(separator: "\n").map(String.init)
        #expect(try FetchCharactersTests.ids(lines.dropLast()) == ["before"] + expected)
        #expect(lines.last == #"{"$seal":{"records":120,"complete":true,"by":"count"}}"#)
        #expect(try folder.names().contains("state") == false)
    }

    /// What is done to the output between two runs, where the second one writes, and what comes of it.
    static let table: [(change: String, target: String, status: Int32, message: String, seal: String, ids: Int)] = [
        (":", ">>out", 0, "", #""by":"count"}}"#, 120),
        ("printf '{\"id\":\"1' >>out", ">>out", 0, "cut 8 bytes off", #""by":"count"}}"#, 120),
        ("head -n 3 out >>out2; cat out2 >>out", ">>out", 0, "off the end of the output", #""by":"count"}}"#, 120),
        ("printf x >>out", ">>out", 0, "cut 1 byte off", #""by":"count"}}"#, 120),
        ("truncate -s -1 out", ">>out", 65, "append to them with >>", "", 0),
        (":", ">out", 65, "append to them with >>", "", 0),
        (":", ">>new", 65, "append to them with >>", "", 0),
        ("cp out copy; cat copy >>copy.long", ">>copy.long", 0, "went to the output", #""after":100}}"#, 120),
        ("echo '{\"id\":\"x\"}' >other", ">>other", 0, "went to the output", #""after":100}}"#, 21),
        (":", "| cat >other", 0, "went to the output", #""after":100}}"#, 20),
    ]

    @Test(arguments: table.indices) func `the output of a run that goes on is the one it had, or a part`(row: Int)
        throws
    {
        let (change, target, status, message, seal, ids) = Self.table[row]
        let server = try LocalServer(faults: ["times=1,page=6,status=404"])
        let fetch = command(server, 20)
        #expect(try Session.script("\(fetch) --jobs 1 >>out", folder: folder).status == 76)
        let run = try Session.script("set -o pipefail; \(change); \(fetch) \(target)", folder: folder)
        #expect(run.status == status, "\(run.errors)")
        #expect(message.isEmpty || run.errors.contains(message), "\(run.errors)")
        guard status == 0 else { return }
        let name = String(target.split { "> |".contains($0) }.last ?? "")
        let lines = try folder.text(name).split(separator: "\n").map(String.init)
        #expect(lines.last?.hasSuffix(seal) == true, "\(lines.last ?? "")")
        #expect(try FetchCharactersTests.ids(lines.dropLast()).count == ids)
    }

    @Test func `what went to a pipe first is no part of a file, however often the run is stopped`() throws {
        let server = try LocalServer(faults: ["times=1,page=3,status=404", "times=1,page=5,status=404"])
        let fetch = command(server, 20) + " --jobs 1"
        #expect(try Session.script("set -o pipefail; \(fetch) | wc -l", folder: folder).status == 76)
        #expect(try Session.script("\(fetch) >>out", folder: folder).status == 76)
        let run = try Session.script("\(fetch) >>out; tail -n 1 out; wc -l <out", folder: folder)
        #expect(
            run.lines == [#"{"$seal":{"records":120,"complete":true,"by":"count","after":40}}"#, "81"],
            "\(run.lines) \(run.errors)")
    }

    @Test func `another key or login doesn't go on, and the state has neither`() throws {
        let server = try LocalServer(faults: ["times=1,page=3,status=404"])
        try folder.write(
            #"""
            {"name":"s","baseURL":"\#(server.url)","path":"/character","records":"$.data",
             "key":[{"header":"X-Api-Key","env":"S_KEY"}],"members":{"id":"_id","name":"name"},
             "pagination":{"type":"page","parameter":"page","size":{"parameter":"pageSize","value":20}}}
            """#.utf8, to: "s.json")
        func run(_ key: String) throws -> Session {
            try Session(
                "fetch-characters",
                ["--source", "s.json", "--state", "state", "--jobs", "1", "--cache", "none", "--rate", "1000/s"],
                environment: ["S_KEY": key], folder: folder)
        }
        #expect(try run("alice-secret-4711").status == 76)
        #expect(try !folder.text("state").contains("alice"))
        let count = try server.requests.count
        let other = try run("bob-secret-0815")
        #expect(other.status == 65 && other.errors.contains("another key or login"), "\(other.errors)")
        #expect(try server.requests.count == count)
        #expect(try run("alice-secret-4711").status == 0)
    }
}
