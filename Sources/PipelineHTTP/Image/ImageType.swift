// The picture formats, recognized by their first bytes and never by a name or a header field. One that has no mark or length
// at its end can't be proved whole, and has no place here.
//
//     89 50 4E 47 0D 0A 1A 0A          PNG         52 49 46 46 …4 57 45 42 50   WebP
//     FF D8 FF                         JPEG        …4 66 74 79 70 61 76 69 66   AVIF ("ftyp", then brands)

import PipelineCore

/// Only a picture that is whole is kept: of a format that doesn't show where it ends, nothing can prove that.
package enum ImageType: String, Sendable, CaseIterable {
    case jpeg = "jpg"
    case png
    case gif
    case webp
    case bmp
    case ico
    case avif
    case heic
    /// Another coding in the HEIF container.
    case heif
    case svg

    /// Without the dot.
    package var fileExtension: String { rawValue }

    /// Whether a name or a URL ends like that of a picture.
    package static func isNamed(by text: String) -> Bool {
        let text = text.lowercased()
        return text.hasSuffix(".jpeg") || allCases.contains { text.hasSuffix("." + $0.fileExtension) }
    }

    package var mediaType: String {
        switch self {
        case .jpeg: "image/jpeg"
        case .svg: "image/svg+xml"
        case .ico: "image/vnd.microsoft.icon"
        case .png, .gif, .webp, .avif, .heic, .heif, .bmp: "image/" + rawValue
        }
    }

    /// As people write it.
    package var name: String {
        switch self {
        case .jpeg: "JPEG"
        case .webp: "WebP"
        case .png, .gif, .avif, .heic, .heif, .svg, .bmp, .ico: rawValue.uppercased()
        }
    }

    var described: String {
        switch self {
        case .avif, .svg, .ico: "an \(name)"
        case .jpeg, .png, .gif, .webp, .heic, .heif, .bmp: "a \(name)"
        }
    }

    /// The format that the first bytes indicate (WHATWG MIME Sniffing, section 6.1; ISO/IEC 14496-12); nil for any other.
    package init?(of bytes: Span<UInt8>) {
        guard let type = Self.allCases.first(where: { $0.begins(bytes) }) else { return nil }
        self = type
    }

    private func begins(_ bytes: Span<UInt8>) -> Bool {
        switch self {
        case .jpeg: bytes.begins(with: "\u{FF}\u{D8}\u{FF}")
        case .png: bytes.begins(with: PNGImage.signature)
        case .gif: bytes.begins(with: "GIF87a") || bytes.begins(with: "GIF89a")
        case .webp: bytes.begins(with: "RIFF") && bytes.holds("WEBP", at: 8)
        case .bmp: bytes.begins(with: "BM") && BMPImage.headerLengths.contains(bytes.littleEndianNumber(4, at: 14))
        case .ico: bytes.begins(with: "\u{0}\u{0}\u{1}\u{0}")
        case .avif, .heic, .heif: HEIFImage.type(of: bytes) == self
        case .svg: SVGImage.root(in: bytes) != nil
        }
    }
}

/// What bytes are that aren't a picture, precise enough for a message that people understand.
package enum NonImageKind: String, Sendable {
    case nothing = "an empty response"
    case html = "an HTML page"
    case json = "JSON"
    case xml = "XML"
    case text = "plain text"
    case pdf = "a PDF"
    case compressed = "compressed data"
    case tiff = "a TIFF picture"
    case jpegXL = "a JPEG XL picture"
    case video = "a film or another file of that family"
    case unknown = "data of no known format"

    private static let sampleSize = 512

    private static let marks: [(text: String, position: Int, kind: NonImageKind)] = [
        ("%PDF-", 0, .pdf), ("II*\u{0}", 0, .tiff), ("MM\u{0}*", 0, .tiff), ("\u{FF}\u{A}", 0, .jpegXL),
        ("JXL ", 4, .jpegXL), ("\u{1F}\u{8B}", 0, .compressed), ("PK\u{3}\u{4}", 0, .compressed),
        ("ftyp", 4, .video),
    ]

    package init(of bytes: Span<UInt8>) {
        self = Self.marks.first { bytes.holds($0.text, at: $0.position) }?.kind ?? Self.ofText(bytes)
    }

    private static func ofText(_ bytes: Span<UInt8>) -> NonImageKind {
        let sample = bytes.extracting(..<min(bytes.count, sampleSize))
        var start = sample.begins(with: "\u{EF}\u{BB}\u{BF}") ? 3 : 0
        while start < sample.count, sample[start].isJSONSpace { start += 1 }
        guard start < sample.count else { return bytes.isEmpty ? .nothing : .text }
        for index in start..<sample.count where sample[index] < 0x20 && !sample[index].isJSONSpace {
            return .unknown
        }
        let text = sample.extracting(start...).text.lowercased()
        switch sample[start] {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return .json
        case UInt8(ascii: "<"):
            let marks = ["<!doctype html", "<html", "<head", "<body", "<script", "<title", "<h1", "<p>", "<div"]
            return marks.contains { text.contains($0) } ? .html : .xml
        default: return UTF8Sequence.firstFault(in: bytes) == nil ? .text : .unknown
        }
    }
}
