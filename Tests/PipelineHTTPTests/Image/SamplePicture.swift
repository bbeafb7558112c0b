// Pictures made for the tests, as small as their formats allow: right in every length, so that each fault is one change.

/// The bytes of pictures.
enum SamplePicture {
    static func png(_ width: Int, _ height: Int) -> [UInt8] {
        let header = big(width, 4) + big(height, 4) + [8, 0, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header) + chunk("IDAT", [1, 2, 3])
            + chunk("IEND", [])
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        big(data.count, 4) + type.utf8 + data + [0, 0, 0, 0]
    }

    /// With a thumbnail in a segment, whose end marker isn't the picture's.
    /// - Parameter lines: the height as it is told after the scans.
    static func jpeg(
        _ width: Int, _ height: Int, frame: UInt8 = 0xC0, scans: Int = 1, lines: Int? = nil
    ) -> [UInt8] {
        let thumbnail = segment(0xE1, [0xFF, 0xD8, 0xFF, 0xD9, 0xFF, 0xC0, 0, 3])
        let size = segment(frame, [8] + big(height, 2) + big(width, 2) + [1, 1, 0x11, 0])
        let scan = segment(0xDA, [1, 1, 0, 0, 63, 0]) + [1, 0xFF, 0x00, 2, 0xFF, 0xD0, 3]
        let end = (lines.map { segment(0xDC, big($0, 2)) } ?? []) + [0xFF, 0xFF, 0xD9]
        return [0xFF, 0xD8] + thumbnail + size + (0..<scans).flatMap { _ in scan } + end
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

    static func webpLossy(_ width: Int, _ height: Int) -> [UInt8] {
        webp(riff("VP8 ", [0, 0, 0, 0x9D, 0x01, 0x2A] + little(width, 2) + little(height, 2) + [0]))
    }

    static func webpLossless(_ width: Int, _ height: Int) -> [UInt8] {
        webp(riff("VP8L", [0x2F] + little(width - 1 | (height - 1) << 14, 4) + [1, 2]))
    }

    /// With a chunk of odd length before the picture.
    static func webpTransparent(_ width: Int, _ height: Int) -> [UInt8] {
        let picture = [0, 0, 0, 0x9D, 0x01, 0x2A] + little(width, 2) + little(height, 2) + [0]
        return webp(canvas(0x10, width, height) + riff("ALPH", [0, 1, 2]) + riff("VP8 ", picture))
    }

    static func webpAnimated(_ width: Int, _ height: Int) -> [UInt8] {
        webp(
            canvas(2, width, height) + riff("ANIM", [0, 0, 0, 0, 0, 0]) + riff("ANMF", [1, 2, 3, 4]))
    }

    private static func canvas(_ flags: UInt8, _ width: Int, _ height: Int) -> [UInt8] {
        riff("VP8X", [flags, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3))
    }

    private static func webp(_ chunks: [UInt8]) -> [UInt8] { riff("RIFF", Array("WEBP".utf8) + chunks) }

    private static func riff(_ type: String, _ data: [UInt8]) -> [UInt8] {
        Array(type.utf8) + little(data.count, 4) + data + (data.count % 2 == 1 ? [0] : [])
    }

    /// A thumbnail is item 1, the picture item 2.
    /// - Parameter mustBeKnown: the picture's size is marked as a property that no reader may pass over.
    static func boxed(_ brand: String, _ width: Int, _ height: Int, mustBeKnown: Bool = false) -> [UInt8] {
        let sizes = [(8, 6), (width, height)].map { box("ispe", [0, 0, 0, 0] + big($0, 4) + big($1, 4)) }
        let properties = box("ipco", sizes[0] + box("pixi", [0, 0, 0, 0, 1, 8]) + sizes[1])
        let uses = box(
            "ipma", [0, 0, 0, 0] + big(2, 4) + big(1, 2) + [1, 1] + big(2, 2) + [2, 0x82, mustBeKnown ? 0x83 : 3])
        let meta = box("meta", [0, 0, 0, 0] + box("pitm", [0, 0, 0, 0, 0, 2]) + box("iprp", properties + uses))
        return box("ftyp", Array(brand.utf8) + [0, 0, 0, 0] + "mif1".utf8) + meta + box("mdat", [1, 2, 3, 4])
    }

    /// A film of pictures, without `meta`.
    static func sequence(_ width: Int, _ height: Int) -> [UInt8] {
        let header = [UInt8](repeating: 0, count: 76) + big(width, 2) + [0, 0] + big(height, 2) + [0, 0]
        return box("ftyp", Array("avis".utf8) + [0, 0, 0, 0]) + box("moov", box("trak", box("tkhd", header)))
            + box("mdat", [1])
    }

    private static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
        big(body.count + 8, 4) + type.utf8 + body
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

    static func ico(_ pictures: [(side: Int, bytes: [UInt8])]) -> [UInt8] {
        var entries: [UInt8] = []
        var place = 6 + 16 * pictures.count
        for (side, bytes) in pictures {
            entries += [UInt8(side & 0xFF), UInt8(side & 0xFF), 0, 0, 1, 0, 32, 0]
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
