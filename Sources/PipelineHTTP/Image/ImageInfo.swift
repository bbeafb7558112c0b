// Judges a picture: what it is, how large a browser shows it, and whether it is complete. It follows headers and the
// lengths in them to the end mark, which costs next to nothing and finds the usual download errors. Of pixels, the first of a
// PNG are counted, as zlib is at hand; no other picture is decoded.

import PipelineCore

package struct ImageInfo: Equatable, Sendable {
    package let type: ImageType
    /// Nil for an SVG that doesn't say.
    package let size: ImageSize?

    package static let defaultPixelLimit = 100_000_000

    package init(type: ImageType, size: ImageSize?) {
        self.type = type
        self.size = size
    }

    /// Checks the bytes of a whole file.
    /// - Parameters:
    ///   - pixelLimit: the most pixels that a decoder may have to allocate.
    ///   - judge: of further pictures too.
    package init(
        of bytes: Span<UInt8>, pixelLimit: Int = ImageInfo.defaultPixelLimit, judge: ImageJudge = ImageJudge()
    ) throws(ImageError) {
        guard let type = ImageType(of: bytes) else { throw .notAnImage(NonImageKind(of: bytes)) }
        self.type = type
        size =
            switch type {
            case .jpeg: try JPEGImage.size(bytes)
            case .png: try PNGImage.size(bytes, pixelLimit: pixelLimit, judge)
            case .gif: try GIFImage.size(bytes)
            case .webp: try WebPImage.size(bytes)
            case .avif, .heic, .heif: try HEIFImage.size(bytes, type)
            case .svg: try SVGImage.size(bytes)
            case .bmp: try BMPImage.size(bytes)
            case .ico: try ICOImage.size(bytes, pixelLimit: pixelLimit, judge)
            }
        try check(pixelLimit: pixelLimit)
    }

    package func check(pixelLimit: Int = ImageInfo.defaultPixelLimit) throws(ImageError) {
        guard let size else { return }
        guard size.width > 0, size.height > 0 else { throw .zeroSize(type) }
        guard size.isAllowed(pixelLimit) else {
            throw .tooManyPixels(type, width: size.right, height: size.bottom, limit: pixelLimit)
        }
    }
}

/// What judging one picture after the other needs again and again. Not thread-safe.
package final class ImageJudge {
    private var inflater: Inflater?

    package init() {}

    /// An inflater at the beginning of a PNG's pixels. A new one would allocate and clear a hundred kilobytes.
    func beginPixels() throws(ImageError) -> Inflater {
        if let inflater {
            inflater.restart()
            return inflater
        }
        do throws(Inflater.Fault) {
            let inflater = try Inflater(.png)
            self.inflater = inflater
            return inflater
        } catch { throw .damaged(.png) }
    }
}

/// The size of a picture, as a browser shows it.
package struct ImageSize: Equatable, Sendable {
    package let width: Int
    package let height: Int
    /// The ends of the area that a decoder has to allocate, which may be larger than the picture.
    private(set) var right: Int
    private(set) var bottom: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
        right = width
        bottom = height
    }

    mutating func include(right: Int, bottom: Int) {
        self.right = max(self.right, right)
        self.bottom = max(self.bottom, bottom)
    }

    /// Upright, where EXIF's orientation is 5 or more: those turn it by a quarter.
    func turned(_ orientation: Int) -> ImageSize {
        orientation < 5 ? self : ImageSize(width: height, height: width)
    }

    /// Whether a decoder has something to allocate, and no more than the limit.
    func isAllowed(_ pixelLimit: Int) -> Bool {
        let (pixels, overflow) = right.multipliedReportingOverflow(by: bottom)
        return !overflow && width > 0 && height > 0 && pixels <= pixelLimit
    }
}

/// Why bytes are rejected as a picture, in words for whoever reads the record.
package enum ImageError: Error, Equatable, Sendable {
    /// None of the formats, and what it is instead.
    case notAnImage(NonImageKind)
    case truncated(ImageType)
    case continued(ImageType)
    case damaged(ImageType)
    case zeroSize(ImageType)
    /// A decoder would have to allocate more pixels than allowed.
    case tooManyPixels(ImageType, width: Int, height: Int, limit: Int)
    case tooManyBytes(limit: Int)
}

extension ImageError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notAnImage(let content):
            switch content {
            case .tiff, .jpegXL: "\(content.rawValue), which fetch-images doesn't support; ask for another format"
            default: "not an image but \(content.rawValue); check the URL"
            }
        case .truncated(let type): "\(type.described) picture that is cut short; it is damaged at its source"
        case .continued(let type): "\(type.described) picture with more after its end; it is damaged at its source"
        case .damaged(let type): "a broken \(type.name) picture; it is damaged at its source"
        case .zeroSize(let type): "\(type.described) picture without any pixels; it is damaged at its source"
        case .tooManyPixels(let type, let width, let height, let limit):
            "\(type.described) picture of \(width) by \(height) pixels, more than \(limit); ask for a smaller one"
        case .tooManyBytes(let limit):
            "a picture of more than \(limit) bytes; raise --max-bytes, with --embed to 47M at most"
        }
    }
}

/// Numbers and marks at a position in a picture's bytes; every read is checked against the end.
extension Span where Element == UInt8 {
    /// The big-endian number in `size` bytes at `position`; nil if they aren't all there.
    @inline(__always)
    func bigEndianNumber(_ size: Int, at position: Int) -> Int? {
        guard position >= 0, position <= count - size else { return nil }
        var number = 0
        for index in position..<position + size { number = number << 8 | Int(self[index]) }
        return number
    }

    func fourCC(at position: Int) -> FourCC? { bigEndianNumber(4, at: position).map { FourCC(code: $0) } }

    /// The little-endian number in `size` bytes at `position`; nil if they aren't all there.
    @inline(__always)
    func littleEndianNumber(_ size: Int, at position: Int) -> Int? {
        bigEndianNumber(size, at: position).map { Int(UInt($0).byteSwapped >> (64 - 8 * UInt(size))) }
    }

    /// Whether the mark is at `position`. Each of its characters is one byte, so none is above U+00FF.
    func holds(_ mark: String, at position: Int) -> Bool {
        var index = position
        for character in mark.unicodeScalars {
            guard index < count, UInt32(self[index]) == character.value else { return false }
            index += 1
        }
        return true
    }

    func begins(with mark: String) -> Bool { holds(mark, at: 0) }
}

/// Four characters that name a chunk or a box.
struct FourCC: Equatable, ExpressibleByStringLiteral {
    let code: Int

    init(code: Int) { self.code = code }

    init(stringLiteral text: StaticString) {
        code = text.bytes.bigEndianNumber(4, at: 0) ?? 0
    }
}
