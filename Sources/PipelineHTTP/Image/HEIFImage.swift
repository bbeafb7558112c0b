// AVIF, HEIC and other HEIF: boxes within boxes (ISO/IEC 14496-12, 23008-12).
//
//     ftyp brands | meta: pitm (which item is the picture)                                 | mdat pixels
//                         iinf: infe (the coding of an item) …
//                         iloc (where the bytes of an item are)  iref (the tiles of a grid)
//                         iprp: ipco (properties: ispe = width, height; clap, irot; …)
//                               ipma (which item has which properties, in which order)
//                 | moov: trak (width, height, samples)      for sequences, which may have no meta

import PipelineCore

enum HEIFImage {
    /// The format: that of the picture's coding, or of the brands where no item says it.
    static func type(of bytes: Span<UInt8>) -> ImageType? {
        guard let brand = brand(of: bytes) else { return nil }
        guard let body = BoxReader.first("meta", bytes, 0..<bytes.count),
            let coding = HEIFMeta(bytes, body).picture().coding
        else { return brand }
        return switch coding {
        case "av01": .avif
        case "hvc1", "hev1", "lhv1": .heic
        default: .heif
        }
    }

    /// The format given by the brands in the first box; nil for another one of this family.
    private static func brand(of bytes: Span<UInt8>) -> ImageType? {
        guard bytes.holds("ftyp", at: 4), let length = bytes.bigEndianNumber(4, at: 0) else { return nil }
        var type: ImageType?
        // The brand at 8 is the main one, its version is at 12, the others follow.
        for position in stride(from: 8, to: min(length, bytes.count, 256), by: 4) where position != 12 {
            switch bytes.fourCC(at: position) {
            case "avif"?, "avis"?: return .avif
            case "heic"?, "heix"?, "heim"?, "heis"?, "hevc"?, "hevx"?: type = .heic
            case "mif1"?, "msf1"?: type = type ?? .heif
            default: break
            }
        }
        return type
    }

    /// Bytes of items and samples must be there; what else is in the file, or missing, doesn't matter.
    static func size(_ bytes: Span<UInt8>, _ type: ImageType) throws(ImageError) -> ImageSize {
        let file = 0..<bytes.count
        var size: ImageSize?
        if let body = BoxReader.first("meta", bytes, file) {
            let meta = HEIFMeta(bytes, body)
            if let own = try meta.size(type) {
                try HEIFPlaces.check(meta, bytes, meta.picture().items, type)
                size = own
            }
        }
        if let body = BoxReader.first("moov", bytes, file) {
            let track = try trackSize(bytes, body, type)
            size = size ?? track
        } else if ["avis", "msf1", "hevc", "hevx"].contains(where: { bytes.holds($0, at: 8) }) {
            // A sequence is more than the picture that stands for it.
            throw .truncated(type)
        }
        if let size { return size }
        var boxes = BoxReader(bytes, file)
        while boxes.next() != nil {}
        throw boxes.isAtEnd ? .damaged(type) : .truncated(type)
    }

    /// The width and height of the widest track, fixed-point numbers of 16 and 16 bits.
    private static func trackSize(
        _ bytes: Span<UInt8>, _ movie: Range<Int>, _ type: ImageType
    ) throws(ImageError) -> ImageSize? {
        var tracks = BoxReader(bytes, movie)
        var largest: ImageSize?
        while let track = tracks.next() {
            guard track.type == "trak", let header = BoxReader.first("tkhd", bytes, track.body),
                let media = BoxReader.first("mdia", bytes, track.body),
                let information = BoxReader.first("minf", bytes, media),
                let table = BoxReader.first("stbl", bytes, information)
            else { continue }
            guard try HEIFPlaces.check(samples: table, bytes, type), header.count >= 8,
                let width = bytes.bigEndianNumber(2, at: header.upperBound - 8),
                let height = bytes.bigEndianNumber(2, at: header.upperBound - 4)
            else { continue }
            if width > largest?.width ?? 0 { largest = ImageSize(width: width, height: height) }
        }
        return largest
    }
}

/// The box `meta` of AVIF and HEIF: items, each with a number, a type, a place in the file and properties.
struct HEIFMeta: ~Escapable {
    /// The most pictures from which one may be derived, each from the next.
    private static let depth = 4

    private let bytes: Span<UInt8>
    private var primary = 0
    private var infos: Range<Int>?
    private var references: Range<Int>?
    private var properties: Range<Int>?
    private var associations: [Range<Int>] = []
    private(set) var locations: Range<Int>?
    /// Small items may be in `meta` itself.
    private(set) var data: Range<Int>?

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, _ body: Range<Int>) {
        self.bytes = bytes
        var boxes = BoxReader(bytes, body.dropFirst(4))
        while let box = boxes.next() {
            switch box.type {
            case "pitm":
                primary = bytes.bigEndianNumber(isShort(box) ? 2 : 4, at: box.body.lowerBound + 4) ?? 0
            case "iinf": infos = box.body.dropFirst(isShort(box) ? 6 : 8)
            case "iref": references = box.body
            case "iloc": locations = box.body
            case "idat": data = box.body
            case "iprp":
                var parts = BoxReader(bytes, box.body)
                while let part = parts.next() {
                    if part.type == "ipco" { properties = part.body }
                    // Two versions and two sizes of an index make four.
                    if part.type == "ipma", associations.count < 4 { associations.append(part.body) }
                }
            default: break
            }
        }
    }

    /// Whether the version of a box is 0: numbers of items have two bytes then, for most boxes.
    private func isShort(_ box: BoxReader.Box) -> Bool { bytes.bigEndianNumber(1, at: box.body.lowerBound) == 0 }

    /// The coding of the picture, or of the first one from which it is derived, and the items whose bytes that takes.
    func picture() -> (coding: FourCC?, items: Set<Int>) {
        var item = primary
        var items: Set<Int> = []
        var coding: FourCC?
        for _ in 0..<Self.depth {
            coding = type(of: item)
            if coding != "iden" { items.insert(item) }
            guard coding == "grid" || coding == "iovl" || coding == "iden" else { break }
            let sources = sources(of: item)
            items.formUnion(sources)
            // One that is derived from nothing is no picture.
            item = sources.first ?? -1
            if sources.isEmpty { items.insert(item) }
        }
        return (coding, items)
    }

    /// `infe`: version and flags (4), number (2, or 4 from version 3), protection (2), type (4).
    private func type(of item: Int) -> FourCC? {
        guard let infos else { return nil }
        var boxes = BoxReader(bytes, infos)
        while let box = boxes.next() {
            guard let version = bytes.bigEndianNumber(1, at: box.body.lowerBound), version >= 2 else { continue }
            let size = version == 2 ? 2 : 4
            guard bytes.bigEndianNumber(size, at: box.body.lowerBound + 4) == item else { continue }
            return bytes.fourCC(at: box.body.lowerBound + 6 + size)
        }
        return nil
    }

    /// `dimg`: the item, how many (2), the items that it is made of.
    private func sources(of item: Int) -> [Int] {
        guard let references, let version = bytes.bigEndianNumber(1, at: references.lowerBound) else { return [] }
        let size = version == 0 ? 2 : 4
        var boxes = BoxReader(bytes, references.dropFirst(4))
        while let box = boxes.next() {
            let start = box.body.lowerBound
            guard box.type == "dimg", bytes.bigEndianNumber(size, at: start) == item else { continue }
            let count = bytes.bigEndianNumber(2, at: start + size) ?? 0
            return (0..<count).compactMap { bytes.bigEndianNumber(size, at: start + size + 2 + $0 * size) }
        }
        return []
    }

    /// The `ispe` of the picture, or the largest one if it has none, as the properties behind it change it: a cut
    /// (`clap`), which browsers don't follow in AVIF, and quarter turns (`irot`). A mirror (`imir`) keeps the size.
    func size(_ type: ImageType) throws(ImageError) -> ImageSize? {
        let indices = propertyIndices()
        let (boxes, largest) = propertyBoxes(Set(indices))
        let own = indices.compactMap { boxes[$0] }
        var size = largest
        if let box = own.first(where: { $0.type == "ispe" }) { size = extents(box) }
        guard var size else { return nil }
        for box in own {
            let start = box.body.lowerBound
            if box.type == "irot", let angle = bytes.bigEndianNumber(1, at: start), angle % 2 == 1 {
                size = ImageSize(width: size.height, height: size.width)
            } else if box.type == "clap", type != .avif {
                guard let width = quotient(at: start), let height = quotient(at: start + 8) else {
                    throw .damaged(type)
                }
                size = ImageSize(width: min(width, size.width), height: min(height, size.height))
            }
        }
        return size
    }

    /// The properties with these numbers, counted from 1, and the widest `ispe` of all.
    private func propertyBoxes(_ indices: Set<Int>) -> ([Int: BoxReader.Box], largest: ImageSize?) {
        var found: [Int: BoxReader.Box] = [:]
        var largest: ImageSize?
        guard let properties else { return (found, largest) }
        var boxes = BoxReader(bytes, properties)
        var index = 1
        while let box = boxes.next() {
            if indices.contains(index) { found[index] = box }
            if box.type == "ispe", let size = extents(box), size.width > largest?.width ?? -1 {
                largest = size
            }
            index += 1
        }
        return (found, largest)
    }

    /// version and flags (4), width (4), height (4).
    private func extents(_ box: BoxReader.Box) -> ImageSize? {
        guard let width = bytes.bigEndianNumber(4, at: box.body.lowerBound + 4),
            let height = bytes.bigEndianNumber(4, at: box.body.lowerBound + 8)
        else { return nil }
        return ImageSize(width: width, height: height)
    }

    /// A number of pixels as a fraction, rounded: above (4), below (4).
    private func quotient(at position: Int) -> Int? {
        guard let above = bytes.bigEndianNumber(4, at: position),
            let below = bytes.bigEndianNumber(4, at: position + 4), below > 0
        else { return nil }
        return (above + below / 2) / below
    }

    /// The properties of the picture in their order, counted from 1.
    private func propertyIndices() -> [Int] {
        for body in associations {
            guard let head = bytes.bigEndianNumber(4, at: body.lowerBound), body.count >= 8 else { continue }
            let itemSize = head >> 24 == 0 ? 2 : 4
            let indexSize = head & 1 == 0 ? 1 : 2
            var position = body.lowerBound + 8
            while position < body.upperBound, let number = bytes.bigEndianNumber(itemSize, at: position),
                let count = bytes.bigEndianNumber(1, at: position + itemSize)
            {
                position += itemSize + 1
                if number == primary {
                    // The highest bit says whether a reader must know the property.
                    return (0..<count).compactMap {
                        bytes.bigEndianNumber(indexSize, at: position + $0 * indexSize)
                    }
                    .map { $0 & (indexSize == 1 ? 0x7F : 0x7FFF) }
                }
                position += count * indexSize
            }
        }
        return []
    }
}
