// BMP: a file header of 14 bytes, a header whose length gives its version, the pixels.
//
//     BM | file length (4) | 0 (4) | pixel offset (4) | header length (4) | width | height | planes | bits …

import PipelineCore

enum BMPImage {
    /// The lengths of all headers ever defined.
    static func hasKnownHeader(_ bytes: Span<UInt8>) -> Bool {
        guard let length = bytes.littleEndianNumber(4, at: 14) else { return false }
        return [12, 16, 40, 52, 56, 64, 108, 124].contains(length)
    }

    static func size(_ bytes: Span<UInt8>) throws(ImageError) -> ImageSize {
        guard let pixels = bytes.littleEndianNumber(4, at: 10), let header = bytes.littleEndianNumber(4, at: 14),
            14 + header <= bytes.count
        else { throw .truncated(.bmp) }
        let isOld = header == 12
        let field = isOld ? 2 : 4
        guard let width = bytes.littleEndianNumber(field, at: 18),
            let height = bytes.littleEndianNumber(field, at: 18 + field),
            let bits = bytes.littleEndianNumber(2, at: isOld ? 24 : 28), [1, 2, 4, 8, 16, 24, 32].contains(bits)
        else { throw .damaged(.bmp) }
        // A negative height means that the rows start at the top.
        let size = ImageSize(width: width, height: isOld ? height : abs(Int(Int32(truncatingIfNeeded: height))))
        guard width < 1 << 31 else { throw .damaged(.bmp) }
        let compression = isOld || header == 16 ? 0 : bytes.littleEndianNumber(4, at: 30) ?? 0
        let isPlain = compression == 0 || compression == 3 || compression == 6
        let length = isPlain ? plainLength(size, bits) : bytes.littleEndianNumber(4, at: 34)
        guard let length, length <= bytes.count - pixels else { throw .truncated(.bmp) }
        return size
    }

    /// The length of rows padded to four bytes each; nil if it overflows.
    private static func plainLength(_ size: ImageSize, _ bits: Int) -> Int? {
        let row = (size.width * bits + 31) / 32 * 4
        let (length, overflow) = row.multipliedReportingOverflow(by: size.height)
        return overflow ? nil : length
    }
}
