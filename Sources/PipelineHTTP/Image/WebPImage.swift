// WebP (RFC 9649): chunks inside one RIFF chunk that gives their total length.
//
//     RIFF length (4) WEBP | VP8  … or VP8L …                               a picture alone
//                          | VP8X canvas … | [ALPH …] VP8  … or VP8L … | …  with more
//                          | VP8X canvas … | ANIM … | ANMF … | ANMF … | …   animated, each frame a picture with its place

import PipelineCore

enum WebPImage {
    /// Iterates over chunks. One that doesn't fit is the end.
    private struct Chunks: ~Escapable {
        private let bytes: Span<UInt8>
        private var position: Int
        private(set) var type: FourCC = "    "
        private(set) var body: Span<UInt8>

        @_lifetime(copy bytes)
        init(_ bytes: Span<UInt8>, from position: Int) {
            self.bytes = bytes
            self.position = position
            body = bytes
        }

        @_lifetime(self: copy self)
        mutating func next() -> Bool {
            guard let type = bytes.fourCC(at: position),
                let length = bytes.littleEndianNumber(4, at: position + 4), length <= bytes.count - position - 8
            else { return false }
            self.type = type
            body = bytes.extracting(position + 8..<position + 8 + length)
            // A chunk of odd length has one byte of padding.
            position += 8 + length + length % 2
            return true
        }

        /// Whether no chunk was cut. Fewer bytes than a chunk has are none.
        var areAtEnd: Bool { position + 8 > bytes.count }
    }

    static func size(_ bytes: Span<UInt8>) throws(ImageError) -> ImageSize {
        guard let length = bytes.littleEndianNumber(4, at: 4), length <= bytes.count - 8 else {
            throw .truncated(.webp)
        }
        var chunks = Chunks(bytes.extracting(..<(8 + length)), from: 12)
        guard chunks.next() else { throw .truncated(.webp) }
        if chunks.type != "VP8X" {
            let size = try picture(&chunks)
            while chunks.next() {}
            guard chunks.areAtEnd else { throw .truncated(.webp) }
            return size
        }
        guard let width = chunks.body.littleEndianNumber(3, at: 4),
            let height = chunks.body.littleEndianNumber(3, at: 7)
        else { throw .damaged(.webp) }
        let canvas = ImageSize(width: width + 1, height: height + 1)
        let isAnimated = chunks.body[0] & 2 != 0
        var hasAnimation = false
        var hasPicture = false
        while chunks.next() {
            switch chunks.type {
            case "ANIM": hasAnimation = true
            case "ANMF" where isAnimated && hasAnimation:
                try checkFrame(chunks.body, of: canvas)
                hasPicture = true
            case "ALPH" where !isAnimated, "VP8 " where !isAnimated, "VP8L" where !isAnimated:
                guard !hasPicture, try picture(&chunks) == canvas else { throw .damaged(.webp) }
                hasPicture = true
            case "ALPH", "VP8 ", "VP8L", "ANMF", "VP8X": throw .damaged(.webp)
            default: break
            }
        }
        guard chunks.areAtEnd else { throw .truncated(.webp) }
        guard hasPicture else { throw .damaged(.webp) }
        return canvas
    }

    /// left / 2 (3), top / 2 (3), width, height, duration, flags (10 in all), then a picture.
    private static func checkFrame(_ frame: Span<UInt8>, of canvas: ImageSize) throws(ImageError) {
        guard let left = frame.littleEndianNumber(3, at: 0), let top = frame.littleEndianNumber(3, at: 3) else {
            throw .damaged(.webp)
        }
        var chunks = Chunks(frame, from: 16)
        guard chunks.next() else { throw .damaged(.webp) }
        let size = try picture(&chunks)
        guard left * 2 + size.width <= canvas.width, top * 2 + size.height <= canvas.height else {
            throw .damaged(.webp)
        }
    }

    /// The size of the picture that begins with this chunk: its transparency may come first.
    private static func picture(_ chunks: inout Chunks) throws(ImageError) -> ImageSize {
        let hasAlpha = chunks.type == "ALPH"
        if hasAlpha { guard chunks.next() else { throw .truncated(.webp) } }
        switch chunks.type {
        case "VP8 ": return try lossy(chunks.body)
        case "VP8L" where !hasAlpha: return try lossless(chunks.body)
        default: throw .damaged(.webp)
        }
    }

    /// The frame header of VP8 (RFC 6386, section 9.1): the length of the first partition in the upper 19 of 24 bits; a
    /// key frame that is shown; a start code; width and height in 14 bits each.
    private static func lossy(_ chunk: Span<UInt8>) throws(ImageError) -> ImageSize {
        guard let tag = chunk.littleEndianNumber(3, at: 0), tag & 1 == 0, tag & 0x10 != 0, tag >> 1 & 7 <= 3,
            chunk.holds("\u{9D}\u{1}\u{2A}", at: 3), let width = chunk.littleEndianNumber(2, at: 6),
            let height = chunk.littleEndianNumber(2, at: 8)
        else { throw .damaged(.webp) }
        guard tag >> 5 < chunk.count - 10 else { throw .truncated(.webp) }
        return ImageSize(width: width & 0x3FFF, height: height & 0x3FFF)
    }

    /// A signature byte, then width and height, each minus one, in 14 bits, a flag, and the version 0 in three bits.
    private static func lossless(_ chunk: Span<UInt8>) throws(ImageError) -> ImageSize {
        guard chunk.holds("\u{2F}", at: 0), let bits = chunk.littleEndianNumber(4, at: 1), bits >> 29 == 0 else {
            throw .damaged(.webp)
        }
        return ImageSize(width: (bits & 0x3FFF) + 1, height: (bits >> 14 & 0x3FFF) + 1)
    }
}
