// The boxes of ISO/IEC 14496-12, one after another in a range of the file.
//
//     length (4) | type (4) | [length (8) if the first one is 1] | body        length 0: up to the end

import PipelineCore

/// Iterates over the boxes of one container.
struct BoxReader: ~Escapable {
    struct Box {
        let type: Int
        /// The range of its body in the file.
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

    /// The body of the first box of that type in a range.
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
