// What the pull reader finds: tokens that say where their text stands, without copying it.

/// One token of a JSON text. Ranges are byte offsets into the text that the reader was given.
package enum JSONToken: Equatable, Sendable {
    case beginObject
    case endObject
    case beginArray
    case endArray
    /// A member's name; its colon has been read too.
    case name(JSONString)
    case string(JSONString)
    case number(JSONNumber)
    case boolean(Bool)
    case null
}

/// Where a string stands.
package struct JSONString: Equatable, Sendable {
    /// What stands between the quotes.
    package let range: Range<Int>
    /// Whether any escape stands in it. Without one the bytes are the text.
    package let hasEscapes: Bool
}

/// Where a number stands.
package struct JSONNumber: Equatable, Sendable {
    package let range: Range<Int>
    /// Whether it has neither a fraction nor an exponent.
    package let isInteger: Bool
}
