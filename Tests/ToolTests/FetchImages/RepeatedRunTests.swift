// The same records in every run: nothing in them tells how their pictures were got this time, nor where it came from.

import Foundation
import TestSupport
import Testing

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
        "", "--placeholder", "--embed", "--name '{name}'", "--on-error=drop", "--member picture --dir p",
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

    @Test
    func `tells with --with-fetch how they were got, and nothing else is another`() throws {
        let room = try Room()
        let plain = try room.run("")
        for (options, how) in [("--cache none", "fetched"), ("", "revalidated"), ("--offline", "cached")] {
            let told = try room.run("--with-fetch \(options)")
            #expect(told.text.contains(#""status":"ok","fetch":{"how":"\#(how)","http":200,"attempts":"#))
            #expect(told.text.contains(#"","fetch":{"http":404,"attempts":"#))
            #expect(told.text.replacing(/,"fetch":{[^}]*}/, with: "") == plain.text)
        }
        let placeholders = try room.run("--with-fetch --placeholder").text
        #expect(placeholders.contains(/"status":"placeholder","error":"[^"]*404[^"]*","fetch":{"http":404,/))
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
        for options in [["--retries", "0"], ["--retries", "3", "--max-retry-after", "0"]] {
            #expect(try run(options).output == patient.output)
        }
    }

    @Test
    func `a picture that the service has replaced by a page is still had offline`() throws {
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
        let other = try LocalServer(faults: ["path=/images/cat,html"], port: UInt16(server.port))
        let page = try run([])
        #expect(try other.requests.count == 1 && page.status == 76 && page.text.contains("an HTML page"))
        #expect(try run(["--offline"]).output == first.output)
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
