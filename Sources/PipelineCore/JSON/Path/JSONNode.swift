// A value in a JSON text: its location and its kind.

/// A value found by a path.
package struct JSONNode: Equatable, Sendable {
    package enum Kind: UInt8, Sendable {
        case object, array, string, number, boolean, null
    }

    /// The value's bytes, including a string's quotes.
    package let range: Range<Int>
    package let kind: Kind

    package init(range: Range<Int>, kind: Kind) {
        self.range = range
        self.kind = kind
    }

    /// A string's bytes between its quotes.
    package var content: Range<Int> {
        precondition(kind == .string)
        return range.lowerBound + 1..<range.upperBound - 1
    }
}

extension JSONNode.Kind {
    /// The kind of the value that begins with this byte.
    package init(firstByte byte: UInt8) {
        switch byte {
        case UInt8(ascii: "{"): self = .object
        case UInt8(ascii: "["): self = .array
        case UInt8(ascii: "\""): self = .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .boolean
        case UInt8(ascii: "n"): self = .null
        default: self = .number
        }
    }
}
