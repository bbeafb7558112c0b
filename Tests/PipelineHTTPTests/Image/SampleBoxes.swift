// AVIF and HEIF made for the tests: a thumbnail is item 1, the picture item 2, and what it is made of follows.

/// One file of boxes; each part of it can be another.
struct SampleBoxes {
    var brand = "avif"
    var coding = "av01"
    /// The properties of the picture besides its size, in their order, which comes first.
    var properties: [[UInt8]] = []
    /// The bytes of the thumbnail, the picture and the tiles.
    var items: [[UInt8]] = [[1, 2], [3, 4, 5, 6]]
    /// The items that the picture is made of.
    var tiles: [Int] = []
    /// `iloc`: version, and the bytes of offsets, lengths and bases.
    var version = 0
    var sizes = (4, 4, 0)
    /// Where items are: 0 the file, 1 `idat`.
    var method = 0
    /// Into how many extents each item is cut.
    var extents = 1
    /// How long `mdat` says that it is; 0: to the end.
    var dataLength: Int?
    var mustBeKnown = false

    func bytes(_ width: Int, _ height: Int) -> [UInt8] {
        let head = Self.box("ftyp", Array(brand.utf8) + [0, 0, 0, 0] + "mif1".utf8)
        // The places have the same length whatever they say.
        let length = head.count + meta(width, height, from: 0).count + 8
        let data = items.flatMap(\.self)
        guard method == 0 else { return head + meta(width, height, from: 0) }
        return head + meta(width, height, from: length) + SamplePicture.big(dataLength ?? data.count + 8, 4)
            + "mdat".utf8 + data
    }

    private func meta(_ width: Int, _ height: Int, from start: Int) -> [UInt8] {
        let data = method == 1 ? Self.box("idat", items.flatMap(\.self)) : []
        let infos = (1...items.count).map {
            Self.box(
                "infe", [2, 0, 0, 0] + SamplePicture.big($0, 2) + [0, 0] + Array((self.type(of: $0)).utf8) + [0])
        }
        let reference =
            [2].flatMap { SamplePicture.big($0, 2) } + SamplePicture.big(tiles.count, 2)
            + tiles.flatMap { SamplePicture.big($0, 2) }
        let references = tiles.isEmpty ? [] : Self.box("iref", [0, 0, 0, 0] + Self.box("dimg", reference))
        return Self.box(
            "meta",
            [0, 0, 0, 0] + Self.box("pitm", [0, 0, 0, 0, 0, 2])
                + Self.box("iinf", [0, 0, 0, 0] + SamplePicture.big(items.count, 2) + infos.flatMap(\.self))
                + references + places(from: start) + data + own(width, height))
    }

    private func type(of item: Int) -> String {
        item == 2 ? coding : item == 1 || brand == "avif" ? "av01" : "hvc1"
    }

    private func own(_ width: Int, _ height: Int) -> [UInt8] {
        let extents = [(8, 6), (width, height)].map {
            Self.box("ispe", [0, 0, 0, 0] + SamplePicture.big($0, 4) + SamplePicture.big($1, 4))
        }
        let all = [extents[0], Self.box("pixi", [0, 0, 0, 0, 1, 8]), extents[1]] + properties
        let used = [0x82, mustBeKnown ? 0x83 : 3] + properties.indices.map { $0 + 4 }
        let uses =
            SamplePicture.big(1, 2) + [1, 1] + SamplePicture.big(2, 2) + SamplePicture.big(used.count, 1)
            + used.map { UInt8($0) }
        return Self.box(
            "iprp",
            Self.box("ipco", all.flatMap(\.self)) + Self.box("ipma", [0, 0, 0, 0] + SamplePicture.big(2, 4) + uses))
    }

    private func places(from start: Int) -> [UInt8] {
        var place = start
        var entries: [UInt8] = []
        for (index, item) in items.enumerated() {
            let (offset, length, base) = sizes
            entries += SamplePicture.big(index + 1, version < 2 ? 2 : 4)
            entries += version == 0 ? [] : SamplePicture.big(method, 2)
            entries += [0, 0] + SamplePicture.big(place, base) + SamplePicture.big(extents, 2)
            for part in 0..<extents {
                let range = item.count * part / extents..<item.count * (part + 1) / extents
                entries += SamplePicture.big((base == 0 ? place : 0) + range.lowerBound, offset)
                entries += SamplePicture.big(range.count, length)
            }
            place += item.count
        }
        let head = [UInt8(sizes.0 << 4 | sizes.1), UInt8(sizes.2 << 4)]
        return Self.box(
            "iloc",
            SamplePicture.big(version, 1) + [0, 0, 0] + head + SamplePicture.big(items.count, version < 2 ? 2 : 4)
                + entries)
    }

    /// A film of pictures, without `meta`: three samples in two chunks, with `mdat` before the tables or behind them.
    /// - Parameter sizes: of each sample; one size stands for all.
    static func sequence(
        _ width: Int, _ height: Int, sizes: [Int] = [2, 1, 3], isLong: Bool = false, dataLength: Int? = nil
    ) -> [UInt8] {
        let numbers = { (list: [Int]) in list.flatMap { SamplePicture.big($0, 4) } }
        func movie(_ start: Int) -> [UInt8] {
            let header =
                [UInt8](repeating: 0, count: 76) + SamplePicture.big(width, 2) + [0, 0]
                + SamplePicture.big(height, 2) + [0, 0]
            let isEven = sizes.count == 1
            let chunks = [start, start + (isEven ? 2 * sizes[0] : sizes[0] + sizes[1])]
            let table =
                box("stsz", numbers([0, isEven ? sizes[0] : 0, 3] + (isEven ? [] : sizes)))
                + box("stsc", numbers([0, 2, 1, 2, 1, 2, 1, 1]))
                + box(
                    isLong ? "co64" : "stco",
                    numbers([0, 2]) + chunks.flatMap { SamplePicture.big($0, isLong ? 8 : 4) })
            let media = box("mdia", box("minf", box("stbl", table)))
            return box("moov", box("trak", box("tkhd", header) + media))
        }
        let head = box("ftyp", Array("avis".utf8) + [0, 0, 0, 0])
        let data = [UInt8](repeating: 7, count: sizes.count == 1 ? 3 * sizes[0] : sizes.reduce(0, +))
        return head + movie(head.count + movie(0).count + 8) + SamplePicture.big(dataLength ?? data.count + 8, 4)
            + "mdat".utf8 + data
    }

    static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
        SamplePicture.big(body.count + 8, 4) + type.utf8 + body
    }

    /// Width and height of a cut, in halves, and where it is, which doesn't matter here.
    static func cut(_ width: Int, _ height: Int) -> [UInt8] {
        box("clap", [width, 2, height, 2, 0, 1, 0, 1].flatMap { SamplePicture.big($0, 4) })
    }
}
