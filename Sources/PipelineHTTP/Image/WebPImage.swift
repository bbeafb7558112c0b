// WebP (RFC 9649): chunks inside one RIFF chunk that gives their total length.
//
//     RIFF length (4) WEBP | VP8X … | ALPH … | VP8  … or VP8L … or ANIM …, ANMF …
//                            canvas             picture            animation

import PipelineCore

enum WebPImage {
    private static let extended = 0x5650_3858  // VP8X
    private static let lossyPicture = 0x5650_3820  // VP8 and a space
    private static let losslessPicture = 0x5650_384C  // VP8L
    private static let frame = 0x414E_4D46  // ANMF

    static func size(_ bytes: Span<UInt8>) throws(ImageError) -> ImageSize {
        guard let length = bytes.littleEndianNumber(4, at: 4), length + 8 <= bytes.count else {
            throw .truncated(.webp)
        }
        let end = length + 8
        var size: ImageSize?
        var hasPicture = false
        var position = 12
        while position + 8 <= end, let type = bytes.bigEndianNumber(4, at: position),
            let length = bytes.littleEndianNumber(4, at: position + 4)
        {
            let body = position + 8
            guard body + length <= end else { throw .truncated(.webp) }
            let chunk = bytes.extracting(body..<body + length)
            switch type {
            case extended: size = try canvas(chunk)
            case lossyPicture:
                if size == nil { size = try lossy(chunk) }
                hasPicture = true
            case losslessPicture:
                if size == nil { size = try lossless(chunk) }
                hasPicture = true
            case frame: hasPicture = true
            default: break
            }
            // A chunk of odd length has one byte of padding.
            position = body + length + length % 2
        }
        guard let size, hasPicture else { throw .damaged(.webp) }
        return size
    }

    /// Width and height of the canvas, each minus one, in 24 bits.
    private static func canvas(_ chunk: Span<UInt8>) throws(ImageError) -> ImageSize {
        guard let width = chunk.littleEndianNumber(3, at: 4), let height = chunk.littleEndianNumber(3, at: 7) else {
            throw .damaged(.webp)
        }
        return ImageSize(width: width + 1, height: height + 1)
    }

    /// The frame header of VP8 (RFC 6386, section 9.1): width and height in 14 bits each, after the start code.
    private static func lossy(_ chunk: Span<UInt8>) throws(ImageError) -> ImageSize {
        guard chunk.holds("\u{9D}\u{1}\u{2A}", at: 3), let width = chunk.littleEndianNumber(2, at: 6),
            let height = chunk.littleEndianNumber(2, at: 8)
        else { throw .damaged(.webp) }
        return ImageSize(width: width & 0x3FFF, height: height & 0x3FFF)
    }

    /// A signature byte, then width and height, each minus one, in 14 bits.
    private static func lossless(_ chunk: Span<UInt8>) throws(ImageError) -> ImageSize {
        guard chunk.holds("\u{2F}", at: 0), let bits = chunk.littleEndianNumber(4, at: 1) else {
            throw .damaged(.webp)
        }
        return ImageSize(width: (bits & 0x3FFF) + 1, height: (bits >> 14 & 0x3FFF) + 1)
    }
}
