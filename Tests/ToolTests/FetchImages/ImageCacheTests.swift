// Pictures of earlier runs: what is asked again, what the records tell of it, and what killed runs leave.

import Foundation
import TestSupport
import Testing

@Suite("The cache of fetch-images")
struct ImageCacheTests {
    /// One home for several runs, and with it one cache.
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    private func run(_ urls: [String], _ arguments: [String] = []) throws -> Session {
        let input = urls.map { "{\"imageURL\":\"\($0)\"}\n" }.joined()
        return try Session(
            "fetch-images", ["--allow-private", "--retries", "0"] + arguments, input: input.utf8,
            environment: ["XDG_CACHE_HOME": folder.path("cache")], folder: folder)
    }

    /// How the run got its pictures, as its report counts them.
    private func statuses(_ urls: [String], _ arguments: [String] = []) throws -> [String: Int] {
        _ = try run(urls, arguments + ["--report", "report"])
        let counts = try #require(try Session.object(folder.bytes("report"))["images"] as? [String: Int])
        return counts.filter { $0.value > 0 }
    }

    private static func urls(_ server: LocalServer) -> [String] {
        ["cat.png", "key.svg", "fox.png"].map { "\(server.url)/images/\($0)" }
    }

    @Test
    func `a second run asks whether the pictures still hold, and gets no byte of them`() throws {
        let server = try LocalServer()
        let urls = Self.urls(server)
        let first = try run(urls)
        #expect(try statuses(urls) == ["revalidated": 3])
        #expect(try folder.text("report").contains("\"requests\":3,\"retries\":0,\"fromCache\":3"))
        #expect(try server.requests.map(\.status) == [200, 200, 200, 304, 304, 304])
        // What the records tell is the same.
        #expect(try run(urls).text == first.text)
    }

    @Test
    func `fresh pictures are taken from the store without a request, also offline`() throws {
        let server = try LocalServer(faults: ["header=Cache-Control: max-age=1000"])
        let urls = Self.urls(server)
        #expect(try statuses(urls) == ["fetched": 3])
        for arguments in [[], ["--max-age", "1h"], ["--offline"]] {
            #expect(try statuses(urls, arguments) == ["cached": 3])
        }
        #expect(try server.requests.count == 3)
        let offline = try run(["\(server.url)/images/owl.png"], ["--offline"])
        #expect(offline.status == 69 && offline.text.contains("isn't in the cache"))
        #expect(try server.requests.count == 3)
    }

    @Test
    func `a picture that the store hasn't got whole is fetched again`() throws {
        let server = try LocalServer(faults: ["header=Cache-Control: max-age=1000"])
        let url = ["\(server.url)/images/cat.png"]
        let line = try #require(try run(url).lines.first)
        let path = try #require(line.split(separator: "\"").first { $0.hasPrefix("images/") }).description
        let whole = try folder.bytes(path)
        #expect(try statuses(url, ["--dir", "other"]) == ["fetched": 1])
        for damage in [
            { try folder.write(whole.dropLast(), to: path) },
            {
                try FileManager.default.removeItem(atPath: folder.path(path))
            },
        ] {
            try damage()
            #expect(try statuses(url) == ["fetched": 1])
            #expect(try folder.bytes(path) == whole)
            #expect(try statuses(url) == ["cached": 1])
        }
    }

    @Test
    func `the store stands in for a service that is down, as long as that is allowed`() throws {
        let server = try LocalServer()
        let urls = Self.urls(server)
        _ = try run(urls)
        server.stop()
        #expect(try run(urls).status == 69)
        #expect(try statuses(urls, ["--stale-if-error", "1h"]) == ["stale": 3])
    }

    @Test(arguments: [("html", 200), ("status=403", 403)])
    func `it also stands in for a response that isn't a picture, and a dropped record withholds the seal`(
        _ fault: String, _ status: Int
    ) throws {
        let server = try LocalServer(faults: ["path=/images/cat.png,every=2,\(fault)"])
        let url = ["\(server.url)/images/cat.png"]
        _ = try run(url)
        #expect(try statuses(url, ["--stale-if-error", "1h"]) == ["stale": 1])
        _ = try run(url)
        let seal = #"{"$seal":{"records":1,"complete":true,"by":"answer"}}"#
        let dropped = try Session(
            "fetch-images", ["--allow-private", "--on-error", "drop"],
            input: "{\"imageURL\":\"\(url[0])\"}\n\(seal)\n".utf8,
            environment: ["XDG_CACHE_HOME": folder.path("cache")], folder: folder)
        #expect(dropped.text == "" && dropped.errors.contains("may be there later"), "\(dropped.errors)")
    }

    @Test
    func `what isn't there is remembered for a while, and what is no picture isn't`() throws {
        let server = try LocalServer(faults: ["path=/images/none,status=404", "path=/images/gone,status=410"])
        let urls = ["none.png", "gone.png", "page.html"].map { "\(server.url)/images/\($0)" }
        #expect(try statuses(urls) == ["failed": 3])
        #expect(try statuses(urls) == ["failed": 3])
        #expect(try statuses(urls, ["--max-age", "0"]) == ["failed": 3])
        #expect(try server.requests.count == 7)
    }

    @Test
    func `files in the making that a killed run has left are removed, but not those of a run that goes on`() throws
    {
        let server = try LocalServer()
        let url = ["\(server.url)/images/cat.png"]
        try FileManager.default.createDirectory(
            atPath: folder.path("images/.castline"), withIntermediateDirectories: true)
        try folder.write([1, 2, 3], to: "images/.castline/castline-0123456789abcdef")
        let beside = try Session.script(
            "exec 9<images/.castline; flock -s 9; echo '{\"imageURL\":\"\(url[0])\"}' | fetch-images --allow-private",
            folder: folder)
        #expect(beside.status == 0)
        #expect(try folder.bytes("images/.castline/castline-0123456789abcdef") == [1, 2, 3])
        #expect(try statuses(url, ["--cache", "none"]) == ["fetched": 1])
        #expect(!FileManager.default.fileExists(atPath: folder.path("images/.castline")))
    }

    @Test(arguments: ["--max-age 1h", "--max-age 0", "--offline"])
    func `a bound holds for a picture of an earlier run too`(option: String) throws {
        let server = try LocalServer()
        try folder.write("{\"imageURL\":\"\(server.url)/images/cat.png\"}\n".utf8, to: "records")
        let command = "fetch-images --allow-private --cache cache <records"
        #expect(try Session.script(command, folder: folder).status == 0)
        let run = try Session.script("\(command) \(option) --max-bytes 10", folder: folder)
        #expect(run.status == 76 && run.text.contains("\"failed\""), "\(run.text)")
        #expect(run.text.contains("more than 10 bytes"), "\(run.text)")
    }

    @Test
    func `runs that share a store and a cache all end well, and leave nothing but pictures`() throws {
        let server = try LocalServer()
        let names = try FileManager.default.contentsOfDirectory(atPath: Fixtures.pictures).filter {
            $0.hasSuffix(".png") && !["truncated.png", "absurd-size.png"].contains($0)
        }
        try folder.write(
            names.map { "{\"imageURL\":\"\(server.url)/images/\($0)\"}\n" }.joined().utf8, to: "records")
        let script = """
            for i in 1 2 3 4 5 6; do fetch-images --allow-private <records >out.$i & pids="$pids $!"; done
            for pid in $pids; do wait $pid || exit 1; done
            fetch-images --verify && find images -name '.*' | wc -l
            """
        let run = try Session.script(script, folder: folder)
        #expect(run.status == 0 && run.text == "0\n", "\(run.errors)")
        #expect(run.errors.hasPrefix("fetch-images: \(names.count) pictures, none damaged"))
    }
}

// The same records in every run: nothing in them tells how their pictures were got this time, nor where it came from.

@Suite("A repeated run of fetch-images")
struct RepeatedRunTests {
    /// The whole catalogue: records without a picture, pictures that aren't there, and files that are none.
    private struct Room {
        let server: LocalServer
        let folder: ScratchFolder

        init() throws {
            server = try LocalServer()
            folder = try ScratchFolder()
            let records = try Session("fetch-characters", ["--base-url", server.url, "--seal"])
            try folder.write(records.output, to: "records")
        }

        func run(_ options: String) throws -> Session {
            try Session.script(
                "fetch-images --allow-private --retries 0 --timeout 5s \(options) <records",
                environment: ["XDG_CACHE_HOME": folder.path("cache")], folder: folder)
        }
    }

    @Test(arguments: [
        "", "--placeholder", "--embed", "--name '{name}'", "--on-error=drop", "--dir p",
    ])
    func `writes the same bytes, wherever they come from`(options: String) throws {
        let room = try Room()
        let first = try room.run(options)
        #expect(first.status == (options == "--placeholder" ? 0 : 76) && first.lines.count > 100)
        for more in ["", "--cache none", "--jobs 1", "--max-age 1h", "--offline", "--record r", "--replay r"] {
            let again = try room.run("\(options) \(more)")
            #expect(again.output == first.output, "\(more)")
            #expect(again.status == first.status && again.errors == first.errors, "\(more)")
        }
        room.server.stop()
        for more in ["--stale-if-error 1h", "--stale-if-error 1h --max-age 0", "--offline"] {
            let again = try room.run("\(options) \(more)")
            #expect(again.output == first.output && again.status == first.status, "\(more)")
        }
    }

    @Test(arguments: [
        ("status=503,retry-after=0", "2"), ("status=429", "0"), ("status=429,retry-after=1000", "1"),
        ("status=500", "1"), ("reset", "1"), ("truncate", "1"),
    ])
    func `tells of a service that fails the same after any number of tries`(fault: String, retries: String) throws {
        let server = try LocalServer(faults: ["path=/images/cat,\(fault)"])
        let input = ImageRun.input(["\(server.url)/images/cat.png"])
        let run = { (options: [String]) in
            try Session("fetch-images", ["--allow-private"] + options, input: input.utf8)
        }
        let patient = try run(["--retries", retries])
        #expect(patient.text.contains(#""status":"failed""#))
        for options in [["--retries", "0"], ["--retries", "1"]] {
            #expect(try run(options).output == patient.output)
        }
    }

    @Test(arguments: [("html", 76), ("status=403", 77)])
    func `a picture that the service no longer gives is still had offline`(fault: String, status: Int32) throws {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        let input = ImageRun.input(["\(server.url)/images/cat.png"])
        let run = { (options: [String]) in
            try Session(
                "fetch-images", ["--allow-private", "--cache", "cache"] + options, input: input.utf8, folder: folder
            )
        }
        let first = try run([])
        #expect(first.status == 0)
        server.stop()
        let other = try LocalServer(faults: ["path=/images/cat,\(fault)"], port: UInt16(server.port))
        let page = try run([])
        #expect(try other.requests.count == 1 && page.status == status && page.text.contains(#""status":"failed""#))
        for options in [["--offline"], ["--placeholder"]] { #expect(try run(options).output == first.output) }
    }

    @Test(arguments: ["", "--placeholder", "--embed", "--name '{name}'"], ["", "--key id"])
    func `a pipeline that is run again leaves its store as it is`(pictures: String, store: String) throws {
        let server = try ExampleRoom.server()
        let room = try ExampleRoom(server)
        let script = { (fetch: String, images: String) in
            """
            fetch-characters \(fetch) | tee 1 | filter-search i | tee 2 | fetch-images \(pictures) \(images) | tee 3 |
                store-plist \(store)
            cat 1 2 3 | sha256sum >&2
            """
        }
        let caches = ["XDG_CACHE_HOME": room.folder.path("cache")]
        let first = try room.run(script("", ""), environment: caches)
        #expect(first.text.contains(#""written":true"#))
        for (fetch, images) in [("", ""), ("--cache none", "--cache none"), ("--offline", "--offline")] {
            let again = try room.run(script(fetch, images), environment: caches)
            #expect(again.text.contains(#""written":false"#), "\(again.text)")
            #expect(again.errors == first.errors)
            if !store.isEmpty { #expect(again.text.contains(#""added":0,"changed":0,"#)) }
        }
    }
}
