// A member of a record, as offsets into the record's bytes.
//
//     {"_id":7,…}
//       ^  ^ ^^
//       |  | |valueEnd
//       |  | value
//       |  nameEnd
//       name

/// A member of a record of less than 4 GiB. Offsets count from the record's first byte.
package struct JSONMember: BitwiseCopyable, Equatable, Sendable {
    /// The offset after the name's opening quote.
    package let name: UInt32
    package let nameEnd: UInt32
    package let value: UInt32
    package let valueEnd: UInt32
    /// Whether the bytes between the name's quotes are its text.
    package let isPlain: Bool
    /// Whether only a colon separates name and value.
    package let isTight: Bool

    package init(name: Range<Int>, value: Range<Int>, isPlain: Bool) {
        self.name = UInt32(truncatingIfNeeded: name.lowerBound)
        nameEnd = UInt32(truncatingIfNeeded: name.upperBound)
        self.value = UInt32(truncatingIfNeeded: value.lowerBound)
        valueEnd = UInt32(truncatingIfNeeded: value.upperBound)
        self.isPlain = isPlain
        isTight = value.lowerBound == name.upperBound + 2
    }

    package var nameRange: Range<Int> { Int(name)..<Int(nameEnd) }
    package var valueRange: Range<Int> { Int(value)..<Int(valueEnd) }
}
