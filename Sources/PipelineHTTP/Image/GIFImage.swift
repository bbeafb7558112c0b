// GIF (GIF89a specification): a screen, then blocks up to the trailer 3B.
//
//     GIF89a width (2) height (2) flags … [colours] | 2C frame … | 21 extension … | 3B

import PipelineCore

enum GIFImage {
    /// Follows the blocks. Where the first frame extends past the screen, browsers widen the picture; where another
    /// does, decoders allocate the larger area.
    static func size(_ bytes: Span<UInt8>) throws(ImageError) -> ImageSize {
        guard let width = bytes.littleEndianNumber(2, at: 6), let height = bytes.littleEndianNumber(2, at: 8),
            bytes.count >= 13
        else { throw .truncated(.gif) }
        var size = ImageSize(width: width, height: height)
        var position = 13 + colourBytes(bytes[10])
        var hasFrame = false
        while position < bytes.count {
            switch bytes[position] {
            case 0x21: position = try endOfBlocks(bytes, from: position + 2)
            case 0x2C:
                position = try frame(bytes, from: position + 1, &size)
                if !hasFrame { size = ImageSize(width: size.right, height: size.bottom) }
                hasFrame = true
            case 0x3B where hasFrame: return size
            // Padding, which some writers leave.
            case 0: position += 1
            default: throw .damaged(.gif)
            }
        }
        throw .truncated(.gif)
    }

    private static func colourBytes(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

    /// left (2), top (2), width (2), height (2), flags, [colours], code size, blocks.
    private static func frame(
        _ bytes: Span<UInt8>, from start: Int, _ size: inout ImageSize
    ) throws(ImageError) -> Int {
        guard let left = bytes.littleEndianNumber(2, at: start),
            let top = bytes.littleEndianNumber(2, at: start + 2),
            let width = bytes.littleEndianNumber(2, at: start + 4),
            let height = bytes.littleEndianNumber(2, at: start + 6),
            start + 8 < bytes.count
        else { throw .truncated(.gif) }
        size.include(right: left + width, bottom: top + height)
        let blocks = start + 10 + colourBytes(bytes[start + 8])
        guard blocks < bytes.count else { throw .truncated(.gif) }
        // A frame without data is transparent in browsers: tracking pixels have one. Nothing reads its code size.
        let hasData = bytes[blocks] > 0
        guard !hasData || (1...12).contains(bytes[blocks - 1]) else { throw .damaged(.gif) }
        return try endOfBlocks(bytes, from: blocks)
    }

    /// The offset past blocks of up to 255 bytes, each preceded by its length, the last one empty.
    private static func endOfBlocks(_ bytes: Span<UInt8>, from start: Int) throws(ImageError) -> Int {
        var position = start
        while position < bytes.count {
            let length = Int(bytes[position])
            position += 1 + length
            if length == 0 { return position }
        }
        throw .truncated(.gif)
    }
}
