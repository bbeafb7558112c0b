// What the pull reader finds: tokens that hold the range of their text, without copying it.

/// One token of a JSON text. Ranges are byte offsets into the text given to the reader.
package enum JSONToken: Equatable, Sendable {
    case beginObject
    case endObject
    case beginArray
    case endArray
    /// A member's name. Its colon has been read too.
    case name(JSONString)
    case string(JSONString)
    case number(JSONNumber)
    case boolean(Bool)
    case null
}

/// The location of a string.
package struct JSONString: Equatable, Sendable {
    /// The range between the quotes.
    package let range: Range<Int>
    /// Whether it has any escapes. Without them the bytes are the text.
    package let hasEscapes: Bool

    /// The text that it spells.
    package func text(in bytes: Span<UInt8>) -> String {
        var text: [UInt8] = []
        JSONStringDecoder.append(bytes.extracting(range), to: &text)
        return text.span.text
    }
}

/// The location of a number.
package struct JSONNumber: Equatable, Sendable {
    package let range: Range<Int>
    /// Whether it has neither a fraction nor an exponent.
    package let isInteger: Bool
}
