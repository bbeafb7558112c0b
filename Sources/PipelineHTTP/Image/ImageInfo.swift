// Judges a picture: what it is, how large, and whether it is complete. Nothing is decoded: it follows headers and
// the lengths in them to the end mark, which costs next to nothing and finds the usual download errors.

import PipelineCore

/// What is known of an accepted picture.
package struct ImageInfo: Equatable, Sendable {
    package let type: ImageType
    /// Nil for an SVG that doesn't say.
    package let size: ImageSize?

    /// The default of `--max-pixels`.
    package static let defaultPixelLimit = 100_000_000

    /// Takes what was found out before.
    package init(type: ImageType, size: ImageSize?) {
        self.type = type
        self.size = size
    }

    /// Checks the bytes of a whole file.
    /// - Parameter pixelLimit: the most pixels that a decoder may have to allocate.
    package init(of bytes: Span<UInt8>, pixelLimit: Int = ImageInfo.defaultPixelLimit) throws(ImageError) {
        guard let type = ImageType(of: bytes) else { throw .notAnImage(NonImageKind(of: bytes)) }
        self.type = type
        size = try Self.size(type, bytes)
        try check(pixelLimit: pixelLimit)
    }

    /// - Throws: if there are too many pixels, or none.
    package func check(pixelLimit: Int) throws(ImageError) {
        guard let size else { return }
        guard size.width > 0, size.height > 0 else { throw .zeroSize(type) }
        let (width, height) = size.extent
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        guard !overflow, pixels <= pixelLimit else {
            throw .tooManyPixels(type, width: width, height: height, limit: pixelLimit)
        }
    }

    private static func size(_ type: ImageType, _ bytes: Span<UInt8>) throws(ImageError) -> ImageSize? {
        switch type {
        case .jpeg: try JPEGImage.size(bytes)
        case .png: try PNGImage.size(bytes)
        case .gif: try GIFImage.size(bytes)
        case .webp: try WebPImage.size(bytes)
        case .avif, .heic: try HEIFImage.size(bytes, type)
        case .svg: try SVGImage.size(bytes)
        case .bmp: try BMPImage.size(bytes)
        case .ico: try ICOImage.size(bytes)
        }
    }
}
