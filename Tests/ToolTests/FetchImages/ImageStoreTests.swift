// What fetch-images does beyond fetching: names, stand-ins, pictures inside records, a look at the store, a report.

import Foundation
import TestSupport
import Testing

@Suite("The store of fetch-images")
struct ImageStoreTests {
    private let server: LocalServer
    private let folder: ScratchFolder
    init() throws {
        server = try LocalServer()
        folder = try ScratchFolder()
    }

    private static func picture(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(Fixtures.pictures)/\(name)")))
    }

    @Test
    func `--name gives safe links, numbered where another picture has the name, and the same ones in the next run`()
        throws
    {
        let rows = [
            ("Mick", "cat"), ("Mick", "fox"), ("MICK", "owl"), ("Mick", "cat"), ("Mick", "fox"),
            ("../Mick.PNG", "bear"), ("", "crab"),
        ]
        let input = rows.map { "{\"name\":\"\($0.0)\",\"imageURL\":\"\(server.url)/images/\($0.1).png\"}\n" }
            .joined()
        let expected = [
            "MICK (3).png": "owl", "Mick (2).png": "fox", "Mick (4).png": "bear", "Mick.png": "cat",
            "picture.png": "crab",
        ]
        for _ in 0..<2 {
            let run = try ImageRun.plain(input, ["--name", "{name}"], folder)
            #expect(run.status == 0)
            #expect(run.lines.allSatisfy { $0.contains("\"path\":\"images/") && !$0.contains("Mick.png") })
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("images")).filter {
                $0.count > 2
            }
            #expect(names.sorted() == expected.keys.sorted())
            for (name, picture) in expected {
                #expect(try folder.bytes("images/\(name)") == Self.picture("\(picture).png"))
            }
        }
    }

    @Test
    func `a picture for which there is no room is 74, and leaves no part of a file`() throws {
        try folder.write("{\"imageURL\":\"\(server.url)/images/drop.bmp\"}\n".utf8, to: "records")
        let command = "fetch-images --allow-private --cache none <records"
        let run = try Session.script("ulimit -f 2; \(command)", folder: folder)
        #expect(run.status == 74)
        #expect(run.errors.contains("ulimit -f"), "\(run.errors)")
        #expect(try ImageRun.files(folder) == [])
        #expect(try Session.script(command, folder: folder).status == 0)
        #expect(try ImageRun.files(folder).count == 1)
    }

    @Test
    func `many pictures of one name have a number each, and keep it in the next run`() throws {
        let records = (1...300).map { number in
            "{\"imageURL\":\"data:image/svg+xml,%3Csvg width=%22\(number)%22 height=%221%22/%3E\"}\n"
        }
        let expected = (["picture.svg"] + (2...300).map { "picture (\($0)).svg" }).sorted()
        for input in [records, records.reversed()] {
            let run = try ImageRun.plain(input.joined(), ["--name", "{name}"], folder)
            #expect(run.status == 0 && run.errors.contains("none of 300 records has name"), "\(run.errors)")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("images"))
            #expect(names.filter { $0.count > 2 }.sorted() == expected)
        }
    }

    @Test
    func `a picture with as many names as the file system allows gets no other, and the records go on`() throws {
        let input = "{\"name\":\"Mick\",\"imageURL\":\"\(server.url)/images/cat.png\"}\n"
        let first = try ImageRun.plain(input, [], folder)
        let path = try #require(try ImageRun.paths(first).first)
        try FileManager.default.createDirectory(atPath: folder.path("links"), withIntermediateDirectories: true)
        var count = 0
        while count < 70_000, unsafe link(folder.path(path), folder.path("links/\(count)")) == 0 { count += 1 }
        if count == 70_000 { try Test.cancel("this file system allows more than 70,000 names") }
        let run = try ImageRun.plain(input + input, ["--name", "{name}"], folder)
        #expect(run.status == 0 && run.lines.count == 2)
        #expect(run.errors.contains("too many links") && run.errors.contains("its further names are left out"))
        #expect(run.errors.count { $0 == "\n" } == 1)
    }

    @Test
    func `a picture that would make its record longer than a line may be isn't embedded`() throws {
        // A chunk that means nothing, before the end mark, whose 12 bytes are the last.
        let picture = try Self.picture("cat.png")
        let count = (47 << 20) + 1 - picture.count - 12
        let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
        let chunk = length + Array("teSt".utf8) + [UInt8](repeating: 0, count: count + 4)
        try folder.write(picture.dropLast(12) + chunk + picture.suffix(12), to: "large.png")
        let server = try LocalServer(faults: ["path=/large,body-file=\(folder.path("large.png"))"])
        let input = "{\"imageURL\":\"\(server.url)/large\"}\n"
        let plain = try ImageRun.plain(input, [], folder)
        #expect(plain.text.contains("\"bytes\":\((47 << 20) + 1),"), "\(plain.text)\(plain.errors)")
        let run = try ImageRun.plain(input, ["--embed"], folder)
        #expect(run.status == 76 && run.text.contains("more than \(47 << 20) bytes"), "\(run.text.prefix(500))")
    }

    @Test(arguments: ["the picture's", "its folder's"])
    func `a place in the store where no file can be is status 73`(whose: String) throws {
        let input = "{\"imageURL\":\"\(server.url)/images/cat.png\"}\n"
        let first = try ImageRun.plain(input, [], folder)
        let path = folder.path(try #require(try ImageRun.paths(first).first))
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
        try FileManager.default.removeItem(atPath: parent)
        if whose == "its folder's" {
            try Data().write(to: URL(fileURLWithPath: parent))
        } else {
            try FileManager.default.createDirectory(atPath: path + "/x", withIntermediateDirectories: true)
        }
        let run = try ImageRun.plain(input, ["--cache", "none"], folder)
        #expect(run.status == 73 && run.errors.hasSuffix("; choose another --dir\n"), "\(run.errors)")
    }

    @Test
    func `a user and password of --base-url stay out of the records and the page`() throws {
        let base = server.url.replacing("http://", with: "http://alice:hunter2@")
        let run = try ImageRun.plain(
            "{\"imageURL\":\"images/cat.png\"}\n", ["--base-url", base + "/", "--gallery", "g.html"], folder
        )
        #expect(run.status == 0 && run.text.contains("\"url\":\"\(server.url)/images/cat.png\""), "\(run.text)")
        #expect(try !run.text.contains("hunter2") && !folder.text("g.html").contains("hunter2"))
        let sent = try #require(try server.requests.last?.header("authorization"))
        #expect(sent == "Basic " + Data("alice:hunter2".utf8).base64EncodedString())
    }

    @Test
    func `a damaged picture gives way to a download of it, and goes into no record`() throws {
        let server = try LocalServer(faults: ["header=Cache-Control: max-age=1000"])
        let input = "{\"id\":\"Mick\",\"imageURL\":\"\(server.url)/images/cat.png\"}\n"
        let good = try Self.picture("cat.png")
        let kept = ["--cache", "cache", "--name", "{id}", "--report", "r"]
        let first = try ImageRun.plain(input, kept, folder)
        let path = try #require(try ImageRun.paths(first).first)
        let plain = ["--cache", "none", "--name", "{id}", "--report", "r"]
        let runs = [plain, kept + ["--embed"], kept + ["--gallery", "g.html"]]
        for options in runs {
            var bytes = good
            bytes[bytes.count / 2] ^= 1
            try folder.write(bytes, to: path)
            let run = try ImageRun.plain(input, options, folder)
            #expect(
                try run.status == 0 && folder.text("r").contains(#""images":{"fetched":1,"#),
                "\(options) \(run.text)")
            #expect(try folder.bytes(path) == good && folder.bytes("images/Mick.png") == good)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("images"))
            #expect(names.count == 2, "\(names)")
            if options.contains("--embed") { #expect(run.text.contains(Data(good).base64EncodedString())) }
        }
        _ = try ImageRun.plain(input, kept + ["--embed"], folder)
        #expect(try folder.text("r").contains(#""images":{"fetched":0,"cached":1,"#))
        let check = try Session("fetch-images", ["--verify"], folder: folder)
        #expect(check.status == 0 && check.errors.contains("1 picture, none damaged"), "\(check.errors)")
    }

    @Test
    func `--placeholder stands in for what can't be had, and then the run ends with 0`() throws {
        try folder.write(try Self.picture("key.svg"), to: "own.svg")
        let input =
            ["none", "cat"].map { "{\"imageURL\":\"\(server.url)/images/\($0).png\"}\n" }.joined() + "{}\n"
        for (option, type) in [("--placeholder", "image/png"), ("--placeholder=own.svg", "image/svg+xml")] {
            let run = try ImageRun.plain(input, [option], folder)
            #expect(run.status == 0 && run.errors.isEmpty)
            let members = try run.lines.map {
                try #require(try Session.object($0.utf8)["imageFile"] as? [String: Any])
            }
            #expect(members.map { $0["status"] as? String } == ["placeholder", "ok", "placeholder"])
            #expect(members[0]["type"] as? String == type)
            #expect(members[0]["error"] is String && members[0]["fetch"] == nil)
            #expect(members[2]["error"] as? String == "no URL" && members[2]["path"] as? String != nil)
            let path = try #require(members[0]["path"] as? String)
            #expect(try folder.bytes(path).count == members[0]["bytes"] as? Int)
        }
        try folder.write("no picture".utf8, to: "text")
        #expect(try ImageRun.plain(input, ["--placeholder=text"], folder).status == 65)
        #expect(try ImageRun.plain(input, ["--placeholder=missing"], folder).status == 66)
        #expect(try ImageRun.plain(input, ["--placeholder=own.svg", "--max-bytes", "9"], folder).status == 66)
    }

    @Test
    func `--embed puts the picture behind the member, and an earlier one gives way`() throws {
        let input = "{\"imageData\":1,\"imageURL\":\"\(server.url)/images/cat.png\"}\n{\"a\":1}\n"
        let run = try ImageRun.plain(input, ["--embed"], folder)
        let object = try Session.object(run.lines[0].utf8)
        let data = Data(base64Encoded: try #require(object["imageData"] as? String))
        #expect(data.map { [UInt8]($0) } == (try Self.picture("cat.png")))
        #expect(run.lines[0].hasPrefix("{\"imageURL\":") && run.lines[0].contains("},\"imageData\":\""))
        #expect(run.lines[1] == #"{"a":1,"imageFile":{"status":"none"}}"#)
        let again = try ImageRun.plain(run.text, ["--embed"], folder)
        #expect(again.text == run.text)
    }

    @Test
    func `--verify finds what has rotted, and reads no records`() throws {
        let input = ["cat", "fox"].map { "{\"imageURL\":\"\(server.url)/images/\($0).png\"}\n" }.joined()
        let run = try ImageRun.plain(input, ["--name", "{url}"], folder)
        let sound = try ImageRun.plain("", ["--verify"], folder)
        #expect(sound.status == 0 && sound.output.isEmpty)
        #expect(sound.errors == "fetch-images: 2 pictures, none damaged\n")
        let path = try ImageRun.paths(run)[1]
        var bytes = try folder.bytes(path)
        bytes[100] ^= 1
        try folder.write(bytes, to: path)
        let rotten = try ImageRun.plain("", ["--verify", "-q", "--report", "report"], folder)
        #expect(rotten.status == 65)
        let report = try Session.object(try folder.bytes("report"))
        #expect(["pictures", "rotten", "exitStatus"].map { report[$0] as? Int } == [2, 1, 65])
        #expect(
            rotten.errors
                == "fetch-images: \(path) is damaged: its content doesn't match its name; delete it and its other name (find -samefile) and fetch it again\n"
        )
        #expect(try ImageRun.plain("", ["--verify", "--dir", "nowhere"], folder).status == 66)
        // What can't be read hides nothing that can.
        let unreadable = "images/00/" + String(repeating: "0", count: 64) + ".png"
        try FileManager.default.createDirectory(
            atPath: folder.path(unreadable), withIntermediateDirectories: true)
        let both = try ImageRun.plain("", ["--verify"], folder)
        #expect(both.status == 66 && both.errors.contains("\(path) is damaged"), "\(both.errors)")
        #expect(both.errors.contains("cannot read \(unreadable): is a directory"), "\(both.errors)")
        #expect(both.errors.hasSuffix("3 pictures, 1 damaged, 1 that can't be read\n"))
    }

    @Test
    func `--report tells the figures of the run`() throws {
        let server = try LocalServer(faults: ["path=/images/cat,times=1,status=503,retry-after=0"])
        let input = ["cat", "none"].map { "{\"imageURL\":\"\(server.url)/images/\($0).png\"}\n" }.joined() + "[]\n"
        let run = try ImageRun.plain(input, ["--retries", "1", "--on-error=drop", "--report", "report"], folder)
        let report = try Session.object(try folder.bytes("report"))
        #expect(run.status == 65 && report["exitStatus"] as? Int == 65)
        #expect(report["tool"] as? String == "fetch-images" && report["complete"] as? Bool == false)
        let figures = ["recordsIn", "recordsOut", "badLines", "requests", "retries", "bytesIn", "bytesOut"]
        #expect(figures.map { report[$0] as? Int } == [2, 1, 1, 3, 1, input.utf8.count, run.output.count])
    }

    @Test
    func `--report counts records by how their pictures were got, or why they weren't`() throws {
        let server = try LocalServer(faults: ["path=/images/fox,header=Cache-Control: max-age=1000"])
        let pictures = ["cat", "fox", "none", "page"].map { "{\"imageURL\":\"\(server.url)/images/\($0).png\"}\n" }
        let input = pictures.joined() + "{}\n{\"image\":\"data:image/svg+xml,%3Csvg width='2' height='3'/%3E\"}\n"
        let counts = { (options: [String]) in
            _ = try ImageRun.plain(input, options + ["--cache", "cache", "--report", "report"], folder)
            let report = try Session.object(try folder.bytes("report"))
            let images = try #require(report["images"] as? [String: Int])
            #expect(images.values.reduce(0, +) == 6 && images.count == 8)
            return images.filter { $0.value > 0 }
        }
        #expect(try counts([]) == ["fetched": 2, "failed": 2, "none": 1, "data": 1])
        let again = ["revalidated": 1, "cached": 1, "none": 1, "data": 1]
        #expect(try counts(["--on-error=drop"]) == again.merging(["failed": 2]) { $1 })
        #expect(try counts(["--placeholder"]) == ["revalidated": 1, "cached": 1, "data": 1, "placeholder": 3])
        server.stop()
        #expect(try counts(["--max-age", "0", "--stale-if-error", "1h"])["stale"] == 2)
    }
}
