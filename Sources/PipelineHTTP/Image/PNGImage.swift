// PNG (W3C PNG, third edition): a signature, then chunks.
//
//     length (4) | type (4) | data | checksum (4)        IHDR first, IDAT …, IEND last

import PipelineCore

enum PNGImage {
    static let signature = "\u{89}PNG\r\n\u{1A}\n"
    private static let header = 0x4948_4452  // IHDR
    private static let data = 0x4944_4154  // IDAT
    private static let end = 0x4945_4E44  // IEND

    /// Follows the chunks to the last one.
    static func size(_ bytes: Span<UInt8>) throws(ImageError) -> ImageSize {
        guard let length = bytes.bigEndianNumber(4, at: 8), let type = bytes.bigEndianNumber(4, at: 12),
            let width = bytes.bigEndianNumber(4, at: 16), let height = bytes.bigEndianNumber(4, at: 20)
        else { throw .truncated(.png) }
        guard type == header, length == 13 else { throw .damaged(.png) }
        try checkChunks(bytes)
        return ImageSize(width: width, height: height)
    }

    private static func checkChunks(_ bytes: Span<UInt8>) throws(ImageError) {
        var position = 8
        var hasData = false
        while let length = bytes.bigEndianNumber(4, at: position),
            let type = bytes.bigEndianNumber(4, at: position + 4)
        {
            guard isType(type) else { throw .damaged(.png) }
            position += 12 + length
            guard position <= bytes.count else { throw .truncated(.png) }
            if type == data { hasData = true }
            guard type == end else { continue }
            guard hasData else { throw .damaged(.png) }
            return
        }
        throw .truncated(.png)
    }

    /// Four letters of ASCII.
    private static func isType(_ type: Int) -> Bool {
        [24, 16, 8, 0].allSatisfy { (0x61...0x7A).contains(type >> $0 & 0xFF | 0x20) }
    }
}
