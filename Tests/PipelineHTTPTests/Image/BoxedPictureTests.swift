// AVIF and HEIF: the size as it is shown, and items that are where `iloc` says.

import PipelineHTTP
import Testing

@Suite("AVIF and HEIF")
struct BoxedPictureTests {
    private static func quarter(_ turns: UInt8) -> [UInt8] { SampleBoxes.box("irot", [turns]) }
    private static let mirror = SampleBoxes.box("imir", [1])

    @Test(arguments: [
        ([], (60, 30), (60, 30)),
        ([quarter(1)], (30, 60), (30, 60)),
        ([quarter(2)], (60, 30), (60, 30)),
        ([quarter(3), mirror], (30, 60), (30, 60)),
        ([quarter(1), quarter(1)], (60, 30), (60, 30)),
        ([mirror], (60, 30), (60, 30)),
        // In halves: 20 by 12, 20.5 by 12.
        ([SampleBoxes.cut(40, 24)], (20, 12), (60, 30)),
        ([SampleBoxes.cut(41, 24)], (21, 12), (60, 30)),
        ([SampleBoxes.cut(40, 24), quarter(3)], (12, 20), (30, 60)),
        ([quarter(3), SampleBoxes.cut(40, 24)], (20, 12), (30, 60)),
        ([quarter(1), SampleBoxes.cut(100, 100), mirror], (30, 50), (30, 60)),
        ([SampleBoxes.cut(0xFFFF_FFFF, 24)], (60, 12), (60, 30)),
    ])
    func `what changes a picture is followed in its order, a cut in AVIF not at all`(
        _ properties: [[UInt8]], _ heic: (Int, Int), _ avif: (Int, Int)
    ) throws {
        let cut = SampleBoxes(brand: "heic", coding: "hvc1", properties: properties).bytes(60, 30)
        #expect(try ImageInfo(of: cut.span).size == ImageSize(width: heic.0, height: heic.1))
        let whole = SampleBoxes(properties: properties).bytes(60, 30)
        #expect(try ImageInfo(of: whole.span).size == ImageSize(width: avif.0, height: avif.1))
    }

    @Test
    func `a cut to nothing, or by nothing, is no picture`() {
        func fault(_ box: [UInt8]) -> [UInt8] {
            SampleBoxes(brand: "heic", coding: "hvc1", properties: [box]).bytes(60, 30)
        }
        #expect(throws: ImageError.zeroSize(.heic)) { try ImageInfo(of: fault(SampleBoxes.cut(0, 8)).span) }
        let byNothing = SampleBoxes.box("clap", [UInt8](repeating: 0, count: 32))
        #expect(throws: ImageError.damaged(.heic)) { try ImageInfo(of: fault(byNothing).span) }
    }

    @Test(arguments: [
        ("avif", "av01", ImageType.avif), ("avif", "hvc1", .heic), ("heic", "hev1", .heic), ("heic", "lhv1", .heic),
        ("mif1", "hvc1", .heic), ("mif1", "av01", .avif), ("mif1", "jpeg", .heif), ("mif1", "avc1", .heif),
        ("heic", "vvc1", .heif), ("msf1", "unci", .heif),
    ])
    func `the coding of the picture decides about the type`(_ brand: String, _ coding: String, _ type: ImageType)
        throws
    {
        let bytes = SampleBoxes(brand: brand, coding: coding).bytes(6, 3)
        #expect(ImageType(of: bytes.span) == type)
        if brand != "msf1" { #expect(try ImageInfo(of: bytes.span).type == type) }
        #expect(type != .heif || type.mediaType == "image/heif" && type.fileExtension == "heif")
    }

    @Test
    func `a derived picture is coded as what it is made of, which must be there`() throws {
        let tiles: [[UInt8]] = [[1], [0, 0, 0, 1], [5, 6], [7, 8]]
        let grid = SampleBoxes(brand: "mif1", coding: "grid", items: tiles, tiles: [3, 4]).bytes(6, 3)
        #expect(try ImageInfo(of: grid.span).type == .heic)
        let same = SampleBoxes(brand: "heic", coding: "iden", items: [[1], [], [5]], tiles: [3]).bytes(6, 3)
        #expect(try ImageInfo(of: same.span).type == .heic)
        for (coding, used) in [("grid", []), ("grid", [3, 9]), ("iden", []), ("grid", [2]), ("iovl", [0xFFFF])] {
            let bytes = SampleBoxes(brand: "heic", coding: coding, items: tiles, tiles: used).bytes(6, 3)
            if used == [2] {
                #expect(throws: Never.self) { try ImageInfo(of: bytes.span) }
            } else {
                #expect(throws: ImageError.self, "\(coding) of \(used)") { try ImageInfo(of: bytes.span) }
            }
        }
        let empty = SampleBoxes(items: [[1, 2], []]).bytes(6, 3)
        #expect(throws: ImageError.damaged(.avif)) { try ImageInfo(of: empty.span) }
    }

    @Test
    func `items end where iloc says, in every form of it`() throws {
        for version in 0...2 {
            for sizes in [(4, 4, 0), (8, 8, 8), (8, 4, 4), (4, 8, 4)] {
                for method in 0...(version == 0 ? 0 : 1) {
                    for extents in 1...3 {
                        var boxes = SampleBoxes(version: version, sizes: sizes, method: method, extents: extents)
                        if method == 1 { boxes.items = [[1], [2]] }
                        let bytes = boxes.bytes(6, 3)
                        #expect(throws: Never.self, "\(version) \(sizes) \(method) \(extents)") {
                            try ImageInfo(of: bytes.span)
                        }
                        guard method == 0 else { continue }
                        let cut = bytes.span.extracting(..<(bytes.count - 1))
                        #expect(throws: ImageError.truncated(.avif)) { try ImageInfo(of: cut) }
                    }
                }
            }
        }
    }

    @Test(arguments: [4, 8])
    func `numbers of iloc at their limits neither wrap nor trap`(_ size: Int) {
        let whole = SampleBoxes(sizes: (size, size, size)).bytes(6, 3)
        let place = whole.firstRange(of: Array("iloc".utf8)).map { $0.upperBound + 8 } ?? 0
        for start in place..<place + 60 {
            for number in [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, Int.max, Int.max - 300, -1, Int.min] {
                var bytes = whole
                bytes.replaceSubrange(start..<start + size, with: SamplePicture.big(number, size))
                do throws(ImageError) {
                    _ = try ImageInfo(of: bytes.span)
                } catch { #expect(!error.description.isEmpty) }
            }
        }
    }

    @Test
    func `extents that take no bytes are as one: they would be counted again and again`() throws {
        let item: [UInt8] = [0, 2, 0, 0, 0xFF, 0xFF]
        let places = (0..<60_000).flatMap { _ in item }
        let iloc = SampleBoxes.box("iloc", [0, 0, 0, 0, 0, 0] + SamplePicture.big(60_000, 2) + places)
        let size = SampleBoxes.box("ispe", [0, 0, 0, 0] + SamplePicture.big(7, 4) + SamplePicture.big(5, 4))
        let meta =
            [0, 0, 0, 0] + SampleBoxes.box("pitm", [0, 0, 0, 0, 0, 2]) + iloc
            + SampleBoxes.box("iprp", SampleBoxes.box("ipco", size))
        let bytes = SampleBoxes.box("ftyp", Array("avif".utf8) + [0, 0, 0, 0]) + SampleBoxes.box("meta", meta)
        #expect(try ImageInfo(of: bytes.span).size == ImageSize(width: 7, height: 5))
    }
}
