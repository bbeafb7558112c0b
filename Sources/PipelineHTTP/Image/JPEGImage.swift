// JPEG (ITU-T T.81, annex B): marker segments with the coded picture between them, and an end marker.
//
//     FF D8 | FF E0 length … | FF C0 length height width … | FF DA length … coded … | FF D9
//             segment          frame                          scan                    end

import PipelineCore

enum JPEGImage {
    private static let endOfImage: UInt8 = 0xD9
    private static let startOfImage: UInt8 = 0xD8
    private static let startOfScan: UInt8 = 0xDA
    private static let application1: UInt8 = 0xE1

    /// Follows the segments to the end marker. The end marker of a thumbnail inside a segment doesn't count.
    static func size(_ bytes: Span<UInt8>) throws(ImageError) -> ImageSize {
        var position = 2
        var size: ImageSize?
        var hasScan = false
        var orientation = 1
        while let marker = nextMarker(bytes, from: position) {
            position = marker + 1
            let code = bytes[marker]
            if code == endOfImage {
                guard let size, hasScan else { throw .damaged(.jpeg) }
                return size.turned(orientation)
            }
            guard code != startOfImage else { throw .damaged(.jpeg) }
            guard !standsAlone(code) else { continue }
            guard let length = bytes.bigEndianNumber(2, at: position), position + length <= bytes.count else {
                throw .truncated(.jpeg)
            }
            guard length >= 2 else { throw .damaged(.jpeg) }
            if code == application1, bytes.holds("Exif\u{0}\u{0}", at: position + 2) {
                orientation = EXIF.orientation(bytes.extracting(position..<position + length).extracting(8...))
            }
            // SOF0 to SOF15, without DHT, JPG and DAC.
            if (0xC0...0xCF).contains(code), ![0xC4, 0xC8, 0xCC].contains(code) {
                size = try frame(bytes.extracting(position..<position + length))
            }
            position += length
            guard code == startOfScan else { continue }
            guard size != nil else { throw .damaged(.jpeg) }
            // An empty scan adds nothing. In coded data an FF is followed by 00 or by a restart marker.
            hasScan = hasScan || isCoded(bytes, at: position)
        }
        throw .truncated(.jpeg)
    }

    /// The offset of a marker's code; bytes before its FF are skipped, as decoders do.
    private static func nextMarker(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        guard var position = bytes.firstIndex(of: 0xFF, from: start) else { return nil }
        while position < bytes.count, bytes[position] == 0xFF { position += 1 }
        return position < bytes.count ? position : nil
    }

    private static func isCoded(_ bytes: Span<UInt8>, at position: Int) -> Bool {
        guard position + 1 < bytes.count else { return false }
        return bytes[position] != 0xFF || standsAlone(bytes[position + 1])
    }

    private static func standsAlone(_ code: UInt8) -> Bool {
        code == 0x01 || code == 0x00 || (0xD0...0xD7).contains(code)
    }

    /// length (2), precision (1), height (2), width (2), how many components (1), of each three bytes.
    private static func frame(_ segment: Span<UInt8>) throws(ImageError) -> ImageSize {
        guard let height = segment.bigEndianNumber(2, at: 3), let width = segment.bigEndianNumber(2, at: 5),
            let components = segment.bigEndianNumber(1, at: 7), components > 0, segment.count == 8 + 3 * components
        else { throw .damaged(.jpeg) }
        return ImageSize(width: width, height: height)
    }
}

/// The orientation in EXIF data, which browsers apply: a camera held upright writes a wide picture that is to be turned.
///
///     II 2A 00 offset (4) … | count (2) | tag (2) type (2) count (4) value (4) | …        MM: big-endian
enum EXIF {
    private static let orientationTag = 0x0112

    /// 1 to 8; 1, as the picture lies, where none is given.
    static func orientation(_ bytes: Span<UInt8>) -> Int {
        let isLittle = bytes.begins(with: "II*\u{0}")
        guard isLittle || bytes.begins(with: "MM\u{0}*") else { return 1 }
        func number(_ size: Int, _ position: Int) -> Int? {
            isLittle ? bytes.littleEndianNumber(size, at: position) : bytes.bigEndianNumber(size, at: position)
        }
        guard let start = number(4, 4), let count = number(2, start),
            let entry = (0..<count).first(where: { number(2, start + 2 + $0 * 12) == orientationTag }),
            number(2, start + 4 + entry * 12) == 3, let value = number(2, start + 10 + entry * 12),
            (1...8).contains(value)
        else { return 1 }
        return value
    }
}
