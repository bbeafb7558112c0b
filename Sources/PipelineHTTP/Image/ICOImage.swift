// ICO: a list of entries, each a BMP without its file header or a whole PNG somewhere in the file.
//
//     00 00 01 00 count (2) | width height colours 0 planes (2) bits (2) length (4) offset (4) | …

import PipelineCore

enum ICOImage {
    /// The size of the largest entry; 0 means 256.
    ///
    /// Entries may share a PNG, which is followed once. PNGs that are longer than the file in total overlap
    /// otherwise, and are an error: following them all could take the length of the file for each entry.
    static func size(_ bytes: Span<UInt8>) throws(ImageError) -> ImageSize {
        guard let count = bytes.littleEndianNumber(2, at: 4) else { throw .truncated(.ico) }
        guard count > 0 else { throw .zeroSize(.ico) }
        var largest = ImageSize(width: 0, height: 0)
        var known: [Range<Int>: ImageSize] = [:]
        var followedBytes = 0
        for entry in 0..<count {
            let start = 6 + entry * 16
            guard let length = bytes.littleEndianNumber(4, at: start + 8),
                let position = bytes.littleEndianNumber(4, at: start + 12),
                position + length <= bytes.count
            else { throw .truncated(.ico) }
            guard position >= 6 + count * 16, length >= 16 else { throw .damaged(.ico) }
            var size = ImageSize(width: side(bytes[start]), height: side(bytes[start + 1]))
            let picture = position..<position + length
            if let same = known[picture] {
                size = same
            } else if bytes.holds(PNGImage.signature, at: position) {
                followedBytes += length
                guard followedBytes <= bytes.count else { throw .damaged(.ico) }
                size = try PNGImage.size(bytes.extracting(picture))
                known[picture] = size
            }
            if size.width > largest.width { largest = size }
        }
        return largest
    }

    private static func side(_ byte: UInt8) -> Int { byte == 0 ? 256 : Int(byte) }
}
