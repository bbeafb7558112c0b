// Pictures of other projects' test sets, where they lie beside the checkout: the sane ones are taken for what they are,
// the broken ones refused.

import Foundation
import PipelineHTTP
import Testing

private let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared/recorded/images").path
private let isThere = FileManager.default.fileExists(atPath: folder)

@Suite("Recorded pictures", .enabled(if: isThere, "no ../shared/recorded/images"))
struct RecordedImagesTests {
    @Test(arguments: [
        ("TestImage.svg", ImageType.svg, 131, 76), ("animated.webp", .webp, 200, 200),
        ("basi2c08.png", .png, 32, 32), ("gradient-10b-srgb-opaque.heic", .heic, 64, 64),
        ("hopper.avif", .avif, 128, 128), ("hopper.gif", .gif, 128, 128), ("hopper.jpg", .jpeg, 128, 128),
        ("hopper.png", .png, 128, 128), ("hopper.webp", .webp, 128, 128),
        ("pil_sample_cmyk.jpg", .jpeg, 100, 100), ("progressive_cat.jpg", .jpeg, 320, 240),
    ])
    func `a sane one is taken`(_ name: String, _ type: ImageType, width: Int, height: Int) throws {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
        let facts = try ImageInfo(of: bytes.span)
        #expect(facts.type == type)
        #expect(facts.size == ImageSize(width: width, height: height))
    }

    @Test(arguments: [
        "broken.png", "decompression_bomb.gif", "truncated_image.png", "truncated_jpeg.jpg", "zero_width.gif",
    ])
    func `a broken one is refused`(_ name: String) throws {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
        #expect(throws: ImageError.self) { try ImageInfo(of: bytes.span) }
    }
}
