// The cache where a response, an entry or a place is bad, or other processes have it.

import Foundation
import PipelineCore
import PipelineHTTP
import TestSupport
import Testing

@Suite("A cache in trouble")
struct HTTPCacheFaultTests {
    @Test(
        arguments: [
            (["html"], 76), (["html,header=Cache-Control: no-store"], 76), (["body={\"data\":["], 69),
            (["status=404"], 76), (["body={}"], 76),
        ] as [([String], Int32)])
    func `an answer that can't be used leaves the one before where it was`(faults: [String], status: Int32) throws {
        let folder = try ScratchFolder()
        let server = try LocalServer()
        let options = ["--base-url", server.url, "--rate", "1000000/second", "--cache", "cache"]
        let first = try Session("fetch-characters", options, folder: folder)
        #expect(first.status == 0)
        server.stop()
        let other = try LocalServer(faults: faults, port: UInt16(server.port))
        let failed = try Session("fetch-characters", options + ["--retries", "1"], folder: folder)
        #expect(failed.status == status, "\(failed.errors)")
        let stale = try Session(
            "fetch-characters", options + ["--retries", "1", "--stale-if-error", "1d"], folder: folder)
        #expect(stale.status == (status == 69 ? 0 : 76))
        other.stop()
        // That the list is gone is a response of its own.
        guard !faults[0].hasPrefix("status") else { return }
        for more in [["--offline"], ["--stale-if-error", "1d", "--retries", "0"]] {
            let again = try Session("fetch-characters", options + more, folder: folder)
            #expect(again.status == 0 && again.output == first.output, "\(again.errors)")
        }
    }

    @Test
    func `what stands in for a request is its own earlier answer, whoever asked before`() throws {
        let faults = ["path=/character/12,delay=300ms", "path=/character/214,body={\"data\":{"]
        let server = try LocalServer(faults: ["header=ETag: \"1\""])
        let folder = try ScratchFolder()
        let options = [
            "--base-url", server.url, "--rate", "1000000/second", "--cache", "cache", "--retries", "0", "--jobs",
            "2",
            "--stale-if-error", "1d", "--id", "12", "--id", "214",
        ]
        let first = try Session("fetch-characters", options, folder: folder)
        #expect(first.status == 0 && first.lines.count == 2)
        server.stop()
        let other = try LocalServer(faults: faults, port: UInt16(server.port))
        let again = try Session("fetch-characters", options, folder: folder)
        #expect(again.status == 0 && again.output == first.output, "\(again.errors) \(again.text)")
        other.stop()
    }

    @Test
    func `a damaged entry is no answer, and is replaced`() throws {
        let server = try LocalServer(faults: ["header=Cache-Control: max-age=100"])
        let folder = try ScratchFolder()
        let url = server.url + "/character"
        _ = try CacheRun.get(url, folder)
        let file = "cache/" + (try #require(try CacheRun.files(folder).first))
        let whole = try folder.bytes(file)
        for damage in [[], Array(whole.dropLast()), Array(whole.reversed()), whole + [0]] {
            try folder.write(damage, to: file)
            #expect(try CacheRun.get(url, folder).provenance == .fetched)
            #expect(try CacheRun.get(url, folder).provenance == .cached)
        }
    }

    @Test
    func `an answer that the caller can't use is forgotten, and asked for without a question`() throws {
        let server = try LocalServer(faults: ["times=1,garbage,header=ETag: \"1\"", "header=ETag: \"1\""])
        let folder = try ScratchFolder()
        let arguments = ["--base-url", server.url, "--cache", folder.path("cache"), "--id", "12", "--raw"]
        let run = try Session("fetch-characters", arguments)
        #expect(run.status == 0 && run.lines.count == 1)
        #expect(try server.requests.map { $0.header("If-None-Match") } == [nil, nil])
        let again = try Session("fetch-characters", arguments)
        #expect(try again.output == run.output && server.requests.last?.header("If-None-Match") == "\"1\"")
    }

    @Test
    func `entries that nobody uses go, and the others stay`() throws {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        _ = try CacheRun.run(try (1...3).map { try HTTPRequest(server.url + "/character?page=\($0)") }, folder)
        let files = try CacheRun.files(folder)
        #expect(files.count == 3)
        let old = Date(timeIntervalSinceNow: -31 * 86_400)
        for name in [files[0], "castline-swept"] {
            try FileManager.default.setAttributes(
                [.modificationDate: old], ofItemAtPath: folder.path("cache/\(name)"))
        }
        _ = try CacheRun.run([], folder) { $0.cache.isOffline = true }
        #expect(try CacheRun.files(folder).count == 3)
        _ = try CacheRun.run([], folder)
        #expect(try CacheRun.files(folder).sorted() == files.dropFirst().sorted())
    }

    @Test
    func `times from before the clock was set back keep nothing for ever`() throws {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        _ = try CacheRun.run(try (1...3).map { try HTTPRequest(server.url + "/character?page=\($0)") }, folder)
        let files = try CacheRun.files(folder)
        for (name, days) in [(files[0], 31.0), (files[1], 29.0), ("castline-swept", 2.0)] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: days * 86_400)],
                ofItemAtPath: folder.path("cache/\(name)"))
        }
        _ = try CacheRun.run([], folder)
        #expect(try CacheRun.files(folder).sorted() == files.dropFirst().sorted())
    }

    @Test
    func `a place that can't be had is said where the user named it, and done without where not`() throws {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        try folder.write([], to: "file")
        let named = try Session(
            "fetch-characters", ["--base-url", server.url, "--limit", "1", "--cache", folder.path("file")])
        #expect(named.status == 73 && named.errors.hasSuffix("choose another --cache\n") && named.output.isEmpty)
        let usual = try Session(
            "fetch-characters", ["--base-url", server.url, "--limit", "1"],
            environment: ["XDG_CACHE_HOME": folder.path("file")])
        #expect(usual.status == 0 && usual.lines.count == 1)
    }

    private static let contradictions: [[String]] = [
        ["--offline", "--cache", "none"], ["--max-age", "1h", "--cache", "none"],
        ["--stale-if-error", "1h", "--cache", "none"], ["--offline", "--max-age", "1h"],
        ["--offline", "--stale-if-error", "1h"], ["--cache="], ["--stale-if-error", "0"],
    ]

    @Test(arguments: contradictions)
    func `options that contradict each other are refused`(arguments: [String]) throws {
        for tool in ["fetch-characters", "fetch-images"] {
            let run = try Session(tool, arguments)
            #expect(run.status == 64 && run.errors.hasPrefix("\(tool): --") && run.output.isEmpty)
        }
    }

    @Test
    func `processes that share a cache don't disturb each other`() throws {
        let server = try LocalServer()
        let script = """
            for i in 1 2 3 4 5 6; do
              fetch-characters --base-url \(server.url) --page-size 7 > out.$i & pids="$pids $!"
            done
            for pid in $pids; do wait $pid || exit 1; done
            sha256sum out.* | cut -d' ' -f1 | sort -u | wc -l
            """
        let folder = try ScratchFolder()
        let run = try Session.script(script, folder: folder)
        #expect(run.status == 0 && run.text == "1\n", "\(run.errors)")
    }
}
