// When a gallery holds its pictures and when it links them, and where a link leads.

import Foundation
import PipelineCore
import PipelineHTTP
import TestSupport
import Testing

@testable import fetch_images

@Suite("The gallery's pictures")
struct GalleryBoundTests {
    /// The page of records with a picture each, of which `sizes` are the bytes.
    private static func page(_ sizes: [Int], limit: Int, links: Bool = false, _ folder: ScratchFolder) throws
        -> String
    {
        var settings = ImagesSettings()
        settings.directory = folder.path("images")
        settings.galleryLimitBytes = limit
        settings.linksPictures = links
        var gallery = try Gallery(settings, folder.path("g.html"))
        var reader = ImageRecordReader()
        for (index, count) in sizes.enumerated() {
            let digits = String(index + 10, radix: 16)
            let image = StoredImage(
                directory: settings.directory, sha256: digits + String(repeating: "0", count: 64 - digits.count),
                bytes: count, facts: ImageInfo(type: .svg, size: nil))
            try FileManager.default.createDirectory(
                atPath: folder.path("images/\(image.name.prefix(2))"), withIntermediateDirectories: true)
            try folder.write([UInt8](repeating: 0x78, count: count), to: "images/\(image.name)")
            let record = try reader.read(Array("{\"name\":\"<\(index)>\"}".utf8).span).record
            try gallery.add(record, Array("\"imageFile\":1".utf8).span, [image, image])
        }
        try gallery.finish(Diagnostics(tool: "fetch-images"))
        return try folder.text("g.html")
    }

    private static func count(_ part: String, in page: String) -> Int { page.ranges(of: part).count }

    @Test(
        arguments: [([], false), ([600, 600], false), ([600, 600, 2000], true), ([3001], true)], [false, true])
    func `a page holds all pictures or links all, and has all records`(_ row: ([Int], Bool), asked: Bool) throws {
        let page = try Self.page(row.0, limit: 3000, links: asked, ScratchFolder())
        let isLinked = row.1 || asked
        #expect(Self.count("class=\"picture\"", in: page) == (isLinked ? 0 : row.0.count))
        #expect(Self.count("loading=\"lazy\"", in: page) == (isLinked ? 1 : 0))
        #expect(Self.count("\"name\":\"\\u003c", in: page) == row.0.count)
        #expect(Self.count("img-src data:;", in: page) == (isLinked ? 0 : 1))
        for index in row.0.indices {
            let name = String(index + 10, radix: 16)
            let file = "\((name + "0").prefix(2))/\(name.padding(toLength: 64, withPad: "0", startingAt: 0)).svg"
            let links = "<a href=\"images/\(file)\">&lt;\(index)&gt;</a> <a href=\"images/\(file)\">2</a>"
            #expect(page.contains("<li>" + (isLinked ? links : "&lt;\(index)&gt;")))
        }
    }

    @Test func `records of many chunks are all there, in their order`() throws {
        let page = try Self.page([Int](repeating: 1, count: 3000), limit: 1, ScratchFolder())
        let numbers = page.components(separatedBy: #""name":"\u003c"#).dropFirst().map { $0.prefix { $0 != ">" } }
        #expect(numbers.elementsEqual((0..<3000).map { "\($0)" }) { $0 == $1 })
        #expect(Self.count("class=\"records\"", in: page) > 1)
    }

    @Test(arguments: [
        ("images", "g.html", "images/"), ("images/", "./g.html", "images/"), ("./a//b", "g.html", "a/b/"),
        ("out/images", "out/g.html", "images/"), ("out", "out/g.html", "./"), (".", "g.html", "./"),
        ("images", "web/g.html", "../images/"), ("images", "a/b/g.html", "../../images/"),
        ("../images", "g.html", "../images/"), ("a/../images", "web/g.html", "../images/"),
        ("linked", "web/g.html", "../images/"), ("linked", "g.html", "linked/"),
        ("a b%#?:\"é", "g.html", "a%20b%25%23%3F%3A%22%C3%A9/"), ("web", "web/x.html", "./"),
    ])
    func `links lead from the page's folder to the pictures`(_ directory: String, _ page: String, _ url: String)
        throws
    {
        let folder = try ScratchFolder()
        for name in ["images", "out/images", "web", "a/b"] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
        }
        try FileManager.default.createSymbolicLink(atPath: folder.path("linked"), withDestinationPath: "images")
        // Relative names are the working directory's, so both are given from the root here, or both below the folder.
        let links = GalleryLinks.directory(folder.path(directory), from: folder.path(page))
        #expect(links == url)
        let absolute = "\(folder.path(page).split(separator: "/").dropLast().joined(separator: "/"))/"
        let target = URL(fileURLWithPath: "/" + absolute).appendingPathComponent(
            links.removingPercentEncoding ?? "")
        #expect(
            target.standardizedFileURL.resolvingSymlinksInPath().path
                == URL(fileURLWithPath: folder.path(directory)).standardizedFileURL.resolvingSymlinksInPath().path)
    }
}
