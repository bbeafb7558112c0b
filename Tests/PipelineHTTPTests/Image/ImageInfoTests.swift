// An image is an image: type, size, wholeness and limits, format by format.

import PipelineHTTP
import Testing

@Suite("The judgement of pictures")
struct ImageInfoTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let type: ImageType
        let width: Int
        let height: Int

        init(_ name: String, _ bytes: [UInt8], _ type: ImageType, _ width: Int, _ height: Int) {
            testDescription = name
            self.bytes = bytes
            self.type = type
            self.width = width
            self.height = height
        }
    }

    static let whole: [Case] = [
        Case("PNG", SamplePicture.png(31, 17), .png, 31, 17),
        Case(
            "PNG, interlaced", SamplePicture.png(5, 5, isInterlaced: true, rows: PNGTests.interlaced), .png, 5, 5),
        Case("JPEG, baseline", SamplePicture.jpeg(640, 480), .jpeg, 640, 480),
        Case("JPEG, progressive", SamplePicture.jpeg(20, 30, frame: 0xC2, scans: 3), .jpeg, 20, 30),
        Case("GIF", SamplePicture.gif(80, 60), .gif, 80, 60),
        Case("WebP, lossy", SamplePicture.webpLossy(300, 200), .webp, 300, 200),
        Case("WebP, lossless", SamplePicture.webpLossless(16_384, 1), .webp, 16_384, 1),
        Case("WebP, animated", SamplePicture.webpAnimated(70_000, 9), .webp, 70_000, 9),
        Case("WebP, with transparency", SamplePicture.webpTransparent(300, 200), .webp, 300, 200),
        Case("AVIF", SampleBoxes().bytes(1920, 1080), .avif, 1920, 1080),
        Case("AVIF narrower than its thumbnail", SampleBoxes().bytes(4, 3), .avif, 4, 3),
        Case("AVIF whose size a reader must know", SampleBoxes(mustBeKnown: true).bytes(4, 3), .avif, 4, 3),
        Case("AVIF in meta itself", SampleBoxes(version: 1, method: 1).bytes(4, 3), .avif, 4, 3),
        Case("AVIF in pieces", SampleBoxes(version: 2, sizes: (8, 8, 0), extents: 2).bytes(4, 3), .avif, 4, 3),
        Case("AVIF, mdat to the end", SampleBoxes(sizes: (4, 4, 8), dataLength: 0).bytes(4, 3), .avif, 4, 3),
        Case("AVIF, mdat that is too long", SampleBoxes(dataLength: 99).bytes(4, 3), .avif, 4, 3),
        Case(
            "AVIF, a grid",
            SampleBoxes(coding: "grid", items: [[1], [0, 0, 0, 1], [5, 6], [7, 8]], tiles: [3, 4]).bytes(9, 7),
            .avif,
            9, 7),
        Case("AVIF, a sequence", SampleBoxes.sequence(64, 32), .avif, 64, 32),
        Case("AVIF, a sequence of one size", SampleBoxes.sequence(64, 32, sizes: [2], isLong: true), .avif, 64, 32),
        Case("AVIF, a sequence to the end", SampleBoxes.sequence(64, 32, dataLength: 0), .avif, 64, 32),
        Case("HEIC", SampleBoxes(brand: "heic", coding: "hvc1").bytes(4032, 3024), .heic, 4032, 3024),
        Case("HEIC by its item alone", SampleBoxes(brand: "mif1", coding: "hvc1").bytes(9, 8), .heic, 9, 8),
        Case("AVIF by its item alone", SampleBoxes(brand: "mif1", coding: "av01").bytes(9, 8), .avif, 9, 8),
        Case("HEIF, coded otherwise", SampleBoxes(brand: "mif1", coding: "j2k1").bytes(9, 8), .heif, 9, 8),
        Case("BMP", SamplePicture.bmp(5, 4), .bmp, 5, 4),
        Case("BMP, from the top", SamplePicture.bmp(5, -4), .bmp, 5, 4),
        Case(
            "ICO",
            SamplePicture.ico([(16, SamplePicture.iconBitmap(16, 16)), (32, SamplePicture.iconBitmap(32, 32))]),
            .ico, 32, 32),
        Case(
            "ICO whose entry lies", SamplePicture.ico([(9, SamplePicture.iconBitmap(7, 5))], height: 10), .ico, 7, 5
        ),
        Case("ICO with a PNG", SamplePicture.ico([(256, SamplePicture.png(300, 2))]), .ico, 300, 2),
    ]

    @Test(arguments: whole)
    func `type and size are read from the bytes`(_ picture: Case) throws {
        let facts = try ImageInfo(of: picture.bytes.span)
        #expect(facts.type == picture.type)
        #expect(facts.size?.width == picture.width)
        #expect(facts.size?.height == picture.height)
    }

    @Test(arguments: whole)
    func `a picture that is cut anywhere is refused`(_ picture: Case) {
        for count in 0..<picture.bytes.count {
            let facts = Result { () throws(ImageError) in
                try ImageInfo(of: picture.bytes.span.extracting(..<count))
            }
            #expect(throws: ImageError.self, "\(count) of \(picture.bytes.count) bytes") { try facts.get() }
        }
    }

    @Test(arguments: whole)
    func `bytes behind a whole picture don't matter, however many`(_ picture: Case) throws {
        let rests: [[UInt8]] = [
            [0], [0, 0, 0], [0xFF], Array("junk behind it".utf8), [UInt8](repeating: 0, count: 4096), picture.bytes,
            // Where a box or a chunk would begin, one that is far too long.
            [0x7F, 0xFF, 0xFF, 0xFF] + Array("free".utf8), Array("free".utf8) + [0xFF, 0xFF, 0xFF, 0x7F],
        ]
        for rest in rests {
            let facts = try ImageInfo(of: (picture.bytes + rest).span)
            #expect(facts.type == picture.type && facts.size?.width == picture.width, "\(rest.prefix(16))")
        }
    }

    @Test(arguments: whole)
    func `a picture with any one byte changed is judged without a trap`(_ picture: Case) {
        var judged = 0
        for index in picture.bytes.indices {
            for value: UInt8 in [0x00, 0x01, 0x7F, 0x80, 0xFF] {
                var bytes = picture.bytes
                bytes[index] = value
                do throws(ImageError) {
                    let facts = try ImageInfo(of: bytes.span)
                    if facts.size?.width != 0 { judged += 1 }
                } catch {
                    judged += error.description.isEmpty ? 0 : 1
                }
            }
        }
        #expect(judged == picture.bytes.count * 5)
    }

    static let faults: [(String, [UInt8], ImageError)] = [
        ("nothing", [], .notAnImage(.nothing)),
        ("a page", Array("\n<!DOCTYPE html><html><body>404</body></html>".utf8), .notAnImage(.html)),
        ("a page without a head", Array("<body>hello".utf8), .notAnImage(.html)),
        ("JSON", Array(#"{"message":"no"}"#.utf8), .notAnImage(.json)),
        ("text", Array("not found".utf8), .notAnImage(.text)),
        ("other XML", Array("<?xml version=\"1.0\"?><Error/>".utf8), .notAnImage(.xml)),
        ("PDF", Array("%PDF-1.4".utf8), .notAnImage(.pdf)),
        ("TIFF", [0x49, 0x49, 0x2A, 0], .notAnImage(.tiff)),
        ("JPEG XL", [0xFF, 0x0A, 1, 2], .notAnImage(.jpegXL)),
        ("gzip", [0x1F, 0x8B, 8, 0], .notAnImage(.compressed)),
        ("a film", SamplePicture.big(16, 4) + "ftypmp42____".utf8, .notAnImage(.video)),
        ("noise", [1, 2, 3, 4, 5, 6, 7, 8], .notAnImage(.unknown)),
        ("BM, but no BMP", Array("BMW drives away, and more".utf8), .notAnImage(.text)),
        ("GIF of no width", SamplePicture.gif(0, 32), .zeroSize(.gif)),
        ("PNG of no height", SamplePicture.png(32, 0), .zeroSize(.png)),
        (
            "PNG without data", SamplePicture.png(SamplePicture.pngHeader(32, 32), []),
            .damaged(.png)
        ),
        ("JPEG of no width", SamplePicture.jpeg(0, 5), .zeroSize(.jpeg)),
        (
            "PNG beyond reason", SamplePicture.png(100_000, 100_000),
            .tooManyPixels(.png, width: 100_000, height: 100_000, limit: 100_000_000)
        ),
        (
            "PNG as large as can be", SamplePicture.png(0x7FFF_FFFF, 0x7FFF_FFFF),
            .tooManyPixels(.png, width: 0x7FFF_FFFF, height: 0x7FFF_FFFF, limit: 100_000_000)
        ),
        (
            "a small GIF with a huge frame", SamplePicture.gif(60_000, 1, left: 5000, frameHeight: 65_000),
            .tooManyPixels(.gif, width: 65_000, height: 65_000, limit: 100_000_000)
        ),
        ("JPEG without a scan", [0xFF, 0xD8, 0xFF, 0xD9], .damaged(.jpeg)),
        (
            "BMP beyond any file",
            SamplePicture.bmp(1, 1).prefix(18) + [UInt8](repeating: 0x7F, count: 8)
                + SamplePicture.bmp(1, 1).dropFirst(26), .truncated(.bmp)
        ),
    ]

    @Test(arguments: faults)
    func `what is no sane picture is refused with its reason`(_ name: String, _ bytes: [UInt8], _ fault: ImageError)
    {
        do throws(ImageError) {
            let facts = try ImageInfo(of: bytes.span)
            Issue.record("\(name) was taken for \(facts)")
        } catch {
            #expect(error == fault, "\(name)")
            #expect(!error.description.contains("\n"))
        }
    }

    @Test
    func `the limit of pixels counts exactly`() throws {
        let bytes = SamplePicture.png(10, 10)
        _ = try ImageInfo(of: bytes.span, pixelLimit: 100)
        #expect(throws: ImageError.self) { try ImageInfo(of: bytes.span, pixelLimit: 99) }
    }

    @Test func `a type has the name of a file, of a media type, and for people`() {
        let names = ImageType.allCases.map { "\($0.fileExtension) \($0.mediaType) \($0.name)" }
        #expect(
            names == [
                "jpg image/jpeg JPEG", "png image/png PNG", "gif image/gif GIF", "webp image/webp WebP",
                "bmp image/bmp BMP", "ico image/vnd.microsoft.icon ICO", "avif image/avif AVIF",
                "heic image/heic HEIC", "heif image/heif HEIF", "svg image/svg+xml SVG",
            ])
    }
}
