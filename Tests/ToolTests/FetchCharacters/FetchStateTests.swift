// Runs that are ended in their middle and started again with --state.

import Foundation
import PipelineCore
import TestSupport
import Testing

@Suite struct FetchStateTests {
    let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    /// The arguments of a run on the characters of a server, which keeps its place in `state`.
    static func arguments(_ server: LocalServer, _ more: [String]) -> [String] {
        ["--base-url", server.url, "--rate", "1000000/second", "--state", "state", "--cache", "none"] + more
    }

    /// Runs it until it has ended by itself, killing it after that many lines each time, and returns what all runs wrote and
    /// the number of lines of the last one.
    static func untilDone(
        _ arguments: [String], _ folder: ScratchFolder, signal: Int32 = SIGKILL, input: String = "",
        limit: Int = 60, lines: () -> Int
    ) throws -> (output: [String], last: Int, runs: Int, errors: String, isKilled: Bool) {
        var output: [String] = []
        for run in 1...limit {
            let child = try ChildProcess("fetch-characters", arguments, in: folder)
            child.write(input.utf8)
            child.closeInput()
            for _ in 0..<lines() { if child.line() == nil { break } }
            child.signal(signal)
            #expect(child.finish(limitSeconds: 30))
            #expect(child.output.isEmpty || child.output.last == 0x0A)
            let lines = String(decoding: child.output, as: UTF8.self).split(separator: "\n").map(String.init)
            output += lines
            // One that is killed after its seal has ended all the same.
            if child.status == 0 || output.last?.contains("$seal") == true {
                return (output, lines.count, run, child.errors, child.status != 0)
            }
            #expect(child.status == 128 + signal, "\(child.errors)")
        }
        return (output, 0, limit, "not done", true)
    }

    /// The seal of a resumed list. The last run wrote that number of lines, including the seal.
    static func seal(of records: Int, by proof: String, last: Int) -> String {
        let after = records - (last - 1)
        return "{\"$seal\":{\"records\":\(records),\"complete\":true,\"by\":\"\(proof)\""
            + (after > 0 ? ",\"after\":\(after)}}" : "}}")
    }

    @Test func `a signal behind a page leaves its place, and one behind the seal is too late`() throws {
        let server = try LocalServer()
        let arguments = Self.arguments(server, ["--page-size", "10", "--seal"])
        for _ in 0..<5 {
            let begun = try ChildProcess("fetch-characters", arguments, in: folder)
            _ = begun.line()
            begun.signal(SIGINT)
            #expect(begun.finish(limitSeconds: 30))
            if begun.status == 130 {
                let rest = try Session("fetch-characters", arguments, folder: folder)
                let count = begun.output.count { $0 == 0x0A } + rest.lines.count
                #expect(rest.status == 0 && count == 121, "\(count)")
            } else {
                #expect(begun.status == 0)
            }
            #expect(!FileManager.default.fileExists(atPath: folder.path("state")))
        }
    }

    @Test(arguments: 0..<6) func `a run that is killed at any moment and started again gives every record`(
        seed: Int
    ) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let size = [1, 3, 7, 50][seed % 4]
        // The larger the page the later the next, so that a kill among few pages is in time.
        let server = try LocalServer(faults: ["delay=\(2 * size)ms"])
        let expected = try FetchCharactersTests.ids(ofCatalogue: Fixtures.catalogue)
        let arguments = Self.arguments(server, ["--page-size", "\(size)", "--seal", "--jobs", "\(1 + seed)"])
        let (output, last, runs, errors, isKilled) = try Self.untilDone(arguments, folder, limit: 150) {
            Int.random(in: 1...20 + size, using: &random)
        }
        #expect(errors.contains("went to the output of the earlier run") && runs > 1, "\(errors)")
        let seal = try #require(output.last)
        // A record comes twice only where its page was under way when the run was killed.
        let ids = try FetchCharactersTests.ids(output.filter { !$0.contains("$seal") })
        var first: [String] = []
        for id in ids where !first.contains(id) { first.append(id) }
        #expect(first == expected)
        #expect(ids.count - expected.count <= (runs - 1) * size)
        #expect(seal == Self.seal(of: 120, by: "count", last: last))
        #expect(isKilled || !FileManager.default.fileExists(atPath: folder.path("state")))
        // The lock of a run that was killed after its seal may stay; no file in the making does.
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .allSatisfy { !$0.contains(".castline-") })
    }

    @Test func `Ctrl-C leaves a place to go on from, and nothing comes twice`() throws {
        let server = try LocalServer(faults: ["times=1,page=3,hang"])
        let arguments = Self.arguments(server, ["--seal"])
        let child = try ChildProcess("fetch-characters", arguments, in: folder)
        for _ in 0..<100 { _ = child.line() }
        // The place is written after the lines.
        let end = Date(timeIntervalSinceNow: 30)
        while try folder.text("state").split(separator: "\n").count < 3, Date() < end { usleep(1000) }
        child.signal(SIGINT)
        #expect(child.finish(limitSeconds: 10) && child.status == 130)
        #expect(
            child.errors
                == "fetch-characters: stopped after 100 records; the same command resumes from there\n")
        let rest = try Session("fetch-characters", arguments, folder: folder)
        #expect(
            rest.status == 0
                && rest.lines.last == #"{"$seal":{"records":120,"complete":true,"by":"count","after":100}}"#)
        try folder.write((0..<120).map { "{\"id\":\($0)}\n" }.joined().utf8, to: "all")
        _ = try Session.script("store-plist --key id <all", folder: folder)
        let store = try folder.bytes("characters.plist")
        let part = try Session(
            "store-plist", ["--sealed", "--key", "id"], input: rest.text.utf8, folder: folder)
        #expect(
            part.status == 65 && part.errors.contains("the records after the first 100 of an earlier run"),
            "\(part.errors)")
        #expect(try folder.bytes("characters.plist") == store)
        let output = String(decoding: child.output, as: UTF8.self).split(separator: "\n").map(String.init)
        let ids = try FetchCharactersTests.ids(output + rest.lines.dropLast())
        #expect(try ids == FetchCharactersTests.ids(ofCatalogue: Fixtures.catalogue))
        #expect(try server.requests.count == 4)
    }

    @Test func `a run that goes on in the same file makes it whole`() throws {
        let server = try LocalServer(faults: ["times=1,page=3,status=404"])
        let script = """
            fetch='fetch-characters --base-url \(server.url) --cache none --state state --seal'
            $fetch >>list; echo $?; $fetch >>list; echo $?; tail -n 1 list
            grep -v seal list | sed 's/90071992547409931234/9/' >rest; tail -n 1 list >>rest
            store-plist --quiet --sealed --key id <rest; echo $?; store-plist --load | wc -l
            """
        let run = try Session.script(script)
        #expect(
            run.lines == ["76", "0", #"{"$seal":{"records":120,"complete":true,"by":"count"}}"#, "0", "120"],
            "\(run.errors)")
    }

    @Test func `a failed run goes on from its last page, and a limit counts over all runs`() throws {
        let server = try LocalServer(faults: ["times=2,page=3,status=503,retry-after=0"])
        let arguments = [
            "--base-url", server.url, "--rate", "1000000/second", "--state", "state", "--retries", "1", "--limit",
            "110", "--seal", "--jobs",
            "1",
        ]
        let failed = try Session("fetch-characters", arguments, folder: folder)
        #expect(failed.status == 69 && failed.lines.count == 100)
        let done = try Session("fetch-characters", arguments, folder: folder)
        #expect(done.status == 0 && done.lines.count == 11)
        #expect(
            done.lines.last == #"{"$seal":{"records":110,"complete":true,"by":"count","limit":110,"after":100}}"#)
    }

    // A file may have 40 KiB: the last page goes beyond that. The state isn't on the disk.
    @Test(arguments: ["ulimit -f 40;", "strace -fqq -e trace=fsync -e inject=fsync:error=ENOSPC:when=5"])
    func `what of a page went to a full disk is taken back, and comes whole the next time`(shortage: String) throws
    {
        if shortage.hasPrefix("strace"), let obstacle = Strace.obstacle { try Test.cancel("\(obstacle)") }
        let server = try LocalServer()
        let command = "fetch-characters --base-url \(server.url) --page-size 40 --state state --seal >>out"
        let full = try Session.script("\(shortage) \(command)", folder: folder)
        #expect(
            full.status == 74 && full.errors.contains(shortage.hasPrefix("u") ? "ulimit -f" : "make room"),
            "\(full.errors)")
        #expect(try folder.text("out").hasSuffix("}\n"))
        #expect(try folder.text("out").split(separator: "\n").count % 40 == 0)
        #expect(try Session.script(command, folder: folder).status == 0)
        let whole = try Session("fetch-characters", ["--base-url", server.url, "--page-size", "40", "--seal"])
        #expect(try folder.text("out") == whole.text)
    }

    @Test func `a page that repeats another is asked for again by the next run`() throws {
        let server = try LocalServer(faults: ["page=3,times=1,repeat-page=1"])
        let command =
            "fetch-characters --base-url \(server.url) --page-size 40 --cache none --jobs 1 --state state >>out"
        let failed = try Session.script(command, folder: folder)
        #expect(failed.status == 76 && failed.errors.contains("page 3 repeats page 1"), "\(failed.errors)")
        #expect(try Session.script(command, folder: folder).status == 0)
        #expect(try server.requests.count == 4 && folder.text("out").split(separator: "\n").count == 120)
        #expect(try folder.names().contains("state") == false)
    }

    @Test func `a second reading of a list goes on where it was left off`() throws {
        // The list shifts, is read a second time, and that reading fails once.
        let server = try LocalServer(faults: [
            "page=2,times=1,shift=1", "page=3,times=1,status=200", "page=3,times=1,status=404",
        ])
        let arguments = Self.arguments(server, ["--jobs", "1", "--seal"])
        let failed = try Session("fetch-characters", arguments, folder: folder)
        #expect(failed.status == 76 && failed.errors.contains("reading it a second time"), "\(failed.errors)")
        let done = try Session("fetch-characters", arguments, folder: folder)
        #expect(done.status == 0, "\(done.errors)")
        let ids = try FetchCharactersTests.ids((failed.lines + done.lines).filter { !$0.contains("$seal") })
        #expect(try ids.count == 120 && Set(ids) == Set(FetchCharactersTests.ids(ofCatalogue: Fixtures.catalogue)))
    }

    @Test func `single records and lists of --each go on too`() throws {
        let server = try LocalServer(faults: ["path=/character/12,times=1,status=500"])
        let ids =
            [
                "--base-url", server.url, "--rate", "1000000/second", "--state", "state", "--retries", "0",
                "--jobs", "1",
            ]
            + ["--id", "none", "--id", "214", "--id", "12"]
        let failed = try Session("fetch-characters", ids, folder: folder)
        #expect(failed.status == 69 && failed.lines.count == 1)
        let done = try Session("fetch-characters", ids, folder: folder)
        #expect(done.status == 1 && done.lines.count == 1, "\(done.errors)")
        let pets = try LocalServer(faults: ["query=breed_ids=b,times=1,status=500"])
        let each =
            [
                "--source", "cat-images", "--base-url", pets.url + "/catapi/v1", "--each", "id", "--state", "state",
                "--rate", "1000000/second",
            ]
            + ["--retries", "0", "--jobs", "1"]
        let input = "{\"id\":\"a\"}\n{\"id\":\"b\"}\n{\"id\":\"c\"}\n"
        #expect(try Session("fetch-characters", each, input: input.utf8, folder: folder).status == 69)
        for other in ["x\(input)", "{\"id\":\"x\"}\n\(input)", "{\"id\":\"b\"}\n", ""] {
            let run = try Session("fetch-characters", each, input: other.utf8, folder: folder)
            #expect(run.status == 65 && run.output.isEmpty && run.errors.contains("differ from those"), "\(other)")
        }
        let count = try pets.requests.count
        let ahead = each.dropLast(2) + ["--jobs", "4"]
        let swapped = "{\"id\":\"x\"}\n{\"id\":\"b\"}\n{\"id\":\"c\"}\n"
        #expect(try Session("fetch-characters", Array(ahead), input: swapped.utf8, folder: folder).status == 65)
        #expect(try pets.requests.count == count)
        let rest = try Session("fetch-characters", each + ["--report", "r"], input: input.utf8, folder: folder)
        #expect(rest.status == 0)
        #expect(try folder.text("r").contains("\"recordsOut\":\(rest.lines.count),"))
        #expect(try pets.requests.map(\.target.last) == ["a", "b", "b", "c"])
    }

    /// A place as the first version wrote it, with its sum.
    static var oldPlace: String {
        let text =
            #"{"tool":"fetch-characters","command":"9f0c-1","seed":"51a7","items":0,"misses":false,"pages":1,"#
            + #""recordsIn":50,"recordsOut":50,"walk":null,"ids":"","idsReadAgain":null"#
        return "\(text),\"sum\":\"\(String(ByteHash(seed: 0).hash(Array(text.utf8).span), radix: 16))\"}\n"
    }

    @Test func `the pages of each list of --each count for themselves, also in a run that goes on`() throws {
        let server = try LocalServer(faults: ["query=name=e,page=2,times=1,status=400"])
        let source = """
            {"name": "by-name", "baseURL": "\(server.url)", "path": "/character", "records": "$.data",
             "pagination": {"type": "page", "parameter": "page", "size": {"parameter": "pageSize", "value": 2}},
             "each": {"parameter": "name"}, "members": {"id": "_id", "name": "name"}}
            """
        try folder.write(Array(source.utf8), to: "source.json")
        let run = { (more: [String]) in
            try Session(
                "fetch-characters",
                ["--source", "source.json", "--each", "name", "--cache", "none", "--jobs", "1"]
                    + ["--rate", "1000000/second"] + more, input: "{\"name\":\"a\"}\n{\"name\":\"e\"}\n".utf8,
                folder: folder)
        }
        let cut = try run(["--state", "place"])
        #expect(cut.status == 76 && cut.lines.count > 3, "\(cut.errors)")
        let rest = try run(["--state", "place"])
        #expect(rest.status == 0 && !rest.lines.isEmpty, "\(rest.errors)")
        #expect(try run([]).output == cut.output + rest.output)
    }

    @Test func `a place that can't be kept is told before anything is asked`() throws {
        let server = try LocalServer()
        let run = try FetchCharactersTests.fetch(server, ["--state", "/no/such/folder/state"])
        #expect(run.status == 73 && run.errors.contains("choose another --state"))
        #expect(try FetchCharactersTests.fetch(server, ["--state", "/"]).status == 73)
        #expect(try server.requests.isEmpty)
    }

    @Test func `each saved page is on the disk before the next one is written`() throws {
        if let obstacle = Strace.obstacle { try Test.cancel("\(obstacle)") }
        let server = try LocalServer()
        let run = try Session(
            try #require(Strace.path),
            [
                "-f", "-y", "-o", folder.path("trace"), "-e", "trace=write,fsync",
                Executables.path("fetch-characters"),
            ]
                + Self.arguments(server, ["--page-size", "20"]), folder: folder)
        #expect(run.status == 0, "\(run.errors)")
        var (saved, synchronized) = (0, 0)
        for line in try folder.text("trace").split(separator: "\n") {
            if line.contains(" write(1<") { #expect(saved == synchronized, "\(line)") }
            guard line.contains("/state>") else { continue }
            if line.contains(" write(") { saved += 1 } else { synchronized += 1 }
        }
        // The first page's line goes to a file that gets its name afterwards, or is appended too.
        #expect(saved >= 5 && synchronized == saved, "\(saved) \(synchronized)")
    }
}
