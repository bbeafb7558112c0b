// What a PNG has to be: its header, its chunks and their order, and all of its pixels.

import PipelineHTTP
import Testing

@Suite("PNG")
struct PNGTests {
    /// The bytes of the rows of 5 by 5 pixels in seven passes.
    static let interlaced = [UInt8](repeating: 0, count: 2 + 2 + 3 + 2 * 2 + 4 + 3 * 3 + 2 * 6)

    private static func fault(_ bytes: [UInt8]) -> ImageError? {
        do throws(ImageError) {
            _ = try ImageInfo(of: bytes.span)
            return nil
        } catch { return error }
    }

    @Test
    func `depth, colour type and methods are those of the specification, and no others`() {
        let depths = [0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16]]
        let samples = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4]
        for type in 0..<256 {
            for bits in [0, 1, 2, 3, 4, 5, 8, 12, 15, 16, 17, 24, 32, 64, 128, 255] {
                let isAllowed = depths[type]?.contains(bits) ?? false
                let row = 1 + (9 * bits * (samples[type] ?? 1) + 7) / 8
                let data = SamplePicture.zlib([UInt8](repeating: 0, count: row * 3))
                let bytes = SamplePicture.png(
                    SamplePicture.pngHeader(9, 3, bits, type),
                    [SamplePicture.chunk("PLTE", [1, 2, 3]), SamplePicture.chunk("IDAT", data)])
                #expect(Self.fault(bytes) == (isAllowed ? nil : .damaged(.png)), "\(bits) bits of type \(type)")
            }
        }
        for (methods, interlace) in [(1, 0), (256, 0), (0, 2), (0, 255)] {
            let header = SamplePicture.pngHeader(9, 3, 8, 0, interlace, methods: methods)
            #expect(Self.fault(SamplePicture.png(header, [])) == .damaged(.png))
        }
    }

    @Test(arguments: [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF])
    func `a side at its limits is judged before its pixels`(_ side: Int) {
        let isAllowed = side < 1 << 31
        #expect(
            Self.fault(SamplePicture.png(side, side))
                == (side == 1
                    ? nil
                    : side == 0
                        ? .zeroSize(.png)
                        : isAllowed
                            ? .tooManyPixels(.png, width: side, height: side, limit: 100_000_000) : .damaged(.png)))
        for size in [(side, 1), (1, side)] where side > 1 {
            let bytes = SamplePicture.png(size.0, size.1, rows: [0, 0])
            // A limit that allows them all: the pixels are missing.
            let fault = Result { () throws(ImageError) in try ImageInfo(of: bytes.span, pixelLimit: .max) }
            #expect(throws: isAllowed ? ImageError.truncated(.png) : .damaged(.png)) { try fault.get() }
        }
    }

    @Test
    func `the first 16 KiB of pixels are whole where each row is there, in one stream however it is cut`() {
        for (width, height, bits, type) in [
            (1, 1, 1, 0), (9, 3, 1, 3), (5, 4, 4, 3), (7, 3, 16, 6), (300, 200, 8, 2),
        ] {
            let samples = type == 6 ? 4 : type == 2 ? 3 : 1
            let rows = [UInt8](repeating: 0, count: (1 + (width * bits * samples + 7) / 8) * height)
            let header = SamplePicture.pngHeader(width, height, bits, type)
            for missing in [0, -70_000, 1, rows.count - min(rows.count, 16_383), rows.count] {
                let isShort = missing > 0 && rows.count - missing < 16_384
                let fault = isShort ? ImageError.truncated(.png) : nil
                let all =
                    missing < 0 ? rows + [UInt8](repeating: 9, count: -missing) : Array(rows.dropLast(missing))
                let data = SamplePicture.zlib(all)
                for size in [1, 7, 40_000, data.count] where data.count / size < 2000 {
                    let chunks = stride(from: 0, to: data.count, by: size).map {
                        SamplePicture.chunk("IDAT", Array(data[$0...].prefix(size)))
                    }
                    let bytes = SamplePicture.png(header, [SamplePicture.chunk("PLTE", [1, 2, 3])] + chunks)
                    #expect(Self.fault(bytes) == fault, "\(width) by \(height), \(missing) missing, in \(size)")
                }
            }
        }
        let short = SamplePicture.png(5, 5, isInterlaced: true, rows: Self.interlaced.dropLast())
        #expect(Self.fault(short) == .truncated(.png))
    }

    @Test
    func `a row begins with one of five filters`() {
        for (offset, isFilter) in [(0, true), (1, false), (5, false), (6, true), (12, true), (17, false)] {
            for value: UInt8 in [4, 5, 255] {
                var rows = [UInt8](repeating: 0, count: 18)
                rows[offset] = value
                let fault = Self.fault(SamplePicture.png(5, 3, rows: rows))
                #expect(fault == (isFilter && value > 4 ? .damaged(.png) : nil))
            }
        }
    }

    private static let header = SamplePicture.pngHeader(5, 3)
    private static let coloured = SamplePicture.pngHeader(5, 3, 8, 3)
    private static let data = SamplePicture.chunk("IDAT", SamplePicture.zlib([UInt8](repeating: 0, count: 18)))
    private static let palette = SamplePicture.chunk("PLTE", [1, 2, 3])
    private static let text = SamplePicture.chunk("tEXt", [1])
    private static func halves(_ between: [UInt8]) -> [[UInt8]] {
        let stream = SamplePicture.zlib([UInt8](repeating: 0, count: 18))
        return [
            SamplePicture.chunk("IDAT", Array(stream.prefix(9))), between,
            SamplePicture.chunk("IDAT", Array(stream.dropFirst(9))),
        ]
    }

    @Test(arguments: [
        ("ancillary ones anywhere", header, [text, data, text], nil),
        ("the header twice", header, [header, data], ImageError.damaged(.png)),
        ("no header", text, [header, data], .damaged(.png)),
        ("no pixels", header, [text], .damaged(.png)),
        ("empty pixels", header, [SamplePicture.chunk("IDAT", [])], .truncated(.png)),
        ("pixels in two", header, halves([]), nil),
        ("pixels with something between", header, halves(text), .damaged(.png)),
        ("a critical one that nobody knows", header, [SamplePicture.chunk("IDAX", []), data], .damaged(.png)),
        ("no type at all", header, [SamplePicture.chunk("a1bc", []), data], .damaged(.png)),
        ("colours", coloured, [palette, data], nil),
        ("no colours where they are needed", coloured, [data], .damaged(.png)),
        ("colours behind the pixels", coloured, [data, palette], .damaged(.png)),
        ("colours twice", coloured, [palette, palette, data], .damaged(.png)),
        ("no colour", coloured, [SamplePicture.chunk("PLTE", []), data], .damaged(.png)),
        ("a third of a colour", coloured, [SamplePicture.chunk("PLTE", [1, 2, 3, 4]), data], .damaged(.png)),
        ("256 colours", coloured, [SamplePicture.chunk("PLTE", [UInt8](repeating: 1, count: 768)), data], nil),
        (
            "257 colours", coloured, [SamplePicture.chunk("PLTE", [UInt8](repeating: 1, count: 771)), data],
            .damaged(.png)
        ),
        ("no zlib", header, [SamplePicture.chunk("IDAT", [1, 2, 3])], .damaged(.png)),
    ])
    func `chunks have their order`(_ name: String, _ header: [UInt8], _ chunks: [[UInt8]], _ fault: ImageError?) {
        #expect(Self.fault(SamplePicture.png(header, chunks)) == fault, "\(name)")
    }

    @Test
    func `a bit that is flipped in a critical chunk is found, in another one it doesn't matter`() {
        let whole = SamplePicture.png(Self.coloured, [Self.palette, Self.text, Self.data])
        let text = 8 + 25 + 15..<8 + 25 + 15 + 13
        for index in 8..<whole.count where !text.contains(index) {
            for bit in 0..<8 {
                var bytes = whole
                bytes[index] ^= 1 << bit
                #expect(Self.fault(bytes) != nil, "byte \(index), bit \(bit)")
            }
        }
        var bytes = whole
        bytes[text.upperBound - 1] ^= 1
        #expect(Self.fault(bytes) == nil)
    }

    @Test
    func `the Adler-32 doesn't matter, as each chunk has a CRC-32`() {
        var stream = SamplePicture.zlib([UInt8](repeating: 0, count: 4 * 3))
        stream[stream.count - 1] ^= 1
        let header = SamplePicture.pngHeader(3, 3, 8, 0)
        #expect(Self.fault(SamplePicture.png(header, [SamplePicture.chunk("IDAT", stream)])) == nil)
    }

    @Test(arguments: 0..<10)
    func `EXIF's orientation turns a picture, before its pixels`(_ orientation: Int) throws {
        for isLittle in [true, false] {
            let exif = SamplePicture.exif(orientation, isLittle: isLittle)
            let chunk = SamplePicture.chunk("eXIf", exif)
            let (upright, wide) = (ImageSize(width: 3, height: 5), ImageSize(width: 5, height: 3))
            let size = (5...8).contains(orientation) ? upright : wide
            let before = SamplePicture.png(Self.header, [chunk, Self.data])
            #expect(try ImageInfo(of: before.span).size == size)
            let behind = SamplePicture.png(Self.header, [Self.data, chunk])
            #expect(try ImageInfo(of: behind.span).size == wide)
            #expect(try ImageInfo(of: SamplePicture.jpeg(5, 3, exif: exif).span).size == size)
            for count in 0..<exif.count {
                let cut = SamplePicture.jpeg(5, 3, exif: Array(exif.prefix(count)))
                #expect(try ImageInfo(of: cut.span).size?.width == (count < 32 ? 5 : size.width))
            }
        }
    }
}
