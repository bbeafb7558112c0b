// `fetch-images --gallery`: the page as a file.

import Foundation
import PipelineHTTP
import TestSupport
import Testing

@Suite("fetch-images --gallery")
struct GalleryTests {
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    /// Runs the tool over lines and leaves `gallery.html` in the directory.
    static func run(_ lines: [String], _ arguments: [String] = [], in folder: ScratchFolder) throws -> Session {
        try ImageRun.plain(lines.joined(separator: "\n"), ["--gallery", "gallery.html"] + arguments, folder)
    }

    /// A picture of any size, as the URL that holds it.
    static func picture(paddedBy count: Int) -> (url: String, bytes: [UInt8]) {
        let padding = String(repeating: "x", count: count)
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"8\" height=\"8\"><!--\(padding)--></svg>"
        return ("data:image/svg+xml;base64," + Data(svg.utf8).base64EncodedString(), Array(svg.utf8))
    }

    private static func count(_ part: String, in text: String) -> Int {
        text.components(separatedBy: part).count - 1
    }

    @Test
    func `a page holds every record, and each picture once`() throws {
        let server = try LocalServer()
        let lines = ["cat", "fox", "cat", "none"].enumerated().map { index, name in
            "{\"id\":\(index),\"name\":\"\(name)\",\"imageURL\":\"\(server.url)/images/\(name).png\",\"n\":1.50e1}"
        }
        let run = try Self.run(lines, in: folder)
        let page = try folder.text("gallery.html")
        #expect(run.status == 76)
        for line in run.lines { #expect(page.contains(line + "\n")) }
        #expect(Self.count("class=\"picture\"", in: page) == 2)
        let cat = try Data(contentsOf: URL(fileURLWithPath: Fixtures.pictures + "/cat.png"))
        #expect(Self.count(">" + cat.base64EncodedString() + "<", in: page) == 1)
        #expect(page.contains("<title>gallery</title>") && page.hasSuffix("</html>\n"))
        #expect(try folder.names() == ["gallery.html", "images"])
    }

    @Test(arguments: [0, 49_151, 49_152, 49_153, 300_000])
    func `a picture goes into the page whole, whatever its length`(length: Int) throws {
        let (url, bytes) = Self.picture(paddedBy: max(0, length - Self.picture(paddedBy: 0).bytes.count))
        #expect(try Self.run(["{\"imageURL\":\"\(url)\"}"], in: folder).status == 0)
        #expect(try folder.text("gallery.html").contains(">" + Data(bytes).base64EncodedString() + "</script>"))
    }

    @Test(arguments: [("gallery.html", "gallery"), (".html", ".html"), ("a.b.html", "a.b"), ("page", "page")])
    func `a record is one line of the page, and the page's title its name`(_ file: String, _ title: String) throws {
        let line = "{\"id\":1,\r\"imageURL\":\"\(Self.picture(paddedBy: 0).url)\"}"
        #expect(try Self.run([line], ["--gallery", file], in: folder).status == 0)
        let page = try folder.bytes(file)
        #expect(!page.contains(0x0D))
        let text = String(decoding: page, as: UTF8.self)
        #expect(text.contains("<title>\(title)</title>") && text.contains("{\"id\":1, \"imageURL\":"))
    }

    @Test(arguments: [
        (["disney", "disney"], "Characters of Disney's films and shows"), (["cat-breeds"], "Breeds of cats"),
        (["nobody's"], "gallery"), ([], "gallery"),
    ])
    func `a page's title is the summary of its records' source`(_ sources: [String], _ title: String) throws {
        #expect(try Self.run(sources.map { "{\"source\":\"\($0)\"}" }, in: folder).status == 0)
        let text = title.replacingOccurrences(of: "'", with: "&#39;")
        #expect(try folder.text("gallery.html").contains("<title>\(text)</title>"))
    }

    @Test
    func `records that don't come out, and pictures in them, aren't in the page`() throws {
        let picture = Self.picture(paddedBy: 3)
        let lines = [
            "{\"name\":\"one\",\"imageURL\":\"\(picture.url)\"}", "{\"name\":\"two\",\"imageURL\":\"data:,\"}",
            "bad line",
            "{\"name\":3}",
        ]
        let run = try Self.run(lines, ["--on-error=drop", "--embed"], in: folder)
        let page = try folder.text("gallery.html")
        #expect(run.status == 65 && run.lines.count == 2 && run.text.contains("imageData"))
        #expect(
            page.contains("\"name\":\"one\"") && !page.contains("\"name\":\"two\"") && !page.contains("bad line"))
        #expect(!page.contains("imageData"))
    }

    @Test
    func `what a killed run has left is removed, and what another one makes is not`() throws {
        let old = [".g.html.castline-0123456789abcdef", ".g.html.castline-0123456789abcdee"]
        let new = ".g.html.castline-ffffffffffffffff"
        for name in old + [new, ".g.html.castline-0"] { try folder.write("x".utf8, to: name) }
        let script = """
            touch -d '2 minutes ago' .g.html.castline-*[0ef]; touch .g.html.castline-ffffffffffffffff
            exec 3<\(old[1]); flock 3
            echo '{}' | fetch-images --gallery g.html
            """
        #expect(try Session.script(script, folder: folder).status == 0)
        #expect(
            try folder.names().filter { $0.contains("castline") } == [".g.html.castline-0", old[1], new].sorted())
    }

    @Test
    func `a run that fails or is told to end leaves the old page, and nothing else`() throws {
        try folder.write("old".utf8, to: "gallery.html")
        let stopped = try Self.run(["{\"imageURL\":\"data:,\"}"], ["--on-error=stop"], in: folder)
        #expect(stopped.status == 76)
        let server = try LocalServer(faults: ["path=/images,hang"])
        let child = try ChildProcess("fetch-images", ["--allow-private", "--gallery", "gallery.html"], in: folder)
        child.write("{}\n{\"imageURL\":\"\(server.url)/images/cat.png\"}\n".utf8)
        #expect(child.line() != nil)
        child.signal(SIGTERM)
        #expect(child.finish(limitSeconds: 10) && child.status == 143)
        #expect(try folder.text("gallery.html") == "old")
        #expect(try folder.names().filter { $0.contains("castline") } == [])
    }

    @Test(arguments: ["bplist00", "<?xml version=\"1.0\"?><plist/>", "{\"id\":1}"])
    func `a file that holds data isn't replaced with a page`(data: String) throws {
        try folder.write(data.utf8, to: "gallery.html")
        let run = try Self.run(["{}"], in: folder)
        #expect(run.status == 73 && run.errors.contains("holds data"), "\(run.errors)")
        #expect(try folder.text("gallery.html") == data)
    }

    @Test
    func `an input without records leaves the page that is there`() throws {
        #expect(try Self.run(["{\"name\":\"Mick\"}"], in: folder).status == 0)
        let page = try folder.text("gallery.html")
        let run = try Self.run([], in: folder)
        #expect(run.status == 0 && run.errors.contains("no records arrived; gallery.html stays as it is"))
        #expect(try folder.text("gallery.html") == page)
    }

    @Test(arguments: [
        (["--gallery", "-"], 64, "stdout has another use"), (["--gallery="], 64, "needs the name of a file"),
        (["--gallery", "nowhere/g.html"], 73, "run mkdir -p nowhere first"),
        (["--gallery", "."], 73, "choose another --gallery"),
    ])
    func `what can't be is refused`(arguments: [String], status: Int32, words: String) throws {
        let run = try Session("fetch-images", arguments, input: "{}".utf8)
        #expect(run.status == status && run.errors.contains(words), "\(run.errors)")
        #expect(run.output.isEmpty)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "no such device here"))
    func `a disk that is full is status 74`() throws {
        let run = try Session("fetch-images", ["--gallery", "/dev/full"], input: "{}".utf8)
        #expect(run.status == 74)
    }

    @Test
    func `the policy allows the page's own style and script, and nothing else is a mark`() throws {
        _ = try Session("fetch-images", ["--gallery", "a.html"], input: "{}".utf8, folder: folder)
        let page = try folder.text("a.html")
        for (name, tag) in [("style-src", "style"), ("script-src", "script")] {
            let start = try #require(page.range(of: "<\(tag)>"))
            let end = try #require(page.range(of: "</\(tag)>", range: start.upperBound..<page.endIndex))
            let sum = SHA256.digest(Array(page[start.upperBound..<end.lowerBound].utf8).span)
            #expect(page.contains("\(name) 'sha256-\(Data(sum).base64EncodedString())';"))
        }
        #expect(!page.contains("{{") && page.hasSuffix("</html>\n"))
        // Nothing in the files themselves ends them early, or is changed by the parser.
        #expect(page.matches(of: /<\/(?i:style)/).count == 1 && !page.contains("\r"))
    }
}
