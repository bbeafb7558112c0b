// AVIF and HEIC: boxes within boxes (ISO/IEC 14496-12, 23008-12).
//
//     ftyp brands | meta: pitm (which item is the picture)                        | mdat pixels
//                         iprp: ipco (properties: ispe = width, height; …)
//                               ipma (which item has which properties)
//                 | moov: trak: tkhd (width, height)      for sequences, which may have no meta

import PipelineCore

enum HEIFImage {
    /// The highest property index that an item can use, in 15 bits.
    private static let propertyLimit = 0x7FFF

    /// The sizes among a picture's properties.
    private struct Properties {
        /// The size of each property, nil if it isn't a size; as many as an item can refer to.
        var sizes: [ImageSize?] = []
        /// The widest of all.
        var largest: ImageSize?
    }

    /// The format given by the brands in the first box; nil for another one of this family.
    static func type(of bytes: Span<UInt8>) -> ImageType? {
        guard bytes.holds("ftyp", at: 4), let length = bytes.bigEndianNumber(4, at: 0) else { return nil }
        var isHEIC = false
        // The brand at 8 is the main one, its version is at 12, the others follow.
        for position in stride(from: 8, to: min(length, bytes.count, 256), by: 4) where position != 12 {
            if bytes.holds("avif", at: position) || bytes.holds("avis", at: position) { return .avif }
            let brands = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]
            if brands.contains(where: { bytes.holds($0, at: position) }) { isHEIC = true }
        }
        return isHEIC ? .heic : nil
    }

    static func size(_ bytes: Span<UInt8>, _ type: ImageType) throws(ImageError) -> ImageSize {
        var boxes = BoxReader(bytes, 0..<bytes.count)
        var size: ImageSize?
        var hasData = false
        while let box = boxes.next() {
            switch box.type {
            case BoxType.meta:
                size = metaSize(bytes, box.body) ?? size
                hasData = hasData || holdsData(bytes, box.body)
            case BoxType.movie: size = size ?? trackSize(bytes, box.body)
            case BoxType.mediaData: hasData = true
            default: break
            }
        }
        // The boxes must end where the file does: in a truncated file one extends past it.
        guard boxes.isAtEnd else { throw .truncated(type) }
        guard hasData else { throw .truncated(type) }
        guard let size else { throw .damaged(type) }
        return size
    }

    /// Small pictures may be in `meta` itself.
    private static func holdsData(_ bytes: Span<UInt8>, _ meta: Range<Int>) -> Bool {
        var boxes = BoxReader(bytes, meta.dropFirst(4))
        while let box = boxes.next() {
            if box.type == BoxType.itemData { return true }
        }
        return false
    }

    /// The `ispe` of the primary item; the largest one if that isn't given.
    private static func metaSize(_ bytes: Span<UInt8>, _ meta: Range<Int>) -> ImageSize? {
        var boxes = BoxReader(bytes, meta.dropFirst(4))
        var primary = 0
        var properties = Properties()
        var associations: Range<Int>?
        while let box = boxes.next() {
            if box.type == BoxType.primaryItem, let version = bytes.bigEndianNumber(1, at: box.body.lowerBound) {
                primary = bytes.bigEndianNumber(version == 0 ? 2 : 4, at: box.body.lowerBound + 4) ?? 0
            }
            guard box.type == BoxType.itemProperties else { continue }
            var inner = BoxReader(bytes, box.body)
            while let box = inner.next() {
                if box.type == BoxType.propertyContainer { properties = Self.properties(bytes, box.body) }
                if box.type == BoxType.propertyAssociations { associations = box.body }
            }
        }
        let indices = associations.map { propertyIndices(bytes, $0, of: primary) } ?? []
        for index in indices where index >= 1 && index <= properties.sizes.count {
            if let size = properties.sizes[index - 1] { return size }
        }
        return properties.largest
    }

    /// A file may have more properties than an item can refer to; only those are kept, to bound the memory.
    private static func properties(_ bytes: Span<UInt8>, _ container: Range<Int>) -> Properties {
        var boxes = BoxReader(bytes, container)
        var properties = Properties()
        while let box = boxes.next() {
            let size = box.type == BoxType.spatialExtents ? extents(bytes, box.body.lowerBound) : nil
            if properties.sizes.count < propertyLimit { properties.sizes.append(size) }
            if let size, size.width > properties.largest?.width ?? -1 { properties.largest = size }
        }
        return properties
    }

    /// version and flags (4), width (4), height (4).
    private static func extents(_ bytes: Span<UInt8>, _ start: Int) -> ImageSize? {
        guard let width = bytes.bigEndianNumber(4, at: start + 4),
            let height = bytes.bigEndianNumber(4, at: start + 8)
        else {
            return nil
        }
        return ImageSize(width: width, height: height)
    }

    /// The properties of an item, counted from 1.
    private static func propertyIndices(_ bytes: Span<UInt8>, _ body: Range<Int>, of item: Int) -> [Int] {
        guard let head = bytes.bigEndianNumber(4, at: body.lowerBound), body.count >= 8 else { return [] }
        let itemSize = head >> 24 == 0 ? 2 : 4
        let indexSize = head & 1 == 0 ? 1 : 2
        var position = body.lowerBound + 8
        while position < body.upperBound, let number = bytes.bigEndianNumber(itemSize, at: position),
            let count = bytes.bigEndianNumber(1, at: position + itemSize)
        {
            position += itemSize + 1
            if number == item {
                // The highest bit says whether a reader must know the property.
                return (0..<count).compactMap { bytes.bigEndianNumber(indexSize, at: position + $0 * indexSize) }
                    .map { $0 & (indexSize == 1 ? 0x7F : 0x7FFF) }
            }
            position += count * indexSize
        }
        return []
    }

    /// The width and height of the widest track, fixed-point numbers of 16 and 16 bits.
    private static func trackSize(_ bytes: Span<UInt8>, _ movie: Range<Int>) -> ImageSize? {
        var tracks = BoxReader(bytes, movie)
        var largest: ImageSize?
        while let track = tracks.next() {
            guard track.type == BoxType.track else { continue }
            var boxes = BoxReader(bytes, track.body)
            while let box = boxes.next() {
                guard box.type == BoxType.trackHeader,
                    let width = bytes.bigEndianNumber(2, at: box.body.upperBound - 8),
                    let height = bytes.bigEndianNumber(2, at: box.body.upperBound - 4)
                else { continue }
                if width > largest?.width ?? 0 { largest = ImageSize(width: width, height: height) }
            }
        }
        return largest
    }
}
