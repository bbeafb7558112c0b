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
