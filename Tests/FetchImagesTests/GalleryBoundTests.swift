// The bound of a gallery: pictures that don't fit are left out, and their records are not.

import PipelineCore
import PipelineHTTP
import TestSupport
import Testing

@testable import fetch_images

@Suite struct GalleryBoundTests {
    @Test func `pictures beyond the bound are left out`() throws {
        let folder = try ScratchFolder()
        var settings = ImagesSettings()
        settings.directory = folder.path("images")
        settings.galleryLimitBytes = 1000
        var gallery = try Gallery(settings, folder.path("g.html"))
        var reader = ImageRecordReader(fields: [], added: "imageFile")
        try folder.makeFolder("images")
        for (digit, count) in [("a", 600), ("b", 600), ("c", 20)] {
            let image = StoredImage(
                directory: settings.directory, sha256: String(repeating: digit, count: 64), bytes: count,
                facts: ImageInfo(type: .svg, size: nil))
            try folder.makeFolder("images/\(digit)\(digit)")
            try folder.write([UInt8](repeating: 0x78, count: count), to: "images/\(image.name)")
            let record = try reader.read(Array("{\"name\":\"x\"}".utf8).span)
            try gallery.add(record, Array("\"imageFile\":1".utf8).span, [image])
        }
        try gallery.finish(Diagnostics(tool: "fetch-images"))
        let page = try folder.text("g.html")
        #expect(page.ranges(of: "class=\"picture\"").count == 2)
        #expect(page.ranges(of: "\"name\":\"x\"").count == 3)
    }
}
