// Pictures made for the tests, as small as their formats allow: right in every length, so that each fault is one change.

/// The bytes of pictures.
enum SamplePicture {
    /// Black, 8 bits for each sample unless told otherwise. One that is huge has no pixels.
    static func png(
        _ width: Int, _ height: Int, bits: Int = 8, colourType: Int = 0, isInterlaced: Bool = false,
        rows: [UInt8]? = nil
    ) -> [UInt8] {
        let rows = rows ?? (max(width, height) < 1000 ? [UInt8](repeating: 0, count: (width + 1) * height) : [])
        return png(pngHeader(width, height, bits, colourType, isInterlaced ? 1 : 0), [chunk("IDAT", zlib(rows))])
    }

    static func pngHeader(
        _ width: Int, _ height: Int, _ bits: Int = 8, _ colourType: Int = 0, _ interlace: Int = 0, methods: Int = 0
    ) -> [UInt8] {
        chunk(
            "IHDR",
            big(width, 4) + big(height, 4) + big(bits, 1) + big(colourType, 1) + big(methods, 2)
                + big(interlace, 1))
    }

    static func png(_ header: [UInt8], _ chunks: [[UInt8]]) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + header + chunks.flatMap(\.self) + chunk("IEND", [])
    }

    static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return big(data.count, 4) + body + big(Int(crc(body)), 4)
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
    }

    /// A zlib stream of blocks that aren't compressed.
    static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var blocks: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 0xFFFF) {
            let block = bytes[start...].prefix(0xFFFF)
            blocks += [0] + little(block.count, 2) + little(~block.count, 2) + block
        }
        let (low, high) = bytes.reduce((1, 0)) { (($0.0 + Int($1)) % 65_521, ($0.1 + $0.0 + Int($1)) % 65_521) }
        return [0x78, 0x01] + blocks + [1, 0, 0, 0xFF, 0xFF] + big(high, 2) + big(low, 2)
    }

    /// With a thumbnail in a segment, whose end marker isn't the picture's.
    /// - Parameter exif: what is said of the picture itself.
    static func jpeg(
        _ width: Int, _ height: Int, frame: UInt8 = 0xC0, scans: Int = 1, exif: [UInt8]? = nil
    ) -> [UInt8] {
        let exif = exif.map { segment(0xE1, Array("Exif\0\0".utf8) + $0) } ?? []
        let thumbnail = segment(0xE1, [0xFF, 0xD8, 0xFF, 0xD9, 0xFF, 0xC0, 0, 3])
        let size = segment(frame, [8] + big(height, 2) + big(width, 2) + [1, 1, 0x11, 0])
        let scan = segment(0xDA, [1, 1, 0, 0, 63, 0]) + [1, 0xFF, 0x00, 2, 0xFF, 0xD0, 3]
        return [0xFF, 0xD8] + exif + thumbnail + size + (0..<scans).flatMap { _ in scan } + [0xFF, 0xFF, 0xD9]
    }

    /// The orientation, behind another tag.
    static func exif(_ orientation: Int, isLittle: Bool) -> [UInt8] {
        let number = isLittle ? little : big
        func entry(_ tag: Int, _ value: Int) -> [UInt8] {
            number(tag, 2) + number(3, 2) + number(1, 4) + number(value, 2) + [0, 0]
        }
        return Array((isLittle ? "II" : "MM").utf8) + number(42, 2) + number(8, 4) + number(2, 2)
            + entry(0x0100, 6) + entry(0x0112, orientation)
    }

    private static func segment(_ code: UInt8, _ data: [UInt8]) -> [UInt8] {
        [0xFF, code] + big(data.count + 2, 2) + data
    }

    static func gif(_ width: Int, _ height: Int, left: Int = 0, frameHeight: Int? = nil) -> [UInt8] {
        let screen = little(width, 2) + little(height, 2) + [0x80, 0, 0] + [0, 0, 0, 255, 255, 255]
        let remark: [UInt8] = [0x21, 0xFE, 3, 0x3B, 0x3B, 0x3B, 0]
        let place = little(left, 2) + little(0, 2) + little(width, 2) + little(frameHeight ?? height, 2)
        return Array("GIF89a".utf8) + screen + remark + [0x2C] + place + [0, 2, 2, 0x44, 1, 0, 0x3B]
    }

    static func webpLossy(_ width: Int, _ height: Int) -> [UInt8] { webp(lossy(width, height)) }

    /// A key frame that is shown, whose first partition has one byte.
    static func lossy(_ width: Int, _ height: Int) -> [UInt8] {
        riff("VP8 ", [0x30, 0, 0, 0x9D, 0x01, 0x2A] + little(width, 2) + little(height, 2) + [0, 0, 0])
    }

    static func webpLossless(_ width: Int, _ height: Int) -> [UInt8] {
        webp(riff("VP8L", [0x2F] + little(width - 1 | (height - 1) << 14, 4) + [1, 2]))
    }

    /// With a chunk of odd length before the picture.
    static func webpTransparent(_ width: Int, _ height: Int) -> [UInt8] {
        webp(canvas(0x10, width, height) + riff("ALPH", [0, 1, 2]) + lossy(width, height))
    }

    static func webpAnimated(_ width: Int, _ height: Int) -> [UInt8] {
        webp(canvas(2, width, height) + riff("ANIM", [0, 0, 0, 0, 0, 0]) + animationFrame(4, 2, 9, 5))
    }

    /// Its place is told in halves, its size minus one.
    static func animationFrame(_ left: Int, _ top: Int, _ width: Int, _ height: Int) -> [UInt8] {
        let place = little(left / 2, 3) + little(top / 2, 3) + little(width - 1, 3) + little(height - 1, 3)
        return riff("ANMF", place + [0, 0, 0, 0] + lossy(width, height))
    }

    static func canvas(_ flags: UInt8, _ width: Int, _ height: Int) -> [UInt8] {
        riff("VP8X", [flags, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3))
    }

    static func webp(_ chunks: [UInt8]) -> [UInt8] { riff("RIFF", Array("WEBP".utf8) + chunks) }

    static func riff(_ type: String, _ data: [UInt8]) -> [UInt8] {
        Array(type.utf8) + little(data.count, 4) + data + (data.count % 2 == 1 ? [0] : [])
    }

    /// 24 bits for each pixel; a height below zero means rows from the top.
    static func bmp(_ width: Int, _ height: Int) -> [UInt8] {
        let row = (width * 24 + 31) / 32 * 4
        let info =
            little(40, 4) + little(width, 4) + little(height, 4) + little(1, 2) + little(24, 2)
            + [UInt8](repeating: 0, count: 24)
        return Array("BM".utf8) + little(0, 4) + little(0, 4) + little(54, 4) + info
            + [UInt8](repeating: 7, count: row * abs(height))
    }

    /// A bitmap of an icon: its height counts the mask too, which is left out here.
    static func iconBitmap(_ width: Int, _ height: Int) -> [UInt8] {
        Array(bmp(width, height * 2).dropFirst(14).prefix(40 + (width * 24 + 31) / 32 * 4 * height))
    }

    static func ico(_ pictures: [(side: Int, bytes: [UInt8])], height: Int? = nil) -> [UInt8] {
        var entries: [UInt8] = []
        var place = 6 + 16 * pictures.count
        for (side, bytes) in pictures {
            entries += [UInt8(side & 0xFF), UInt8((height ?? side) & 0xFF), 0, 0, 1, 0, 32, 0]
            entries += little(bytes.count, 4) + little(place, 4)
            place += bytes.count
        }
        return [0, 0, 1, 0] + little(pictures.count, 2) + entries + pictures.flatMap(\.bytes)
    }

    static func big(_ number: Int, _ size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    static func little(_ number: Int, _ size: Int) -> [UInt8] { big(number, size).reversed() }
}
