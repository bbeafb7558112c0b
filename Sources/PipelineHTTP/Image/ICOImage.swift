// ICO: a list of entries, each a BMP without its file header or a whole PNG somewhere in the file.
//
//     00 00 01 00 count (2) | width height colours 0 planes (2) bits (2) length (4) offset (4) | …
//
// What an entry says of the size is a hint, which has no number above 256 and is often wrong: the picture itself counts.

import PipelineCore

enum ICOImage {
    /// The size of the picture whose entry promises the most pixels, as browsers choose it. Of the others only their places
    /// are checked: following them all could take the length of the file for each entry.
    static func size(
        _ bytes: Span<UInt8>, pixelLimit limit: Int, _ judge: ImageJudge
    ) throws(ImageError) -> ImageSize {
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
        if picture.begins(with: PNGImage.signature) { return try PNGImage.size(picture, pixelLimit: limit, judge) }
        // Its height counts twice, for the colours and for the mask that follows them, which may be left out.
        let header = try BMPHeader(picture, .ico)
        let height = header.height / 2
        guard header.isPlain, let colours = header.plainLength(height) else { throw .damaged(.ico) }
        guard header.length + header.tableBytes + colours <= picture.count else { throw .truncated(.ico) }
        return ImageSize(width: header.width, height: height)
    }

    private static func side(_ byte: UInt8) -> Int { byte == 0 ? 256 : Int(byte) }
}
