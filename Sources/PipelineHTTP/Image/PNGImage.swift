// PNG (W3C PNG, third edition): a signature, then chunks.
//
//     length (4) | type (4) | data | CRC-32 (4)        IHDR first, [PLTE], IDAT … in a row, IEND last
//
// A type in capitals is critical: a decoder that doesn't know it, or finds its CRC-32 wrong, has no picture.

import CZlib
import PipelineCore

enum PNGImage {
    static let signature = "\u{89}PNG\r\n\u{1A}\n"

    /// - Parameter limit: the most pixels; a picture that has more isn't inflated, and its size is the answer.
    static func size(
        _ bytes: Span<UInt8>, pixelLimit limit: Int, _ judge: ImageJudge
    ) throws(ImageError) -> ImageSize {
        guard bytes.count >= 33 else { throw .truncated(.png) }
        guard bytes.holds("\u{0}\u{0}\u{0}\u{D}IHDR", at: 8), isIntact(bytes, 12..<29),
            let header = PNGHeader(bytes.extracting(16..<29))
        else { throw .damaged(.png) }
        guard header.size.isAllowed(limit) else { return header.size }
        var pixels = PNGPixels(header, try judge.beginPixels())
        var hasPalette = false
        var size = header.size
        var last: FourCC = "IHDR"
        var position = 33
        while let length = bytes.bigEndianNumber(4, at: position),
            let type = bytes.fourCC(at: position + 4)
        {
            let isType = [24, 16, 8, 0].allSatisfy { (0x61...0x7A).contains(type.code >> $0 & 0xFF | 0x20) }
            guard isType else { throw .damaged(.png) }
            let body = position + 8..<position + 8 + length
            position = body.upperBound + 4
            guard position <= bytes.count else { throw .truncated(.png) }
            let isCritical = type.code & 0x2000_0000 == 0
            guard !isCritical || isIntact(bytes, body.lowerBound - 4..<body.upperBound) else {
                throw .damaged(.png)
            }
            switch type {
            case "PLTE" where !header.needsPalette: break
            case "PLTE":
                guard !hasPalette, length % 3 == 0, (3...768).contains(length) else { throw .damaged(.png) }
                hasPalette = true
            case "IDAT":
                guard hasPalette || !header.needsPalette, last == "IDAT" || !pixels.hasBegun else {
                    throw .damaged(.png)
                }
                try pixels.inflate(bytes.extracting(body))
            case "IEND":
                guard pixels.hasBegun else { throw .damaged(.png) }
                guard pixels.areWhole else { throw .truncated(.png) }
                return size
            case "eXIf" where !pixels.hasBegun:
                size = header.size.turned(EXIF.orientation(bytes.extracting(body)))
            default: guard !isCritical else { throw .damaged(.png) }
            }
            last = type
        }
        throw .truncated(.png)
    }

    /// Whether the CRC-32 behind a chunk's type and data is right.
    private static func isIntact(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        // SAFETY: zlib reads within the count.
        let sum = unsafe bytes.extracting(range).withUnsafeBufferPointer { part in
            unsafe crc32_z(0, part.baseAddress, part.count)
        }
        return bytes.bigEndianNumber(4, at: range.upperBound) == Int(sum)
    }
}

/// What IHDR says: width (4), height (4), bits of a sample, colour type, 0, 0, interlace method.
struct PNGHeader {
    let size: ImageSize
    let isInterlaced: Bool
    let needsPalette: Bool
    private let pixelBits: Int

    init?(_ bytes: Span<UInt8>) {
        guard let width = bytes.bigEndianNumber(4, at: 0), let height = bytes.bigEndianNumber(4, at: 4),
            max(width, height) < 1 << 31,
            let samples = Self.samples(colourType: bytes[9], bits: bytes[8]), bytes[10] == 0, bytes[11] == 0,
            bytes[12] <= 1
        else { return nil }
        size = ImageSize(width: width, height: height)
        needsPalette = bytes[9] == 3
        isInterlaced = bytes[12] == 1
        pixelBits = samples * Int(bytes[8])
    }

    /// The samples of a pixel (table 12); nil if the colour type doesn't exist, or not with so many bits.
    private static func samples(colourType: UInt8, bits: UInt8) -> Int? {
        switch (colourType, bits) {
        case (0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (3, 1), (3, 2), (3, 4), (3, 8): 1
        case (2, 8), (2, 16): 3
        case (4, 8), (4, 16): 2
        case (6, 8), (6, 16): 4
        default: nil
        }
    }

    /// The rows of a picture of this width, each with the byte of its filter; none if no pixel is in them.
    private func rows(_ width: Int, _ height: Int) -> (count: Int, bytes: Int) {
        width > 0 ? (height, 1 + (width * pixelBits + 7) / 8) : (0, 0)
    }

    /// The rows in the order of the file: seven pictures, each finer than the last, if it is interlaced (8.1).
    var passes: [(count: Int, bytes: Int)] {
        guard isInterlaced else { return [rows(size.width, size.height)] }
        let starts = [
            (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
        ]
        return starts.map { left, top, across, down in
            rows((size.width - left + across - 1) / across, (size.height - top + down - 1) / down)
        }
    }
}

/// The pixels of a PNG: one zlib stream, cut into the IDAT chunks. The first of them are inflated and counted, which are all of
/// a small picture. Of the others the chunks' checksums prove that they are as they were written; inflating them too took a
/// tenth of the processor time of a run of 3,000 pictures of 200 by 200 pixels.
///
///     filter (1) samples … | filter (1) samples … | …        a row each; the filter is 0 to 4
struct PNGPixels: ~Copyable {
    private static let mostCounted = 16_384

    private let inflater: Inflater
    private var uncounted = mostCounted
    private var passes: [(count: Int, bytes: Int)]
    private var pass = 0
    private var rest = 0
    private(set) var hasBegun = false
    private var areAllThere = false
    /// As far as they were counted.
    var areWhole: Bool { areAllThere || uncounted == 0 }

    /// - Parameter inflater: at the beginning of a stream.
    init(_ header: PNGHeader, _ inflater: Inflater) {
        passes = header.passes
        self.inflater = inflater
    }

    mutating func inflate(_ part: Span<UInt8>) throws(ImageError) {
        hasBegun = true
        var position = 0
        var isUnfinished = !part.isEmpty
        while isUnfinished, !areWhole {
            let step: (consumed: Int, produced: Int, isUnfinished: Bool)
            do throws(Inflater.Fault) {
                step = try inflater.step(part.extracting(position...), most: uncounted)
            } catch {
                throw .damaged(.png)
            }
            position += step.consumed
            isUnfinished = step.isUnfinished
            try countRows(in: step.produced)
            guard areAllThere || !inflater.isWhole else { throw .truncated(.png) }
            uncounted -= step.produced
        }
    }

    /// - Parameter count: the bytes of the block that the inflater has filled.
    private mutating func countRows(in count: Int) throws(ImageError) {
        var position = rest
        // A row that ends where the block does may be the last.
        while position <= count {
            while pass < passes.count, passes[pass].count <= 0 { pass += 1 }
            guard pass < passes.count else { return areAllThere = true }
            guard position < count else { break }
            guard inflater.byte(at: position) <= 4 else { throw .damaged(.png) }
            passes[pass].count -= 1
            position += passes[pass].bytes
        }
        rest = position - count
    }
}
