// GIF, JPEG, BMP, ICO and WebP: what their headers say of the size, and what they must have.

import PipelineHTTP
import Testing

@Suite("GIF, JPEG, BMP, ICO and WebP")
struct OldPictureTests {
    private static func size(_ bytes: [UInt8]) -> Result<ImageSize?, ImageError> {
        Result { () throws(ImageError) in try ImageInfo(of: bytes.span).size }
    }

    private static func success(_ width: Int, _ height: Int) -> Result<ImageSize?, ImageError> {
        .success(ImageSize(width: width, height: height))
    }

    @Test
    func `zeros between the blocks of a GIF are padding`() {
        let gif = SamplePicture.gif(8, 6)
        // Behind the colours, behind the remark, before the trailer.
        for place in [19, 26, gif.count - 1] {
            for count in [1, 2, 999] {
                let padded = gif[..<place] + [UInt8](repeating: 0, count: count) + gif[place...]
                #expect(Self.size(Array(padded)) == Self.success(8, 6))
                #expect(Self.size(Array(padded.dropLast())) == .failure(.truncated(.gif)))
            }
        }
        #expect(Self.size(Array(gif[..<19] + [0, 0x3B])) == .failure(.damaged(.gif)))
        var coded = gif
        coded[gif.count - 6] = 13
        #expect(Self.size(coded) == .failure(.damaged(.gif)))
    }

    /// Tracking pixels are such pictures, and browsers show them; a cut one is none.
    @Test
    func `a frame of a GIF may have no data, and must have its end and the trailer`() {
        let screen = Array("GIF89a".utf8) + [3, 0, 2, 0, 0, 0, 0]
        let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 3, 0, 2, 0, 0]
        for codeSize: UInt8 in [0, 2, 8, 13] {
            let pixel = screen + frame + [codeSize, 0, 0x3B]
            #expect(pixel.count == 26 && Self.size(pixel) == Self.success(3, 2))
            for count in 14..<pixel.count {
                #expect(Self.size(Array(pixel[..<count])) == .failure(.truncated(.gif)), "\(count)")
            }
        }
        // Beside a frame that has data, before or behind it.
        let full = SamplePicture.gif(3, 2)
        #expect(Self.size(Array(full.dropLast()) + frame + [2, 0, 0x3B]) == Self.success(3, 2))
        #expect(Self.size(screen + frame + [2, 0] + frame + [2, 2, 0x44, 1, 0, 0x3B]) == Self.success(3, 2))
        #expect(Self.size(screen + [0x3B]) == .failure(.damaged(.gif)))
    }

    @Test
    func `the first frame of a GIF may be larger than the screen, which is then as large`() {
        var gif = SamplePicture.gif(8, 6)
        gif.replaceSubrange(6..<10, with: [5, 0, 0, 0])
        #expect(Self.size(gif) == Self.success(8, 6))
    }

    @Test
    func `a JPEG needs a byte of a scan`() {
        let jpeg = SamplePicture.jpeg(8, 6)
        let empty = jpeg.dropLast(10) + [0xFF, 0xD9]
        #expect(Self.size(Array(empty)) == .failure(.damaged(.jpeg)))
        #expect(Self.size(Array(empty.dropLast(2) + [1, 0xFF, 0xD9])) == Self.success(8, 6))
    }

    @Test
    func `the frame of a JPEG has three bytes for each component`() throws {
        let jpeg = SamplePicture.jpeg(8, 6)
        let place = try #require(jpeg.firstRange(of: [0xFF, 0xC0, 0, 11])?.upperBound)
        for components: UInt8 in [0, 2, 255] {
            var bytes = jpeg
            bytes[place + 5] = components
            #expect(Self.size(bytes) == .failure(.damaged(.jpeg)))
        }
    }

    /// A bitmap with this header, and so many bytes of pixels behind it.
    private static func bmp(_ header: [UInt8], pixels: Int, offset: Int? = nil) -> [UInt8] {
        Array("BM".utf8) + SamplePicture.little(0, 8) + SamplePicture.little(offset ?? 14 + header.count, 4)
            + header
            + [UInt8](repeating: 1, count: pixels)
    }

    private static func header(_ length: Int, _ width: Int, _ height: Int, bits: Int = 24) -> [UInt8] {
        let side = length == 12 ? 2 : 4
        let start =
            SamplePicture.little(length, 4) + SamplePicture.little(width, side)
            + SamplePicture.little(height, side) + [1, 0] + SamplePicture.little(bits, 2)
        return start + [UInt8](repeating: 0, count: length - start.count)
    }

    @Test(arguments: [12, 16, 40, 52, 56, 64, 108, 124])
    func `every header of a BMP has its size, and its pixels are there`(_ length: Int) {
        let whole = Self.bmp(Self.header(length, 3, 2), pixels: 24)
        #expect(Self.size(whole) == Self.success(3, 2))
        #expect(Self.size(whole.dropLast()) == .failure(.truncated(.bmp)))
        #expect(Self.size(Self.bmp(Self.header(length, 3, 2), pixels: 24, offset: 0)) == Self.success(3, 2))
        if length > 12 {
            #expect(Self.size(Self.bmp(Self.header(length, 3, -2), pixels: 24)) == Self.success(3, 2))
        }
        for side in [0, 1, 0x7FFF, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF] {
            for (width, height) in [(side, 1), (1, side), (side, side)] {
                let fault = Self.size(Self.bmp(Self.header(length, width, height), pixels: 0))
                #expect(throws: ImageError.self) { try fault.get() }
            }
        }
    }

    @Test
    func `pixels of a BMP that nobody can read are none`() {
        var bytes = Self.bmp(Self.header(40, 3, 2), pixels: 24)
        bytes[30] = 7
        #expect(Self.size(bytes) == .failure(.damaged(.bmp)))
    }

    @Test
    func `a picture of an ICO is as large as it says itself`() {
        let bitmap = SamplePicture.iconBitmap(7, 5)
        for (side, height) in [(7, 5), (7, 10), (0, 0), (1, 255)] {
            #expect(Self.size(SamplePicture.ico([(side, bitmap)], height: height)) == Self.success(7, 5))
            let png = SamplePicture.ico([(side, SamplePicture.png(7, 5))], height: height)
            #expect(Self.size(png) == Self.success(7, 5))
        }
        // The one that promises most is shown, and the only one that is checked.
        let other = SamplePicture.png(30, 30).dropLast()
        #expect(Self.size(SamplePicture.ico([(9, bitmap), (8, Array(other))])) == Self.success(7, 5))
        #expect(Self.size(SamplePicture.ico([(7, bitmap.dropLast())])) == .failure(.truncated(.ico)))
        #expect(Self.size(SamplePicture.ico([(7, [UInt8](repeating: 0, count: 99))])) == .failure(.damaged(.ico)))
        #expect(Self.size(SamplePicture.ico([(9, SamplePicture.png(0, 40))])) == .failure(.zeroSize(.ico)))
        #expect(throws: ImageError.tooManyPixels(.ico, width: 40, height: 40, limit: 999)) {
            try ImageInfo(of: SamplePicture.ico([(9, SamplePicture.png(40, 40))]).span, pixelLimit: 999)
        }
    }

    private static let lossy = SamplePicture.lossy(30, 20)
    private static let canvas = SamplePicture.canvas(0, 30, 20)
    private static let animated = SamplePicture.canvas(2, 30, 20)
    private static let animation = SamplePicture.riff("ANIM", [0, 0, 0, 0, 0, 0])
    private static let frame = SamplePicture.animationFrame(2, 2, 28, 18)
    private static let other = SamplePicture.riff("ABCD", [1])

    @Test(arguments: [
        ("a picture", lossy, nil),
        ("a picture and more", lossy + other, nil),
        ("a canvas and its picture", canvas + other + lossy + other, nil),
        ("an animation", animated + other + animation + frame + frame + other, nil),
        ("something before all", other + lossy, ImageError.damaged(.webp)),
        ("a canvas alone", canvas, .damaged(.webp)),
        ("a canvas behind", lossy + canvas, nil),
        ("two canvases", canvas + canvas + lossy, .damaged(.webp)),
        ("two pictures", canvas + lossy + lossy, .damaged(.webp)),
        ("another canvas", SamplePicture.canvas(0, 31, 20) + lossy, .damaged(.webp)),
        ("a picture where frames belong", animated + lossy, .damaged(.webp)),
        ("frames where a picture belongs", canvas + animation + frame, .damaged(.webp)),
        ("frames before their head", animated + frame + animation, .damaged(.webp)),
        ("no frames", animated + animation, .damaged(.webp)),
        ("a frame outside", animated + animation + SamplePicture.animationFrame(4, 2, 28, 18), .damaged(.webp)),
        ("an empty frame", animated + animation + SamplePicture.riff("ANMF", [1, 2, 3]), .damaged(.webp)),
        ("transparency alone", canvas + SamplePicture.riff("ALPH", [0, 1]), .truncated(.webp)),
        ("transparency behind", canvas + lossy + SamplePicture.riff("ALPH", [0, 1]), .damaged(.webp)),
        ("a chunk that is cut", lossy + SamplePicture.riff("EXIF", [1, 2, 3, 4]).dropLast(), .truncated(.webp)),
        ("a picture that is cut", SamplePicture.riff("VP8 ", Array(lossy[8...].dropLast(3))), .truncated(.webp)),
        ("no key frame", SamplePicture.riff("VP8 ", [0x31] + lossy[9...]), .damaged(.webp)),
        ("a later version", SamplePicture.riff("VP8L", [0x2F, 1, 0, 0, 0x20, 1]), .damaged(.webp)),
    ])
    func `chunks of a WebP have their order`(_ name: String, _ chunks: [UInt8], _ fault: ImageError?) {
        #expect(
            Self.size(SamplePicture.webp(chunks)) == (fault.map { .failure($0) } ?? Self.success(30, 20)), "\(name)"
        )
    }
}
