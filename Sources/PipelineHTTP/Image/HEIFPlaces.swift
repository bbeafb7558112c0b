// The bytes of AVIF and HEIF: boxes one within another, and whether all bytes that they point to are in the file.

import PipelineCore

/// Where the bytes of AVIF and HEIF are: of items by the box `iloc`, of a film's samples by the tables of its tracks.
/// They must all be in the file. What `mdat` says of its own length doesn't matter.
enum HEIFPlaces {
    /// `iloc`: version and flags (4), sizes of an offset, a length, a base, an index (4 bits each), how many items;
    /// of each its number, [where it is], a file (2), a base, how many extents (2), each [index] offset length.
    /// - Parameter items: those whose bytes the picture takes.
    /// - Throws: if bytes of any item are missing, or there are none of these.
    static func check(
        _ meta: borrowing HEIFMeta, _ bytes: Span<UInt8>, _ items: Set<Int>, _ type: ImageType
    ) throws(ImageError) {
        guard let body = meta.locations, let version = bytes.bigEndianNumber(1, at: body.lowerBound),
            let sizes = bytes.bigEndianNumber(2, at: body.lowerBound + 4), version <= 2
        else { throw .damaged(type) }
        let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
        let indexSize = version == 0 ? 0 : sizes & 15
        var position = body.lowerBound + 6
        /// The number in that many bytes, 0 in none.
        func next(_ size: Int) throws(ImageError) -> Int {
            guard size <= 8, position + size <= body.upperBound,
                let number = bytes.bigEndianNumber(size, at: position), number >= 0
            else { throw .damaged(type) }
            position += size
            return number
        }
        var missing = items
        for _ in 0..<(try next(version < 2 ? 2 : 4)) {
            let item = try next(version < 2 ? 2 : 4)
            let method = version == 0 ? 0 : try next(2) & 15
            let isElsewhere = try next(2) != 0
            let base = try next(baseSize)
            let count = try next(2)
            guard method <= 1, let place = method == 0 ? 0..<bytes.count : meta.data else { throw .damaged(type) }
            // Extents without any numbers are equal: one look will do, however many are announced.
            for _ in 0..<(indexSize + offsetSize + lengthSize == 0 ? min(count, 1) : count) {
                _ = try next(indexSize)
                let (start, overflow) = try next(offsetSize).addingReportingOverflow(base)
                guard !overflow, isElsewhere || start <= place.count else { throw .truncated(type) }
                let length = lengthSize == 0 ? max(0, place.count - start) : try next(lengthSize)
                guard isElsewhere || length <= place.count - start else { throw .truncated(type) }
                if length > 0, !isElsewhere { missing.remove(item) }
            }
        }
        guard missing.isEmpty else { throw .damaged(type) }
    }

    /// - Parameter table: `stbl`, whose chunks have samples one after another. `stco` or `co64`: the offset of each chunk;
    ///   `stsc`: from which chunk on how many samples are in one; `stsz`: the size of all, or of each.
    static func check(samples table: Range<Int>, _ bytes: Span<UInt8>, _ type: ImageType) throws(ImageError) -> Bool
    {
        guard let sizes = BoxReader.first("stsz", bytes, table),
            let runs = BoxReader.first("stsc", bytes, table),
            let size = bytes.bigEndianNumber(4, at: sizes.lowerBound + 4),
            let count = bytes.bigEndianNumber(4, at: sizes.lowerBound + 8)
        else { throw .damaged(type) }
        let short = BoxReader.first("stco", bytes, table)
        guard let chunks = short ?? BoxReader.first("co64", bytes, table) else { throw .damaged(type) }
        var chunk = 0
        var run = runs.lowerBound + 8
        var sample = 0
        while sample < count {
            let width = short == nil ? 8 : 4
            guard let start = bytes.bigEndianNumber(width, at: chunks.lowerBound + 8 + chunk * width), start >= 0,
                chunk < bytes.bigEndianNumber(4, at: chunks.lowerBound + 4) ?? 0
            else { throw .damaged(type) }
            if run + 24 <= runs.upperBound, bytes.bigEndianNumber(4, at: run + 12) ?? 0 <= chunk + 1 { run += 12 }
            guard let most = bytes.bigEndianNumber(4, at: run + 4), most > 0 else { throw .damaged(type) }
            let samples = sample..<sample + min(most, count - sample)
            guard start <= bytes.count else { throw .truncated(type) }
            var rest = bytes.count - start
            if size > 0 {
                guard samples.count <= rest / size else { throw .truncated(type) }
            } else {
                for sample in samples {
                    guard let size = bytes.bigEndianNumber(4, at: sizes.lowerBound + 12 + sample * 4) else {
                        throw .damaged(type)
                    }
                    guard size <= rest else { throw .truncated(type) }
                    rest -= size
                }
            }
            sample = samples.upperBound
            chunk += 1
        }
        return count > 0
    }
}
