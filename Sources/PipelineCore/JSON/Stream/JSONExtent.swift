// Finds where a JSON value ends in a text that comes in pieces, by its quotes and brackets alone: whether it is well-formed
// shows once it is whole. No byte is looked at twice, however small the pieces are.
//
//     {"name":"Mick","films":["a}
//     ^ start              scanned ^        two brackets and a quote are open

/// What is known of a value whose end hasn't been found.
struct JSONExtent {
    /// Bytes of the value that have been looked at.
    private(set) var scanned = 0
    /// In bytes, once its end has been found.
    private var length: Int?
    private var depth = 0
    private var isInString = false

    /// - Parameters:
    ///   - start: where the value begins. Earlier calls had the same bytes from there on, and fewer of them.
    ///   - isLast: nothing follows the text.
    /// - Returns: nil if more of the text is needed. A value that never ends has none.
    mutating func end(in text: Span<UInt8>, from start: Int, isLast: Bool) -> Int? {
        if length == nil { length = search(text, from: start, isLast: isLast).map { $0 - start } }
        return length.map { start + $0 }
    }

    private mutating func search(_ text: Span<UInt8>, from start: Int, isLast: Bool) -> Int? {
        guard start < text.count else { return nil }
        var index = start + scanned
        defer { scanned = index - start }
        // A number or a word: what follows shows where it ends.
        if text[start] != UInt8(ascii: "\""), text[start] != UInt8(ascii: "{"), text[start] != UInt8(ascii: "[") {
            while index < text.count, !Self.endsBareValue(text[index]) { index += 1 }
            return index < text.count || isLast ? index : nil
        }
        while index < text.count {
            if isInString {
                let quote = text.firstIndex(of: UInt8(ascii: "\""), from: index)
                index = quote.map { $0 + 1 } ?? text.count
                guard let quote else { break }
                isInString = Self.isEscaped(quote, in: text, from: start)
            } else {
                take(text[index])
                index += 1
            }
            if depth <= 0, !isInString { return index }
        }
        return nil
    }

    private mutating func take(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
    }

    /// Whether a string, a number or a word may begin with it.
    static func beginsScalar(_ byte: UInt8) -> Bool { "\"-0123456789tfn".utf8.contains(byte) }

    private static func endsBareValue(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D:
            true
        default: false
        }
    }

    /// Whether an odd number of backslashes stands before the quote.
    private static func isEscaped(_ quote: Int, in text: Span<UInt8>, from start: Int) -> Bool {
        var index = quote
        while index > start, text[index - 1] == UInt8(ascii: "\\") { index -= 1 }
        return (quote - index) % 2 == 1
    }
}
