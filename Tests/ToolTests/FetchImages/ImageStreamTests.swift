// When records of fetch-images come out, and how it ends when it is told to or killed.

import Foundation
import TestSupport
import Testing

@Suite("The output of fetch-images")
struct ImageStreamTests {
    @Test
    func `a record comes out as soon as its picture is there, though the input goes on or stops in a line`() throws
    {
        let server = try LocalServer(faults: ["path=/images/owl,delay=100ms"])
        let folder = try ScratchFolder()
        let child = try ChildProcess("fetch-images", ["--allow-private"], in: folder)
        for (name, next) in [("cat", ""), ("owl", "{\"half\":")] {
            child.write("{\"imageURL\":\"\(server.url)/images/\(name).png\"}\n\(next)".utf8)
            #expect(child.line()?.contains("\"status\":\"ok\"") == true)
        }
        child.write("1}\n".utf8)
        #expect(child.line() == #"{"half":1,"imageFile":{"status":"none"}}"#)
        child.write("{\"name\":1}".utf8)
        child.closeInput()
        #expect(child.line() == #"{"name":1,"imageFile":{"status":"none"}}"#)
        #expect(child.finish() && child.status == 0)
    }

    @Test
    func `more lines than fit in memory go by while a picture is under way`() throws {
        let server = try LocalServer(faults: ["path=/images/cat,delay=500ms"])
        let filler = String(repeating: "x", count: 200_000)
        // 24 MB in all, of which 16 may wait.
        let lines = (0..<120).map { number in
            let url = number % 20 == 0 ? "\(server.url)/images/cat.png?\(number)" : ""
            return "{\"id\":\(number),\"imageURL\":\"\(url)\",\"x\":\"\(filler)\"}\n"
        }
        let run = try Session(
            "fetch-images", ["--allow-private", "--cache", "none"], input: lines.joined().utf8)
        #expect(run.status == 0 && run.lines.count == lines.count, "\(run.errors)")
        #expect(run.lines.count { $0.contains("\"status\":\"ok\"") } == 6)
    }

    @Test
    func `Ctrl-C ends it within a second, with whole lines and whole files`() throws {
        let server = try LocalServer(faults: ["path=/images/owl,hang"])
        let folder = try ScratchFolder()
        let child = try ChildProcess("fetch-images", ["--allow-private"], in: folder)
        child.write(ImageRun.input(["cat", "owl", "fox"].map { "\(server.url)/images/\($0).png" }).utf8)
        #expect(child.line() != nil)
        child.signal(SIGINT)
        #expect(child.finish(limitSeconds: 5))
        #expect(child.status == 130)
        #expect(child.output.last == 0x0A)
        #expect(child.errors.isEmpty)
        #expect(try ImageRun.files(folder).allSatisfy { !$0.contains("/.") })
    }

    @Test
    func `kill -9 at any moment, and another run, leave whole files only`() throws {
        let server = try LocalServer(faults: ["path=/images,every=5,delay=20ms"])
        let folder = try ScratchFolder()
        let names = try FileManager.default.contentsOfDirectory(atPath: Fixtures.pictures).sorted()
        let input = ImageRun.input(names.map { "\(server.url)/images/\($0)" })
        for lines in [0, 1, 3, 8] {
            let child = try ChildProcess("fetch-images", ["--allow-private", "--jobs", "4"], in: folder)
            child.write(input.utf8)
            for _ in 0..<lines { #expect(child.line() != nil) }
            child.signal(SIGKILL)
            _ = child.finish()
        }
        let run = try ImageRun.run(input, folder: folder)
        let members = try ImageRun.records(run).map(\.imageFile)
        #expect(Set(members.compactMap(\.path)).count == members.count { $0.status == "ok" })
        for path in try ImageRun.files(folder) where !path.contains("/.") {
            let digest = try Session("/usr/bin/env", ["sha256sum", folder.path("images/" + path)]).text.prefix(64)
            #expect(path.hasPrefix("\(digest.prefix(2))/\(digest)."))
        }
    }

    @Test
    func `a reader that goes away ends it quietly`() throws {
        let server = try LocalServer()
        let input = ImageRun.input((0..<500).map { "\(server.url)/images/cat.png?\($0)" })
        let run = try Session.script("fetch-images --allow-private | head -n 1", input: input.utf8)
        #expect(run.lines.count == 1 && run.status == 0 && run.errors.isEmpty)
    }
}
