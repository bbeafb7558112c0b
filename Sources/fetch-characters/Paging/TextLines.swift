// The lines of an answer in JSON Lines.

import PipelineCore
import PipelineHTTP

/// The lines of a text that aren't blank, without white space at their ends.
struct TextLines: ~Escapable {
    private let text: Span<UInt8>
    /// Where the next line begins.
    private(set) var position = 0
    /// Of the last line, from 1, blank ones included.
    private(set) var number = 0

    @_lifetime(copy text)
    init(_ text: Span<UInt8>) { self.text = text }

    /// Nothing follows the last line, not even its line end.
    private(set) var isAtEnd = false

    @_lifetime(self: copy self)
    mutating func next() -> Range<Int>? {
        while position < text.count {
            var start = position
            let lineEnd = text.firstIndex(of: 0x0A, from: position)
            isAtEnd = lineEnd == nil
            var end = lineEnd ?? text.count
            position = end + 1
            number += 1
            while start < end, Self.isSpace(text[start]) { start += 1 }
            while end > start, Self.isSpace(text[end - 1]) { end -= 1 }
            if start < end { return start..<end }
        }
        return nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
}
