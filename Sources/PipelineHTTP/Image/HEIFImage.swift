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
        guard let body = BoxReader.first(BoxType.meta, bytes, 0..<bytes.count),
            let coding = HEIFMeta(bytes, body).picture().coding
        else { return brand }
        return switch coding {
        case BoxType.av1: .avif
        case BoxType.hevc, BoxType.hevcWithSets, BoxType.layeredHEVC: .heic
        default: .heif
        }
    }

    /// The format given by the brands in the first box; nil for another one of this family.
    private static func brand(of bytes: Span<UInt8>) -> ImageType? {
        guard bytes.holds("ftyp", at: 4), let length = bytes.bigEndianNumber(4, at: 0) else { return nil }
        var type: ImageType?
        // The brand at 8 is the main one, its version is at 12, the others follow.
        for position in stride(from: 8, to: min(length, bytes.count, 256), by: 4) where position != 12 {
            if bytes.holds("avif", at: position) || bytes.holds("avis", at: position) { return .avif }
            let brands = ["heic", "heix", "heim", "heis", "hevc", "hevx"]
            if brands.contains(where: { bytes.holds($0, at: position) }) { type = .heic }
            if bytes.holds("mif1", at: position) || bytes.holds("msf1", at: position) { type = type ?? .heif }
        }
        return type
    }

    /// Bytes of items and samples must be there; what else is in the file, or missing, doesn't matter.
    static func size(_ bytes: Span<UInt8>, _ type: ImageType) throws(ImageError) -> ImageSize {
        let file = 0..<bytes.count
        var size: ImageSize?
        if let body = BoxReader.first(BoxType.meta, bytes, file) {
            let meta = HEIFMeta(bytes, body)
            if let own = try meta.size(type) {
                try HEIFPlaces.check(meta, bytes, meta.picture().items, type)
                size = own
            }
        }
        if let body = BoxReader.first(BoxType.movie, bytes, file) {
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
            guard track.type == BoxType.track, let header = BoxReader.first(BoxType.trackHeader, bytes, track.body),
                let media = BoxReader.first(BoxType.media, bytes, track.body),
                let information = BoxReader.first(BoxType.mediaInformation, bytes, media),
                let table = BoxReader.first(BoxType.sampleTable, bytes, information)
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
            case BoxType.primaryItem:
                primary = bytes.bigEndianNumber(isShort(box) ? 2 : 4, at: box.body.lowerBound + 4) ?? 0
            case BoxType.itemInformation: infos = box.body.dropFirst(isShort(box) ? 6 : 8)
            case BoxType.itemReferences: references = box.body
            case BoxType.itemLocations: locations = box.body
            case BoxType.itemData: data = box.body
            case BoxType.itemProperties: readProperties(box.body)
            default: break
            }
        }
    }

    @_lifetime(self: copy self)
    private mutating func readProperties(_ body: Range<Int>) {
        var boxes = BoxReader(bytes, body)
        while let box = boxes.next() {
            if box.type == BoxType.propertyContainer { properties = box.body }
            // Two versions and two sizes of an index make four.
            if box.type == BoxType.propertyAssociations, associations.count < 4 { associations.append(box.body) }
        }
    }

    /// Whether the version of a box is 0: numbers of items have two bytes then, for most boxes.
    private func isShort(_ box: BoxReader.Box) -> Bool { bytes.bigEndianNumber(1, at: box.body.lowerBound) == 0 }

    // MARK: Items

    /// The coding of the picture, or of the first one from which it is derived, and the items whose bytes that takes.
    func picture() -> (coding: Int?, items: Set<Int>) {
        var item = primary
        var items: Set<Int> = []
        var coding: Int?
        for _ in 0..<Self.depth {
            coding = type(of: item)
            if coding != BoxType.sameItem { items.insert(item) }
            guard coding == BoxType.grid || coding == BoxType.overlay || coding == BoxType.sameItem else { break }
            let sources = sources(of: item)
            items.formUnion(sources)
            // One that is derived from nothing is no picture.
            item = sources.first ?? -1
            if sources.isEmpty { items.insert(item) }
        }
        return (coding, items)
    }

    /// `infe`: version and flags (4), number (2, or 4 from version 3), protection (2), type (4).
    private func type(of item: Int) -> Int? {
        guard let infos else { return nil }
        var boxes = BoxReader(bytes, infos)
        while let box = boxes.next() {
            guard let version = bytes.bigEndianNumber(1, at: box.body.lowerBound), version >= 2 else { continue }
            let size = version == 2 ? 2 : 4
            guard bytes.bigEndianNumber(size, at: box.body.lowerBound + 4) == item else { continue }
            return bytes.bigEndianNumber(4, at: box.body.lowerBound + 6 + size)
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
            guard box.type == BoxType.derivedImage, bytes.bigEndianNumber(size, at: start) == item else { continue }
            let count = bytes.bigEndianNumber(2, at: start + size) ?? 0
            return (0..<count).compactMap { bytes.bigEndianNumber(size, at: start + size + 2 + $0 * size) }
        }
        return []
    }

    // MARK: Properties

    /// The `ispe` of the picture, or the largest one if it has none, as the properties behind it change it: a cut
    /// (`clap`), which browsers don't follow in AVIF, and quarter turns (`irot`). A mirror (`imir`) keeps the size.
    func size(_ type: ImageType) throws(ImageError) -> ImageSize? {
        let indices = propertyIndices()
        let (boxes, largest) = propertyBoxes(Set(indices))
        let own = indices.compactMap { boxes[$0] }
        var size = largest
        if let box = own.first(where: { $0.type == BoxType.spatialExtents }) { size = extents(box) }
        guard var size else { return nil }
        for box in own {
            let start = box.body.lowerBound
            if box.type == BoxType.rotation, let angle = bytes.bigEndianNumber(1, at: start), angle % 2 == 1 {
                size = ImageSize(width: size.height, height: size.width)
            } else if box.type == BoxType.cleanAperture, type != .avif {
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
            if box.type == BoxType.spatialExtents, let size = extents(box), size.width > largest?.width ?? -1 {
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
        var fields = Fields(bytes.extracting(body), 6)
        var missing = items
        for _ in 0..<(try fields.next(version < 2 ? 2 : 4, type)) {
            let item = try fields.next(version < 2 ? 2 : 4, type)
            let method = version == 0 ? 0 : try fields.next(2, type) & 15
            let isElsewhere = try fields.next(2, type) != 0
            let base = try fields.next(baseSize, type)
            let count = try fields.next(2, type)
            guard method <= 1, let place = method == 0 ? 0..<bytes.count : meta.data else { throw .damaged(type) }
            // Extents that nothing is said of are all the same.
            for _ in 0..<(indexSize + offsetSize + lengthSize == 0 ? min(count, 1) : count) {
                _ = try fields.next(indexSize, type)
                let (start, overflow) = try fields.next(offsetSize, type).addingReportingOverflow(base)
                guard !overflow, isElsewhere || start <= place.count else { throw .truncated(type) }
                let length = lengthSize == 0 ? max(0, place.count - start) : try fields.next(lengthSize, type)
                guard isElsewhere || length <= place.count - start else { throw .truncated(type) }
                if length > 0, !isElsewhere { missing.remove(item) }
            }
        }
        guard missing.isEmpty else { throw .damaged(type) }
    }

    /// Numbers one after another.
    private struct Fields: ~Escapable {
        private let bytes: Span<UInt8>
        private var position: Int

        @_lifetime(copy bytes)
        init(_ bytes: Span<UInt8>, _ position: Int) {
            self.bytes = bytes
            self.position = position
        }

        /// The number in that many bytes, 0 in none.
        @_lifetime(self: copy self)
        mutating func next(_ size: Int, _ type: ImageType) throws(ImageError) -> Int {
            guard size <= 8, let number = bytes.bigEndianNumber(size, at: position), number >= 0 else {
                throw .damaged(type)
            }
            position += size
            return number
        }
    }

    /// - Parameter table: `stbl`, whose chunks have samples one after another. `stco` or `co64`: the offset of each chunk;
    ///   `stsc`: from which chunk on how many samples are in one; `stsz`: the size of all, or of each.
    static func check(samples table: Range<Int>, _ bytes: Span<UInt8>, _ type: ImageType) throws(ImageError) -> Bool
    {
        guard let sizes = BoxReader.first(BoxType.sampleSizes, bytes, table),
            let runs = BoxReader.first(BoxType.samplesOfChunks, bytes, table),
            let size = bytes.bigEndianNumber(4, at: sizes.lowerBound + 4),
            let count = bytes.bigEndianNumber(4, at: sizes.lowerBound + 8)
        else { throw .damaged(type) }
        let short = BoxReader.first(BoxType.chunkOffsets, bytes, table)
        guard let chunks = short ?? BoxReader.first(BoxType.longChunkOffsets, bytes, table) else {
            throw .damaged(type)
        }
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

/// The boxes of ISO/IEC 14496-12, one after another in a range of the file.
///
///     length (4) | type (4) | [length (8) if the first one is 1] | body        length 0: up to the end
struct BoxReader: ~Escapable {
    struct Box {
        let type: Int
        let body: Range<Int>
    }

    private let bytes: Span<UInt8>
    private var position: Int
    private let end: Int

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    static func first(_ type: Int, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Range<Int>? {
        var boxes = BoxReader(bytes, range)
        while let box = boxes.next() {
            if box.type == type { return box.body }
        }
        return nil
    }

    /// Whether the last box ended where the container does.
    var isAtEnd: Bool { position == end }

    /// The next box; nil at the end, or if it doesn't fit.
    @_lifetime(self: copy self)
    mutating func next() -> Box? {
        guard position + 8 <= end, let short = bytes.bigEndianNumber(4, at: position),
            let type = bytes.bigEndianNumber(4, at: position + 4)
        else { return nil }
        var header = 8
        var length = short
        if short == 0 { length = end - position }
        if short == 1 {
            header = 16
            guard position + 16 <= end, bytes[position + 8] == 0,
                let long = bytes.bigEndianNumber(8, at: position + 8)
            else {
                return nil
            }
            length = long
        }
        guard length >= header, length <= end - position else { return nil }
        defer { position += length }
        return Box(type: type, body: position + header..<position + length)
    }
}

/// The types of the boxes that matter here: four characters each.
enum BoxType {
    static let meta = 0x6D65_7461  // meta
    static let movie = 0x6D6F_6F76  // moov
    static let primaryItem = 0x7069_746D  // pitm
    static let itemInformation = 0x6969_6E66  // iinf
    static let itemLocations = 0x696C_6F63  // iloc
    static let itemReferences = 0x6972_6566  // iref
    static let derivedImage = 0x6469_6D67  // dimg
    static let itemData = 0x6964_6174  // idat
    static let itemProperties = 0x6970_7270  // iprp
    static let propertyContainer = 0x6970_636F  // ipco
    static let propertyAssociations = 0x6970_6D61  // ipma
    static let spatialExtents = 0x6973_7065  // ispe
    static let cleanAperture = 0x636C_6170  // clap
    static let rotation = 0x6972_6F74  // irot
    static let track = 0x7472_616B  // trak
    static let trackHeader = 0x746B_6864  // tkhd
    static let media = 0x6D64_6961  // mdia
    static let mediaInformation = 0x6D69_6E66  // minf
    static let sampleTable = 0x7374_626C  // stbl
    static let sampleSizes = 0x7374_737A  // stsz
    static let samplesOfChunks = 0x7374_7363  // stsc
    static let chunkOffsets = 0x7374_636F  // stco
    static let longChunkOffsets = 0x636F_3634  // co64

    // Of items.
    static let av1 = 0x6176_3031  // av01
    static let hevc = 0x6876_6331  // hvc1
    static let hevcWithSets = 0x6865_7631  // hev1
    static let layeredHEVC = 0x6C68_7631  // lhv1
    static let grid = 0x6772_6964  // grid
    static let overlay = 0x696F_766C  // iovl
    static let sameItem = 0x6964_656E  // iden
}
