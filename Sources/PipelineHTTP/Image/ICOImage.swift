// ICO: a list of entries, each a BMP without its file header or a whole PNG somewhere in the file.
//
//     00 00 01 00 count (2) | width height colours 0 planes (2) bits (2) length (4) offset (4) | …
//
// What an entry says of the size is a hint, which has no number above 256 and is often wrong: the picture itself counts.

import PipelineCore

enum ICOImage {
    /// The size of the picture whose entry promises the most pixels, as browsers choose it.
    ///
    /// Entries may share a PNG, which is followed once. PNGs that are longer than the file in total overlap
    /// otherwise, and are an error: following them all could take the length of the file for each entry.
    /// - Parameter limit: the most pixels that all PNGs together may have.
    static func size(_ bytes: Span<UInt8>, pixelLimit limit: Int) throws(ImageError) -> ImageSize {
        guard let count = bytes.littleEndianNumber(2, at: 4) else { throw .truncated(.ico) }
        guard count > 0 else { throw .zeroSize(.ico) }
        var chosen = ImageSize(width: 0, height: 0)
        var area = 0
        var known: [Range<Int>: ImageSize] = [:]
        var followedBytes = 0
        var pixels = 0
        for entry in 0..<count {
            let start = 6 + entry * 16
            guard let length = bytes.littleEndianNumber(4, at: start + 8),
                let position = bytes.littleEndianNumber(4, at: start + 12),
                position + length <= bytes.count
            else { throw .truncated(.ico) }
            guard position >= 6 + count * 16, length >= 16 else { throw .damaged(.ico) }
            let picture = position..<position + length
            var size: ImageSize
            if let same = known[picture] {
                size = same
            } else if bytes.holds(PNGImage.signature, at: position) {
                followedBytes += length
                guard followedBytes <= bytes.count else { throw .damaged(.ico) }
                size = try PNGImage.size(bytes.extracting(picture), pixelLimit: limit - pixels)
                guard size.width > 0, size.height > 0 else { throw .zeroSize(.ico) }
                guard size.isAllowed(limit - pixels) else {
                    throw .tooManyPixels(.ico, width: size.width, height: size.height, limit: limit)
                }
                pixels += size.width * size.height
                known[picture] = size
            } else {
                size = try bitmap(bytes.extracting(picture))
            }
            let promised = side(bytes[start]) * side(bytes[start + 1])
            if promised > area { (area, chosen) = (promised, size) }
        }
        return chosen
    }

    private static func side(_ byte: UInt8) -> Int { byte == 0 ? 256 : Int(byte) }

    /// Its height counts twice, for the colours and for the mask that follows them, which may be left out.
    private static func bitmap(_ bytes: Span<UInt8>) throws(ImageError) -> ImageSize {
        let header = try BMPHeader(bytes, .ico)
        let height = header.height / 2
        guard header.isPlain, let colours = header.plainLength(height) else { throw .damaged(.ico) }
        guard header.length + header.tableBytes + colours <= bytes.count else { throw .truncated(.ico) }
        return ImageSize(width: header.width, height: height)
    }
}
