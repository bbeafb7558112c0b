// The boxes of ISO/IEC 14496-12, one after another in a range of the file.
//
//     length (4) | type (4) | [length (8) if the first one is 1] | body        length 0: up to the end

import PipelineCore

struct BoxReader: ~Escapable {
    typealias Box = (type: FourCC, body: Range<Int>)

    private let bytes: Span<UInt8>
    private var position: Int
    private let end: Int

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    static func first(_ type: FourCC, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Range<Int>? {
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
            let type = bytes.fourCC(at: position + 4)
        else { return nil }
        var header = 8
        var length = short
        if short == 0 { length = end - position }
        if short == 1 {
            header = 16
            guard position + 16 <= end, bytes[position + 8] == 0,
                let long = bytes.bigEndianNumber(8, at: position + 8)
            else { return nil }
            length = long
        }
        guard length >= header, length <= end - position else { return nil }
        defer { position += length }
        return (type, position + header..<position + length)
    }
}
