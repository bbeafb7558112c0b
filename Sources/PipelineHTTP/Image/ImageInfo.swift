// Judges a picture: what it is, how large a browser shows it, and whether it is complete. It follows headers and the
// lengths in them to the end mark, which costs next to nothing and finds the usual download errors. Of pixels, those of a
// PNG are counted, as zlib is at hand; no other picture is decoded.

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
        size = try Self.size(type, bytes, pixelLimit)
        try check(pixelLimit: pixelLimit)
    }

    /// - Throws: if there are too many pixels, or none.
    package func check(pixelLimit: Int) throws(ImageError) {
        guard let size else { return }
        guard size.width > 0, size.height > 0 else { throw .zeroSize(type) }
        guard size.isAllowed(pixelLimit) else {
            throw .tooManyPixels(type, width: size.extent.width, height: size.extent.height, limit: pixelLimit)
        }
    }

    private static func size(
        _ type: ImageType, _ bytes: Span<UInt8>, _ pixelLimit: Int
    ) throws(ImageError) -> ImageSize? {
        switch type {
        case .jpeg: try JPEGImage.size(bytes)
        case .png: try PNGImage.size(bytes, pixelLimit: pixelLimit)
        case .gif: try GIFImage.size(bytes)
        case .webp: try WebPImage.size(bytes)
        case .avif, .heic, .heif: try HEIFImage.size(bytes, type)
        case .svg: try SVGImage.size(bytes)
        case .bmp: try BMPImage.size(bytes)
        case .ico: try ICOImage.size(bytes, pixelLimit: pixelLimit)
        }
    }
}
