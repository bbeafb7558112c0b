// What bytes are that aren't a picture, precise enough for a message that people understand.

import PipelineCore

/// Kinds of responses that come instead of a picture.
package enum NonImageKind: String, Sendable {
    case nothing = "an empty answer"
    case html = "an HTML page"
    case json = "JSON"
    case xml = "XML"
    case text = "plain text"
    case pdf = "a PDF"
    case compressed = "compressed data"
    case tiff = "a TIFF picture, which the store doesn't take"
    case jpegXL = "a JPEG XL picture, which the store doesn't take"
    case video = "a film or another file of that family"
    case unknown = "something of an unknown format"

    /// The number of bytes examined.
    private static let sampleSize = 512

    package init(of bytes: Span<UInt8>) {
        if bytes.begins(with: "%PDF-") {
            self = .pdf
        } else if bytes.begins(with: "II*\u{0}") || bytes.begins(with: "MM\u{0}*") {
            self = .tiff
        } else if bytes.begins(with: "\u{FF}\u{A}") || bytes.holds("JXL ", at: 4) {
            self = .jpegXL
        } else if bytes.begins(with: "\u{1F}\u{8B}") || bytes.begins(with: "PK\u{3}\u{4}") {
            self = .compressed
        } else if bytes.holds("ftyp", at: 4) {
            self = .video
        } else {
            self = Self.ofText(bytes)
        }
    }

    private static func ofText(_ bytes: Span<UInt8>) -> NonImageKind {
        let sample = bytes.extracting(..<min(bytes.count, sampleSize))
        var start = sample.begins(with: "\u{EF}\u{BB}\u{BF}") ? 3 : 0
        while start < sample.count, sample[start].isXMLSpace { start += 1 }
        guard start < sample.count else { return bytes.isEmpty ? .nothing : .text }
        for index in start..<sample.count where sample[index] < 0x20 && !sample[index].isXMLSpace {
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
