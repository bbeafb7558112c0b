// fetch-images as a terminal session sees it, against a server that misbehaves.

import Foundation
import TestSupport
import Testing

@Suite("fetch-images")
struct FetchImagesTests {
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    @Test
    func `a picture is fetched, stored by its content and told of in the record`() throws {
        let server = try LocalServer()
        let line = "{ \"imageURL\" : \"\(server.url)/images/cat.png\", \"n\":1.50e1 }\r\n"
        let run = try ImageRun.run(line, folder: folder)
        #expect(run.status == 0 && run.errors.isEmpty)
        let member = try #require(try ImageRun.records(run).first).imageFile
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: Fixtures.pictures + "/cat.png")))
        let digest = try Session("/usr/bin/env", ["sha256sum"], input: bytes).text.prefix(64)
        #expect(
            member
                == ImageRun.Member(
                    path: "images/\(digest.prefix(2))/\(digest).png", url: "\(server.url)/images/cat.png",
                    sha256: String(digest), bytes: bytes.count, type: "image/png", width: 96, height: 96,
                    status: "ok"))
        #expect(try folder.bytes(member.path ?? "") == bytes)
        #expect(run.text.hasPrefix(line.dropLast(2) + ",\"imageFile\":{"))
        #expect(run.text.hasSuffix("}}\r\n"))
    }

    @Test
    func `records come out in the order of the input, however long their pictures take`() throws {
        let server = try LocalServer(faults: [
            "path=/images/cat,delay=600ms", "path=/images/fox,delay=300ms", "path=/images/owl,delay=100ms",
        ])
        let names = ["cat", "fox", "bear", "owl", "crab", "fish"]
        let input = ImageRun.input(names.map { "\(server.url)/images/\($0).png" })
        #expect(try ImageRun.records(try ImageRun.run(input)).map(\.id) == [0, 1, 2, 3, 4, 5])
    }

    @Test
    func `one host is asked for --per-host pictures at once, others meanwhile`() throws {
        let server = try LocalServer(faults: ["path=/images,delay=200ms"])
        let input = ImageRun.input((0..<8).map { "\(server.url)/images/cat.png?\($0)" })
        #expect(try ImageRun.run(input, ["--jobs", "8", "--per-host", "2"]).status == 0)
        // Each connection has one request at a time.
        #expect(try Set(server.requests.map(\.connection)).count == 2)
    }

    @Test
    func `the same URL is asked once, and the same picture stored once`() throws {
        let server = try LocalServer(faults: ["path=/images/cat,delay=200ms"])
        let cat = "\(server.url)/images/cat.png"
        let urls = (0..<50).flatMap { _ in [cat, "\(server.otherURL)/images/cat.png"] } + [cat + "?x"]
        let run = try ImageRun.run(ImageRun.input(urls), folder: folder)
        #expect(run.status == 0)
        #expect(try ImageRun.records(run).count == 101)
        #expect(Set(try ImageRun.records(run).compactMap(\.imageFile.path)).count == 1)
        #expect(try server.requests.count == 3)
        #expect(try ImageRun.files(folder).count == 1)
    }

    @Test(arguments: [
        ("truncated.png", 200, "cut short"), ("page.jpg", 200, "an HTML page"),
        ("absurd-size.png", 200, "pixels"),
        ("zero-width.gif", 200, "without any pixels"), ("none.png", 404, "404"),
    ])
    func `what is no whole picture is a failure with a reason, and status 76`(
        _ name: String, _ http: Int, _ reason: String
    ) throws {
        let server = try LocalServer()
        let run = try ImageRun.run(ImageRun.input(["\(server.url)/images/\(name)"]), folder: folder)
        let member = try #require(try ImageRun.records(run).first).imageFile
        #expect(run.status == 76)
        #expect(member.status == "failed" && member.path == nil)
        #expect(try server.requests.map(\.status) == [http])
        #expect(member.error?.contains(reason) == true, "\(member.error ?? "")")
        #expect(run.errors.hasPrefix("fetch-images: the one record has no picture"))
        #expect(try ImageRun.files(folder).isEmpty)
    }

    @Test(arguments: [
        ("status=503", 69, 503), ("status=500", 69, 500), ("status=403", 77, 403), ("status=401", 77, 401),
        ("status=429", 75, 429), ("html", 76, 200), ("empty", 76, 200), ("garbage", 76, 200), ("loop", 76, 302),
        ("truncate", 69, 200), ("truncate-chunked", 69, 200), ("double-length", 76, 200), ("reset", 69, nil),
        ("redirect=ftp://x/", 77, 302), ("redirect=file:///etc/passwd", 77, 302),
        ("redirect=data:\\,x", 77, 302),
        ("endless", 76, 200),
    ])
    func `a failure of the service ends with the status of its kind`(_ fault: String, _ status: Int32, _ http: Int?)
        throws
    {
        let server = try LocalServer(faults: ["path=/images/cat,\(fault)"])
        let run = try ImageRun.run(
            ImageRun.input(["\(server.url)/images/cat.png"]), ["--retries", "0", "--max-bytes", "1M"],
            folder: folder)
        let member = try #require(try ImageRun.records(run).first).imageFile
        #expect(run.status == status)
        #expect(member.status == "failed" && member.error != nil)
        #expect(try ImageRun.files(folder).isEmpty)
    }

    @Test
    func `of several failures the smallest status counts, and a bad line comes before it`() throws {
        let server = try LocalServer(faults: ["path=/images/cat,status=503", "path=/images/fox,status=403"])
        let urls = ["cat", "fox", "none", "owl"].map { "\(server.url)/images/\($0).png" }
        #expect(try ImageRun.run(ImageRun.input(urls)).status == 69)
        #expect(try ImageRun.run(ImageRun.input(Array(urls[1...]))).status == 76)
        #expect(try ImageRun.run(ImageRun.input([urls[1], urls[3]])).status == 77)
        let bad = try ImageRun.run(ImageRun.input(urls) + "{\n" + ImageRun.input(urls))
        #expect(bad.status == 65 && bad.lines.count == 8)
        #expect(bad.errors.contains("fetch-images: <stdin>:5:2: expected a member name or '}'\n"))
        let stopped = try ImageRun.run(
            ImageRun.input([urls[3]]) + "{\n" + ImageRun.input(urls), ["--on-bad-line=stop"])
        #expect(stopped.status == 65 && stopped.lines.count <= 1)
    }

    @Test
    func `a fault that passes is tried again, and a redirect is followed`() throws {
        let server = try LocalServer(faults: [
            "path=/images/cat,times=2,status=503,retry-after=0", "path=/images/fox,redirect=/images/owl.png",
        ])
        let run = try ImageRun.run(
            ImageRun.input(["cat", "fox"].map { "\(server.url)/images/\($0).png" }), ["--retries", "3"])
        let members = try ImageRun.records(run).map(\.imageFile)
        #expect(run.status == 0)
        let tries = try server.requests.map(\.target)
        #expect(["cat", "fox"].map { name in tries.count { $0.contains(name) } } == [3, 1])
        #expect(members.map(\.status) == ["ok", "ok"])
        #expect(members[1].url == "\(server.url)/images/fox.png")
    }

    @Test(arguments: ["127.0.0.1", "localhost", "[::1]", "0x7f.1", "127.1"])
    func `an address that isn't public gets no byte`(_ host: String) throws {
        let server = try LocalServer()
        let run = try Session(
            "fetch-images", input: ImageRun.input(["http://\(host):\(server.port)/images/cat.png"]).utf8,
            folder: folder
        )
        let member = try #require(try ImageRun.records(run).first).imageFile
        #expect(run.status == 77)
        #expect(member.status == "failed")
        #expect(member.error?.contains("not a public address") == true)
        #expect(try server.requests.isEmpty)
    }

    @Test
    func `every way to give no URL that can be asked is told apart`() throws {
        let input = """
            {"name":"none"}
            {"image":{"url":"ftp://x/a.png"}}
            {"imageURL":"a.png"}
            {"imageURL":"data:image/gif,no"}
            {"imageURL":"data:image/svg+xml,%3Csvg width='2' height='3'/%3E"}

            """
        let run = try ImageRun.run(input, ["--dir", "out/pictures/"], folder: folder)
        let members = try ImageRun.records(run).map(\.imageFile)
        #expect(members.map(\.status) == ["none", "failed", "failed", "failed", "ok"])
        #expect(members[0] == ImageRun.Member(status: "none"))
        #expect(members[1].error?.contains("ftp") == true)
        #expect(members[2].error?.contains("--base-url") == true)
        #expect(members[3].error?.contains("plain text") == true && members[3].url == nil)
        #expect(members[4].width == 2 && members[4].height == 3 && members[4].type == "image/svg+xml")
        #expect(members[4].path?.hasPrefix("out/pictures/") == true)
        #expect(try ImageRun.files(folder, "out/pictures").count == 1)
        #expect(run.status == 76)
    }

    @Test
    func `the command line says where the URL is, and what it is relative to`() throws {
        let server = try LocalServer()
        let input = #"{"imageURL":"http://127.0.0.1:1/","a":{"b":"cat.png"},"p":0,"imageFile":{"old":1}}"#
        let run = try ImageRun.run(
            input, ["--field", "x", "--field=a.b", "--base-url", "\(server.url)/images/"])
        #expect(run.status == 0)
        #expect(
            run.text.hasPrefix(#"{"imageURL":"http://127.0.0.1:1/","a":{"b":"cat.png"},"p":0,"imageFile":{"path":"#)
        )
        #expect(run.text.contains("\"url\":\"\(server.url)/images/cat.png\""))
        #expect(run.text.hasSuffix("}}\n"))
    }

    @Test
    func `--on-error=drop leaves the record out, --on-error=stop ends the run before it`() throws {
        let server = try LocalServer(faults: ["path=/images/bear,delay=200ms"])
        let input = ImageRun.input(["bear", "none", "cat"].map { "\(server.url)/images/\($0).png" })
        let dropped = try ImageRun.run(input, ["--on-error=drop"])
        #expect(try ImageRun.records(dropped).map(\.id) == [0, 2])
        #expect(dropped.status == 76 && dropped.errors.contains("<stdin>:2, \(server.url)/images/none.png: "))
        let stopped = try ImageRun.run(input, ["--on-error=stop"])
        #expect(try ImageRun.records(stopped).map(\.id) == [0])
        #expect(stopped.status == 76 && stopped.errors.contains("none.png: ") && stopped.errors.contains("404"))
        let quiet = try ImageRun.run(input, ["--on-error=drop", "-q"])
        #expect(!quiet.errors.contains("warning"))
    }

    @Test
    func `one seal goes through as the last line, the sum of those that came, if they speak for all`() throws {
        let seal = #"{"$seal": {"records":2,"complete":true,"by":"by-ear"}}"#
        let record = #"{"imageFile":{"status":"none"}}"#
        let warning = "fetch-images: warning: no seal is passed on: "
        for (input, end, doubt) in [
            ("{}\n\(seal)\n", [seal], ""),
            ("{}\n\(seal)\n{}\n\(seal)", [#"{"$seal":{"records":4,"complete":true,"by":"by-ear"}}"#], ""),
            (
                "{}\n\(seal)\n{}\n", [],
                "lines follow the last seal; one source ended without a seal, "
                    + "or a tool such as sort or tac moved it\n"
            ),
            (
                "{}\n{}\n{}\n\(seal)\n", [],
                "3 records arrived, and the seal counts 2; one source ended without a seal\n"
            ),
            (
                "{}\n{\"$seal\":{}}\n{}\n\(seal)\n", [],
                "a seal doesn't say that its list is complete; run its source again\n"
            ),
        ] {
            let run = try ImageRun.run(input)
            #expect(run.lines.filter { $0 != record } == end, "\(input)")
            #expect(run.status == 0 && run.errors.contains(warning) != doubt.isEmpty, "\(input)")
            #expect(run.errors.contains(warning + doubt) != doubt.isEmpty, "\(run.errors)")
        }
    }

    @Test
    func `--on-bad-line=FILE gets the bad lines as they were`() throws {
        let run = try ImageRun.run("{}\n{]\r\n\n[1]\n{}", ["--on-bad-line", "bad"], folder: folder)
        #expect(run.status == 65 && run.lines.count == 2)
        #expect(try folder.text("bad") == "{]\r\n[1]\n")
    }

    @Test
    func `2,000 records, of which every third has no picture, come out once each, in order`() throws {
        let server = try LocalServer(faults: [
            "path=/images/cat,every=3,status=404", "path=/images/cat,every=7,delay=30ms",
        ])
        let run = try ImageRun.run(
            ImageRun.input((0..<2000).map { "\(server.url)/images/cat.png?\($0)" }), ["--retries", "0"],
            folder: folder)
        let records = try ImageRun.records(run)
        #expect(records.map(\.id) == Array(0..<2000))
        #expect(records.count { $0.imageFile.status == "failed" } == 666)
        #expect(run.status == 76)
        #expect(try ImageRun.files(folder).count == 1)
    }

    @Test
    func `a directory that can't be made is status 73`() throws {
        let server = try LocalServer()
        try folder.write("".utf8, to: "file")
        let run = try ImageRun.run(
            ImageRun.input(["\(server.url)/images/cat.png"]), ["--dir", folder.path("file/images")], folder: folder)
        #expect(run.status == 73 && run.errors.contains("--dir"))
    }

    @Test
    func `a stored file that was damaged since is replaced`() throws {
        let server = try LocalServer()
        let input = ImageRun.input(["\(server.url)/images/cat.png"])
        let path = try #require(try ImageRun.records(try ImageRun.run(input, folder: folder)).first?.imageFile.path)
        let whole = try folder.bytes(path)
        try folder.write(whole.dropLast(5), to: path)
        #expect(try ImageRun.run(input, folder: folder).status == 0)
        #expect(try folder.bytes(path) == whole)
    }

    @Test(arguments: [
        ["--jobs", "0"], ["--jobs", "x"], ["--on-error=what"], ["--field", "a["], ["--base-url", "x"],
        ["--max-bytes", "0"], ["--timeout", "0"], ["--galery", "x"], ["operand"], ["--dir="], ["--on-bad-line="],
    ])
    func `a wrong command line is status 64`(_ arguments: [String]) throws {
        let run = try Session("fetch-images", arguments, input: "{}".utf8)
        #expect(run.status == 64 && run.output.isEmpty)
        #expect(run.errors.hasPrefix("fetch-images: ") && run.errors.utf8.count { $0 == 0x0A } == 1)
    }

    @Test
    func `the help tells every bound`() throws {
        let text = try Session("fetch-images", ["--help"]).text.split { $0.isWhitespace }.joined(separator: " ")
        for bound in ["images", "64", "16", "64M", "keep", "30s", "24h"] {
            #expect(text.contains("Default: \(bound)."), "\(bound)")
        }
    }
}
