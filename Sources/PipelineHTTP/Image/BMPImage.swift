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
        let masks = length == 40 && compression == 3 ? 12 : length == 40 && compression == 6 ? 16 : 0
        tableBytes = masks + colours * (isOld ? 3 : 4)
    }

    /// The length of rows padded to four bytes each; nil if it overflows.
    func plainLength(_ height: Int) -> Int? {
        let (length, overflow) = ((width * bits + 31) / 32 * 4).multipliedReportingOverflow(by: height)
        return overflow ? nil : length
    }
}

/// ICO: a list of entries, each a BMP without its file header or a whole PNG somewhere in the file.
///
///     00 00 01 00 count (2) | width height colours 0 planes (2) bits (2) length (4) offset (4) | …
///
/// What an entry says of the size is a hint, which has no number above 256 and is often wrong: the picture itself counts.
enum ICOImage {
    /// The size of the picture whose entry promises the most pixels, as browsers choose it. Of the others only their places
    /// are checked: following them all could take the length of the file for each entry.
    static func size(_ bytes: Span<UInt8>, pixelLimit limit: Int) throws(ImageError) -> ImageSize {
        guard let count = bytes.littleEndianNumber(2, at: 4) else { throw .truncated(.ico) }
        guard count > 0 else { throw .zeroSize(.ico) }
        var chosen = 0..<0
        var area = 0
        for entry in 0..<count {
            let start = 6 + entry * 16
            guard let length = bytes.littleEndianNumber(4, at: start + 8),
                let position = bytes.littleEndianNumber(4, at: start + 12),
                position + length <= bytes.count
            else { throw .truncated(.ico) }
            guard position >= 6 + count * 16, length >= 16 else { throw .damaged(.ico) }
            let promised = side(bytes[start]) * side(bytes[start + 1])
            if promised > area { (area, chosen) = (promised, position..<position + length) }
        }
        let picture = bytes.extracting(chosen)
        if picture.begins(with: PNGImage.signature) { return try PNGImage.size(picture, pixelLimit: limit) }
        // Its height counts twice, for the colours and for the mask that follows them, which may be left out.
        let header = try BMPHeader(picture, .ico)
        let height = header.height / 2
        guard header.isPlain, let colours = header.plainLength(height) else { throw .damaged(.ico) }
        guard header.length + header.tableBytes + colours <= picture.count else { throw .truncated(.ico) }
        return ImageSize(width: header.width, height: height)
    }

    private static func side(_ byte: UInt8) -> Int { byte == 0 ? 256 : Int(byte) }
}
