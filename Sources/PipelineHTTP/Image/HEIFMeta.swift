// The box `meta` of AVIF and HEIF: items, each with a number, a type, a place in the file and properties.

import PipelineCore

/// What is said of the items. Nothing is kept but where it is said.
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
    /// - Returns: no coding if it isn't said.
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
