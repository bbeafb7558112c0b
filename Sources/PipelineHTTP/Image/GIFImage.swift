// GIF (GIF89a specification): a screen, then blocks up to the trailer 3B.
//
//     GIF89a width (2) height (2) flags … [colours] | 2C frame … | 21 extension … | 3B

import PipelineCore

enum GIFImage {
    /// Follows the blocks. Frames may extend past the screen, and decoders then allocate the larger area.
    static func size(_ bytes: Span<UInt8>) throws(ImageError) -> ImageSize {
        guard let width = bytes.littleEndianNumber(2, at: 6), let height = bytes.littleEndianNumber(2, at: 8),
            bytes.count >= 13
        else { throw .truncated(.gif) }
        var size = ImageSize(width: width, height: height)
        guard width > 0, height > 0 else { return size }
        var position = 13 + colourBytes(bytes[10])
        var hasFrame = false
        while position < bytes.count {
            switch bytes[position] {
            case 0x21: position = try endOfBlocks(bytes, from: position + 2)
            case 0x2C:
                position = try frame(bytes, from: position + 1, &size)
                hasFrame = true
            case 0x3B where hasFrame: return size
            default: throw .damaged(.gif)
            }
        }
        throw .truncated(.gif)
    }

    /// The bytes of the colour table that the flags announce.
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
        return try endOfBlocks(bytes, from: start + 10 + colourBytes(bytes[start + 8]))
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
