// The boxes of ISO/IEC 14496-12, one after the other inside a range of the file.
//
//     length (4) | type (4) | [length (8) where the first one is 1] | body        length 0: up to the end

import PipelineCore

/// Walks over the boxes of one container.
struct BoxReader: ~Escapable {
    struct Box {
        let type: String
        /// Where its body stands in the file.
        let body: Range<Int>
    }

    private let bytes: Span<UInt8>
    private var place: Int
    private let end: Int

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        self.bytes = bytes
        place = range.lowerBound
        end = range.upperBound
    }

    /// Whether the last box ended where the container does.
    var isAtEnd: Bool { place == end }

    /// The next box, nil at the end and where one doesn't fit.
    @_lifetime(self: copy self)
    mutating func next() -> Box? {
        guard place + 8 <= end, let short = bytes.bigEndian(4, at: place),
            let type = bytes.bigEndian(4, at: place + 4)
        else { return nil }
        var header = 8
        var length = short
        if short == 0 { length = end - place }
        if short == 1 {
            header = 16
            guard place + 16 <= end, bytes[place + 8] == 0, let long = bytes.bigEndian(8, at: place + 8) else {
                return nil
            }
            length = long
        }
        guard length >= header, length <= end - place else { return nil }
        defer { place += length }
        return Box(type: Self.text(type), body: place + header..<place + length)
    }

    private static func text(_ type: Int) -> String {
        String(String.UnicodeScalarView([24, 16, 8, 0].map { Unicode.Scalar(UInt8(type >> $0 & 0xFF)) }))
    }
}
