// `--key`: the key goes to the origin of the first URL, and is in no byte that leaves the process otherwise.

import Foundation
import TestSupport
import Testing

@Suite("The key of pictures")
struct PictureKeyTests {
    static let key = "live_pl4nted-s3cret"

    enum Place: String, CaseIterable, Sendable {
        case header = "header:X-Api-Key", query = "query:api_key"
    }

    /// Ways in which a service may try to get at the key, or make the tool tell it.
    static let faults: [String] = [
        "path=/images/fox,redirect=@BASE@/images/bear.png", "path=/images/fox,redirect=@ELSEWHERE@/images/bear.png",
        "path=/images/fox,redirect=@ELSEWHERE@/images/bear.png?api_key=\(key)",
        "path=/images/fox,redirect=@ELSEWHERE@/images/\(key)/bear.png",
        "path=/images/fox,redirect=@BASE@/images/bear.png?api_key=\(key)&x=1",
        "path=/images/fox,status=401,body=\(key)",
        "path=/images/fox,status=403,body=\(key)", "path=/images/fox,body=<html>\(key)</html>",
        "path=/images/fox,header=X-Told: \(key)", "path=/images/fox,header=ETag: \"\(key)\"",
        "path=/images/fox,status=500", "path=/images/fox,reset",
        "path=/images/fox,times=1,status=503,retry-after=0",
    ]

    /// The spellings in which it could stand somewhere.
    private static let spellings = [key, Data(key.utf8).base64EncodedString(), "live%5Fpl4nted", "pl4nted"]

    private static func finds(_ bytes: [UInt8]) -> Bool {
        spellings.contains { bytes.firstRange(of: Array($0.utf8)) != nil }
    }

    /// A record without a URL, then those of the key's origin, of another one, and URLs that hold a key already.
    private static func input(_ server: LocalServer) -> String {
        let base = "\(server.url)/images"
        let urls = [
            "\(base)/cat.png", "\(base)/fox.png", "\(base.uppercased().prefix(4))\(base.dropFirst(4))/owl.png",
            "\(server.otherURL)/images/cat.png", "\(base)/whale.png?api_key=old&x=1", "ftp://x/\(key)",
        ]
        return "{\"id\":0}\n" + urls.map { "{\"imageURL\":\"\($0)\"}\n" }.joined()
    }

    @Test(arguments: Place.allCases, faults)
    func `is in no output, message, report, cache, recording or picture, and goes to no other origin`(
        _ place: Place, _ fault: String
    ) throws {
        let server = try LocalServer(faults: [fault])
        let folder = try ScratchFolder()
        // The record with the key in its own URL has it in its own bytes, which stay.
        let input = Self.input(server)
        for (number, options) in [
            ["--cache", "cache"], ["--cache", "cache", "--max-age", "1d"], ["--record", "recording"],
            ["--replay", "recording"], ["--cache", "cache", "--offline"],
            ["--on-error=drop", "--gallery", "page.html"],
        ].enumerated() {
            let run = try Session(
                "fetch-images",
                [
                    "--allow-private", "--retries", "1", "--report", "report", "--key",
                    "\(place.rawValue)=PICTURE_KEY",
                ]
                    + options,
                input: input.utf8, environment: ["PICTURE_KEY": Self.key], folder: folder)
            let written = run.lines.map { $0.replacing("\"imageURL\":\"ftp://x/\(Self.key)\"", with: "") }
            #expect(!Self.finds(Array(written.joined().utf8)), "\(run.text)")
            #expect(!Self.finds(Array(run.errors.utf8)), "\(run.errors)")
            #expect(run.errors.contains("the key goes to \(server.url) alone"), "\(run.errors)")
            if number == 5 { try FileManager.default.removeItem(atPath: folder.path("page.html")) }
        }
        let found = try Session.script("find . -type f", folder: folder).lines.filter {
            Self.finds(try folder.bytes($0))
        }
        #expect(found == [])
        let told = try server.requests.filter { request in
            Self.finds(Array(request.target.utf8)) || request.headers.contains { Self.finds(Array($0[1].utf8)) }
        }
        #expect(!told.isEmpty && told.allSatisfy { $0.header("host") == "127.0.0.1:\(server.port)" })
        // The parameter that a record's URL has gives way to the key.
        let old = try server.requests.filter { $0.target.contains("api_key=old") }
        #expect(old.isEmpty == (place == .query))
    }

    @Test
    func `is that of a file, in place of the variable`() throws {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        try folder.write("Bearer \(Self.key)\n".utf8, to: "key")
        let input = "{\"imageURL\":\"\(server.url)/images/cat.png\"}\n"
        for name in ["header:Authorization", "header:Authorization=UNSET_KEY"] {
            let run = try ImageRun.plain(input, ["--cache", "none", "--key", name, "--key-file", "key"], folder)
            #expect(run.status == 0, "\(run.errors)")
            #expect(try server.requests.last?.header("authorization") == "Bearer \(Self.key)")
        }
    }

    /// What is wrong, with the status and the message. No message repeats what may be the key.
    static let mistakes: [(options: [String], status: Int32, says: String)] = [
        (["--key", "header:X-Key=UNSET_KEY"], 77, "the environment variable UNSET_KEY isn't set; "),
        (["--key", "header:X-Key=\(key)"], 64, "--key takes header:NAME=VARIABLE or query:NAME=VARIABLE; "),
        (["--key", "query:k=livekey1234"], 77, "the environment variable that --key names isn't set; "),
        (["--key", "header:X-Key"], 64, "--key needs the variable that holds the key, "),
        (["--key", "cookie:X=KEY"], 64, "--key takes header:NAME=VARIABLE or query:NAME=VARIABLE; "),
        (["--key", "header:=KEY"], 64, "--key takes header:NAME=VARIABLE or query:NAME=VARIABLE; "),
        (["--key", "query:k="], 64, "--key takes header:NAME=VARIABLE or query:NAME=VARIABLE; "),
        (["--key", "header:X Key=KEY"], 64, "--key takes header:NAME=VARIABLE or query:NAME=VARIABLE; "),
        (["--key", "header:host=KEY"], 64, "--key takes no host, which the client sets itself; "),
        (["--key", "header:Range=KEY"], 64, "--key takes no Range, which the client sets itself; "),
        (["--key-file", "key"], 64, "--key-file needs --key "),
        (["--key", "query:k=KEY", "--key-file", "none"], 66, "cannot open none: "),
        (["--key", "query:k", "--key-file", "empty"], 77, "empty holds no key; write it there"),
        (["--key", "query:k=SPACED"], 77, "the environment variable SPACED holds no valid key; "),
        (["--verify", "--key", "query:k=KEY"], 64, "--verify reads no records; leave out --key"),
    ]

    @Test(arguments: mistakes.indices)
    func `is asked for and named before anything is sent`(number: Int) throws {
        let (options, status, says) = Self.mistakes[number]
        let server = try LocalServer()
        let folder = try ScratchFolder()
        try folder.write([], to: "empty")
        let run = try Session(
            "fetch-images", ["--allow-private"] + options,
            input: "{\"imageURL\":\"\(server.url)/images/cat.png\"}\n".utf8,
            environment: ["KEY": Self.key, "SPACED": "a key"], folder: folder)
        #expect(run.status == status && run.errors.hasPrefix("fetch-images: \(says)"), "\(run.errors)")
        #expect(!Self.finds(Array(run.errors.utf8)) && run.output.isEmpty)
        #expect(try server.requests.isEmpty)
    }

    /// Where it doesn't go to an origin, a run that has the same URLs uses the same pictures.
    @Test
    func `is part of what the cache keeps apart`() throws {
        let server = try LocalServer(faults: ["path=/,header=Cache-Control: max-age=1000"])
        let folder = try ScratchFolder()
        let input = "{\"imageURL\":\"\(server.url)/images/cat.png\"}\n"
        for (key, count) in [("alice", 1), ("alice", 1), ("bob", 2)] {
            let run = try Session(
                "fetch-images", ["--allow-private", "--cache", "cache", "--key", "header:X-Key=KEY"],
                input: input.utf8, environment: ["KEY": key], folder: folder)
            let asked = try server.requests.count
            #expect(run.status == 0 && asked == count, "\(key): \(run.errors)")
        }
    }
}
