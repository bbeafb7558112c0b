// Pictures that would cost a reader more time or memory than their bytes are worth.

import Testing

@testable import PipelineHTTP

@Suite("A picture that is all trap")
struct HostilePictureTests {
    /// An ICO whose entries name these ranges of the bytes after them.
    private static func ico(_ ranges: [Range<Int>], of bytes: [UInt8]) -> [UInt8] {
        let start = 6 + 16 * ranges.count
        var entries: [UInt8] = []
        for range in ranges {
            entries += [9, 9, 0, 0, 1, 0, 32, 0] + SamplePicture.little(range.count, 4)
            entries += SamplePicture.little(start + range.lowerBound, 4)
        }
        return [0, 0, 1, 0] + SamplePicture.little(ranges.count, 2) + entries + bytes
    }

    private static func size(_ bytes: [UInt8]) throws -> ImageSize? { try ImageInfo(of: bytes.span).size }

    /// A PNG with empty chunks.
    private static func png(chunks: Int) -> [UInt8] {
        let png = SamplePicture.png(40, 30)
        let empty: [UInt8] = [0, 0, 0, 0] + Array("teXt".utf8) + [0, 0, 0, 0]
        return Array(png[..<33]) + (0..<chunks).flatMap { _ in empty } + png[33...]
    }

    @Test
    func `entries of an ICO that name one PNG are that PNG`() throws {
        let png = Self.png(chunks: 500)
        let bytes = Self.ico(Array(repeating: 0..<png.count, count: 65_535), of: png)
        #expect(try Self.size(bytes) == ImageSize(width: 40, height: 30))
    }

    private static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
        SamplePicture.big(body.count + 8, 4) + type.utf8 + body
    }

    /// An AVIF whose picture has the property of this index; all properties but the last are empty.
    private static func avif(properties count: Int, used index: Int) -> [UInt8] {
        let size = box("ispe", [0, 0, 0, 0] + SamplePicture.big(7, 4) + SamplePicture.big(5, 4))
        let large = box("ispe", [0, 0, 0, 0] + SamplePicture.big(70, 4) + SamplePicture.big(50, 4))
        let empty = box("free", [])
        let properties = box("ipco", (0..<count - 2).flatMap { _ in empty } + size + large)
        // Version 0, and indices of two bytes.
        let uses = box("ipma", [0, 0, 0, 1] + SamplePicture.big(1, 4) + [0, 1, 1] + SamplePicture.big(index, 2))
        let place = box("iloc", [1, 0, 0, 0, 0x04, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]) + box("idat", [1])
        let meta = box(
            "meta", [0, 0, 0, 0] + box("pitm", [0, 0, 0, 0, 0, 1]) + place + box("iprp", properties + uses))
        return box("ftyp", Array("avif".utf8) + [0, 0, 0, 0]) + meta
    }

    @Test
    func `a property of an AVIF counts up to the last that can be named, and the widest where none is`() throws {
        let last = Self.avif(properties: 0x8000, used: 0x7FFF)
        #expect(try Self.size(last) == ImageSize(width: 7, height: 5))
        // The next one has no index: the widest of all is the size.
        let beyond = Self.avif(properties: 0x8001, used: 0x7FFF)
        #expect(try Self.size(beyond) == ImageSize(width: 70, height: 50))
    }

    @Test(arguments: [
        (#"viewBox="0 0 64 48 1""#, nil), (#"viewBox="0 0 64""#, nil), (#"viewBox="0 0 x 48""#, nil),
        ("viewBox=' 0,0,,64 \n48 '", ImageSize(width: 64, height: 48)),
        ("viewBox=\"\(String(repeating: "1 ", count: 10_000))\"", nil),
        ("width=\"\(String(repeating: "1 ", count: 10_000))\" height='2'", nil),
        (
            "width='3' \(String(repeating: "width='4' ", count: 1000)) height='2'",
            ImageSize(width: 4, height: 2)
        ),
        ("width='\(String(repeating: " ", count: 10_000))7' height='2'", ImageSize(width: 7, height: 2)),
        ("width='\(String(repeating: "0", count: 255))7' height='2'", ImageSize(width: 7, height: 2)),
        ("width='\(String(repeating: "0", count: 256))7' height='2'", nil),
        ("viewBox='0 0 \(String(repeating: "0", count: 255))7 2'", ImageSize(width: 7, height: 2)),
        ("viewBox='0 0 \(String(repeating: "0", count: 256))7 2'", nil),
        ("width='nan' height='2'", nil), ("width='inf' height='2'", nil), ("width='0x10' height='2'", nil),
        ("width='0' height='2'", ImageSize(width: 0, height: 2)),
    ])
    func `values of an SVG's attributes are read no further than they can count`(
        _ attributes: String, _ size: ImageSize?
    ) throws {
        let bytes = Array("<svg \(attributes)/>".utf8)
        if size?.width == 0 {
            #expect(throws: ImageError.zeroSize(.svg)) { try ImageInfo(of: bytes.span) }
        } else {
            #expect(try Self.size(bytes) == size)
        }
    }

    @Test(arguments: [
        ("<!-->--><svg/>", true), ("<!--->--><svg/>", true), ("<?><svg/>", false), ("<??><svg/>", true),
        ("<?>?><svg/>", true), ("<svg><![CDATA[]>]]></svg>", true), ("<svg><![CDATA[>]]></svg>", true),
        ("<svg><![CDATA[]></svg>", false), ("<svg><!-></svg>", false), ("<svg><!x></svg></svg>", true),
    ])
    func `comments, instructions and sections of an SVG end where they do`(_ text: String, isPicture: Bool) {
        let bytes = Array(text.utf8)
        do throws(ImageError) {
            _ = try ImageInfo(of: bytes.span)
            #expect(isPicture)
        } catch {
            #expect(!isPicture, "\(error)")
        }
    }
}
