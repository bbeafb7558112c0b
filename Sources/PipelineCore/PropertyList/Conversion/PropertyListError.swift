// Why a value can't be stored, and how to fix it.

/// A value that a property list, or its XML form, can't hold.
package struct PropertyListError: Error, Equatable, Sendable {
    package enum Reason: Error, Equatable, Sendable {
        case nullMember
        case nullElement
        case bigInteger
        case infiniteNumber
        /// The scalar that XML 1.0 (section 2.2) excludes.
        case control(UInt32)
        /// A scalar that XML excludes, in a name of the store.
        case controlInName(UInt32)
        case loneSurrogate
        case duplicateKey
        /// Outside the years that RFC 3339 can write.
        case farDate
        case notDate
        case notData
        case nonfinite
        /// More levels than a JSON record may have.
        case tooDeep
        /// More bytes than may be held for a record.
        case tooLarge
    }

    package let reason: Reason
    /// The offset of the value (or the name) in its line, in bytes.
    package let offset: Int
}

extension PropertyListError.Reason {
    /// What is wrong, and what to do about it.
    package var message: String {
        switch self {
        case .nullMember:
            "a property list has no null; --null=omit leaves the member out, --null=TEXT stores a text"
        case .nullElement:
            "a property list has no null; --null=omit leaves the element out, --null=TEXT stores a text"
        case .bigInteger:
            "the integer has more than 64 bits; --big-integers=text or --big-integers=real stores it otherwise"
        case .infiniteNumber: "the number is too large for a real; store it as a string"
        case .control(let value):
            "XML can't hold U+\(Self.hexadecimal(value)); --control=replace stores U+FFFD instead, "
                + "--format binary stores it"
        case .controlInName(let value):
            "XML can't hold U+\(Self.hexadecimal(value)), which a name of the store has; --format binary keeps it"
        case .loneSurrogate:
            "the escape is half of a surrogate pair, so this isn't text; --control=replace stores U+FFFD instead"
        case .duplicateKey: "the name occurs twice in this object; without --strict the last one wins"
        case .farDate: "the date is outside the years 0000 to 9999; store it as a string"
        case .notDate: "expected a date as in 2011-05-12T01:02:03Z (RFC 3339), which --date asks for here"
        case .nonfinite: "JSON has no number for NaN and infinity; --nonfinite=text writes a text"
        case .tooDeep: "expected at most \(JSONReader.depthLimit) levels of nesting; it goes deeper, or in a circle"
        case .tooLarge: "a record may take \(ReadLimits.recordBytes >> 20) MiB; store it in parts"
        case .notData: "expected base64, which --data asks for here"
        }
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

/// A line that can't be stored: it isn't a record, or has a value that a property list can't hold.
package enum RecordError: Error, Equatable, Sendable {
    case json(JSONError)
    case value(PropertyListError)
}
