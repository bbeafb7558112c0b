// BMP: a file header of 14 bytes, a header whose length gives its version, the pixels.
//
//     BM | file length (4) | 0 (4) | pixel offset (4) | header length (4) | width | height | planes | bits …

import PipelineCore

enum BMPImage {
    /// The lengths of all headers ever defined.
    static let headerLengths: [Int?] = [12, 16, 40, 52, 56, 64, 108, 124]

    static func size(_ bytes: Span<UInt8>) throws(ImageError) -> ImageSize {
        guard let offset = bytes.littleEndianNumber(4, at: 10) else { throw .truncated(.bmp) }
        let header = try BMPHeader(bytes.extracting(14...), .bmp)
        // One that points into the headers says nothing.
        let pixels = offset < 14 + header.length ? 14 + header.length + header.tableBytes : offset
        guard let length = header.isPlain ? header.plainLength(header.height) : header.codedLength,
            length <= bytes.count - pixels
        else { throw .truncated(.bmp) }
        return ImageSize(width: header.width, height: header.height)
    }
}

/// What follows the file header; in an ICO there is no file header.
struct BMPHeader {
    let length: Int
    let width: Int
    let height: Int
    private let bits: Int
    let isPlain: Bool
    /// The length of coded pixels; nil if the header is too short to say.
    let codedLength: Int?
    let tableBytes: Int

    init(_ bytes: Span<UInt8>, _ type: ImageType) throws(ImageError) {
        guard let length = bytes.littleEndianNumber(4, at: 0), length <= bytes.count else { throw .truncated(type) }
        let isOld = length == 12
        let field = isOld ? 2 : 4
        guard length >= 12, let width = bytes.littleEndianNumber(field, at: 4),
            let height = bytes.littleEndianNumber(field, at: 4 + field), width < 1 << 31,
            let bits = bytes.littleEndianNumber(2, at: isOld ? 10 : 14), [1, 2, 4, 8, 16, 24, 32].contains(bits)
        else { throw .damaged(type) }
        self.length = length
        self.width = width
        // A negative height means that the rows start at the top.
        self.height = isOld ? height : abs(Int(Int32(truncatingIfNeeded: height)))
        self.bits = bits
        let isShort = length <= 16
        let compression = isShort ? 0 : bytes.littleEndianNumber(4, at: 16) ?? 0
        guard compression <= 6 else { throw .damaged(type) }
        isPlain = compression == 0 || compression == 3 || compression == 6
        codedLength = bytes.littleEndianNumber(4, at: 20)
        let named = isShort ? 0 : bytes.littleEndianNumber(4, at: 32) ?? 0
        let colours = bits <= 8 && named == 0 ? 1 << bits : named
        let masks =
            switch (length, compression) {
            case (40, 3): 12
            case (40, 6): 16
            default: 0
            }
        tableBytes = masks + colours * (isOld ? 3 : 4)
    }

    /// The length of rows padded to four bytes each; nil if it overflows.
    func plainLength(_ height: Int) -> Int? {
        let (length, overflow) = ((width * bits + 31) / 32 * 4).multipliedReportingOverflow(by: height)
        return overflow ? nil : length
    }
}
